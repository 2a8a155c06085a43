import { withApp } from '../../apps/with-app.ts';
import type { Http, RouteTools } from '../../platform/http/server.ts';
import { getRun } from '../runs.ts';
import { managing, RunDetails, RunParams, runDetails, tags } from './schemas.ts';

/** Returns a run with its log and result. A preview has records of the system, so only administrators read it. */
export function getRunRoute(http: Http, { db }: Pick<RouteTools, 'db'>) {
  http.get(
    '/api/apps/:app_id/connector/runs/:run_id/',
    {
      config: managing,
      onRequest: withApp(db),
      schema: { tags, summary: 'Get run of connector', params: RunParams, response: { 200: RunDetails } },
    },
    async ({ principal, bridgeApp, params }) =>
      runDetails(await getRun(db, principal, bridgeApp, params.run_id)),
  );
}
