import type { Http, RouteTools } from '../../platform/http/server.ts';
import { withApp } from '../with-app.ts';
import { AppParams, BridgeApp, bridge, bridgeTags } from './schemas.ts';

/** Returns an app as connectors see it (D14). */
export function getBridgeAppRoute(http: Http, { db }: RouteTools) {
  http.get(
    '/api/v1/bridge/apps/:app_id/',
    {
      config: bridge,
      onRequest: withApp(db),
      schema: { tags: bridgeTags, summary: 'Get app', params: AppParams, response: { 200: BridgeApp } },
    },
    async (request) => request.bridgeApp,
  );
}
