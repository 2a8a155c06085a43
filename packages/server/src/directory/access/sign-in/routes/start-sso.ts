import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { forbidden } from '../../../../kit/errors.ts';
import type { Http } from '../../../../kit/http/server.ts';
import { beginElsewhere, type StartElsewhere } from '../sso.ts';
import { takeForms } from './forms.ts';
import { open, tags } from './schemas.ts';
import { pageOfError, redirectAfterSso } from './sso-redirect.ts';
import type { SignInTools } from './tools.ts';

const LARGEST_FORM_BYTES = 16 * 1024;

const fields = {
  provider: Type.Optional(Type.String({ maxLength: 63, description: 'The id of the sign-in provider.' })),
  iss: Type.Optional(
    Type.String({ maxLength: 2000, description: "Must be the provider's issuer, if it is given." }),
  ),
  login_hint: Type.Optional(Type.String({ maxLength: 2000, description: 'Passed on with OpenID Connect.' })),
  target_link_uri: Type.Optional(
    Type.String({
      maxLength: 2000,
      description: 'The page of Gatehouse to return to. An address of another site is ignored.',
    }),
  ),
};

/** Another page must not start sign-ins in the background: they would push out those that the person has started. */
function requirePage({ headers }: FastifyRequest) {
  const destination = headers['sec-fetch-dest'];
  if (destination !== undefined && destination !== 'document')
    throw forbidden('This address starts a sign-in. Open it as a page of its own, not inside another page.');
}

/** The address of a portal's tile, and the `initiate_login_uri` of a provider (OpenID Connect Core 4). */
export function startSsoRoute(http: Http, { context, onVisit, linkVisitOf }: SignInTools) {
  http.get(
    '/auth/start/',
    {
      config: { ...open, waits: true },
      onRequest: onVisit,
      errorHandler: pageOfError(context),
      schema: {
        tags,
        summary: 'Start to sign in from a portal',
        description:
          "Redirects the browser to the provider: the address for a portal's tile, and the `initiate_login_uri` of OpenID Connect.",
        querystring: Type.Object(fields),
      },
    },
    async (request, reply) => {
      requirePage(request);
      return redirectAfterSso(request, reply, context, async () => {
        const { url, cookies } = await beginElsewhere(context, await linkVisitOf(request), request.query);
        return { location: url, cookies };
      });
    },
  );
}

/** Redirects to the same address with GET: browsers send cookies with that, and not with a form of another site. */
export async function startSsoWithFormRoute(http: Http, { context, onCrossSiteVisit }: SignInTools) {
  await http.register(async (scope) => {
    takeForms(scope as unknown as Http, LARGEST_FORM_BYTES);
    (scope as unknown as Http).post(
      '/auth/start/',
      {
        config: open,
        onRequest: onCrossSiteVisit,
        errorHandler: pageOfError(context),
        schema: {
          tags,
          summary: 'Start to sign in from a provider with a form',
          description: 'Redirects the browser to the same address with GET.',
          querystring: Type.Object(fields),
          body: {
            content: { 'application/x-www-form-urlencoded': { schema: Type.Object(fields) } },
          },
        },
      },
      async (request, reply) => {
        const given: StartElsewhere = {
          ...request.query,
          ...((request.body as StartElsewhere | null) ?? {}),
        };
        const known = Object.keys(fields).flatMap((name) => {
          const value = given[name as keyof StartElsewhere];
          return value === undefined ? [] : [[name, value]];
        });
        const { slug } = request.organization;
        return reply.redirect(`/org/${slug}/auth/start/?${new URLSearchParams(known)}`, 303);
      },
    );
  });
}
