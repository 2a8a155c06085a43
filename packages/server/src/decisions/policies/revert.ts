import { accountsTouchedSince, cancelTasks } from '#work/provisioning/create.ts';
import { tasksOfDiscoveries } from './queries/revert.ts';

/** The tasks that concern the revert of a sync. A RevertHook (inventory/records/revert/revert-session.ts). */
export const revertHook = {
  findTouched: accountsTouchedSince,
  findCaused: tasksOfDiscoveries,
  cancel: cancelTasks,
};
