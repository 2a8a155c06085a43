import { constants, getPriority, setPriority } from 'node:os';

const BELOW_REQUESTS = 10;

/**
 * Lowers the priority of the calling worker thread, so that large files of one organization delay the requests of others less. Linux has a
 * priority for each thread; elsewhere this does nothing, since it would slow down the whole process.
 */
export function yieldToRequests() {
  if (process.platform !== 'linux') return;
  setPriority(Math.min(getPriority() + BELOW_REQUESTS, constants.priority.PRIORITY_LOW));
}
