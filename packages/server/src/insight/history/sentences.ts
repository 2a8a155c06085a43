import { refusals } from '#kit/errors.ts';

export const historyRefusals = refusals({
  invalid: {
    history_of_one_thing:
      'Name only one of user, account and app. A group or license needs app, slug and resource.',
    range_backwards: 'to is before from. Swap them.',
    known_before_to: 'known_at is before to. Use the same time or a later one.',
    history_cursor_invalid:
      'cursor is not valid. Use the next_cursor of the previous page, with the same parameters.',
  },
  unprocessable: {
    too_many_changes: 'More than {most} accounts changed since from. Name an app, or choose a later from.',
  },
  forbidden: {
    history_of_own_accounts: 'A member can only see the history of their own accounts.',
  },
});
