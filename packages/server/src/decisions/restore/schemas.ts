import { type Static, Type } from 'typebox';
import { Excluded } from '#directory/means/excluded.ts';
import { AppName } from '#inventory/apps/reference.ts';
import { AccountSummary } from '#inventory/records/accounts/schemas.ts';
import { Component, Instant, Nullable, Uuid } from '#kit/schemas.ts';

const Count = Type.Integer({ minimum: 0 });
/** How sure it is that the account held it, or existed in the state that the action brings back. */
const Certainty = Type.Enum(['certain', 'possible']);
export type Certainty = Static<typeof Certainty>;
const Action = Type.Enum(['create_account', 'unsuspend_account', 'update_account']);
export type RestoreAction = Static<typeof Action>;

export const Coverage = Component('RestoreCoverage', {
  app: AppName,
  known: Type.Boolean({
    description: 'Whether a sync of the app had completed by then, and the history is kept.',
  }),
});
export type Coverage = Static<typeof Coverage>;

/** A task of a restore. Only included ones are created, with the included groups and licenses. */
const RestoreTask = Component('RestoreTask', {
  app: AppName,
  // The account then.
  account: AccountSummary,
  target: Nullable({ ...Uuid, description: 'The account that the task changes.' }),
  user: Nullable(Uuid),
  action: Action,
  resources: Type.Array(
    Component('RestoredEntitlement', {
      entitlement_id: Uuid,
      type: Type.Enum(['group', 'license']),
      slug: Type.String(),
      id: Type.String(),
      name: Type.String(),
      certainty: Certainty,
      included: Type.Boolean(),
    }),
  ),
  certainty: Certainty,
  included: Type.Boolean(),
});
export type RestoreTask = Static<typeof RestoreTask>;

const Skipped = Component('SkippedRestore', {
  app: AppName,
  account: AccountSummary,
  user: Nullable(Uuid),
  reason: Type.String(),
});
export type Skipped = Static<typeof Skipped>;

export const RestoreResult = Component('RestorePlan', {
  dry_run: Type.Boolean(),
  // The source of the tasks.
  plan: Uuid,
  as_of: Instant,
  coverage: Type.Array(Coverage),
  counts: Type.Object({
    create_account: Count,
    unsuspend_account: Count,
    update_account: Count,
    groups: Count,
    licenses: Count,
    left_out: Type.Integer({ minimum: 0, description: 'Left out because the access is only possible.' }),
    skipped: Count,
  }),
  results: Type.Array(RestoreTask, { description: 'The first 1000 tasks.' }),
  skipped: Type.Array(Skipped),
  excluded: Type.Array(Excluded, {
    description:
      'The people behind the restore who get nothing. A second person has to restore their access.',
  }),
  tasks: Type.Array(Uuid, { description: 'The tasks that were created.' }),
});
export type RestoreResult = Static<typeof RestoreResult>;

/** A task as the plan of a restore keeps it. */
export const PlannedTask = Component('RestorePlanTask', {
  app: Uuid,
  account: Nullable(Uuid),
  user: Nullable(Uuid),
  action: Action,
  add: Type.Array(Uuid, { description: 'The ids of groups and licenses.' }),
});
export type PlannedTask = Static<typeof PlannedTask>;
