import { Type } from 'typebox';
import { Nullable, Timestamp, Uuid } from '../../platform/http/schemas.ts';
import type { Http, RouteTools } from '../../platform/http/server.ts';
import { recentSessions } from '../view.ts';
import { adminTags } from './schemas.ts';

const RecentSync = Type.Object({
  sync_id: Uuid,
  status: Type.String({ description: 'in_progress, completing, completed, error or abandoned.' }),
  held: Type.Boolean({ description: 'Whether it holds removals for approval.' }),
  rejected: Type.Boolean({ description: 'Whether somebody rejected the removals that it held.' }),
  records: Nullable(
    Type.Integer({ description: 'The number of records pushed. Null while the session is in progress.' }),
  ),
  started_at: Timestamp,
  finished_at: Nullable(Timestamp),
});

export function listRecentSessionsRoute(http: Http, _: RouteTools) {
  http.get(
    '/api/syncs/recent/',
    {
      config: {
        access: { scope: 'govern', roles: ['owner', 'admin', 'auditor'], apps: 'listed' },
        reads: 'replica',
      },
      schema: {
        tags: adminTags,
        summary: 'List the newest sync sessions of several apps',
        description: 'The last 20 sessions of each of up to 50 apps, newest first.',
        querystring: Type.Object({
          app_ids: Type.Optional(
            Type.String({
              description: 'Comma-separated list of up to 50 apps. Default: the first 50 apps by name.',
              maxLength: 2000,
            }),
          ),
        }),
        response: {
          200: Type.Object({
            results: Type.Array(Type.Object({ app_id: Uuid, syncs: Type.Array(RecentSync) })),
          }),
        },
      },
    },
    async ({ principal, reads, query }) => ({
      results: await recentSessions(reads.db, principal, query.app_ids || null),
    }),
  );
}
