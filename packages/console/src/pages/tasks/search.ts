import { choice, search, text, whole } from '../../kit/browser/address.ts';
import { ERROR_CODES } from '../../tasks/task-errors.ts';
import { ACTIONS, STATUSES } from './task.ts';

export const tasksSearch = search({
  /** Tasks of the person, or those that people carry out by hand. All, otherwise. */
  whose: choice('mine', 'by_hand'),
  /** Limits tasks that people carry out. */
  state: choice('ended'),
  q: text,
  app: text,
  status: choice(...STATUSES),
  action: choice(...ACTIONS),
  error: choice(...ERROR_CODES),
  account: text,
  /** The restore that created the tasks. */
  source: text,
  page: whole,
  new: choice('task'),
});

/** `ask`: the open dialog. */
export const taskSearch = search({ ask: choice('cancel', 'complete', 'refuse', 'reassign') });
