import { Type } from 'typebox';
import { Component, Nullable, Timestamp, Uuid } from '../../../../kit/http/schemas.ts';
import type { Http } from '../../../../kit/http/server.ts';
import { callOf } from '../../../../kit/identity/call.ts';
import { SIGN_IN_METHODS } from '../method.ts';
import { endSession, listSessions } from '../sessions.ts';
import { NoContent, own, tags } from './schemas.ts';
import type { SignInTools } from './tools.ts';

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

export function listSessionsRoute(http: Http, { db }: SignInTools) {
  http.get(
    '/auth/sessions/',
    {
      config: own,
      schema: {
        tags,
        summary: 'List your sessions',
        response: { 200: Component('SignInSessions', { results: Type.Array(SessionView) }) },
      },
    },
    async (request) => ({ results: await listSessions(callOf(db, request)) }),
  );
}

export function endSessionRoute(http: Http, { db }: SignInTools) {
  http.delete(
    '/auth/sessions/:session_id/',
    {
      config: own,
      schema: {
        tags,
        summary: 'End one of your sessions',
        params: Type.Object({ session_id: Uuid }),
        response: NoContent,
      },
    },
    async (request, reply) => {
      await endSession(callOf(db, request), request.params.session_id);
      reply.code(204);
      return null;
    },
  );
}
