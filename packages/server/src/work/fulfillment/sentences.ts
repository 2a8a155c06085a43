import { refusals } from '#kit/errors.ts';
import { sentences } from '#kit/sentences.ts';

export const fulfillmentRefusals = refusals({
  invalid: {
    placeholder_unknown: 'instructions.{action}: The placeholder {name} is unknown. Use {placeholders}.',
    attachment_empty: 'The file is empty. Choose another file.',
    account_id_missing:
      'Field required (account_id): the id, username or email that identifies the account in the app.',
  },
  conflict: {
    task_not_open_for_files: 'Files can be attached only while the task is open.',
    too_many_attachments: 'A task can have {most} attachments. Combine several files into one.',
    task_not_reassignable: 'Only open tasks of apps that people fulfill can be reassigned.',
    task_has_this_person: 'This person has the task already. Choose another person.',
    person_cannot_fulfill:
      'This person cannot carry out the task. Choose a fulfiller, the owner of the app or an administrator who is present and does not own the account.',
    task_of_somebody_else: 'This task is assigned to somebody else. Reassign it to yourself first.',
    task_of_own_account: 'This task changes your own account. Ask somebody else to carry it out.',
    connector_fulfills: 'People no longer carry out the tasks of this app. Its connector does.',
    account_of_somebody_else:
      'The account {external_id} belongs to somebody else. Check the ID of the new account.',
  },
  forbidden: {
    task_reassigned_by_few:
      'Only the assignee, the owner of the app and administrators can reassign this task.',
    task_seen_by_few: 'Only the assignee, the owner of the app and administrators can see this task.',
  },
  unsupported_media_type: {
    attachment_not_octets: 'Send the file as application/octet-stream.',
  },
});

/** Why the settings of fulfillment leave tasks without an assignee. */
export const settingsSentences = sentences({
  names_missing_owner: 'names the owner, and the app has no active owner. Choose one first',
  names_nobody: 'names nobody who could carry out tasks. Choose a person or a group, or an owner of the app',
});
