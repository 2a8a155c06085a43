import type { MergeHook } from '#directory/people/merge.ts';
import { holdApps } from '#inventory/apps/facts.ts';
import type { AccountsMergedHook } from '#inventory/records/accounts/correlation.ts';
import { cancelTasks } from './cancel.ts';
import { moveToAccounts, tasksAwaitingLeave } from './queries/merge.ts';
import { reasonSentences } from './reason-sentences.ts';

/**
 * Cancels the tasks that would remove access because the merged person had left, if the person who remains is active. The conditions of
 * the other open tasks follow their accounts.
 */
export const cancelTasksOfMerged: MergeHook = {
  async lock(tx, fromId) {
    await holdApps(
      tx,
      (await tasksAwaitingLeave(tx, fromId)).map(({ app_id }) => app_id),
    );
  },
  async move(tx, { from, into, cause }) {
    const moot = into.status === 'active' ? await tasksAwaitingLeave(tx, from.id) : [];
    const { events } = await cancelTasks(tx, moot, cause, reasonSentences.task_person_merged());
    return { moved: { canceled_tasks: moot.length }, events };
  },
};

/** The tasks of a duplicate follow its record, so that what was promised or decided about it still happens (D24). */
export const moveTasksOfAccounts: AccountsMergedHook = (tx, merges) => moveToAccounts(tx, merges);
