import { Type } from 'typebox';
import { noContent, type Route, route } from '#kit/http.ts';
import { Component, Nullable, Timestamp, Uuid } from '#kit/schemas.ts';
import { oversee, own, PersonParams, tag } from '../../auth/routes/schemas.ts';
import type { SignInTools } from '../../auth/routes/tools.ts';
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

export const sessionRoutes = ({ onPerson }: SignInTools): Route[] => [
  route(
    'GET',
    '/auth/sessions/',
    {
      tag,
      config: own,
      summary: 'List your sessions',
      reply: Component('SignInSessions', { results: Type.Array(SessionView) }),
    },
    async ({ call }) => ({ results: await listSessions(call) }),
  ),
  route(
    'DELETE',
    '/auth/sessions/:session_id/',
    {
      tag,
      config: own,
      summary: 'End one of your sessions',
      params: { session_id: Uuid },
      ...noContent,
    },
    ({ call, params }) => endSession(call, params.session_id),
  ),
  route(
    'POST',
    '/api/users/:user_id/sign-out/',
    {
      tag,
      config: oversee,
      before: onPerson,
      summary: "End all of a person's sessions",
      params: PersonParams,
      ...noContent,
    },
    ({ call, params }) => endSessionsOf(call, params.user_id),
  ),
];
