import { withApp } from '../../apps/with-app.ts';
import type { Http, RouteTools } from '../../platform/http/server.ts';
import { taskOfApp } from '../list.ts';
import { BridgeTask, BridgeTaskParams, bridgeTask } from './bridge-schemas.ts';

/** D14. */
export function getBridgeTaskRoute(http: Http, { db }: RouteTools) {
  http.get(
    '/api/v1/bridge/apps/:app_id/tasks/:task_id/',
    {
      config: { access: { scope: 'bridge', apps: 'listed' } },
      onRequest: withApp(db),
      schema: {
        tags: ['Bridge: tasks'],
        summary: 'Get task of an app',
        params: BridgeTaskParams,
        response: { 200: BridgeTask },
      },
    },
    async ({ principal, bridgeApp, params }) =>
      bridgeTask(await taskOfApp(db, principal.orgId, bridgeApp.id, params.task_id)),
  );
}
