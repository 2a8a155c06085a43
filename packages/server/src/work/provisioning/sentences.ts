import { refusals } from '#kit/errors.ts';

export const taskRefusals = refusals({
  conflict: {
    deletion_later:
      'The task {id} already deletes this account, on {at}. To do it earlier, send its id as instead_of.',
    deletion_waits_for_confirmation:
      'The task {id} already deletes this account, and waits for a confirmation. Confirm or reject the held tasks of the app.',
    deletion_waits_in_hold:
      'The task {id} already deletes this account, and waits in a hold. Confirm or discard the hold.',
    deletion_under_way:
      'The task {id} already deletes this account. Open it to see what it waits for, or cancel it first.',
    suspension_later:
      'The task {id} already suspends this account, on {at}. To do it earlier, send its id as instead_of.',
    suspension_waits_for_confirmation:
      'The task {id} already suspends this account, and waits for a confirmation. Confirm or reject the held tasks of the app.',
    suspension_waits_in_hold:
      'The task {id} already suspends this account, and waits in a hold. Confirm or discard the hold.',
    suspension_under_way:
      'The task {id} already suspends this account. Open it to see what it waits for, or cancel it first.',
    task_ended: "Task is already in ''{status}'' state and cannot be updated.",
    task_not_retryable: 'This task cannot be retried. {reason}',
    task_needless: 'The task would change nothing.',
    access_kept: '{kept}',
    live_account_exists: 'The person already has a live account in this app.',
    no_tasks_held: 'No tasks of {name} wait for confirmation.',
    task_not_pending_yet: "Task is in 'scheduled' state and cannot be updated before it is pending.",
    task_not_failed: "Task is in ''{status}'' state. Only a failed task can be retried.",
    task_retried: 'This task has already been retried.',
    account_exists_already: 'The account already exists.',
    instead_of_outdated:
      'The task in instead_of no longer deletes this account. Read the tasks of the account again.',
    no_free_username: 'No username like {name} is free in the app. Change the rule for its usernames.',
  },
  unprocessable: {
    account_type_missing: 'The app has no resource type of type account.',
    account_type_unknown: "Unknown account resource type ''{type}''.",
    group_unknown: "Unknown group ''{id}'' of ''{slug}''.",
    license_unknown: "Unknown license ''{id}'' of ''{slug}''.",
    entitlement_unknown: "Unknown group or license ''{id}'' of ''{slug}''.",
    entitlement_of_another_app: 'A group or license does not belong to the app.',
  },
  forbidden: {
    key_without_app_of_task: 'This key does not have access to the app of this task.',
    tasks_of_own_accounts: 'A member can only see the tasks of their own accounts.',
    own_benefit:
      'You cannot give yourself access. Ask another administrator to do it, or request the access.',
  },
  invalid: {
    user_missing: 'Field required (user)',
    account_missing: 'Field required (account)',
    access_only_at_creation:
      'memberships and assignments are only allowed for create_account. Use changes instead.',
    changes_only_at_update: 'changes is only allowed for update_account.',
    changes_missing: 'update_account requires changes with at least one group or license to add or remove.',
    added_and_removed: 'A group or license cannot be both added and removed.',
    error_missing: 'Field required (error): a failed task needs an error with code and message.',
    error_of_completed: 'A completed task must not have an error.',
    instead_of_not_allowed: 'instead_of is only allowed for delete_account.',
    leaving_not_allowed: 'leaving is only allowed for suspend_account.',
  },
});
