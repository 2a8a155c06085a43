import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { Route } from '#kit/http.ts';
import { Form } from '../../auth/routes/forms.ts';
import { open } from '../../auth/routes/schemas.ts';
import type { SignInTools } from '../../auth/routes/tools.ts';
import { signInRefusals } from '../../sentences.ts';
import { beginElsewhere, type StartElsewhere } from '../sso.ts';
import { pageOfError, redirectAfterSso } from './sso-redirect.ts';

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
    throw signInRefusals.sign_in_address_embedded();
}

/** The address of a portal's tile, and the `initiate_login_uri` of a provider (OpenID Connect Core 4). */
export const startSso = ({ context, visitor, linkVisitOf }: SignInTools): Route =>
  visitor.get(
    'start/',
    'Start to sign in from a portal',
    {
      config: { ...open, waits: true },
      options: { errorHandler: pageOfError(context) },

      description:
        "Redirects the browser to the provider: the address for a portal's tile, and the `initiate_login_uri` of OpenID Connect.",
      query: fields,
    },
    ({ query, request, reply }) => {
      requirePage(request);
      return redirectAfterSso(request, reply, context, async () => {
        const { url, cookies } = await beginElsewhere(context, await linkVisitOf(request), query);
        return { location: url, cookies };
      });
    },
  );

/** Redirects to the same address with GET: browsers send cookies with that, and not with a form of another site. */
export const startSsoWithForm = ({ context, crossSiteVisitor }: SignInTools): Route =>
  crossSiteVisitor.post(
    'start/',
    'Start to sign in from a provider with a form',
    {
      options: { errorHandler: pageOfError(context) },

      description: 'Redirects the browser to the same address with GET.',
      query: fields,
      body: Form(Type.Object(fields)),
    },
    ({ query, body, request, reply }) => {
      const given: StartElsewhere = { ...query, ...body };
      const known = Object.keys(fields).flatMap((name) => {
        const value = given[name as keyof StartElsewhere];
        return value === undefined ? [] : [[name, value]];
      });
      const { slug } = request.organization;
      return reply.redirect(`/org/${slug}/auth/start/?${new URLSearchParams(known)}`, 303);
    },
  );
