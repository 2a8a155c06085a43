import { Type } from 'typebox';
import { within } from '../../../../kit/database/organization.ts';
import { envelope, listReply, pageOf, pageQuery } from '../../../../kit/http/lists.ts';
import { Component, Nullable, Timestamp, Uuid } from '../../../../kit/http/schemas.ts';
import type { Http, RouteTools } from '../../../../kit/http/server.ts';
import { callOf } from '../../../../kit/identity/call.ts';
import { causeOf } from '../../../../kit/identity/cause.ts';
import type { Jobs } from '../../../../kit/jobs/jobs.ts';
import { approveRemoval, rejectRemoval } from '../../publication/held.ts';
import { type CountExpecting, showPlan } from '../../publication/plan/plan.ts';
import { AccountSummary, EntitlementSummary } from '../../routes/schemas.ts';
import { type RevertHook, revertSession } from '../revert.ts';
import { adminSessionView, listSessions, recentSessions } from '../view.ts';
import { onApp, onSession } from './on-session.ts';
import { PlanMoved, PlanPending, PlanQuery, PlanReply } from './plan-schemas.ts';
import { AppParams, adminTags, decide, SessionParams, SessionView } from './schemas.ts';

export function listSessionsRoute(http: Http, { db, origin }: RouteTools) {
  http.get(
    '/api/apps/:app_id/syncs/',
    {
      config: {
        access: { scope: 'govern', roles: ['owner', 'admin', 'auditor'], apps: 'listed' },
        reads: 'replica',
      },
      onRequest: onApp(db),
      schema: {
        tags: adminTags,
        summary: 'List sync sessions, newest first',
        params: AppParams,
        querystring: Type.Object(pageQuery),
        response: { 200: envelope(SessionView) },
      },
    },
    async (request) => {
      const page = pageOf(request.query);
      const sessions = await listSessions(callOf(request.reads.db, request), request.bridgeApp.id, page);
      return listReply(request, origin(request), page, sessions);
    },
  );
}

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

export function listRecentSessionsRoute(http: Http, _: RouteTools) {
  http.get(
    '/api/syncs/recent/',
    {
      config: {
        access: { scope: 'govern', roles: ['owner', 'admin', 'auditor'], apps: 'listed' },
        reads: 'replica',
      },
      schema: {
        tags: adminTags,
        summary: 'List the newest sync sessions of several apps',
        description: 'The last 20 sessions of each of up to 50 apps, newest first.',
        querystring: Type.Object({
          app_ids: Type.Optional(
            Type.String({
              description: 'Comma-separated list of up to 50 apps. Default: the first 50 apps by name.',
              maxLength: 2000,
            }),
          ),
        }),
        response: {
          200: Component('RecentSyncs', {
            results: Type.Array(
              Component('RecentSyncsOfApp', { app_id: Uuid, syncs: Type.Array(RecentSync) }),
            ),
          }),
        },
      },
    },
    async (request) => ({
      results: await recentSessions(callOf(request.reads.db, request), request.query.app_ids || null),
    }),
  );
}

export function getSessionRoute(http: Http, { db }: RouteTools) {
  http.get(
    '/api/apps/:app_id/syncs/:sync_id/',
    {
      config: { access: { scope: 'govern', roles: ['owner', 'admin', 'auditor'], apps: 'listed' } },
      onRequest: onSession(db),
      schema: {
        tags: adminTags,
        summary: 'Get a sync session',
        params: SessionParams,
        response: { 200: SessionView },
      },
    },
    async (request) => adminSessionView(callOf(db, request), request.bridgeApp.id, request.params.sync_id),
  );
}

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
        body: Approval,
        response: { 202: SessionView, 409: PlanMoved },
      },
    },
    async (request, reply) => {
      const { bridgeApp, params, body } = request;
      const outcome = await approveRemoval(
        jobs,
        callOf(db, request),
        bridgeApp.id,
        params.sync_id,
        body?.plan,
      );
      if (!('difference' in outcome)) {
        reply.code(202);
        return outcome;
      }
      reply.code(409);
      const { detail, ...difference } = outcome.difference;
      return { detail, difference };
    },
  );
}

export function rejectRemovalRoute(http: Http, { db }: RouteTools) {
  http.post(
    '/api/apps/:app_id/syncs/:sync_id/reject/',
    {
      config: decide,
      onRequest: onSession(db),
      schema: {
        tags: adminTags,
        summary: 'Reject held removals',
        description: 'Ends the session in error. Its pushed records stay published, and nothing is removed.',
        params: SessionParams,
        response: { 200: SessionView },
      },
    },
    async (request) => {
      const { principal, bridgeApp, params } = request;
      return rejectRemoval(within(db, principal.orgId), bridgeApp.id, params.sync_id, causeOf(request));
    },
  );
}

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

export function revertSessionRoute(http: Http, tools: RouteTools & { revertHook: RevertHook }) {
  http.post(
    '/api/apps/:app_id/syncs/:sync_id/revert/',
    {
      config: { access: { scope: 'govern', roles: ['owner', 'admin'] } },
      onRequest: onSession(tools.db),
      schema: {
        tags: adminTags,
        summary: 'Revert a sync',
        description:
          'Returns the inventory to the state before the session, wherever nothing has changed since, and cancels the tasks that policies made because of it. Records that have changed since stay, and the response lists them. Nothing changes in the app itself: its next sync remains the truth.',
        params: SessionParams,
        body: Body,
        response: { 200: Reply },
      },
    },
    async (request) => {
      const { principal, bridgeApp, params, body } = request;
      return revertSession(tools, within(tools.db, principal.orgId), bridgeApp.id, params.sync_id, {
        dryRun: body?.dry_run ?? false,
        reason: body?.reason ?? null,
        cause: causeOf(request),
      });
    },
  );
}

const RETRY_SECONDS = 2;

export function showPlanRoute(
  http: Http,
  { db, origin, ...tools }: RouteTools & { jobs: Jobs; countExpecting: CountExpecting },
) {
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
      const shown = await showPlan(tools, within(db, principal.orgId), bridgeApp, params.sync_id, {
        filter,
        page,
      });
      if ('waiting' in shown) {
        reply.code(202).header('Retry-After', String(RETRY_SECONDS));
        return { sync_id: params.sync_id, detail: shown.waiting };
      }
      return { ...shown.plan, ...listReply(request, origin(request), page, shown.changes) };
    },
  );
}
