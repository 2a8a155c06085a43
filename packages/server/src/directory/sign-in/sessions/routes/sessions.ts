import { Type } from 'typebox';
import { noContent, type Route } from '#kit/http.ts';
import { Component, Nullable, Timestamp, Uuid } from '#kit/schemas.ts';
import { oversee, own, ownSignIn, person } from '../../auth/routes/schemas.ts';
import { SIGN_IN_METHODS } from '../method.ts';
import { endSession, endSessionsOf, listSessions } from '../sessions.ts';

const SessionView = Component('SignInSession', {
  id: Uuid,
  created_at: Timestamp,
  last_used_at: Timestamp,
  expires_at: Timestamp,
  method: Type.Enum([...SIGN_IN_METHODS]),
  provider: Nullable(Type.String()),
  second_factor: Type.Boolean(),
  ip: Nullable(Type.String()),
  user_agent: Nullable(Type.String()),
  unproven: Nullable(
    Type.Enum(['time_unknown', 'not_asked_again'], {
      description:
        'Why a sign-in through the provider does not confirm who the person is: the provider does not say when they signed in there, or it did not ask them again.',
    }),
  ),
  current: Type.Boolean({ description: 'Whether this request belongs to the session.' }),
});

export const sessionRoutes: Route[] = [
  ownSignIn.get(
    'sessions/',
    'List your sessions',
    { reply: Component('SignInSessions', { results: Type.Array(SessionView) }) },
    async ({ call }) => ({ results: await listSessions(call) }),
  ),
  ownSignIn.delete(
    'sessions/:session_id/',
    'End one of your sessions',
    {
      config: own,

      params: { session_id: Uuid },
      ...noContent,
    },
    ({ call, params }) => endSession(call, params.session_id),
  ),
  person.post(
    'sign-out/',
    "End all of a person's sessions",
    {
      config: oversee,

      ...noContent,
    },
    ({ call, found }) => endSessionsOf(call, found),
  ),
];
