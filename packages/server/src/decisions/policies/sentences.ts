import { refusals } from '#kit/errors.ts';
import { sentences } from '#kit/sentences.ts';

export const policyRefusals = refusals({
  invalid: {
    delay_malformed: 'delay must be an ISO 8601 duration such as P30D, P1M or PT12H (delay).',
    delay_too_long: 'delay must be at most {most} years (delay).',
    effect_takes_no_access: 'Only grant and revoke take memberships and assignments (effects[{i}]).',
    effect_needs_one_app: 'memberships and assignments need one app instead of "all" (effects[{i}]).',
    effects_contradict: '{one} and {other} contradict each other for the same app (effects).',
  },
  conflict: {
    policy_still_held:
      'The policy would do the same again. Confirm the actions, change the condition or the trigger, or disable the policy.',
    policy_not_held: 'This policy has no actions awaiting confirmation.',
  },
  unprocessable: {
    app_without_account_type: 'The app {name} has no resource type of type account.',
  },
});

/** Why tasks of policies are created. */
export const creationSentences = sentences({ task_of_policy: 'Created by the policy "{name}".' });

/** Why tasks of policies are canceled. */
export const endingSentences = sentences({
  task_policy_deleted: 'The policy "{name}" was deleted.',
  task_hold_of_discarded: 'The hold that the task was part of was discarded.',
  task_hold_of_discarded_because: 'The hold that the task was part of was discarded. {why}',
  task_not_called_for: 'When the hold was confirmed, the policy no longer called for the task.',
});
