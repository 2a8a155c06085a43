import { Type } from 'typebox';
import { listReply, pageOf } from '../../../../kit/http/lists.ts';
import { resource } from '../../../../kit/http/resource.ts';
import { route } from '../../../../kit/http/route.ts';
import { Component, Nullable, Timestamp, Uuid } from '../../../../kit/http/schemas.ts';
import type { Jobs } from '../../../../kit/jobs/jobs.ts';
import { apps } from '../../../apps/routes/apps.ts';
import { tag } from '../../../apps/routes/schemas.ts';
import { approveRemoval, rejectRemoval } from '../../publication/held.ts';
import { type CountExpecting, showPlan } from '../../publication/plan/plan.ts';
import { AccountSummary, EntitlementSummary } from '../../routes/schemas.ts';
import { type RevertHook, revertSession } from '../revert.ts';
import { adminSessionView, listSessions, recentSessions, type SessionView as Shown } from '../view.ts';
import { sessionIn } from './on-session.ts';
import { PlanMoved, PlanPending, PlanReply, planQuery } from './plan-schemas.ts';
import { decide, SessionView } from './schemas.ts';

const reading = {
  access: { scope: 'govern', roles: ['owner', 'admin', 'auditor'], apps: 'listed' },
} as const;
const surveying = { ...reading, reads: 'replica' } as const;

const syncs = resource({
  path: '/api/apps/:app_id/syncs/',
  tag,
  reading,
  managing: decide,
  params: { app_id: Uuid },
  id: 'sync_id',
  find: sessionIn,
  load: (call, { session }) => adminSessionView(call, session),
  schema: SessionView,
  view: (session: Shown) => session,
});

const RecentSync = Component('RecentSync', {
  sync_id: Uuid,
  status: Type.String({ description: 'in_progress, completing, completed, error or abandoned.' }),
  held: Type.Boolean({ description: 'Whether it holds removals for approval.' }),
  rejected: Type.Boolean({ description: 'Whether somebody rejected the removals that it held.' }),
  records: Nullable(
    Type.Integer({ description: 'The number of records pushed. Null while the session is in progress.' }),
  ),
  started_at: Timestamp,
  finished_at: Nullable(Timestamp),
});

const Approval = Type.Optional(
  Nullable(
    Component('RemovalApproval', {
      plan: Type.Optional(
        Type.String({
          maxLength: 128,
          description: 'The `plan` of the plan that you have seen. 409 if the removal has changed since.',
        }),
      ),
    }),
  ),
);

const Count = Type.Integer({ minimum: 0 });

const Body = Type.Optional(
  Nullable(
    Component('SyncRevert', {
      dry_run: Type.Optional(
        Type.Boolean({ default: false, description: 'Show the changes without making them.' }),
      ),
      reason: Type.Optional(Nullable(Type.String({ maxLength: 2000 }))),
    }),
  ),
);

const Conflict = Component('RevertConflict', {
  type: Type.Enum(['account', 'link', 'membership']),
  account: AccountSummary,
  resource: Nullable(EntitlementSummary),
  reason: Type.String(),
});

const Reply = Component('SyncRevertResult', {
  sync_id: Uuid,
  dry_run: Type.Boolean(),
  counts: Type.Object({
    accounts: Type.Object({ removed: Count, restored: Count }),
    links: Type.Integer({ minimum: 0, description: 'Accounts that belong to their former person again.' }),
    memberships: Type.Object({ added: Count, removed: Count }),
    resources: Type.Integer({
      minimum: 0,
      description: 'Groups and licenses that get back their name, appear again, or disappear.',
    }),
    tasks: Type.Integer({ minimum: 0, description: 'Tasks of policies that are canceled.' }),
  }),
  later_syncs: Type.Integer({
    minimum: 0,
    description: 'Syncs published since. They did not change the records that the revert changes.',
  }),
  conflicts: Type.Object({
    count: Count,
    results: Type.Array(Conflict, {
      description: 'The first 100 records that have changed since. They stay as they are.',
    }),
  }),
});

const RETRY_SECONDS = 2;

interface Higher {
  jobs: Jobs;
  revertHook: RevertHook;
  countExpecting: CountExpecting;
}

export const syncRoutes = ({ jobs, revertHook, countExpecting }: Higher) => [
  apps.listOf(
    'syncs/',
    'List sync sessions, newest first',
    { config: surveying, item: SessionView },
    ({ call, found }, page) => listSessions(call, found.id, page),
  ),
  route(
    'GET',
    '/api/syncs/recent/',
    {
      tag,
      config: surveying,
      summary: 'List the newest sync sessions of several apps',
      description: 'The last 20 sessions of each of up to 50 apps, newest first.',
      query: {
        app_ids: Type.Optional(
          Type.String({
            description: 'Comma-separated list of up to 50 apps. Default: the first 50 apps by name.',
            maxLength: 2000,
          }),
        ),
      },
      reply: Component('RecentSyncs', {
        results: Type.Array(Component('RecentSyncsOfApp', { app_id: Uuid, syncs: Type.Array(RecentSync) })),
      }),
    },
    async ({ call, query }) => ({ results: await recentSessions(call, query.app_ids || null) }),
  ),
  syncs.get('Get a sync session'),
  syncs.one.post(
    'approve/',
    'Approve held removals',
    {
      description: 'Removes the accounts, groups, licenses and memberships that the removal guard has held.',
      body: Approval,
      status: 202,
      replies: { 409: PlanMoved },
    },
    async ({ call, found: { app, session }, body, reply }) => {
      const outcome = await approveRemoval(jobs, call, app.id, session.id, body?.plan);
      if (!('difference' in outcome)) return outcome;
      const { detail, ...difference } = outcome.difference;
      return reply.code(409).send({ detail, difference });
    },
  ),
  syncs.act(
    'reject/',
    'Reject held removals',
    {
      description: 'Ends the session in error. Its pushed records stay published, and nothing is removed.',
    },
    ({ call, found: { app, session } }) => rejectRemoval(call, app.id, session.id),
  ),
  syncs.one.post(
    'revert/',
    'Revert a sync',
    {
      description:
        'Returns the inventory to the state before the session, wherever nothing has changed since, and cancels the tasks that policies made because of it. Records that have changed since stay, and the response lists them. Nothing changes in the app itself: its next sync remains the truth.',
      body: Body,
      reply: Reply,
    },
    ({ call, found: { app, session }, body, tools: { db } }) =>
      revertSession({ db, revertHook }, call, app.id, session.id, {
        dryRun: body?.dry_run ?? false,
        reason: body?.reason ?? null,
        cause: call.cause,
      }),
  ),
  syncs.one.get(
    'plan/',
    'Show what a sync would change or has changed',
    {
      description:
        'For a session in progress, everything that completing it now would create, change and remove. For a published session, what it did and what its held removal would take. 202 while the plan of a large session is being computed.',
      query: planQuery,
      reply: PlanReply,
      replies: { 202: PlanPending },
    },
    async ({ call, found: { app, session }, query, request, reply, tools }) => {
      const { type = null, change = null, applied = null, q } = query;
      const page = pageOf(query);
      const filter = { type, change, applied, q: q || null };
      const shown = await showPlan({ jobs, countExpecting }, call, app, session.id, { filter, page });
      if ('waiting' in shown) {
        reply.code(202).header('Retry-After', String(RETRY_SECONDS));
        return reply.send({ sync_id: session.id, detail: shown.waiting });
      }
      return { ...shown.plan, ...listReply(request, tools.origin(request), page, shown.changes) };
    },
  ),
];
