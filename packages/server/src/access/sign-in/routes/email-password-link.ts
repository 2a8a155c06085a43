import { Type } from 'typebox';
import { causeOf } from '../../../identity/cause.ts';
import { conflict } from '../../../platform/errors.ts';
import type { Http } from '../../../platform/http/server.ts';
import { requestPasswordLink } from '../password-links.ts';
import { LINK_ROLES } from '../permission.ts';
import { PersonParams, tags } from './schemas.ts';
import type { SignInTools } from './tools.ts';

export function emailPasswordLinkRoute(http: Http, { db, onPerson, canEmail }: SignInTools) {
  http.post(
    '/api/users/:user_id/sign-in-link/email/',
    {
      config: { access: { scope: 'session', roles: LINK_ROLES } },
      onRequest: onPerson,
      schema: {
        tags,
        summary: 'Email a one-time link for setting a password',
        description:
          "Gatehouse creates the link and sends it to the person's email address soon. Returns 409 if emails are not configured.",
        params: PersonParams,
        response: { 202: Type.Object({ email: Type.String({ description: 'The address of the person.' }) }) },
      },
    },
    async (request, reply) => {
      const { principal, params } = request;
      if (!canEmail)
        throw conflict(
          'Emails are not configured, so Gatehouse cannot send the link. Create a sign-in link and pass it on yourself.',
        );
      reply.code(202);
      return requestPasswordLink(db, principal, causeOf(request), params.user_id);
    },
  );
}
