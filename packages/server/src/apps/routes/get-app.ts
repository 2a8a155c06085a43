import type { Http, RouteTools } from '../../platform/http/server.ts';
import { adminAppOf, type ReadActivity } from '../admin.ts';
import { withApp } from '../with-app.ts';
import { AppParams, AppView, appView, everyRole, tags, withActivity } from './schemas.ts';

/** Returns an app with its settings. */
export function getAppRoute(http: Http, tools: RouteTools & ReadActivity) {
  const { db } = tools;
  http.get(
    '/api/apps/:app_id/',
    {
      config: everyRole,
      onRequest: withApp(db),
      schema: { tags, summary: 'Get app', params: AppParams, response: { 200: AppView } },
    },
    async ({ principal, bridgeApp }) => {
      const app = await adminAppOf(db, principal.orgId, bridgeApp.id);
      const [view] = await withActivity(tools, principal, [app]);
      return view ?? appView(app);
    },
  );
}
