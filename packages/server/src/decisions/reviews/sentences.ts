import { refusals } from '#kit/errors.ts';
import { sentences } from '#kit/sentences.ts';

export const reviewRefusals = refusals({
  invalid: {
    risks_without_groups: 'scope.risks: Only groups have a risk. Add memberships to scope.include.',
    together_only_kept:
      'without_deviations: Items can only be kept together. Send the decision keep, or decide them without it.',
    together_without_reason: 'comment: Give the reason for which you keep these items together.',
    recurring_without_start: 'A recurring campaign needs starts_at, the time when its first cycle opens.',
  },
  forbidden: {
    no_undecided_items: 'You have no undecided items in this cycle.',
    nothing_to_review: 'You have nothing to review in this cycle.',
    own_access: 'You cannot review your own access.',
    access_behind:
      'You cannot keep access of somebody who gave you the means to act in the last 30 days. Another reviewer must decide, or you can revoke it.',
    not_a_reviewer: 'You are not a reviewer of this item.',
  },
  conflict: {
    cycle_not_open_yet: 'The cycle is not open yet.',
    cycle_completed:
      'The cycle is completed, so every item needs a decision. Keep or revoke the access instead.',
    account_of_connector:
      'The connector of {app_name} signs in with the account {account}. Without it, the connector could not do anything any more. Keep the account.',
    items_decided_since:
      'Somebody else has decided {others} of these items since. Reload them and decide again.',
    items_deviate:
      'Some of these items deviate now: {count}. Nothing was decided. Reload them, and look at each of these.',
    cooling_off_over: 'The cooling-off period of this decision is over. It can no longer be changed.',
    cycle_not_open: 'The cycle is not open.',
    items_decided_already: 'Some of these items are decided already. Reassign undecided items only.',
    cycle_open_already: 'This campaign already has an open cycle.',
    reviewer_without_items: '{email} has no undecided items in this cycle.',
    reminded_lately: '{email} was reminded less than an hour ago. You can send the next reminder at {next}.',
  },
});

/** Why a reviewer cannot revoke access that something else gives (D68). */
export const derivedSentences = sentences({
  derived_revoke_source: '{kept} Revoke it there with at_giver, or revoke that as well.',
  derived_source_kept:
    "{obstacle} {email} has decided to keep ''{name}''. That decision has to change first.",
  derived_kept_with_source:
    "{obstacle} {email} has decided to keep ''{name}'', which would go with ''{source}''. That decision has to change first.",
});

/** Why tasks of reviews are created, for auditors: the campaign, and the reviewer's comments or the missing response. */
export const creationSentences = sentences({
  task_revoked: 'Revoked in the access review "{campaign}".',
  task_revoked_because: 'Revoked in the access review "{campaign}": {comments}',
  task_revoked_unanswered:
    'Revoked in the access review "{campaign}": no reviewer responded before the due date.',
});

/** Why a task of a review is canceled. */
export const endingSentences = sentences({
  task_review_changed: 'The access review decision was changed.',
});
