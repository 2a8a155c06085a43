import { sentences } from '#kit/sentences.ts';

/** The state of a task, or why it waits. */
export const happened = sentences({
  task_failed: '{failed}: {cause}.',
  task_failed_with_report: '{failed}: {cause}. The report says: {report}',
  task_failed_without_cause: '{failed}. The report names no reason.',
  task_failed_as_reported: '{failed}. The report says: {report}',
  task_was_canceled: 'The task was canceled.',
  task_was_canceled_because: 'The task was canceled: {reason}',
  task_completed_by_sync: 'The task was completed without a report: {reason}',
  task_preempted: 'The task was not run, because the account is to be deleted.',
  task_left_out: 'The task left something out: {parts}',
  task_waits_for_account: 'The task waits until another task of the same account has ended.',
  task_waits_for_confirmation:
    '{app} has lost as much access in the last 24 hours as it may lose without confirmation.',
  task_waits_undecided:
    'The condition of the policy no longer decides about the person, so the task waits until somebody does.',
  task_waits_for_hold:
    'The task waits because many people were changed in a short time, and somebody has to decide whether that was intended.',
  task_waits_for_id: "The task waits until a sync or the connector reports the account's id in {app}.",
});

/** The start of a sentence about a task that failed. */
export const failing = sentences({
  creating_failed: 'Creating the account of {account} in {app} failed',
  changing_failed: 'Changing the access of {account} in {app} failed',
  deleting_failed: 'Deleting the account of {account} in {app} failed',
  suspending_failed: 'Suspending the account of {account} in {app} failed',
  reactivating_failed: 'Reactivating the account of {account} in {app} failed',
  resetting_failed: 'Resetting the password of {account} in {app} failed',
});

/** The end of that sentence. */
export const causes = sentences({
  cause_account_missing: 'the account does not exist in {app}',
  cause_account_exists: '{app} already has an account for {name}',
  cause_account_exists_own: '{app} already has an account of this person, with the same email',
  cause_account_exists_other: '{app} already has an account for {name}, and it belongs to {email}',
  cause_account_exists_unlinked: '{app} already has an account for {name}, and it is linked to nobody',
  cause_account_exists_unknown: '{app} already has an account for {name}, and no sync has shown whose it is',
  cause_no_seat: '{app} has no free seat',
  cause_no_seat_of: '{app} has no free seat of {licenses}',
  cause_not_permitted: 'this is not allowed in {app}',
  cause_rate_limited: '{app} limited the rate of requests',
  cause_timeout: '{app} did not respond in time',
});

/** Advice about it. */
export const advices = sentences({
  advice_no_retry: 'The task cannot be retried. {reason}',
  advice_confirm_tasks: 'An administrator can confirm or reject the held tasks of the app.',
  advice_confirm_hold: 'An administrator can confirm or discard the hold.',
  advice_other_connector_account:
    'If a sync shows that the connector signs in with another account, Gatehouse creates the task again.',
  advice_created_again: 'If a sync shows otherwise within 30 days, Gatehouse creates the task again.',
  advice_not_created_again: 'No sync showed otherwise within 30 days, so the task is not created again.',
  advice_removed_later: 'If a sync shows otherwise within 30 days, another task removes it.',
  advice_not_removed_later: 'No sync showed otherwise within 30 days, so no other task removes it.',
  advice_read_log:
    "Look at the connector's log at the time of the failure. An administrator can then retry the task.",
  advice_remove_cause:
    'Somebody who manages {app} or its connector has to remove this cause. An administrator can then retry the task.',
  advice_account_missing: 'Someone may have deleted it there. Run a sync to update the account in Gatehouse.',
  advice_free_seat: 'Free a seat or buy more, then request the access again.',
  advice_permit:
    'Give the credentials of the connector, or the person who carries out the task, the required permissions in {app}. Then retry the task.',
  advice_retry_later:
    'Gatehouse retries up to three times. If this was the last attempt, retry the task later.',
  advice_check_reachable:
    'Gatehouse retries up to three times. If this was the last attempt, check that {app} is reachable, then retry the task.',
  advice_link_account:
    'Run a sync, and link the account to the person if it is not linked yet. The person then has it, and can be given more access.',
  advice_next_name: 'Gatehouse tries again with the next username. Nothing needs to be done.',
  advice_account_exists:
    "If the account is somebody else's, change the rule for usernames in {app} or the username of the person, then retry the task. If it is theirs, run a sync and link it to them.",
});
