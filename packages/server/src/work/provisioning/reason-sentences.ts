import { type Sentence, sentences } from '#kit/sentences.ts';

/** Why a task ended early, or must not be retried. */
export const reasonSentences = sentences({
  task_of_own_connector:
    "The app's connector signs in with this account. Without it, the connector could not do anything any more.",
  task_account_gone: 'The account no longer exists, or was never created.',
  sync_lost_account: 'A sync no longer shows the account.',
  sync_lost_access: 'A sync no longer shows the groups and licenses that the task removes.',
  task_app_archived: 'The app was archived.',
  task_person_merged: 'The person is active: two records were merged.',
  task_canceled_by_admin: 'An administrator canceled the task.',
  task_over_budget: 'The task exceeded the daily budget of the app and was rejected.',
  task_over_budget_because: 'The task exceeded the daily budget of the app and was rejected. {why}',
  task_person_inactive: 'The person is no longer active.',
  task_person_active: 'The person is active again.',
  task_account_status_changed: 'The status of the account has changed.',
  task_change_needless: 'The account already has the requested access.',
  task_access_regranted: 'The access was granted again in the meantime.',
  task_access_derived:
    'The account has the access through another group or license, so it cannot be removed by itself.',
  task_access_granted_longer: 'Another decision grants the access for longer.',
  task_access_returned: 'The access came back after it had ended. {decision}',
  task_suspended_otherwise: 'Another decision suspends the account.',
  task_end_moved: 'The access ends at another time now, or has ended.',
  task_last_member_kept:
    'The account is the last member of a group whose risk is high. Nobody decided that: a person has to remove it.',
  task_not_wanted: 'The policy no longer calls for the task: its condition or its trigger no longer holds.',
  task_condition_undecided: 'The condition of the policy no longer decides about the person.',
  task_hold_discarded:
    'A hold that the person is part of was discarded, so policies do nothing because of it.',
  task_time_over: 'The time of the account is over, and nothing else needs it.',
  task_nothing_left: '{parts}',
  task_reason_words: '{words}',
});

/** Returns a reason as a sentence. Nobody translates the words of a person. */
export const reasonOf = (reason: Sentence | string): Sentence =>
  typeof reason === 'string' ? reasonSentences.task_reason_words({ words: reason }) : reason;

/** The parts that a task leaves out, and why. */
export const leftOutSentences = sentences({
  left_out_derived: '"{name}" cannot be removed by itself, because the account has it through "{giver}".',
  left_out_gone: '"{name}" no longer exists.',
  left_out_last_member:
    'The account is the last member of "{group}", whose risk is high. Nobody decided that: a person has to remove it.',
  left_out_revoked: 'A later decision took "{name}" away.',
  left_out_over: 'The time for "{name}" is over.',
  left_out_renamed: '"{name}" is now called "{current_name}".',
});
