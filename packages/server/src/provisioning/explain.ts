import type { Task } from './queries/views.ts';
import type { Action, ErrorCode } from './task.ts';

const DOING: Record<Action, string> = {
  create_account: 'creating the account',
  update_account: 'changing the access',
  delete_account: 'deleting the account',
  suspend_account: 'suspending the account',
  unsuspend_account: 'reactivating the account',
  reset_password: 'resetting the password',
};

/** What happened and what to do about it, for every code of contract 7.4. */
const ADVICE: Record<ErrorCode, (task: Task) => [happened: string, advice: string]> = {
  ACCOUNT_NOT_FOUND: ({ app_name }) => [
    `the account does not exist in ${app_name}`,
    'It may have been deleted there by hand. Let the connector sync: the account will then be shown as it is.',
  ],
  ACCOUNT_ALREADY_EXISTS: ({ app_name }) => [
    `${app_name} has an account with this email or username already`,
    'Let the connector sync so that Gatehouse knows it, then grant what is missing to that account.',
  ],
  LICENSE_EXHAUSTED: (task) => [
    `${task.app_name} has no free seat${licenses(task)}`,
    'Take a seat from someone who does not need it, or buy more; then ask for the access again.',
  ],
  PERMISSION_DENIED: ({ app_name }) => [
    `the connector is not allowed to do this in ${app_name}`,
    `Give the credentials that it uses in ${app_name} the rights it needs; then start the task again.`,
  ],
  RATE_LIMITED: ({ app_name }) => [
    `${app_name} asked the connector to slow down`,
    'It is tried again up to three times by itself. If this was the last time, start the task again later.',
  ],
  TIMEOUT: ({ app_name }) => [
    `${app_name} did not answer in time`,
    'It is tried again up to three times by itself. If this was the last time, see whether the app can be reached.',
  ],
  INTERNAL_ERROR: () => [
    'the connector ran into an error of its own',
    "Look into the connector's log at the time of the failure; then start the task again.",
  ],
};

/** A task's failure or its waiting in words for an administrator: what, in which app, for whom, what to do (issue 4). */
export function explain(task: Task): string | null {
  if (task.status === 'failed' && task.error !== null) {
    const [happened, advice] = ADVICE[task.error.code](task);
    const said = task.error.message.trim();
    const quoted = said === '' ? '' : ` The connector said: ${said}${/[.!?]$/.test(said) ? '' : '.'}`;
    return `${capital(DOING[task.action])} of ${whom(task)} in ${task.app_name} failed: ${happened}.${quoted} ${advice}`;
  }
  if (task.status === 'cancelled') return `It was cancelled: ${task.ended_reason ?? 'no reason was given.'}`;
  if (task.status === 'preempted') return 'It was not carried out, because the account is to be deleted.';
  if (task.status !== 'scheduled') return null;
  if (task.waits_for === 'account') return 'It waits until another task of the same account has ended.';
  if (task.waits_for === 'external_id')
    return `It waits until a sync, or the connector, tells the id that the account has in ${task.app_name}.`;
  return null;
}

const whom = ({ email, username, external_id, account_id }: Task) =>
  email || username || external_id || account_id;

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

function licenses({ changes }: Task): string {
  const names = changes
    .filter(({ type, added }) => type === 'license' && added)
    .map(({ id, name }) => name || id);
  return names.length === 0 ? '' : ` of ${names.join(', ')}`;
}
