import type { MergeHook } from '#directory/people/merge.ts';
import { holdApps } from '#inventory/apps/facts.ts';
import type { AccountsMergedHook } from '#inventory/records/accounts/correlation.ts';
import type { OrgTx } from '#kit/database.ts';
import { openSuspensions } from '#reasons/suspensions/facts.ts';
import { endSuspensions } from '#reasons/suspensions/suspensions.ts';
import { cancelTasks } from './cancel.ts';
import { createTasks, type NewTask } from './create.ts';
import { requireOthersAccounts } from './own-benefit.ts';
import { moveToAccounts, tasksAwaitingLeave } from './queries/merge.ts';
import { type StillSuspended, stillSuspended } from './queries/suspended.ts';
import { reasonSentences } from './reason-sentences.ts';
import { suspendedAccount } from './still-suspended.ts';

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

/** The suspensions that were decided because the merged person had left, from before their accounts move. */
const found = new WeakMap<OrgTx, StillSuspended[]>();

/**
 * Says which suspensions of the merged person's accounts were decided because they had left, and ends them if the merge says so. Accounts
 * without any other suspension are unsuspended.
 */
export const endSuspensionsOfMerged: MergeHook = {
  async lock(tx, fromId) {
    found.set(tx, await stillSuspended(tx, fromId, { onlyLeaving: true }));
  },
  async move(tx, { into, cause, endSuspensions: isWanted }) {
    const all = found.get(tx) ?? [];
    const listed = { moved: {}, suspensions: all.map(suspendedAccount) };
    if (!isWanted || all.length === 0) return listed;
    const ids = [...new Set(all.map(({ account_id }) => account_id))];
    const label = `Merged into ${into.email}.`;
    await endSuspensions(tx, ids, { kind: 'merge', id: into.id, label }, 'leaving');
    const others = new Set((await openSuspensions(tx, ids)).map(({ account_id }) => account_id));
    const free = all.filter(
      ({ account_id, is_suspended }, i) =>
        is_suspended &&
        !others.has(account_id) &&
        all.findIndex((one) => one.account_id === account_id) === i,
    );
    const { tasks, events } = await createTasks(
      tx,
      free.map(
        ({ app_id, account_id }): NewTask => ({
          appId: app_id,
          accountId: account_id,
          action: 'unsuspend_account',
          taskType: 'USER_ACTION',
          createdBy: tx.principal.userId,
          reason: label,
          label,
          leaving: true,
          preconditions: [{ kind: 'account_status', in: ['SUSPENDED'] }, { kind: 'no_suspension' }],
        }),
      ),
      cause,
    );
    const waived = await requireOthersAccounts(
      tx,
      tasks.map(({ account_id }) => account_id),
      'task',
    );
    return { ...listed, moved: { unsuspended_accounts: tasks.length }, events: [...waived, ...events] };
  },
};

/** The tasks of a duplicate follow its record, so that what was promised or decided about it still happens (D24). */
export const moveTasksOfAccounts: AccountsMergedHook = (tx, merges) => moveToAccounts(tx, merges);
