import { Type } from 'typebox';
import { Nullable, Timestamp, Uuid } from '../../../platform/http/schemas.ts';
import type { Http } from '../../../platform/http/server.ts';
import { SIGN_IN_METHODS } from '../method.ts';
import { listSessions } from '../sessions.ts';
import { own, tags } from './schemas.ts';
import type { SignInTools } from './tools.ts';

const SessionView = Type.Object({
  id: Uuid,
  created_at: Timestamp,
  last_used_at: Timestamp,
  expires_at: Timestamp,
  method: Type.Enum([...SIGN_IN_METHODS]),
  provider: Nullable(Type.String()),
  second_factor: Type.Boolean(),
  ip: Nullable(Type.String()),
  user_agent: Nullable(Type.String()),
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
        response: { 200: Type.Object({ results: Type.Array(SessionView) }) },
      },
    },
    async ({ principal }) => ({ results: await listSessions(db, principal) }),
  );
}
