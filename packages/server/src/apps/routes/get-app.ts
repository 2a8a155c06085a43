import type { Http, RouteTools } from '../../platform/http/server.ts';
import { adminAppOf } from '../admin.ts';
import { withApp } from '../with-app.ts';
import { AppParams, AppView, appView, everyRole, tags } from './schemas.ts';

/** Returns an app with its settings. */
export function getAppRoute(http: Http, { db }: RouteTools) {
  http.get(
    '/api/apps/:app_id/',
    {
      config: everyRole,
      onRequest: withApp(db),
      schema: { tags, summary: 'Get app', params: AppParams, response: { 200: AppView } },
    },
    async ({ principal, bridgeApp }) => appView(await adminAppOf(db, principal.orgId, bridgeApp.id)),
  );
}
