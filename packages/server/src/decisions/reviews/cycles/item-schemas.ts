import { type Static, type TObject, type TProperties, Type } from 'typebox';
import { PersonEmail } from '#directory/people/reference.ts';
import { AppReference, appReference } from '#inventory/apps/reference.ts';
import { ACCOUNT_STATUSES } from '#inventory/records/accounts/account.ts';
import { DETAIL_SCHEMAS } from '#inventory/records/accounts/field-schemas.ts';
import { Giver, GrantKind, reasons } from '#inventory/records/accounts/schemas.ts';
import type { Role } from '#kit/identity.ts';
import { Component, Nullable, Timestamp, Uuid } from '#kit/schemas.ts';
import { ACTIONS } from '#work/provisioning/task.ts';
import { TaskStatus } from '#work/provisioning/task-schemas.ts';
import { evidenceOf } from '../../../../../protocol/src/records.ts';
import { KINDS, REVOCATION_STATES, type RevocationState } from '../campaigns/cycle.ts';
import { Decision } from '../campaigns/schemas.ts';

/** A time that is stored as text. */
const StoredTime = Type.String({ format: 'date-time' });
const reference = { external_uuid: Uuid, email: Type.String() };

const StoredGrant = Component('ReviewedGrant', {
  external_uuid: Uuid,
  kind: GrantKind,
  label: Nullable(Type.String()),
  ends_at: Nullable(StoredTime),
});

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

type RevocationTask = Static<typeof RevocationTask>;

const Context = Component('ReviewItemState', {
  since: Timestamp,
  grants: Type.Array(StoredGrant, {
    description:
      'The grants in force when the cycle opened. Reviewers who are members see their kinds and ends.',
  }),
  found: reasons.found,
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
  own_afterwards: Type.Boolean({
    description:
      'Whether the access became that of the person who decided to keep it, within 30 days: by a link that nobody made, or by a merge.',
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
        'For a revocation: whether a later sync confirmed that the access was gone. It stays true if the access comes back. The status of an account confirms a completed task only, because a status can pass.',
    }),
  ),
  seen_gone_at: Nullable({ ...Timestamp, description: 'When a sync first confirmed that it was gone.' }),
  seen_again_at: Nullable({ ...Timestamp, description: 'When the access was back, if it came back later.' }),
  restored_by: Nullable(
    Component(
      'RestoringDecision',
      {
        kind: GrantKind,
        external_uuid: Nullable(Uuid),
        label: Nullable(Type.String()),
      },
      {
        description:
          'The decision that gave it back. null: it did not come back, or did so without a decision here. Members see the kind only.',
      },
    ),
  ),
});

/** An item as it is read. Its context and its task are columns. */
export interface Item
  extends Omit<Static<typeof ItemView>, 'app' | 'reviewer' | 'task' | 'revocation' | 'context'>,
    Static<typeof Context> {
  app_id: string;
  app_name: string;
  /** The latest attempt, if the task was retried (D30). */
  task: string | null;
  task_action: RevocationTask['action'] | null;
  task_status: RevocationTask['status'] | null;
  task_execute_after: Date | null;
  task_ended_at: Date | null;
  task_confirmed: RevocationTask['confirmed'];
  revocation: RevocationState | null;
  /** The sync that first saw it gone. */
  seen_gone_by: string | null;
  /** Why it is not possible: in words, or 'vanished', 'kept', 'derived', 'archived' or 'returned'. */
  not_possible_because: string | null;
}

/** Picks the fields of a schema. Evidence is written without the serializer of routes. */
const fieldsOf = <P extends TProperties>(schema: TObject<P>, row: Static<TObject<P>>): Static<TObject<P>> =>
  Object.fromEntries(
    Object.keys(schema.properties).map((name) => [name, (row as Record<string, unknown>)[name]]),
  ) as Static<TObject<P>>;

/** An item as a role sees it. Members see the kinds and ends of grants (D73). */
export const itemView = (item: Item, role: Role) =>
  fieldsOf(ItemView, {
    ...item,
    app: appReference(item.app_id, item.app_name),
    reviewer: item.reviewers[0] ?? null,
    task: taskOf(item),
    restored_by:
      role === 'member' && item.restored_by !== null
        ? { ...item.restored_by, external_uuid: null, label: null }
        : item.restored_by,
    revocation: item.revocation && { state: item.revocation, reason: whyNotPossible(item) },
    context: fieldsOf(Context, {
      ...item,
      grants: role === 'member' ? item.grants.map((grant) => ({ ...grant, label: null })) : item.grants,
    }),
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

/** Why a revocation was not possible, in words. Null if it was, or may still be. */
export function whyNotPossible(item: Item): string | null {
  const { not_possible_because: why, resource, app_name, kept_by, kept_for } = item;
  if (why === 'archived') return `${app_name} is archived, so its access is not removed.`;
  if (why === 'returned')
    return 'The access was gone when it was revoked, and came back later. Remove it with a task, or in another review.';
  if (why === 'kept')
    return `The account would also lose "${kept_for?.name || kept_for?.id}", which ${kept_for?.by.email} has decided to keep.`;
  if (why === 'derived')
    return `The account has the access through "${kept_by?.name || kept_by?.id}", which stays.`;
  if (why !== 'vanished') return why;
  const name = resource?.name || resource?.id;
  return `"${name}" no longer exists in ${app_name}. The access may go on under another name.`;
}
