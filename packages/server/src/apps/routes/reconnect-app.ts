import type { Http, RouteTools } from '../../platform/http/server.ts';
import { reconnect } from '../admin.ts';
import { withApp } from '../with-app.ts';
import { callerOf } from './caller.ts';
import { AppParams, AppView, administrators, appView, tags } from './schemas.ts';

/** Ends a disconnect by an administrator. */
export function reconnectAppRoute(http: Http, { db }: RouteTools) {
  http.post(
    '/api/apps/:app_id/reconnect/',
    {
      config: administrators,
      onRequest: withApp(db),
      schema: { tags, summary: 'Reconnect app', params: AppParams, response: { 200: AppView } },
    },
    async (request) => appView(await reconnect(db, callerOf(request), request.bridgeApp.id)),
  );
}
