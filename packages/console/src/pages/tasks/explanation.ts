import { t } from '@lingui/core/macro';
import type { Answer } from '../../api/client.ts';
import { listed } from '../../kit/text/listed.ts';
import { serverText } from '../../language/server-text.ts';

type Task = Answer<'/api/tasks/{task_id}/'>;
type ErrorCode = NonNullable<Task['error']>['code'];
type Explained = Pick<Task, 'app' | 'changes' | 'error' | 'explanation' | 'status' | 'waits_for'>;

interface Explanation {
  happened: string;
  advice: string | null;
}

/** Returns why a task failed, ended early or waits. */
export function explanationOf(task: Explained): Explanation | null {
  const { explanation, status, error, waits_for, app } = task;
  if (explanation === null) return null;
  if (status === 'failed' && error !== null) {
    const [happened, advice] = CAUSES[error.code](app.name, task);
    const report = error.message.trim();
    return { happened: report === '' ? happened : `${happened} ${t`The report says: ${report}`}`, advice };
  }
  if (status === 'preempted')
    return { happened: t`The task was not run, because the account is to be deleted.`, advice: null };
  if (status === 'scheduled' && waits_for !== null) return WAITS[waits_for](app.name);
  const { happened, advice, code, values, advice_code, advice_values } = explanation;
  return {
    happened: serverText({ code, values, text: happened }),
    advice: advice && serverText({ code: advice_code, values: advice_values, text: advice }),
  };
}

/** Returns the explanation as one text, empty if there is none. */
export function explanationText(task: Explained): string {
  const explanation = explanationOf(task);
  return [explanation?.happened, explanation?.advice].filter(Boolean).join(' ');
}

const WAITS: Record<NonNullable<Task['waits_for']>, (app: string) => Explanation> = {
  account: () => ({
    happened: t`The task waits until another task of the same account has ended.`,
    advice: null,
  }),
  confirmation: (app) => ({
    happened: t`${app} has lost as much access in the last 24 hours as it may lose without confirmation.`,
    advice: t`An administrator can confirm or reject the held tasks of the app.`,
  }),
  hold: () => ({
    happened: t`The task waits because many people were changed in a short time, and somebody has to decide whether that was intended.`,
    advice: t`An administrator can confirm or discard the hold.`,
  }),
  undecided: () => ({
    happened: t`The condition of the policy no longer decides about the person, so the task waits until somebody does.`,
    advice: t`An administrator can confirm or reject the held tasks of the app.`,
  }),
  external_id: (app) => ({
    happened: t`The task waits until a sync or the connector reports the account's ID in ${app}.`,
    advice: null,
  }),
};

/** The cause and the advice for each error code of protocol 7.4. */
const CAUSES: Record<ErrorCode, (app: string, task: Explained) => [cause: string, advice: string]> = {
  ACCOUNT_NOT_FOUND: (app) => [
    t`The task failed, because the account does not exist in ${app}.`,
    t`Someone may have deleted it there. Run a sync to update the account in Gatehouse.`,
  ],
  ACCOUNT_ALREADY_EXISTS: existing,
  LICENSE_EXHAUSTED: (app, task) => [
    noSeat(app, namesAdded(task)),
    t`Free a seat or buy more, then request the access again.`,
  ],
  PERMISSION_DENIED: (app) => [
    t`The task failed, because it is not allowed in ${app}.`,
    t`Give the credentials of the connector, or the person who carries out the task, the required permissions in ${app}. Then retry the task.`,
  ],
  RATE_LIMITED: (app) => [
    t`The task failed, because ${app} limited the rate of requests.`,
    t`Gatehouse retries up to three times. If this was the last attempt, retry the task later.`,
  ],
  TIMEOUT: (app) => [
    t`The task failed, because ${app} did not respond in time.`,
    t`Gatehouse retries up to three times. If this was the last attempt, check that ${app} is reachable, then retry the task.`,
  ],
  INTERNAL_ERROR: (app, { error }) =>
    error === null || error.message.trim() === ''
      ? [
          t`The task failed. The report names no reason.`,
          t`Look at the connector's log at the time of the failure. An administrator can then retry the task.`,
        ]
      : [
          t`The task failed.`,
          t`Somebody who manages ${app} or its connector has to remove this cause. An administrator can then retry the task.`,
        ],
};

/** Says whose the existing account is. It is never a reason to give its holder the access of another person. */
function existing(app: string, { error }: Explained): [cause: string, advice: string] {
  const holder = error?.holder;
  if (holder?.is === 'own')
    return [
      t`The task failed, because ${app} already has an account of this person.`,
      t`Run a sync, and link the account to the person if it is not linked yet.`,
    ];
  const advice = holder?.is_renamed
    ? t`Gatehouse tries again with the next username.`
    : t`If the account belongs to somebody else, change the rule for usernames in ${app} or the username of the person, then retry the task. If it is theirs, run a sync and link it to them.`;
  return [takenWords(app, holder), advice];
}

type Holder = NonNullable<Task['error']>['holder'];

function takenWords(app: string, holder: Holder): string {
  if (holder === undefined) return t`The task failed, because ${app} already has such an account.`;
  const { username } = holder;
  const owner = holder.email ?? '';
  if (holder.is === 'other')
    return t`The task failed, because ${app} already has the account ${username}, which belongs to ${owner}.`;
  if (holder.is === 'nobody')
    return t`The task failed, because ${app} already has the account ${username}, which is linked to nobody.`;
  return t`The task failed, because ${app} already has the account ${username}. No sync has shown whose it is.`;
}

/** Lists several groups and licenses, because the task does not say which of them are licenses. */
function noSeat(app: string, added: readonly string[]): string {
  const names = listed(added, 'disjunction');
  if (added.length === 0) return t`The task failed, because ${app} has no free seat.`;
  return added.length === 1
    ? t`The task failed, because ${app} has no free seat of ${names}.`
    : t`The task failed, because ${app} has no free seat of one of these: ${names}.`;
}

const namesAdded = ({ changes }: Explained) =>
  Object.values(changes).flatMap(({ added }) => added.map(({ id, name }) => name || id));
