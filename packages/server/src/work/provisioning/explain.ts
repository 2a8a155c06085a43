import type { Sentence } from '#kit/sentences.ts';
import { advices, causes, failing, happened } from './explain-sentences.ts';
import { type Action, type ErrorCode, isOfConnector, type Task } from './task.ts';

/** Why a task failed, ended early or waits, in plain words, and what an administrator can do about it. */
export interface Explanation {
  happened: Sentence;
  advice: Sentence | null;
}

export function explain(task: Task): Explanation | null {
  const explanation = explanationOf(task);
  if (explanation === null || task.status !== 'failed' || task.ended_reason === null) return explanation;
  return { ...explanation, advice: advices.advice_no_retry({ reason: task.ended_reason }) };
}

function explanationOf(task: Task): Explanation | null {
  const { status, error, ended_reason, left_out, waits_for, app_name: app } = task;
  if (status === 'failed' && error !== null) return failure(task, error);
  if (status === 'cancelled')
    return {
      happened:
        ended_reason === null
          ? happened.task_was_canceled()
          : happened.task_was_canceled_because({ reason: ended_reason }),
      advice: waiting(task),
    };
  if (status === 'completed' && ended_reason !== null)
    return { happened: happened.task_completed_by_sync({ reason: ended_reason }), advice: waiting(task) };
  if (status === 'preempted') return plain(happened.task_preempted());
  if (status !== 'scheduled' || waits_for === null)
    return left_out === null || status === 'failed'
      ? null
      : { happened: happened.task_left_out({ parts: left_out }), advice: waiting(task) };
  if (waits_for === 'account') return plain(happened.task_waits_for_account());
  if (waits_for === 'confirmation')
    return {
      happened: happened.task_waits_for_confirmation({ app }),
      advice: advices.advice_confirm_tasks(),
    };
  if (waits_for === 'undecided')
    return { happened: happened.task_waits_undecided(), advice: advices.advice_confirm_tasks() };
  if (waits_for === 'hold')
    return { happened: happened.task_waits_for_hold(), advice: advices.advice_confirm_hold() };
  if (waits_for === 'external_id') return plain(happened.task_waits_for_id({ app }));
  return null;
}

/**
 * Says what happens if something returns that was gone when the task's turn came (D31). The wait ends after 30 days, unless it is for
 * the connector to sign in with another account.
 */
function waiting({ status, awaits_return, ended_reason }: Task): Sentence | null {
  if (awaits_return === null) return null;
  if (isOfConnector(ended_reason)) return advices.advice_other_connector_account();
  if (status === 'cancelled')
    return awaits_return ? advices.advice_created_again() : advices.advice_not_created_again();
  return awaits_return ? advices.advice_removed_later() : advices.advice_not_removed_later();
}

const plain = (sentence: Sentence): Explanation => ({ happened: sentence, advice: null });

/** Explains a failure. An internal error has no cause but the words of the report. */
function failure(task: Task, { code, message }: NonNullable<Task['error']>): Explanation {
  const failed = failedOf(task);
  const said = message.trim();
  const report = /[.!?]$/.test(said) ? said : `${said}.`;
  if (code !== 'INTERNAL_ERROR') {
    const [cause, advice] = CAUSES[code](task);
    return said === ''
      ? { happened: happened.task_failed({ failed, cause }), advice }
      : { happened: happened.task_failed_with_report({ failed, cause, report }), advice };
  }
  if (said === '')
    return { happened: happened.task_failed_without_cause({ failed }), advice: advices.advice_read_log() };
  // The app has refused, or the connector could not ask it: only the report says which.
  const advice = advices.advice_remove_cause({ app: task.app_name });
  return { happened: happened.task_failed_as_reported({ failed, report }), advice };
}

const FAILING = {
  create_account: failing.creating_failed,
  update_account: failing.changing_failed,
  delete_account: failing.deleting_failed,
  suspend_account: failing.suspending_failed,
  unsuspend_account: failing.reactivating_failed,
  reset_password: failing.resetting_failed,
} satisfies Record<Action, unknown>;

const failedOf = ({ action, email, username, external_id, account_id, app_name: app }: Task) =>
  FAILING[action]({ account: email || username || external_id || account_id, app });

/** The cause and the advice for each error code of protocol 7.4 that has one. */
const CAUSES: Record<
  Exclude<ErrorCode, 'INTERNAL_ERROR'>,
  (task: Task) => [cause: Sentence, advice: Sentence]
> = {
  ACCOUNT_NOT_FOUND: ({ app_name: app }) => [
    causes.cause_account_missing({ app }),
    advices.advice_account_missing(),
  ],
  ACCOUNT_ALREADY_EXISTS: existingAccount,
  LICENSE_EXHAUSTED: (task) => [noSeat(task), advices.advice_free_seat()],
  PERMISSION_DENIED: ({ app_name: app }) => [
    causes.cause_not_permitted({ app }),
    advices.advice_permit({ app }),
  ],
  RATE_LIMITED: ({ app_name: app }) => [causes.cause_rate_limited({ app }), advices.advice_retry_later()],
  TIMEOUT: ({ app_name: app }) => [causes.cause_timeout({ app }), advices.advice_check_reachable({ app })],
};

/** Says whose the existing account is. It is never a reason to give its holder the access of another person (D82). */
function existingAccount(task: Task): [cause: Sentence, advice: Sentence] {
  const { app_name: app, error, username, email } = task;
  const holder = error?.holder;
  if (holder?.is === 'own') return [causes.cause_account_exists_own({ app }), advices.advice_link_account()];
  const values = { app, name: holder?.username || username || email };
  const cause =
    holder === undefined
      ? causes.cause_account_exists(values)
      : {
          other: () => causes.cause_account_exists_other({ ...values, email: holder.email ?? '' }),
          nobody: () => causes.cause_account_exists_unlinked(values),
          unknown: () => causes.cause_account_exists_unknown(values),
        }[holder.is]();
  return [cause, holder?.is_renamed ? advices.advice_next_name() : advices.advice_account_exists({ app })];
}

/** Names the licenses that the task adds. */
function noSeat({ app_name: app, changes }: Task): Sentence {
  const licenses = changes
    .filter(({ type, added }) => type === 'license' && added)
    .map(({ id, name }) => name || id);
  return licenses.length === 0 ? causes.cause_no_seat({ app }) : causes.cause_no_seat_of({ app, licenses });
}
