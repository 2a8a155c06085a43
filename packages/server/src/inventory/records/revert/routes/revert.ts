import { Type } from 'typebox';
import { Component, Nullable, Uuid } from '#kit/schemas.ts';
import { AccountSummary, EntitlementSummary } from '../../accounts/schemas.ts';
import { syncs } from '../../sync/routes/syncs.ts';
import { type RevertHook, revertSession } from '../revert-session.ts';

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

export const revertRoute = (revertHook: RevertHook) =>
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
  );
