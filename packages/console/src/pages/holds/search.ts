import { HOLD_KINDS, HOLD_STATUSES } from '../../holds/hold.ts';
import { choice, search, text, whole } from '../../kit/browser/address.ts';

export const holdsSearch = search({
  kind: choice(...HOLD_KINDS),
  status: choice(...HOLD_STATUSES),
  /** The API key, or the person who imported. */
  client: text,
  user: text,
  page: whole,
});

/** `page` and `tasks`: the pages of the people and of the tasks. `ask`: the open dialog. */
export const holdSearch = search({ page: whole, tasks: whole, ask: choice('confirm', 'discard') });
