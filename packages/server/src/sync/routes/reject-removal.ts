import type { Http, RouteTools } from '../../platform/http/server.ts';
import { rejectRemoval } from '../held.ts';
import { onSession } from './on-session.ts';
import { adminTags, decide, SessionParams, SessionView } from './schemas.ts';

export function rejectRemovalRoute(http: Http, { db }: RouteTools) {
  http.post(
    '/api/apps/:app_id/syncs/:sync_id/reject/',
    {
      config: decide,
      onRequest: onSession(db),
      schema: {
        tags: adminTags,
        summary: 'Reject held removals',
        description: 'Ends the session in error. Its pushed records stay published, and nothing is removed.',
        params: SessionParams,
        response: { 200: SessionView },
      },
    },
    async ({ principal, bridgeApp, params }) =>
      rejectRemoval(db, principal.orgId, bridgeApp.id, params.sync_id, principal.userId),
  );
}
