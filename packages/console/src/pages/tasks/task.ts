import type { Answer } from '../../api/client.ts';

export type Task = Answer<'/api/tasks/{task_id}/'>;

export const ACTIONS = [
  'create_account',
  'update_account',
  'delete_account',
  'suspend_account',
  'unsuspend_account',
  'reset_password',
] as const;

const DOING: Record<string, string> = {
  create_account: 'Create account',
  update_account: 'Change access',
  delete_account: 'Delete account',
  suspend_account: 'Suspend account',
  unsuspend_account: 'Unsuspend account',
  reset_password: 'Reset password',
};

export const actionWord = (action: string) => DOING[action] ?? action;

/** "Give access", "Remove access" where it does one of them only. */
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

export const STATUSES = ['scheduled', 'pending', 'completed', 'failed', 'cancelled', 'preempted'] as const;
export const isOpen = ({ status }: Pick<Task, 'status'>) => status === 'scheduled' || status === 'pending';

/** Which decision made a task (D32). */
const TYPES: Record<string, string> = {
  USER_ACTION: 'By hand',
  ACCESS_REVIEW: 'Access review',
  APPROVAL_WORKFLOW: 'Request',
  POLICY: 'Policy',
};
export const typeWord = (type: string) => TYPES[type] ?? type;

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

const ERRORS: Record<string, string> = {
  ACCOUNT_NOT_FOUND: 'Account not found',
  ACCOUNT_ALREADY_EXISTS: 'Account exists already',
  LICENSE_EXHAUSTED: 'No free seat',
  PERMISSION_DENIED: 'Permission denied',
  RATE_LIMITED: 'Rate limited',
  TIMEOUT: 'Timeout',
  INTERNAL_ERROR: 'Error of the connector',
};
export const errorWord = (code: string) => ERRORS[code] ?? code;

/** Whose account it is, as well as it is known. */
export const whose = ({ app_user }: Pick<Task, 'app_user'>) =>
  app_user.email || 'an account without an email';

const BEFORE: Record<string, string> = {
  'Create account': 'for',
  'Give access': 'to',
  'Remove access': 'from',
};

/** "Give access to ada@example.com in Payroll" */
export function taskName(task: Task): string {
  const doing = doingWords(task);
  return `${doing} ${BEFORE[doing] ?? 'of'} ${whose(task)} in ${task.app.name}`;
}
