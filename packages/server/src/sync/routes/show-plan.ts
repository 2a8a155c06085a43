import { listReply, pageOf } from '../../platform/http/lists.ts';
import type { Http, RouteTools } from '../../platform/http/server.ts';
import type { Jobs } from '../../platform/jobs/jobs.ts';
import { showPlan } from '../plan/plan.ts';
import { onSession } from './on-session.ts';
import { PlanPending, PlanQuery, PlanReply } from './plan-schemas.ts';
import { adminTags, SessionParams } from './schemas.ts';

const RETRY_SECONDS = 2;

export function showPlanRoute(http: Http, { db, origin, jobs }: RouteTools & { jobs: Jobs }) {
  http.get(
    '/api/apps/:app_id/syncs/:sync_id/plan/',
    {
      config: { access: { scope: 'govern', roles: ['owner', 'admin', 'auditor'], apps: 'listed' } },
      onRequest: onSession(db),
      schema: {
        tags: adminTags,
        summary: 'Show what a sync would change or has changed',
        description:
          'For a session in progress, everything that completing it now would create, change and remove. For a published session, what it did and what its held removal would take. 202 while the plan of a large session is being computed.',
        params: SessionParams,
        querystring: PlanQuery,
        response: { 200: PlanReply, 202: PlanPending },
      },
    },
    async (request, reply) => {
      const { principal, bridgeApp, params } = request;
      const { type = null, change = null, applied = null, q } = request.query;
      const page = pageOf(request.query);
      const filter = { type, change, applied, q: q || null };
      const shown = await showPlan({ db, jobs }, principal.orgId, bridgeApp, params.sync_id, filter, page);
      if ('waiting' in shown) {
        reply.code(202).header('Retry-After', String(RETRY_SECONDS));
        return { sync_id: params.sync_id, detail: shown.waiting };
      }
      return { ...shown.plan, ...listReply(request, origin(request), page, shown.changes) };
    },
  );
}
