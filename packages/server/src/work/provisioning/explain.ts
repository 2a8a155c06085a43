import { type Action, type ErrorCode, OWN_ACCOUNT, type Task } from './task.ts';

/** Why a task failed, ended early or waits, in plain words, and what an administrator can do about it. */
export interface Explanation {
  happened: string;
  advice: string | null;
}

export function explain(task: Task): Explanation | null {
  const explanation = explanationOf(task);
  if (explanation === null || task.status !== 'failed' || task.ended_reason === null) return explanation;
  return { ...explanation, advice: `The task cannot be retried. ${task.ended_reason}` };
}

function explanationOf(task: Task): Explanation | null {
  const { status, error, ended_reason, left_out, waits_for } = task;
  if (status === 'failed' && error !== null) {
    const said = quoted(error.message);
    if (error.code === 'INTERNAL_ERROR')
      return {
        happened: `${failed(task)}.${said || ' The report names no reason.'}`,
        advice: adviceFor(task),
      };
    const [cause, advice] = CAUSES[error.code](task);
    return { happened: `${failed(task)}: ${cause}.${said}`, advice };
  }
  if (status === 'cancelled')
    return {
      happened: ended_reason === null ? 'The task was canceled.' : `The task was canceled: ${ended_reason}`,
      advice: waiting(task),
    };
  if (status === 'completed' && ended_reason !== null)
    return { happened: `The task was completed without a report: ${ended_reason}`, advice: waiting(task) };
  if (status === 'preempted') return plain('The task was not run, because the account is to be deleted.');
  if (status !== 'scheduled' || waits_for === null)
    return left_out === null || status === 'failed'
      ? null
      : { happened: `The task left something out: ${left_out}`, advice: waiting(task) };
  if (waits_for === 'account')
    return plain('The task waits until another task of the same account has ended.');
  if (waits_for === 'confirmation')
    return {
      happened: `${task.app_name} has lost as much access in the last 24 hours as it may lose without confirmation.`,
      advice: 'An administrator can confirm or reject the held tasks of the app.',
    };
  if (waits_for === 'hold')
    return {
      happened:
        'The task waits because many people were changed in a short time, and somebody has to decide whether that was intended.',
      advice: 'An administrator can confirm or discard the hold.',
    };
  if (waits_for === 'external_id')
    return plain(
      `The task waits until a sync or the connector reports the account's id in ${task.app_name}.`,
    );
  return null;
}

/**
 * Says what happens if something returns that was gone when the task's turn came (D31). The wait ends after 30 days, unless it is for
 * the connector to sign in with another account.
 */
function waiting({ status, awaits_return, ended_reason }: Task): string | null {
  if (awaits_return === null) return null;
  if (ended_reason === OWN_ACCOUNT)
    return 'If a sync shows that the connector signs in with another account, Gatehouse creates the task again.';
  if (status === 'cancelled')
    return awaits_return
      ? 'If a sync shows otherwise within 30 days, Gatehouse creates the task again.'
      : 'No sync showed otherwise within 30 days, so the task is not created again.';
  return awaits_return
    ? 'If a sync shows otherwise within 30 days, another task removes it.'
    : 'No sync showed otherwise within 30 days, so no other task removes it.';
}

const plain = (happened: string): Explanation => ({ happened, advice: null });

const ACTIVITY: Record<Action, string> = {
  create_account: 'Creating the account',
  update_account: 'Changing the access',
  delete_account: 'Deleting the account',
  suspend_account: 'Suspending the account',
  unsuspend_account: 'Reactivating the account',
  reset_password: 'Resetting the password',
};

const failed = ({ action, email, username, external_id, account_id, app_name }: Task) =>
  `${ACTIVITY[action]} of ${email || username || external_id || account_id} in ${app_name} failed`;

/** The connector reports, or the person who refused the task. */
function quoted(message: string): string {
  const text = message.trim();
  return text === '' ? '' : ` The report says: ${text}${/[.!?]$/.test(text) ? '' : '.'}`;
}

/** The app has refused, or the connector could not ask it: only the message says which. */
const adviceFor = ({ app_name, error }: Task): string =>
  error === null || error.message.trim() === ''
    ? `Look at the connector's log at the time of the failure. An administrator can then retry the task.`
    : `Somebody who manages ${app_name} or its connector has to remove this cause. An administrator can then retry the task.`;

const AUTOMATIC = 'Gatehouse retries up to three times.';

/** The cause and the advice for each error code of protocol 7.4 that has one. */
const CAUSES: Record<
  Exclude<ErrorCode, 'INTERNAL_ERROR'>,
  (task: Task) => [cause: string, advice: string]
> = {
  ACCOUNT_NOT_FOUND: ({ app_name }) => [
    `the account does not exist in ${app_name}`,
    'Someone may have deleted it there. Run a sync to update the account in Gatehouse.',
  ],
  ACCOUNT_ALREADY_EXISTS: existingAccount,
  LICENSE_EXHAUSTED: (task) => [
    `${task.app_name} has no free seat${licenses(task)}`,
    'Free a seat or buy more, then request the access again.',
  ],
  PERMISSION_DENIED: ({ app_name }) => [
    `this is not allowed in ${app_name}`,
    `Give the credentials of the connector, or the person who carries out the task, the required permissions in ${app_name}. Then retry the task.`,
  ],
  RATE_LIMITED: ({ app_name }) => [
    `${app_name} limited the rate of requests`,
    `${AUTOMATIC} If this was the last attempt, retry the task later.`,
  ],
  TIMEOUT: ({ app_name }) => [
    `${app_name} did not respond in time`,
    `${AUTOMATIC} If this was the last attempt, check that ${app_name} is reachable, then retry the task.`,
  ],
};

/** Says whose the existing account is. It is never a reason to give its holder the access of another person (D82). */
function existingAccount({ app_name, error, username, email }: Task): [cause: string, advice: string] {
  const holder = error?.holder;
  const name = holder?.username || username || email;
  const exists = `${app_name} already has an account for ${name}`;
  if (holder?.is === 'own')
    return [
      `${app_name} already has an account of this person, with the same email`,
      'Run a sync, and link the account to the person if it is not linked yet. The person then has it, and can be given more access.',
    ];
  const whose = {
    other: `, and it belongs to ${holder?.email}`,
    nobody: ', and it is linked to nobody',
    unknown: ', and no sync has shown whose it is',
  };
  const cause = holder === undefined ? exists : `${exists}${whose[holder.is]}`;
  if (holder?.is_renamed)
    return [cause, 'Gatehouse tries again with the next user name. Nothing needs to be done.'];
  return [
    cause,
    `If the account is somebody else's, change the rule for user names in ${app_name} or the user name of the person, then retry the task. If it is theirs, run a sync and link it to them.`,
  ];
}

/** The licenses that the task adds, for a sentence about seats. */
function licenses({ changes }: Task): string {
  const names = changes
    .filter(({ type, added }) => type === 'license' && added)
    .map(({ id, name }) => name || id);
  return names.length === 0 ? '' : ` of ${names.join(', ')}`;
}
