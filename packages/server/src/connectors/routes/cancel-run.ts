import { withApp } from '../../apps/with-app.ts';
import { causeOf } from '../../identity/cause.ts';
import type { Http, RouteTools } from '../../platform/http/server.ts';
import { cancelRun } from '../runs.ts';
import { managing, RunDetails, RunParams, runDetails, tags } from './schemas.ts';

export function cancelRunRoute(http: Http, { db }: Pick<RouteTools, 'db'>) {
  http.post(
    '/api/apps/:app_id/connector/runs/:run_id/cancel/',
    {
      config: managing,
      onRequest: withApp(db),
      schema: {
        tags,
        summary: 'Cancel run of connector',
        description: 'A queued run ends at once. A running one ends within 15 seconds and removes nothing.',
        params: RunParams,
        response: { 200: RunDetails },
      },
    },
    async (request) => {
      const { principal, bridgeApp, params } = request;
      return runDetails(await cancelRun(db, principal, bridgeApp, params.run_id, causeOf(request)));
    },
  );
}
