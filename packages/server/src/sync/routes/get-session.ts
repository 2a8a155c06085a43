import type { Http, RouteTools } from '../../platform/http/server.ts';
import { sessionViewOf } from '../view.ts';
import { onSession } from './on-session.ts';
import { adminTags, SessionParams, SessionView } from './schemas.ts';

export function getSessionRoute(http: Http, { db }: RouteTools) {
  http.get(
    '/api/apps/:app_id/syncs/:sync_id/',
    {
      config: { access: { scope: 'govern', roles: ['owner', 'admin', 'auditor'], apps: 'listed' } },
      onRequest: onSession(db),
      schema: {
        tags: adminTags,
        summary: 'Get a sync session',
        params: SessionParams,
        response: { 200: SessionView },
      },
    },
    async ({ principal, bridgeApp, params }) =>
      sessionViewOf(db, principal.orgId, bridgeApp.id, params.sync_id),
  );
}
