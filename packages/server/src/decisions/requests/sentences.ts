import { refusals } from '#kit/errors.ts';
import { sentences } from '#kit/sentences.ts';

export const requestRefusals = refusals({
  forbidden: {
    own_request:
      'You cannot decide a request that you filed, or that is by you or for you. Ask another approver or administrator.',
    request_for_reports_only:
      'Members can request access for themselves and for the people who report to them.',
    not_an_approver: 'You are not a current approver of this request.',
    key_does_not_cover_app: 'This key does not cover this app.',
    information_by_few: 'Only the requester and the beneficiary can provide the information.',
    request_context_restricted:
      'Members can see their own access and the access of people whose requests they decide.',
    submission_for_others: 'Only an administrator can submit a request on behalf of another requester.',
    override_by_administrators: 'Only an administrator can override approvers.',
    cancellation_by_few: 'Only the requester, the beneficiary or an administrator can cancel this request.',
    own_request_approvers:
      'You cannot choose the approvers of a request that you filed, or that is by you or for you.',
    key_does_not_cover_request: "This key does not cover the request's app.",
    requests_restricted: 'Members can see their own requests and requests that they decide.',
  },
  conflict: {
    request_decided: 'REQ-{number} is {status} and can no longer be decided.',
    nobody_left_to_decide:
      'These people are away without a deputy who can decide, so that earlier approvals would complete the step. Choose another approver.',
    too_many_comments: 'This request already has {most} comments. Continue the conversation elsewhere.',
    information_requested_already:
      'More information has been requested already. Wait for the answer, or add a comment.',
    information_not_requested: 'Nobody has requested more information. Add a comment instead.',
    request_id_taken: 'Another request has this external_uuid. Choose a new one.',
    beneficiary_deactivated: '{email} is deactivated.',
    person_without_account: 'The person has no account in this app. Request NEW_ACCESS instead.',
    nothing_to_extend: 'Nothing to extend: none of the requested access ends before end_time.',
    request_moved_on: 'The request has moved to step {step}.',
    step_approved_already: 'You have already approved this step.',
    step_approved_on_behalf: 'Somebody has already approved this step on your behalf.',
    approver_deactivated: '{email} is deactivated. Choose another approver.',
    approver_is_auditor: '{email} is an auditor, and auditors do not decide. Choose another approver.',
    approver_is_concerned: '{email} filed this request, or it is by or for them. Choose another approver.',
    approver_has_approved:
      '{email}, or somebody on their behalf, has already approved this step. Choose another approver.',
  },
  invalid: {
    extension_without_end: 'Field required (end_time): EXTEND_ACCESS needs the new end of access.',
    extension_with_start: 'EXTEND_ACCESS does not take start_time: the access has already started.',
    end_not_in_future: 'end_time must be in the future.',
    end_not_after_start: 'end_time must be after start_time.',
    modification_without_access:
      'MODIFY_ACCESS needs at least one group or license in memberships or assignments.',
    override_without_comment: 'Field required (comment): an override needs a reason.',
  },
});

/** Problems of the fields of a request. */
export const requestSentences = sentences({ should_not_be_nil: 'should not be the nil UUID' });

/** The short lines that name requests for people. They are also the reasons of their tasks. */
export const labelSentences = sentences({
  request_of_access: 'REQ-{number}: access to {app} for {email}',
  request_of_more_access: 'REQ-{number}: more access to {app} for {email}',
  request_of_longer_access: 'REQ-{number}: longer access to {app} for {email}',
});

/** The result of a request, where its status does not say it all. */
export const outcomeSentences = sentences({
  request_outcomes: '{parts}',
  request_of_deactivated: 'The person was deactivated.',
  request_of_archived: 'The app was archived.',
  request_end_passed: 'The requested end of access has passed.',
  request_undecided: 'Nobody decided within {days, plural, one {# day} other {# days}}.',
  request_self_approved: 'The person who approved it and the person for whom it was made are the same.',
  request_withdrawn: 'Withdrawn.',
  request_withdrawn_because: 'Withdrawn. {words}',
  request_canceled: 'Canceled by an administrator.',
  request_canceled_because: 'Canceled by an administrator. {words}',
  request_extends_nothing: 'Nothing to extend: none of the requested access ends before the new end.',
  request_grants_nothing: 'Nothing to grant: the account already has the requested access.',
  request_granted_nothing: 'Nothing was granted.',
  requested_renamed: '"{name}" is now called "{current_name}" and was not granted. Request it again.',
  requested_gone: '"{name}" no longer exists.',
});
