import { Type } from 'typebox';
import { PersonReference } from '#directory/people/reference.ts';
import { Held } from '#inventory/apps/held.ts';
import { envelope, pageQuery } from '#kit/http.ts';
import { Component, MapOf, Nullable, Timestamp, Uuid } from '#kit/schemas.ts';
import { PLAN_CHANGES, PLAN_TYPES } from '../../publication/plan/view.ts';

const Count = Type.Integer();
const State = Nullable(MapOf(Type.Unknown()));
const Changes = Component('ChangeCounts', { created: Count, changed: Count, removed: Count });

export const planQuery = {
  ...pageQuery,
  type: Type.Optional(Type.Enum([...PLAN_TYPES])),
  change: Type.Optional(
    Type.Enum([...PLAN_CHANGES], { description: 'Memberships are `added` or `removed`.' }),
  ),
  applied: Type.Optional(
    Type.Boolean({ description: 'false: changes that have not been carried out yet. true: the others.' }),
  ),
  q: Type.Optional(
    Type.String({ description: 'Part of an email, a name or an external id, compared without case.' }),
  ),
};

const Change = Component('SyncPlanChange', {
  change: Type.Enum([...PLAN_CHANGES]),
  type: Type.Enum([...PLAN_TYPES]),
  applied: Type.Boolean({ description: 'Whether the change has been carried out.' }),
  account: Nullable(
    Component('SyncPlanAccount', {
      id: Nullable({ ...Uuid, description: 'Null for an account that does not exist yet.' }),
      type: Type.String({ description: 'The slug of the resource type.' }),
      external_id: Nullable(Type.String()),
      email: Type.String(),
      display_name: Type.String(),
    }),
  ),
  resource: Nullable(
    Component('SyncPlanResource', {
      type: Type.String({ description: 'group or license.' }),
      slug: Type.String(),
      id: Type.String({ description: 'The id in the external system.' }),
      name: Type.String(),
    }),
  ),
  person: Nullable(PersonReference),
  before: State,
  after: State,
});

export const PlanReply = Component('SyncPlan', {
  sync_id: Uuid,
  status: Type.String(),
  basis: Type.Enum(['plan', 'history'], {
    description: 'plan: not all of it has been carried out. history: what the session did.',
  }),
  plan: Nullable(
    Type.String({ description: 'Identifies the held removal, for `approve`. Null if nothing is held.' }),
  ),
  planned_at: Timestamp,
  held: Nullable(
    Type.Object(Held.properties, {
      description: 'The loss that is held, or would be held if the session were completed now.',
    }),
  ),
  counts: Nullable(
    Type.Object(
      {
        accounts: Changes,
        memberships: Type.Object({ added: Count, removed: Count }),
        resources: Changes,
      },
      { description: 'Null if the session was published before Gatehouse kept a history.' },
    ),
  ),
  confirmed_removals: Type.Integer({
    description:
      'The number of removals that tasks have reported and that this sync is the first to confirm: the app no longer has the account, or the groups and licenses. They are not among the changes, because Gatehouse has recorded them already.',
  }),
  expected_by_tasks: Type.Integer({
    description:
      'The number of open tasks that want removals of this plan that have not been carried out: of an account, or of a group or license. If people carry out the tasks of the app, applying the plan ends these tasks.',
  }),
  ...envelope(Change).properties,
});

export const PlanPending = Component('PendingSyncPlan', {
  sync_id: Uuid,
  detail: Type.String({ description: 'Why the plan is not available yet. Ask again after `Retry-After`.' }),
});

const Sizes = Component('SizeBeforeAndNow', { before: Count, now: Count });
const Moved = (description: string) =>
  Nullable(
    Component(
      'MovedSyncPlanChanges',
      { count: Count, results: Type.Array(Change, { description: 'The first 20.' }) },
      { description },
    ),
  );

export const PlanMoved = Component('MovedSyncPlan', {
  detail: Type.String(),
  difference: Type.Optional(
    Type.Object(
      {
        counts: Type.Object({ accounts: Sizes, memberships: Sizes, resources: Sizes }),
        spared: Moved(
          'Changes that were in the plan and would not be carried out now. Null if the plan is too old or has more than 1,000,000 records.',
        ),
        added: Moved('Changes that were not in the plan and would be carried out now.'),
      },
      { description: 'How the removal differs from the plan.' },
    ),
  ),
});
