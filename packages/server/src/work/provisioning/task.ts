import type { Sentence } from '#kit/sentences.ts';
import type { TaskErrorCode as ErrorCode } from '../../../../protocol/src/task-errors.ts';
import type { Confirmation, Seen } from './confirmation.ts';

export {
  TASK_ERROR_CODES as ERROR_CODES,
  type TaskErrorCode as ErrorCode,
} from '../../../../protocol/src/task-errors.ts';

/**
 * A provisioning task (protocol 2.6, 3.2; D28 to D31):
 *
 *   created ──> scheduled ──its turn──> pending ──completed──> completed
 *                   │                      ├──────failed─────> failed ──RATE_LIMITED, TIMEOUT──> a new task, scheduled
 *                   │                      │
 *                   ├<──put on hold, not yet dispatched (on-hold.ts)
 *                   ├──precondition unmet──│──> cancelled      by an administrator or a rule: from both
 *                   └──not yet dispatched──┴──> preempted      by a delete_account of the same account
 *
 * A scheduled task has its turn when execute_after has passed, no other task of its account is pending, no older one
 * is due, the account's external id is known (create_account does without), no hold has it (D78), and its app's daily budget allows what
 * it takes away (D46). A due task that has to wait is blocked: it stays scheduled, with an execute_after a little ahead. A pending task is dispatched as soon as it was listed to a
 * connector. The four states on the right are final. Only queue.ts makes tasks pending.
 */
export const TASK_STATUSES = [
  'scheduled',
  'pending',
  'completed',
  'failed',
  'cancelled',
  'preempted',
] as const;
export type TaskStatus = (typeof TASK_STATUSES)[number];

export const ACTIONS = [
  'create_account',
  'update_account',
  'delete_account',
  'suspend_account',
  'unsuspend_account',
  'reset_password',
] as const;
export type Action = (typeof ACTIONS)[number];

/**
 * A due task waits for another task of its account, for the external id, or because it exceeds the app's budget (D46). One of a hold
 * (D78) waits until somebody decides, due or not. If the condition of its policy is undecided by then, it waits for an administrator (D74).
 */
export const WAITS_FOR = ['account', 'external_id', 'confirmation', 'hold', 'undecided'] as const;
export type WaitsFor = (typeof WAITS_FOR)[number];

/** The kind of decision that created a task (D32). */
export const TASK_TYPES = ['USER_ACTION', 'ACCESS_REVIEW', 'APPROVAL_WORKFLOW', 'POLICY'] as const;
export type TaskType = (typeof TASK_TYPES)[number];

export interface TaskError {
  code: ErrorCode;
  message: string;
  /** For ACCOUNT_ALREADY_EXISTS: whose account exists, as far as Gatehouse knew when it was reported. */
  holder?: Holder;
}

/** The account that exists in the place of one that a task was to create (D82). */
export interface Holder {
  /** `own`: it is that of the person for whom the task was; `unknown`: no sync has pushed it. */
  is: 'own' | 'other' | 'nobody' | 'unknown';
  account: string | null;
  /** The email of the person whose it is, if that is another person. */
  email: string | null;
  /** The user name that the task had. */
  username: string;
  /** Whether the task is tried again with another name. */
  is_renamed: boolean;
}

/**
 * A condition that must hold when a task's turn comes; otherwise the task is canceled (D31). `queries/preconditions/` has
 * every kind. Every task requires that its account exists; no precondition is needed for that.
 */
export type Precondition =
  | PolicyAgrees
  | { kind: 'user_active'; user_id: string }
  | { kind: 'user_inactive'; user_id: string }
  | { kind: 'account_status'; in: string[] }
  | { kind: 'change_needed' }
  | { kind: 'not_regranted' }
  | { kind: 'not_derived' }
  | { kind: 'no_grant' }
  | { kind: 'no_suspension' }
  | { kind: 'not_last_member' };

/**
 * Holds while the policy that made the task decides the same (D74). Not in SQL: policies stand above, and have a hook (policy-gate.ts).
 * `user_id` is the person about whom it decided, or null for an account of nobody.
 */
export interface PolicyAgrees {
  kind: 'policy_agrees';
  user_id: string | null;
}

/** A task of a policy that decides again about it (D74). */
export interface PolicyTask {
  id: string;
  policy_id: string;
  app_id: string;
  account_id: string;
  action: Action;
  /** The person about whom the policy decided. Null: an account of nobody. */
  user_id: string | null;
  /** Whether it gives something. Otherwise, it takes something away. */
  gives: boolean;
  /** Whether a person has confirmed it since it was due. */
  is_confirmed: boolean;
  /** Whether another task of its policy has changed the account since, so that conditions on the account may see that. */
  has_begun: boolean;
}

/** The decision that created a task. */
export const SOURCE_TYPES = ['ticket', 'review_item', 'policy', 'restore'] as const;
export interface TaskSource {
  type: (typeof SOURCE_TYPES)[number];
  id: string;
}

/** Whether a task ended because the connector signs in with its account: no task suspends or deletes that (D66). */
export const isOfConnector = (reason: Sentence | null): boolean => reason?.code === 'task_of_own_connector';

export const isTerminal = (status: TaskStatus) => status !== 'scheduled' && status !== 'pending';

/** A task that does not exist yet and would take something away. */
export interface TakingTask {
  app_id: string;
  account_id: string;
  action: Action;
  /** How many groups and licenses it would remove, apart from those of a deleted account. */
  removed: number;
}

interface TaskChange {
  entitlement_id: string;
  type: 'group' | 'license';
  slug: string;
  id: string;
  /** When the task was created. */
  name: string;
  added: boolean;
}

export interface Creator {
  id: string;
  username: string;
  email: string;
  first_name: string;
  last_name: string;
}

/** A task with its app, account, changes and creator. */
export interface Task {
  id: string;
  app_id: string;
  app_name: string;
  account_id: string;
  /** The person that the account belongs to. */
  user_id: string | null;
  /** The account's id in the external system; null until it is known. */
  external_id: string | null;
  email: string;
  username: string;
  first_name: string;
  last_name: string;
  /** The slug of the account's resource type. */
  resource_type: string;
  action: Action;
  status: TaskStatus;
  /** Never in the past while the task is scheduled: for a blocked task, 30 seconds ahead (D28, D31). */
  execute_after: Date;
  waits_for: WaitsFor | null;
  /** The hold that it waits in. */
  hold_id: string | null;
  created_at: Date;
  dispatched_at: Date | null;
  ended_at: Date | null;
  ended_reason: Sentence | null;
  /** Whether another task takes away what returns and was gone when its turn came. Null if it does not wait for anything. */
  awaits_return: boolean | null;
  /** The parts that it left out when its turn came. */
  left_out: Sentence[] | null;
  preempted_by: string | null;
  error: TaskError | null;
  retry_of: string | null;
  attempt: number;
  task_type: TaskType;
  source: TaskSource | null;
  /** What people called the decision then. */
  source_label: string;
  reason: Sentence | null;
  /** The person who is responsible for it. The fields other than `id` are empty if the person was deleted. */
  creator: Creator;
  changes: TaskChange[];
  /**
   * Whether a sync that began after the task was completed has confirmed or corrected its effect (D32), or a sync completed it. No sync
   * shows a new password, so that the report of a reset_password is its confirmation.
   */
  confirmed: boolean;
  /** How its result was confirmed (D80): 'none' also as long as it is not completed. */
  confirmation: Confirmation;
  seen: Seen | null;
}
