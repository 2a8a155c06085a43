import { refusals } from '#kit/errors.ts';

export const eventRefusals = refusals({
  invalid: {
    cursor_damaged: 'The cursor is damaged or belongs to another organization (cursor).',
    event_type_unknown: "The event type ''{event_type}'' does not exist (event_type).",
    event_prefix_without_dot: 'The prefix must end with a dot (event_type_prefix).',
    event_filter_unknown_value: 'Input should be one of: {allowed} ({name})',
    event_filter_not_date_time: 'Input should be a valid date-time ({name})',
    event_filter_not_uuid: 'Input should be a valid UUID ({name})',
  },
});
