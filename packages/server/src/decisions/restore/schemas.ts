import { type Static, Type } from 'typebox';
import { Excluded } from '#directory/means/excluded.ts';
import { AppName } from '#inventory/apps/reference.ts';
import { AccountSummary } from '#inventory/records/accounts/schemas.ts';
import { Component, Instant, Nullable, Uuid } from '#kit/schemas.ts';
import { END_KINDS } from '#reasons/grants/grant.ts';

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

const LostBy = Component(
  'LostBy',
  {
    kind: Type.Enum([...END_KINDS], {
      description: 'end: its time was over, with the decision that gave it.',
    }),
    external_uuid: Nullable({
      ...Uuid,
      description:
        'The decision: for `manual` the task, for `review` the item, for `end` the decision that gave the access.',
    }),
    label: Type.String({ description: 'The name of the decision at that time.' }),
    decided_by: Nullable({ ...Uuid, description: 'null: a policy, a time that was over, or silence.' }),
    at: Instant,
  },
  { description: 'The decision that took the access away. null: it was lost by mistake.' },
);
export type LostBy = Static<typeof LostBy>;

/** Why access is missing, and whether it comes back. */
const loss = {
  certainty: Certainty,
  included: Type.Boolean({
    description:
      'Whether it comes back. Access that a decision took away does so only with `include_decided` or `items`, and access whose time is over does not.',
  }),
  lost_by: Nullable(LostBy),
  ends_at: Nullable({ ...Instant, description: 'The end that its decision gave it, with which it returns.' }),
};

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
      ...loss,
    }),
  ),
  ...loss,
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
    decided: Type.Integer({ minimum: 0, description: 'Left out because a decision took the access away.' }),
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
  ends: Type.Array(Type.Object({ resource: Nullable(Uuid), at: Instant }), {
    description: 'The ends of temporary access. `resource` is null for the account itself.',
  }),
});
export type PlannedTask = Static<typeof PlannedTask>;
