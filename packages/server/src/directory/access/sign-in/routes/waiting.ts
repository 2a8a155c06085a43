import { Type } from 'typebox';
import { Component, Nullable } from '../../../../kit/http/schemas.ts';
import type { Http } from '../../../../kit/http/server.ts';
import { continueWaiting, discardWaiting, getWaiting } from '../waiting.ts';
import { NoContent, open, tags } from './schemas.ts';
import { type SignInTools, setCookies } from './tools.ts';

const Somebody = Type.Object({
  email: Type.String(),
  username: Type.String(),
  first_name: Type.String(),
  last_name: Type.String(),
});

/** A sign-in through a provider that waits, because somebody else is signed in in this browser. */
export function waitingRoutes(http: Http, { context, onVisit, visitOf }: SignInTools) {
  http.get(
    '/auth/waiting/',
    {
      config: open,
      onRequest: onVisit,
      schema: {
        tags,
        summary: 'Get the sign-in that waits',
        description:
          'After a sign-in through a provider while somebody else is signed in in this browser. Returns 404 if none waits.',
        response: {
          200: Component('WaitingSignIn', { person: Somebody, signed_in: Nullable(Somebody) }),
        },
      },
    },
    async (request) => getWaiting(context, await visitOf(request)),
  );
  http.post(
    '/auth/waiting/',
    {
      config: open,
      onRequest: onVisit,
      schema: {
        tags,
        summary: 'Continue as the person whose sign-in waits',
        description: 'Ends the session of the person who is signed in.',
        response: NoContent,
      },
    },
    async (request, reply) => {
      setCookies(reply, await continueWaiting(context, await visitOf(request)));
      reply.code(204);
      return null;
    },
  );
  http.delete(
    '/auth/waiting/',
    {
      config: open,
      onRequest: onVisit,
      schema: {
        tags,
        summary: 'Discard the sign-in that waits',
        description: 'The person who is signed in stays signed in.',
        response: NoContent,
      },
    },
    async (request, reply) => {
      setCookies(reply, await discardWaiting(context, await visitOf(request)));
      reply.code(204);
      return null;
    },
  );
}
