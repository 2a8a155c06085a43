import { Type } from 'typebox';
import { AppReference, appReference } from '#inventory/apps/reference.ts';
import { codeAndValues } from '#kit/http.ts';
import { Component, MapOf, Nullable, SentenceFields, Timestamp, Uuid } from '#kit/schemas.ts';
import { CONFIRMATIONS, SEEN_ACCOUNTS } from '../confirmation.ts';
import { explain } from '../explain.ts';
import { changesOf } from '../payload.ts';
import { TASK_TYPES, type Task } from '../task.ts';
import {
  AccountEmail,
  Action,
  ErrorCode,
  RefChanges,
  TaskSource,
  TaskStatus,
  WaitsFor,
} from '../task-schemas.ts';

const SeenEntitlement = Component('SeenEntitlement', {
  slug: Type.String(),
  id: Type.String(),
  via: Type.Optional(
    Type.Object(
      { slug: Type.String(), id: Type.String() },
      { description: 'The group or license that gives it.' },
    ),
  ),
});
const Seen = Component(
  'TaskSeen',
  {
    account: Type.Enum([...SEEN_ACCOUNTS]),
    held: Type.Array(SeenEntitlement, {
      description: 'The groups and licenses of the task that the account has.',
    }),
    missing: Type.Array(SeenEntitlement, { description: 'Those that it does not have.' }),
  },
  { description: 'The account as the connector saw it after the task. null if it did not read it.' },
);

const Holder = Component(
  'ExistingAccount',
  {
    is: Type.Enum(['own', 'other', 'nobody', 'unknown'], {
      description:
        'Whose it is: that of the person of the task, of somebody else, linked to nobody, or not known yet.',
    }),
    account: Nullable(Uuid),
    email: Nullable(Type.String({ description: 'The email of the other person.' })),
    username: Type.String({ description: 'The user name that the task had.' }),
    is_renamed: Type.Boolean({ description: 'Whether another attempt follows with another user name.' }),
  },
  {
    description:
      'For a failed create_account with ACCOUNT_ALREADY_EXISTS: the account that exists, as far as it was known then.',
  },
);

/** Protocol 2.11, D32. The fields after `task_type` are additions. */
export const TaskItem = Component('Task', {
  external_uuid: Uuid,
  app: AppReference,
  app_user: AccountEmail,
  username: Nullable(
    Type.String({
      description:
        'For create_account: the user name of the new account, which is reserved for it. Null for other actions, and if it has none.',
    }),
  ),
  creator: Component(
    'TaskCreator',
    {
      external_uuid: Uuid,
      username: Type.String(),
      email: Type.String(),
      first_name: Type.String(),
      last_name: Type.String(),
    },
    {
      description:
        'The person who decided. For a policy, the person who enabled it; if nobody decided, an owner. The texts are empty if the person was deleted.',
    },
  ),
  op_type: Type.Enum(['PRE_SYNC', 'POST_SYNC'], {
    description:
      'PRE_SYNC until a completed sync has confirmed the effect, then POST_SYNC. A completed reset_password is POST_SYNC immediately.',
  }),
  task_type: Type.Enum([...TASK_TYPES], { description: 'The kind of decision that created the task.' }),
  status: TaskStatus,
  action: Action,
  created_at: Timestamp,
  execute_after: Timestamp,
  waits_for: Nullable({
    ...WaitsFor,
    description:
      "Why a due task is still scheduled: another task of its account, the account's id, or a confirmation because the app's daily budget is used up, or because the task became somebody's own. `hold`: the task is part of a hold.",
  }),
  hold: Nullable({ ...Uuid, description: 'The hold that the task waits in.' }),
  dispatched_at: Nullable(Timestamp),
  ended_at: Nullable(Timestamp),
  changes: MapOf(RefChanges, {
    description: 'By resource type slug.',
  }),
  reason: Nullable(Type.String({ description: 'Why the task was created.' })),
  reason_code: SentenceFields.code,
  reason_values: SentenceFields.values,
  source: Nullable({ ...TaskSource, description: 'The decision that created the task.' }),
  error: Nullable(
    Component('TaskError', { code: ErrorCode, message: Type.String(), holder: Type.Optional(Holder) }),
  ),
  explanation: Nullable(
    Component(
      'TaskExplanation',
      {
        happened: Type.String({ description: 'The event or state to explain, in one or two sentences.' }),
        ...SentenceFields,
        advice: Nullable(Type.String({ description: 'The action to take; null if none is needed.' })),
        advice_code: SentenceFields.code,
        advice_values: SentenceFields.values,
      },
      { description: 'Why the task failed, ended early or waits.' },
    ),
  ),
  retry_of: Nullable(Uuid),
  attempt: Type.Integer(),
  preempted_by: Nullable(Uuid),
  confirmation: Type.Enum([...CONFIRMATIONS], {
    description:
      'How the result of a completed task was confirmed: read, the connector read the account back and saw it; sync, a later sync completed; none, neither yet.',
  }),
  seen: Nullable(Seen),
});

function explanationOf(task: Task) {
  const explanation = explain(task);
  if (explanation === null) return null;
  const { happened, advice } = explanation;
  return {
    happened: happened.text,
    ...codeAndValues(happened),
    advice: advice?.text ?? null,
    ...(advice !== null && { advice_code: advice.code, advice_values: advice.values }),
  };
}

export const taskItem = (task: Task) => ({
  ...task,
  external_uuid: task.id,
  app: appReference(task.app_id, task.app_name),
  app_user: { external_uuid: task.account_id, email: task.email },
  username: task.action === 'create_account' ? task.error?.holder?.username || task.username || null : null,
  hold: task.waits_for === 'hold' ? task.hold_id : null,
  reason: task.reason?.text ?? null,
  ...(task.reason !== null && { reason_code: task.reason.code, reason_values: task.reason.values }),
  creator: { ...task.creator, external_uuid: task.creator.id },
  op_type: task.confirmed ? ('POST_SYNC' as const) : ('PRE_SYNC' as const),
  changes: changesOf(task),
  explanation: explanationOf(task),
});
