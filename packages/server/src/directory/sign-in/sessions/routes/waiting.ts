import { Type } from 'typebox';
import { noContent, type Route } from '#kit/http.ts';
import { Component, Nullable } from '#kit/schemas.ts';
import { type SignInTools, setCookies } from '../../auth/routes/tools.ts';
import { continueWaiting, discardWaiting, getWaiting } from '../waiting.ts';

const Somebody = Type.Object({
  email: Type.String(),
  username: Type.String(),
  first_name: Type.String(),
  last_name: Type.String(),
});

/** A sign-in through a provider that waits, because somebody else is signed in in this browser. */
export const waitingRoutes = ({ context, visitor, visitOf }: SignInTools): Route[] => [
  visitor.get(
    'waiting/',
    'Get the sign-in that waits',
    {
      description:
        'After a sign-in through a provider while somebody else is signed in in this browser. Returns 404 if none waits.',
      reply: Component('WaitingSignIn', { person: Somebody, signed_in: Nullable(Somebody) }),
    },
    async ({ request }) => getWaiting(context, await visitOf(request)),
  ),
  visitor.post(
    'waiting/',
    'Continue as the person whose sign-in waits',
    { description: 'Ends the session of the person who is signed in.', ...noContent },
    async ({ request, reply }) => setCookies(reply, await continueWaiting(context, await visitOf(request))),
  ),
  visitor.delete(
    'waiting/',
    'Discard the sign-in that waits',
    { description: 'The person who is signed in stays signed in.', ...noContent },
    async ({ request, reply }) => setCookies(reply, await discardWaiting(context, await visitOf(request))),
  ),
];
