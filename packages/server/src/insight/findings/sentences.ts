import { refusals } from '#kit/errors.ts';
import { sentences } from '#kit/sentences.ts';

export const findingRefusals = refusals({
  conflict: {
    finding_resolved: 'This finding is resolved.',
    finding_not_accepted: 'Only an accepted finding can be reopened. This one is {status}.',
    finding_assignee_deactivated: '{email} is deactivated. Choose another person.',
  },
  invalid: {
    finding_accepted_too_long: 'Accept a finding until a time within the next year (until).',
  },
  forbidden: {
    key_without_app_of_finding: 'This API key cannot access the app of this finding.',
    own_finding: 'Somebody else has to accept a finding about your own access.',
  },
});

/** The sentences of findings, by their kinds. */
export const findingSentences = sentences({
  finding_leaver_with_access:
    '{person} has left and still has {count, plural, one {# account} other {# accounts}}.',
  finding_held_sync:
    'A sync of {app} is held: it would take away {accounts, plural, one {# account} other {# accounts}} and {memberships, plural, one {# membership} other {# memberships}}.',
  finding_held_policy:
    'The policy {policy} waits for a confirmation of {count, plural, one {# task} other {# tasks}}.',
  finding_people_change_held:
    'A change of {count, plural, one {# person} other {# people}} of {total} is held until an administrator decides.',
  finding_overdue_sync: 'A sync of {app} is overdue.',
  finding_task_without_fulfiller: 'A task in {app} waits, because nobody can carry it out.',
  finding_orphaned_account: 'The account {account} in {app} belongs to nobody.',
  finding_unowned_account: 'The service or shared account {account} in {app} has no active owner.',
  finding_unseen_access:
    'The connector of {app} cannot see {records, plural, one {# record} other {# records}} and {members, plural, one {# member} other {# members}} of groups and licenses.',
  finding_grant_of_another_person:
    'The account {account} in {app} has {count, plural, one {# grant} other {# grants}} of another person.',
  finding_reviewer_cannot_sign_in:
    '{person} reviews {count, plural, one {# undecided item} other {# undecided items}} and has no way to sign in.',
  finding_own_afterwards:
    'Access of the account {account} in {app} was decided by somebody who has the account or asked for it: {count, plural, one {# decision} other {# decisions}}.',
  finding_last_member_left:
    'The group {group} in {app} has a high risk, and {account} is its last usable member.',
  finding_dormant_privileged:
    'The account {account} in {app} has {count, plural, one {# group} other {# groups}} with a high risk and was not used for {days} days.',
  finding_privileged_without_mfa:
    'The account {account} in {app} has {count, plural, one {# group} other {# groups}} with a high risk and no second factor.',
  finding_group_without_owner: 'The group {group} in {app} has a high risk and no active owner.',
  finding_returned_after_revocation:
    'The account {account} in {app} has {count, plural, one {# group} other {# groups}} again that tasks had removed, and nobody has granted since.',
  finding_lookalike_names: 'The username {name} in {app} looks like that of another account, {other}.',
  finding_missing_access:
    'The account {account} in {app} lacks the access of {count, plural, one {# grant} other {# grants}} in force.',
});
