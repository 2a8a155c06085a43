import { Type } from 'typebox';
import { withApp } from '../../apps/with-app.ts';
import { listReply, longEnvelope, longPageQuery, pageOf } from '../../platform/http/lists.ts';
import { Nullable, Uuid } from '../../platform/http/schemas.ts';
import type { Http, RouteTools } from '../../platform/http/server.ts';
import { listHeld } from '../held.ts';
import { PlanCounts } from '../plan-counts.ts';
import { TaskItem, taskItem } from './schemas.ts';

const Count = Type.Integer();
const HeldTasks = Type.Object({
  ...longEnvelope(TaskItem).properties,
  counts: PlanCounts,
  budget: Type.Object(
    {
      percent: Nullable(Type.Number()),
      at_least: Nullable(Count),
      used: Type.Object({ accounts: Count, memberships: Count }),
    },
    { description: "The app's removal guard, and what the app has lost in the last 24 hours." },
  ),
});

/** D46. */
export function listHeldTasksRoute(http: Http, { db, origin }: RouteTools) {
  http.get(
    '/api/apps/:app_id/held-tasks/',
    {
      config: { access: { scope: 'govern', roles: ['owner', 'admin', 'auditor'] } },
      onRequest: withApp(db),
      schema: {
        tags: ['Tasks'],
        summary: 'List held tasks',
        description:
          'Tasks that would take away more than the app may lose in 24 hours. They wait until an administrator confirms them.',
        params: Type.Object({ app_id: Uuid }),
        querystring: Type.Object(longPageQuery),
        response: { 200: HeldTasks },
      },
    },
    async (request) => {
      const { bridgeApp: app, principal } = request;
      const page = pageOf(request.query);
      const { results, counts, used, ...counted } = await listHeld(db, principal, app, page);
      const guard = app.removal_guard ?? { percent: null, at_least: null };
      const { accounts, memberships } = used;
      return {
        ...listReply(request, origin(request), page, { ...counted, results: results.map(taskItem) }),
        counts,
        budget: { ...guard, used: { accounts, memberships } },
      };
    },
  );
}
