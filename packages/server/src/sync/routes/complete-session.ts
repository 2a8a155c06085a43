import type { Http, RouteTools } from '../../platform/http/server.ts';
import type { Jobs } from '../../platform/jobs/jobs.ts';
import { completeSession } from '../complete.ts';
import { onSession } from './on-session.ts';
import { bridge, bridgeTags, SessionParams, SessionView } from './schemas.ts';

export function completeSessionRoute(http: Http, { db, jobs }: RouteTools & { jobs: Jobs }) {
  http.post(
    '/api/v1/bridge/apps/:app_id/sync/:sync_id/complete/',
    {
      config: bridge,
      onRequest: onSession(db),
      schema: {
        tags: bridgeTags,
        summary: 'Complete sync',
        params: SessionParams,
        response: { 202: SessionView },
      },
    },
    async (request, reply) => {
      const { principal, bridgeApp, params } = request;
      reply.code(202);
      return completeSession({ db, jobs }, principal.orgId, bridgeApp, params.sync_id);
    },
  );
}
