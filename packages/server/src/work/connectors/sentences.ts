import { refusals } from '#kit/errors.ts';

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
