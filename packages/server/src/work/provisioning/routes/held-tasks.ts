import { Type } from 'typebox';
import { withApp } from '../../../inventory/apps/with-app.ts';
import { listReply, longEnvelope, longPageQuery, pageOf } from '../../../kit/http/lists.ts';
import { Component, Nullable, Uuid } from '../../../kit/http/schemas.ts';
import type { Http, RouteTools } from '../../../kit/http/server.ts';
import { callOf } from '../../../kit/identity/call.ts';
import { confirmHeld, listHeld, rejectHeld } from '../held.ts';
import { PlanCounts } from '../plan-counts.ts';
import { TaskItem, taskItem } from './schemas.ts';

const Count = Type.Integer();

const HeldTasks = Component('HeldTasks', {
  ...longEnvelope(TaskItem).properties,
  counts: PlanCounts,
  budget: Component(
    'RemovalBudget',
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
      config: { access: { scope: 'read', roles: ['owner', 'admin', 'auditor'] } },
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
      const { bridgeApp: app } = request;
      const page = pageOf(request.query);
      const { results, counts, used, ...counted } = await listHeld(callOf(db, request), app, page);
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

const Tasks = Type.Optional(
  Nullable(
    Component('HeldTaskSelection', {
      tasks: Type.Optional(
        Nullable(Type.Array(Uuid, { minItems: 1, maxItems: 1000, description: 'Only these. Default: all.' })),
      ),
    }),
  ),
);

const Decided = Component('HeldTaskCount', { count: Type.Integer({ description: 'The number of tasks.' }) });

const DECISIONS = [
  ['confirm', confirmHeld, 'Confirm held tasks', 'The tasks run as soon as it is their turn.'],
  ['reject', rejectHeld, 'Reject held tasks', 'Cancels the tasks.'],
] as const;

/** D46. A decision about a whole app's losses: app-scoped keys are refused. */
export function decideHeldTasksRoutes(http: Http, { db }: RouteTools) {
  for (const [verb, decide, summary, description] of DECISIONS) {
    http.post(
      `/api/apps/:app_id/held-tasks/${verb}/`,
      {
        config: { access: { scope: 'govern', roles: ['owner', 'admin'] } },
        onRequest: withApp(db),
        schema: {
          tags: ['Tasks'],
          summary,
          description: `${description} Returns 409 if none of them is held.`,
          params: Type.Object({ app_id: Uuid }),
          body: Tasks,
          response: { 200: Decided },
        },
      },
      async (request) => {
        const { bridgeApp, body } = request;
        return { count: await decide(callOf(db, request), bridgeApp, body?.tasks ?? null) };
      },
    );
  }
}
