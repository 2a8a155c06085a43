import { Type } from 'typebox';
import { conflict } from '../../../../kit/errors.ts';
import { Component, Timestamp } from '../../../../kit/http/schemas.ts';
import type { Http } from '../../../../kit/http/server.ts';
import { callOf } from '../../../../kit/identity/call.ts';
import { createPasswordLink, requestPasswordLink } from '../password-links.ts';
import { administer, PersonParams, tags } from './schemas.ts';
import type { SignInTools } from './tools.ts';

export function emailPasswordLinkRoute(http: Http, { db, onPerson, canEmail }: SignInTools) {
  http.post(
    '/api/users/:user_id/sign-in-link/email/',
    {
      config: administer,
      onRequest: onPerson,
      schema: {
        tags,
        summary: 'Email a one-time link for setting a password',
        description:
          "Gatehouse creates the link and sends it to the person's email address soon. Returns 409 if emails are not configured.",
        params: PersonParams,
        response: {
          202: Component('SentSignInLink', {
            email: Type.String({ description: 'The address of the person.' }),
          }),
        },
      },
    },
    async (request, reply) => {
      const { params } = request;
      if (!canEmail)
        throw conflict(
          'Emails are not configured, so Gatehouse cannot send the link. Create a sign-in link and pass it on yourself.',
        );
      reply.code(202);
      return requestPasswordLink(callOf(db, request), params.user_id);
    },
  );
}

const PasswordLink = Component('SignInLink', {
  url: Type.String({
    description: 'Pass it on to the person, and to nobody else. Its secret follows the #.',
  }),
  expires_at: Timestamp,
});

export function createPasswordLinkRoute(
  http: Http,
  { db, linkOrigin, onPerson, context, canEmail }: SignInTools,
) {
  http.post(
    '/api/users/:user_id/sign-in-link/',
    {
      // The link leads to a session, which can do more than a key with fewer scopes, fewer apps or an expiry (D8).
      config: administer,
      onRequest: onPerson,
      schema: {
        tags,
        summary: 'Create a one-time link for setting a password',
        description:
          "The link works once, for 72 hours. It replaces the person's earlier links. Returns 409 if emails are configured: the link then goes to the person's mailbox only. Only owners create links for owners, administrators and auditors, and nobody for themselves.",
        params: PersonParams,
        response: { 200: PasswordLink },
      },
    },
    async (request) => {
      if (canEmail)
        throw conflict(
          'Emails are configured, so the link goes to the mailbox of the person only. Send it by email instead.',
        );
      const { principal, params } = request;
      const page = `${linkOrigin(request)}${context.consolePath(principal.orgSlug)}/welcome`;
      const { token, expires_at } = await createPasswordLink(callOf(db, request), params.user_id);
      return { url: `${page}#${token}`, expires_at };
    },
  );
}
