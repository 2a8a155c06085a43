import { nothingHere } from '#kit/errors.ts';
import { readJson } from '#kit/http/json.ts';
import { httpRefusals } from '#kit/http/sentences.ts';
import { addRoutes, type Http, type RouteTools } from '#kit/http.ts';
import { replyToScimError, SCIM_JSON } from '../errors.ts';
import { scimOperations } from './resources.ts';
import { config, noteRefusal } from './tools.ts';

/** A group with many members has many values of a few bytes each. */
const MOST_VALUES = 200_000;
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;

/** The SCIM service provider (RFC 7644) below `/scim/v2`. All of its errors are SCIM errors. */
export async function scimRoutes(http: Http, tools: RouteTools) {
  await http.register(async (scope) => {
    const scim = scope as unknown as Http;
    scim.setErrorHandler(async (error, request, reply) => {
      await noteRefusal(tools, request, error);
      return replyToScimError(error, request, reply);
    });
    scim.removeContentTypeParser('application/json');
    scim.addContentTypeParser(
      [SCIM_JSON, 'application/json'],
      { parseAs: 'buffer' },
      (_request, bytes, done) => {
        if (bytes.length === 0) return done(null, undefined);
        try {
          done(null, readJson(bytes as Buffer, MOST_VALUES));
        } catch (error) {
          done(error as Error);
        }
      },
    );
    const addresses = new Map<string, Set<string>>();
    scim.addHook('onRoute', ({ url, method }) => {
      const known = addresses.get(url) ?? new Set<string>();
      for (const one of [method].flat()) known.add(one);
      addresses.set(url, known);
    });
    addRoutes(scim, tools, scimOperations);
    for (const [url, methods] of [...addresses]) {
      const others = METHODS.filter((method) => !methods.has(method));
      if (others.length === 0) continue;
      scim.route({
        method: others,
        url: url.replace('/org/:org', ''),
        config,
        schema: { hide: true },
        handler: async (request, reply) => {
          reply.header('Allow', [...methods].sort().join(', '));
          throw httpRefusals.method_not_allowed({ method: request.method });
        },
      });
    }
    scim.route({
      method: [...METHODS],
      url: '/scim/v2/*',
      config,
      schema: { hide: true },
      handler: async () => {
        throw nothingHere();
      },
    });
  });
}
