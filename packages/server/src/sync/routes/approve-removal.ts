import { causeOf } from '../../identity/cause.ts';
import type { Http, RouteTools } from '../../platform/http/server.ts';
import type { Jobs } from '../../platform/jobs/jobs.ts';
import { approveRemoval } from '../held.ts';
import { onSession } from './on-session.ts';
import { adminTags, decide, SessionParams, SessionView } from './schemas.ts';

export function approveRemovalRoute(http: Http, { db, jobs }: RouteTools & { jobs: Jobs }) {
  http.post(
    '/api/apps/:app_id/syncs/:sync_id/approve/',
    {
      config: decide,
      onRequest: onSession(db),
      schema: {
        tags: adminTags,
        summary: 'Approve held removals',
        description:
          'Removes the accounts, groups, licenses and memberships that the removal guard has held.',
        params: SessionParams,
        response: { 202: SessionView },
      },
    },
    async (request, reply) => {
      const { principal, bridgeApp, params } = request;
      reply.code(202);
      const tools = { db, jobs };
      return approveRemoval(tools, principal.orgId, bridgeApp.id, params.sync_id, causeOf(request));
    },
  );
}
