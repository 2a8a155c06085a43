import { refusals } from '#kit/errors.ts';
import { sentences } from '#kit/sentences.ts';

export const restoreRefusals = refusals({
  conflict: {
    plan_applied: 'This plan has already been applied.',
    plan_for_other_fields: 'The plan was made for other fields. Repeat the dry run with the current fields.',
  },
  invalid: {
    restore_scope_unclear: 'Send `users`, `accounts` or `app`, and only one of them.',
    restore_item_unclear:
      'Send both `slug` and `resource` in each of `items`, or neither for the account itself.',
  },
  unprocessable: {
    restore_item_unknown: '`items`: the plan cannot bring back {what} of the account {account}.',
    restore_decision_unknown: '`include_decided`: no access of the plan was taken away by {id}.',
  },
});

/** Why tasks of a restore are created. */
export const creationSentences = sentences({
  task_restores: 'Restore to {time}.',
  task_restores_because: 'Restore to {time}. {words}',
});
