import { Type } from 'typebox';
import { PersonEmail } from '#directory/people/reference.ts';
import { AppReference, appReference } from '#inventory/apps/reference.ts';
import { ACCOUNT_STATUSES } from '#inventory/records/accounts/account.ts';
import { DETAIL_SCHEMAS } from '#inventory/records/accounts/field-schemas.ts';
import { Giver } from '#inventory/records/accounts/schemas.ts';
import { Component, Nullable, Timestamp, Uuid } from '#kit/schemas.ts';
import { TaskSource } from '#work/provisioning/routes/schemas.ts';
import { ACTIONS, TASK_TYPES } from '#work/provisioning/task.ts';
import { TaskStatus } from '#work/provisioning/task-schemas.ts';
import { evidenceOf } from '../../../../../../protocol/src/records.ts';
import { KINDS, REVOCATION_STATES } from '../../campaigns/cycle.ts';
import { Decision } from '../../campaigns/routes/schemas.ts';
import { whyNotPossible } from '../not-possible.ts';
import type { Item } from '../queries/items.ts';

/** A time that is stored as text. */
const StoredTime = Type.String({ format: 'date-time' });
const reference = { external_uuid: Uuid, email: Type.String() };

const EarlierDecision = Component('EarlierReviewDecision', {
  decision: Decision,
  comment: Nullable(Type.String()),
  decided_by: Nullable(Uuid),
  on_behalf_of: Type.Optional(Nullable(Type.Array(Uuid))),
  decided_at: StoredTime,
});

/** Access that a person keeps. */
const KeptFor = Component('KeptEntitlement', {
  external_uuid: Uuid,
  type: Type.Enum(['group', 'license']),
  slug: Type.String(),
  id: Type.String(),
  name: Type.String(),
  by: PersonEmail,
});

const RevocationTask = Component('RevocationTask', {
  external_uuid: Uuid,
  action: Type.Enum([...ACTIONS]),
  status: TaskStatus,
  execute_after: Timestamp,
  ended_at: Nullable(Timestamp),
  confirmed: Nullable(
    Type.Enum(['read', 'none'], {
      description:
        'read: the connector read the account after the task and saw the result. none: it did not see it. null: it did not say.',
    }),
  ),
});

const Context = Component('ReviewItemState', {
  since: Timestamp,
  granted_by: Nullable(
    Type.Object(
      {
        task: Uuid,
        task_type: Type.Enum([...TASK_TYPES]),
        source: Nullable(TaskSource),
        at: StoredTime,
      },
      {
        description:
          'The task that granted the access. Null: a sync discovered it, or it existed before Gatehouse.',
      },
    ),
  ),
  last_seen_at: Nullable(Timestamp),
  ...evidenceOf(DETAIL_SCHEMAS),
  account_owner: Nullable({
    ...PersonEmail,
    description: 'The current owner of a service or shared account.',
  }),
  owner_email: Nullable(
    Type.String({
      description:
        'The email of the owner that the app names: of the group, or of the account if it is reviewed.',
    }),
  ),
  risk: Nullable(
    Type.Enum(['low', 'medium', 'high'], { description: 'The risk of a group, as the app says.' }),
  ),
  hidden_members: Type.Integer({
    description:
      'Members of the group, or holders of the license, that the newest sync could not show. They have no items.',
  }),
  account_status: Type.Enum([...ACCOUNT_STATUSES], {
    description: "The account's current status.",
  }),
  via: Nullable({
    ...Giver,
    description: 'The group or license that gives the access now. null: it was given directly.',
  }),
  source: Nullable({
    ...Giver,
    description:
      'The giver that the account holds directly, and from which the access comes. A revocation with `at_giver` removes it.',
  }),
  is_own: Type.Boolean({
    description: 'Whether the connector signs in with the account. It can only be kept.',
  }),
  person: Nullable(
    Type.Object(
      {
        status: Type.Enum(['active', 'deactivated']),
        department: Nullable(Type.String()),
        title: Nullable(Type.String()),
      },
      {
        description:
          'The person of the account as they are now. Reviewers see this without access to people.',
      },
    ),
  ),
});

export const ItemView = Component('ReviewItem', {
  id: Uuid,
  kind: Type.Enum([...KINDS]),
  app: AppReference,
  account: Type.Object({ ...reference, username: Type.String() }),
  user: Nullable(Type.Object({ ...reference, name: Type.String() })),
  resource: Nullable(Type.Object({ slug: Type.String(), id: Type.String(), name: Type.String() })),
  reviewer: Nullable(PersonEmail),
  reviewers: Type.Array(PersonEmail, {
    description: 'Any of them can decide. The first one is the reviewer. Empty: the administrators.',
  }),
  deputies: Type.Array(Type.Object({ ...reference, on_behalf_of: PersonEmail }), {
    description: 'People who can decide in place of absent reviewers. Empty once the item is decided.',
  }),
  escalated_to: Type.Array(PersonEmail, {
    description: 'Other people who can decide, because the reviewers have not decided in time.',
  }),
  decision: Nullable(Decision),
  comment: Nullable(Type.String()),
  decided_by: Nullable(PersonEmail),
  on_behalf_of: Type.Array(PersonEmail, {
    description: 'The absent or late reviewers in whose place the person decided.',
  }),
  decided_at: Nullable(Timestamp),
  earlier: Type.Array(EarlierDecision, { description: 'Decisions that were changed later, oldest first.' }),
  task: Nullable(RevocationTask),
  revoked_at: Nullable({
    ...Giver,
    description: 'The group or license that the revocation removes instead, because it gives the access.',
  }),
  kept_by: Nullable({
    ...Giver,
    description: 'For a revocation that was not carried out: what gives the access, and stays.',
  }),
  kept_for: Nullable({
    ...KeptFor,
    description:
      'For a revocation that was not carried out: what the account would have lost as well, and who has decided to keep it.',
  }),
  revocation: Nullable(
    Type.Object(
      {
        state: Type.Enum([...REVOCATION_STATES]),
        reason: Nullable(Type.String({ description: 'Why it was not possible.' })),
      },
      { description: 'The state of the revocation. Null unless the item is revoked.' },
    ),
  ),
  context: Context,
  seen_gone: Nullable(
    Type.Boolean({
      description:
        'For a revocation: whether a later sync confirmed that the access is gone. The status of an account confirms a completed task only, because a status can pass.',
    }),
  ),
});

export const itemView = (item: Item) => ({
  id: item.id,
  kind: item.kind,
  app: appReference(item.app_id, item.app_name),
  account: item.account,
  user: item.user,
  resource: item.resource,
  reviewer: item.reviewers[0] ?? null,
  reviewers: item.reviewers,
  deputies: item.deputies,
  escalated_to: item.escalated_to,
  decision: item.decision,
  comment: item.comment,
  decided_by: item.decided_by,
  on_behalf_of: item.on_behalf_of,
  decided_at: item.decided_at,
  earlier: item.earlier,
  task: taskOf(item),
  revoked_at: item.revoked_at,
  kept_by: item.kept_by,
  kept_for: item.kept_for,
  revocation: item.revocation === null ? null : { state: item.revocation, reason: whyNotPossible(item) },
  context: {
    since: item.since,
    granted_by: item.granted_by,
    last_seen_at: item.last_seen_at,
    ...evidenceOf(item),
    account_owner: item.account_owner,
    owner_email: item.owner_email,
    risk: item.risk,
    hidden_members: item.hidden_members,
    via: item.via,
    source: item.source,
    account_status: item.account_status,
    is_own: item.is_own,
    person: item.person,
  },
  seen_gone: item.seen_gone,
});

function taskOf(item: Item) {
  const { task, task_action, task_status, task_execute_after, task_ended_at, task_confirmed } = item;
  if (task === null || task_action === null || task_status === null || task_execute_after === null)
    return null;
  return {
    external_uuid: task,
    action: task_action,
    status: task_status,
    execute_after: task_execute_after,
    ended_at: task_ended_at,
    confirmed: task_confirmed,
  };
}
