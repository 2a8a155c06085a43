import type { Http, RouteTools } from '../../platform/http/server.ts';
import { sessionViewOf } from '../view.ts';
import { onSession } from './on-session.ts';
import { bridge, bridgeTags, SessionParams, SessionView } from './schemas.ts';

export function showSessionRoute(http: Http, { db }: RouteTools) {
  http.get(
    '/api/v1/bridge/apps/:app_id/sync/:sync_id/',
    {
      config: bridge,
      onRequest: onSession(db),
      schema: {
        tags: bridgeTags,
        summary: 'Get sync progress',
        params: SessionParams,
        response: { 200: SessionView },
      },
    },
    async ({ principal, bridgeApp, params }) =>
      sessionViewOf(db, principal.orgId, bridgeApp.id, params.sync_id),
  );
}
