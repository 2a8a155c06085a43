import { type Static, type TSchema, Type } from 'typebox';
import { addRoutes, type Http, type Route, type RouteTools } from '#kit/http.ts';

const FORM = 'application/x-www-form-urlencoded';

/** The schema of a form. Without a body, Fastify checks no schema. */
export const Form = <T extends TSchema>(schema: T) =>
  Type.Unsafe<Static<T> | null>({ content: { [FORM]: { schema } } });

/** Adds routes that take a form, which other sites may post, and nothing else. */
export async function addFormRoutes(
  http: Http,
  tools: RouteTools,
  largestBytes: number,
  routes: readonly Route[],
) {
  await http.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(FORM, { parseAs: 'string', bodyLimit: largestBytes }, (_request, text, done) =>
      done(null, Object.fromEntries(new URLSearchParams(text as string))),
    );
    addRoutes(scope as unknown as Http, tools, routes);
  });
}
