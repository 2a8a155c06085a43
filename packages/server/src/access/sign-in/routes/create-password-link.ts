import { Type } from 'typebox';
import { causeOf } from '../../../identity/cause.ts';
import { Timestamp } from '../../../platform/http/schemas.ts';
import type { Http } from '../../../platform/http/server.ts';
import { createPasswordLink } from '../password-links.ts';
import { LINK_ROLES } from '../permission.ts';
import { PersonParams, tags } from './schemas.ts';
import type { SignInTools } from './tools.ts';

const PasswordLink = Type.Object({
  url: Type.String({
    description: 'Pass it on to the person, and to nobody else. Its secret follows the #.',
  }),
  expires_at: Timestamp,
});

export function createPasswordLinkRoute(http: Http, { db, origin, onPerson, context }: SignInTools) {
  http.post(
    '/api/users/:user_id/sign-in-link/',
    {
      // The link leads to a session, which can do more than a key with fewer scopes, fewer apps or an expiry (D8).
      config: { access: { scope: 'session', roles: LINK_ROLES } },
      onRequest: onPerson,
      schema: {
        tags,
        summary: 'Create a one-time link for setting a password',
        description: "The link works once, for 72 hours. It replaces the person's earlier links.",
        params: PersonParams,
        response: { 200: PasswordLink },
      },
    },
    async (request) => {
      const { principal, params } = request;
      const { token, expires_at } = await createPasswordLink(db, principal, causeOf(request), params.user_id);
      const page = `${origin(request)}${context.consolePath(principal.orgSlug)}/welcome`;
      return { url: `${page}#${token}`, expires_at };
    },
  );
}
