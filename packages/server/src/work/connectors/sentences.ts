import { refusals } from '#kit/errors.ts';
import { sentences } from '#kit/sentences.ts';

export const connectorRefusals = refusals({
  invalid: {
    connector_type_unknown: '{name} is not a type of connector. GET /api/connectors/ lists them.',
    definition_not_taken: 'A connector of the type {type} takes no definition.',
    connector_without_actions_set:
      'This connector has no actions, so it cannot carry out tasks. Set carries_out_tasks to false.',
    definition_unreadable: 'The definition is not valid. The connector could not read it.',
    definition_invalid: 'The definition is not valid. {problem}',
    definition_too_expensive: 'The definition takes too much time or memory to check. Make it smaller.',
    accepts_removals_in_sync: 'Only a sync can accept removals.',
    setting_unknown: 'The connector has no setting {name} on the server. Its settings are: {known}.',
  },
  conflict: {
    connector_taken: '{name} already has a connector. Change that one, or delete it first.',
    connector_changed: 'The connector changed. Reload the page and try again.',
    connector_type_not_in_release:
      'This release has no connector of the type {type}. Delete it and add another one.',
    connector_without_actions: 'This connector has no actions, so it cannot carry out tasks.',
    sync_under_way: 'A sync of {name} is queued or running. Wait for it, or cancel it.',
    tasks_under_way: 'A task batch of {name} is queued or running. Wait for it, or cancel it.',
    test_under_way: 'A test of {name} is queued or running. Wait for it, or cancel it.',
    preview_under_way: 'A preview of {name} is queued or running. Wait for it, or cancel it.',
    run_ended: 'The run has ended.',
  },
  forbidden: {
    connector_needs_bridge:
      'A connector pushes records and carries out tasks: adding, changing or running one requires a key with the scope bridge, too.',
  },
  unavailable: {
    definitions_busy: 'Other definitions are being checked. Try again in a moment.',
  },
});

/** Problems of a setting. */
export const settingSentences = sentences({
  setting_is_secret: 'The setting {name} is a secret. Send it in secrets.',
  setting_not_secret: 'The setting {name} is not a secret. Send it in settings.',
  setting_not_string: 'The setting {name} must be a string.',
  setting_not_number: 'The setting {name} must be a number.',
  setting_not_boolean: 'The setting {name} must be a boolean.',
  setting_with_password:
    'The setting {name} has a password in its address, where events and auditors would see it. Remove it, and send it in a secret.',
  setting_too_long: 'The setting {name} must have at most {most} characters, none of them NUL.',
  secret_empty: 'The secret {name} is empty. Send a value, or null to remove it.',
  settings_missing: 'Set a value for {names}.',
  secrets_needed_again:
    'Send the secrets again: {names}. A change of the settings or of another secret could send them to another system.',
  definition_required: 'A connector of the type {type} needs a definition.',
  type_without_definition: '{name} is not a type of connector that takes a definition.',
});

/** Problems of a schedule. */
export const scheduleSentences = sentences({
  cron_too_often:
    'The cron expression starts syncs less than five minutes apart. Leave more time between them.',
  cron_too_rare: 'The cron expression starts syncs more than 100 days apart. Leave less time between them.',
  cron_fields: 'The cron expression needs five fields: minute, hour, day of month, month and day of week.',
  cron_random: 'The cron expression cannot use H, which stands for a random time. Set the time.',
  schedule_invalid: 'The schedule is not valid: {problem}.',
});
