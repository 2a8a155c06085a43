/**
 * A provisioning task (contract 2.6, 3.2; D28 to D31):
 *
 *   created ──> scheduled ──its turn──> pending ──completed──> completed
 *                   │                      ├──────failed─────> failed ──RATE_LIMITED, TIMEOUT──> a new task, scheduled
 *                   │                      │
 *                   ├──its reason is gone──│──> cancelled      by a person: from both
 *                   └──not yet dispatched──┴──> preempted      by a delete_account of the same account
 *
 * Its turn has come when execute_after is past, no other task of its account is pending, no older one is due, and
 * the account's external id is known (create_account does without). One that is due and has to wait is blocked: it
 * stays scheduled, a little ahead. `pending` is dispatched once a connector has been shown it. The four on the right
 * are final. turn.ts alone makes tasks pending.
 */
export type TaskStatus = 'scheduled' | 'pending' | 'completed' | 'failed' | 'cancelled' | 'preempted';

export const ACTIONS = [
  'create_account',
  'update_account',
  'delete_account',
  'suspend_account',
  'unsuspend_account',
  'reset_password',
] as const;
export type Action = (typeof ACTIONS)[number];

/** D32. */
export const TASK_TYPES = ['USER_ACTION', 'ACCESS_REVIEW', 'APPROVAL_WORKFLOW', 'POLICY'] as const;
export type TaskType = (typeof TASK_TYPES)[number];

/** Contract 7.4. */
export const ERROR_CODES = [
  'ACCOUNT_NOT_FOUND',
  'ACCOUNT_ALREADY_EXISTS',
  'LICENSE_EXHAUSTED',
  'PERMISSION_DENIED',
  'RATE_LIMITED',
  'TIMEOUT',
  'INTERNAL_ERROR',
] as const;
export type ErrorCode = (typeof ERROR_CODES)[number];

export interface TaskError {
  code: ErrorCode;
  message: string;
}

/**
 * What must hold when a task's turn comes; otherwise it is cancelled instead (D31). That the account still exists
 * need not be asked for.
 */
export type Precondition =
  | { kind: 'user_active'; user_id: string }
  /** Deactivated or deleted. */
  | { kind: 'user_inactive'; user_id: string }
  | { kind: 'account_status'; in: string[] }
  /** At least one of its groups and licenses is not yet as the task wants it. */
  | { kind: 'change_needed' }
  /** No newer task, open or completed, gives what this one takes. */
  | { kind: 'not_regranted' }
  /**
   * For the end of a time-bound grant: no other decision gives the same for longer. What one does is spared; a removal
   * with nothing left, and a delete_account of an account that others have given something, are cancelled.
   */
  | { kind: 'last_holder' };

/** The decision that made a task: what tasksOf finds it by. */
export interface TaskSource {
  type: 'ticket' | 'review_item' | 'policy';
  id: string;
}

export const isTerminal = (status: TaskStatus) => status !== 'scheduled' && status !== 'pending';

/** Contract 7.5. */
export const alreadyIn = (status: TaskStatus) =>
  `Task is already in '${status}' state and cannot be updated.`;
