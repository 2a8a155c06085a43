import type { Http, RouteTools } from '../../platform/http/server.ts';
import { disconnect } from '../admin.ts';
import { withApp } from '../with-app.ts';
import { callerOf } from './caller.ts';
import { AppParams, AppView, administrators, appView, tags } from './schemas.ts';

/** Disconnects an app until an administrator reconnects it (D13). */
export function disconnectAppRoute(http: Http, { db }: RouteTools) {
  http.post(
    '/api/apps/:app_id/disconnect/',
    {
      config: administrators,
      onRequest: withApp(db),
      schema: { tags, summary: 'Disconnect app', params: AppParams, response: { 200: AppView } },
    },
    async (request) => appView(await disconnect(db, callerOf(request), request.bridgeApp.id)),
  );
}
