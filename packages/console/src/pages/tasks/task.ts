import type { Answer, Query } from '../../api/client.ts';

export type Task = Answer<'/api/tasks/{task_id}/'>;
type TaskQuery = Query<'/api/tasks/'>;
export type Action = NonNullable<TaskQuery['action']>;
type TaskStatus = NonNullable<TaskQuery['status']>;
type ErrorCode = NonNullable<TaskQuery['error_code']>;

const ACTION_WORDS = {
  create_account: 'Create account',
  update_account: 'Change access',
  delete_account: 'Delete account',
  suspend_account: 'Suspend account',
  unsuspend_account: 'Unsuspend account',
  reset_password: 'Reset password',
} satisfies Record<Action, string>;

export const ACTIONS = Object.keys(ACTION_WORDS) as Action[];
export const actionWord = (action: string) => (ACTION_WORDS as Record<string, string>)[action] ?? action;

/** "Give access" or "Remove access" if the task does only one of them. */
export function doingWords({ action, changes }: Pick<Task, 'action' | 'changes'>): string {
  if (action !== 'update_account') return actionWord(action);
  const all = Object.values(changes);
  const gives = all.some(({ added }) => added.length > 0);
  const takes = all.some(({ removed }) => removed.length > 0);
  if (gives === takes) return actionWord(action);
  return gives ? 'Give access' : 'Remove access';
}

const names = (refs: { id: string; name: string }[]) => refs.map(({ id, name }) => name || id).join(', ');

/** "+ Support, Viewer; − Exports" */
export function changeWords({ changes }: Pick<Task, 'changes'>): string {
  const all = Object.values(changes);
  const added = names(all.flatMap((change) => change.added));
  const removed = names(all.flatMap((change) => change.removed));
  return [added && `+ ${added}`, removed && `− ${removed}`].filter((part) => part !== '').join('; ');
}

export const STATUSES = Object.keys({
  scheduled: true,
  pending: true,
  completed: true,
  failed: true,
  cancelled: true,
  preempted: true,
} satisfies Record<TaskStatus, true>) as TaskStatus[];
export const isOpen = ({ status }: Pick<Task, 'status'>) => status === 'scheduled' || status === 'pending';

/** The kind of decision that created a task (D32). */
const TYPE_WORDS = {
  USER_ACTION: 'Manual',
  ACCESS_REVIEW: 'Access review',
  APPROVAL_WORKFLOW: 'Request',
  POLICY: 'Policy',
} satisfies Record<Task['task_type'], string>;
export const typeWord = (type: string) => (TYPE_WORDS as Record<string, string>)[type] ?? type;

/** The error codes of connectors (protocol 7.4). */
const ERROR_WORDS = {
  ACCOUNT_NOT_FOUND: 'Account not found',
  ACCOUNT_ALREADY_EXISTS: 'Account already exists',
  LICENSE_EXHAUSTED: 'No free seats',
  PERMISSION_DENIED: 'Permission denied',
  RATE_LIMITED: 'Rate limited',
  TIMEOUT: 'Timed out',
  INTERNAL_ERROR: 'Connector error',
} satisfies Record<ErrorCode, string>;

export const ERROR_CODES = Object.keys(ERROR_WORDS) as ErrorCode[];
export const errorWord = (code: string) => (ERROR_WORDS as Record<string, string>)[code] ?? code;

/** Why a task failed or waits, and what to do about it. */
interface Explanation {
  happened: string;
  advice: string | null;
}

export const explanationOf = ({ explanation }: Pick<Task, 'explanation'>) =>
  explanation as unknown as Explanation | null;

/** The explanation in one text; empty if there is none. */
export function explanationText(task: Pick<Task, 'explanation'>): string {
  const explanation = explanationOf(task);
  return [explanation?.happened, explanation?.advice].filter(Boolean).join(' ');
}

/** The email of the task's account. */
export const accountWord = ({ app_user }: Pick<Task, 'app_user'>) =>
  app_user.email || 'an account without an email';

const PREPOSITIONS: Record<string, string> = {
  'Create account': 'for',
  'Give access': 'to',
  'Remove access': 'from',
};

/** "Give access to ada@example.com in Payroll" */
export function taskName(task: Task): string {
  const doing = doingWords(task);
  return `${doing} ${PREPOSITIONS[doing] ?? 'of'} ${accountWord(task)} in ${task.app.name}`;
}
