import { Type } from 'typebox';
import { apps } from '#inventory/apps/routes/apps.ts';
import { tag } from '#inventory/apps/routes/schemas.ts';
import { SyncStatus } from '#inventory/apps/sync-status.ts';
import { listReply, pageOf, resource, route } from '#kit/http.ts';
import type { Jobs } from '#kit/jobs/jobs.ts';
import { Component, Nullable, Timestamp, Uuid } from '#kit/schemas.ts';
import { approveRemoval, rejectRemoval } from '../../publication/held.ts';
import { type CountConfirmed, type CountExpecting, showPlan } from '../../publication/plan/plan.ts';
import {
  adminSessionView,
  listSessions,
  recentSessions,
  type SessionView as Shown,
} from '../../sessions/view.ts';
import { sessionIn } from './on-session.ts';
import { PlanMoved, PlanPending, PlanReply, planQuery } from './plan-schemas.ts';
import { decide, SessionView } from './schemas.ts';

const reading = {
  access: { scope: 'govern', roles: ['owner', 'admin', 'auditor'], apps: 'listed' },
} as const;
const surveying = { ...reading, reads: 'replica' } as const;

/** The sessions of an app, for administrators. */
export const syncs = resource({
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
  status: SyncStatus,
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

const RETRY_SECONDS = 2;

interface Higher {
  jobs: Jobs;
  countExpecting: CountExpecting;
  countConfirmed: CountConfirmed;
}

export const syncRoutes = ({ jobs, ...counts }: Higher) => [
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
      const shown = await showPlan({ jobs, ...counts }, call, app, session.id, { filter, page });
      if ('waiting' in shown) {
        reply.code(202).header('Retry-After', String(RETRY_SECONDS));
        return reply.send({ sync_id: session.id, detail: shown.waiting });
      }
      return { ...shown.plan, ...listReply(request, tools.origin(request), page, shown.changes) };
    },
  ),
];
