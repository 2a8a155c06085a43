import { refusals } from '#kit/errors.ts';
import { sentences } from '#kit/sentences.ts';

export const recordRefusals = refusals({
  forbidden: {
    key_without_app_of_account: 'This key does not have access to the app of this account.',
    own_accounts_only: 'A member can only see their own accounts.',
    own_access_only: 'A member can only see their own access.',
    own_decision:
      'You gave this account access in the last 30 days, or decided that it keeps it, so it cannot become yours. Ask another administrator.',
    own_record: 'You cannot choose the record of your own account. Ask another administrator.',
    key_without_one_app: 'This key does not have access to one of these apps.',
  },
  invalid: {
    session_not_in_progress:
      'The sync session is {status}; this step requires a session that is in_progress.',
    session_replaced:
      'The sync session is {status}; this step requires a session that is in_progress. A newer session has replaced it.',
    session_replaced_by:
      'The sync session is {status}; this step requires a session that is in_progress. A newer session has replaced it. {who}',
    slug_without_resource: 'Name both slug and resource, or neither. Together, they name a group or license.',
    not_with_as_of:
      '{misplaced} cannot be combined with as_of. Such a list takes app, user, status and limit; follow next for more.',
    sort_with_as_of:
      'sort cannot be combined with as_of: the list is in the order in which accounts were created. Leave out sort.',
    after_without_as_of: 'after needs as_of. Use offset for the present list.',
    csv_without_as_of: 'format=csv needs as_of. Add the time of the report.',
    time_too_early: '{early} is too early. Use a year from 0001 on.',
    time_in_future: '{future} is in the future. Use a time that has passed.',
    known_at_without_as_of: 'known_at needs as_of. Add as_of, or leave out known_at.',
    known_before_as_of: 'known_at is before as_of. Use the same time or a later one.',
    owner_of_personal_account:
      'owner: Only service and shared accounts have an owner. Set kind to service or shared.',
    plan_malformed: '`plan` must be the `plan` of a response of the plan operation.',
    risk_with_as_of: 'risk and owner cannot be combined with as_of: they have no history. Leave them out.',
    hidden_with_as_of: 'hidden cannot be combined with as_of. Leave out one of them.',
    inactive_with_as_of: 'active=false cannot be combined with as_of. Leave out one of them.',
    user_kind_or_owner_missing: 'Field required (user): Name user, kind or owner.',
    too_many_app_ids: 'app_ids has more than {recent_apps} apps. Name fewer apps.',
    app_ids_malformed: 'app_ids must be a comma-separated list of UUIDs.',
  },
  conflict: {
    account_of_archived_app: 'The app of this account is archived.',
    record_is_certain: 'The record of this account is certain. Reload the list.',
    record_gone: 'The record no longer exists in the app. Choose another one.',
    record_of_another_person:
      'The record belongs to another person. Link it to this person first, or choose another one.',
    account_not_active: 'The account is no longer active. Reload the list.',
    account_linked_elsewhere: 'The account was linked to another person in the meantime.',
    person_merged: '{email} was merged into another person. Use that person instead.',
    owner_deactivated: '{email} is deactivated. Choose an active person.',
    session_holds_nothing: 'The sync session is {status}; it holds no removals for approval.',
    session_before_history:
      'The session was published before Gatehouse kept a history, so it cannot be reverted.',
    session_older_than_history:
      'The session is older than the history that the organization keeps, so it cannot be reverted.',
    session_changed_while_pushed:
      'The sync session changed while the page was being stored. Push the page again.',
    session_not_ended: 'The sync session is {status}. Only a session that has ended can be reverted.',
    session_already_reverted: 'The sync session has already been reverted.',
    session_changed_nothing:
      'The sync session ended before it changed the inventory. There is nothing to revert.',
  },
  not_found: {
    account_not_yet: 'This account did not exist at that time.',
    account_unknown_then:
      'Nothing is known of this account at that time: no sync of its app had completed, or the history is not kept that long. Choose a later time.',
  },
  too_large: {
    too_many_pages:
      'The sync session has {pages} pages, the most that the operator allows. Push up to 100 records in each page.',
    too_many_megabytes:
      'The organization has {megabytes} MB in pages that are not published, the most that the operator allows. Complete or abandon its other sync sessions.',
    page_too_large_to_store:
      'The page takes more than 64 MB to store, because each reference repeats the slug of its resource type. Push fewer records in a page.',
  },
  unprocessable: {
    record_id_taken: "Sync failed for ''{slug}'': a record with the same identifier already exists",
    membership_slug_unknown: "Record ''{record}'': unknown membership slug ''{slug}''",
    assignment_slug_unknown: "Record ''{record}'': unknown assignment slug ''{slug}''",
    via_slug_unknown: "Record ''{record}'': unknown via slug ''{slug}''",
  },
});

/** Problems of an entry of a report of unseen records. */
export const unseenSentences = sentences({
  should_be_slug_of_app: 'should be the slug of a resource type of the app',
  should_be_null_for_account:
    'should be null: an account has no members. Report accounts by their resource type',
  should_have_no_nul: 'should be text without NUL characters',
  repeats_entry: 'repeats an earlier entry. Send one count for each slug, id and rule',
});

/** The client that has superseded a session. The sentence about another client than that of the session has advice. */
export const supersessionSentences = sentences({
  superseded_by_managed_connector:
    'The managed connector of the app started it at {at}. If two connectors send this app, stop one of them, or give each an app of its own.',
  superseded_by_an_upload:
    'A person with an upload started it at {at}. If two connectors send this app, stop one of them, or give each an app of its own.',
  superseded_by_upload_of:
    '"{name}" with an upload started it at {at}. If two connectors send this app, stop one of them, or give each an app of its own.',
  superseded_by_another_key:
    'Another API key started it at {at}. If two connectors send this app, stop one of them, or give each an app of its own.',
  superseded_by_key:
    'The API key "{name}" started it at {at}. If two connectors send this app, stop one of them, or give each an app of its own.',
  superseded_by_newer_run: 'A newer run of the managed connector started it at {at}.',
  superseded_by_same_person: 'The same person started it at {at}.',
  superseded_by_a_client: 'A client started it at {at}.',
  superseded_by_same_key: 'The same API key started it at {at}.',
});

/** Why access cannot be removed, and what to remove instead. */
export const derivedSentences = sentences({
  access_derived: "''{name}'' cannot be removed by itself, because the account has it through ''{giver}''.",
  access_derived_in_app:
    "''{name}'' cannot be removed by itself, because the account has it through ''{giver}''. Remove it in the app.",
  access_derived_from_source:
    "''{name}'' cannot be removed by itself, because the account has it through ''{giver}''. Remove ''{source}'' from the account instead, or change it in the app.",
});

/** Why a session ended in error. */
export const failureSentences = sentences({
  sync_app_archived: 'The app was archived.',
  sync_removals_rejected:
    'The removals were held for approval and rejected. Nothing was removed, and no status that ends access was applied.',
  sync_removals_obsolete:
    'A newer session was completed while the removals were held for approval. Nothing was removed, and no status that ends access was applied.',
  sync_cleanup_failed: 'Cleanup failed {count} times; the last failure: {reason}',
});
