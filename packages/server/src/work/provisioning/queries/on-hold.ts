import { type OrgTx, raise } from '#kit/database.ts';
import { run } from '#kit/sql.ts';

export const putOnHold = (tx: OrgTx, holdId: string, taskIds: readonly string[]) => run(tx)`
    update task set status = 'scheduled', waits_for = 'hold', hold_id = ${holdId}
    where org_id = ${tx.orgId} and id = any(${taskIds}::uuid[])`;

/** Lets tasks wait until an administrator confirms or rejects them, because their policies are undecided (D74). */
export const putUndecided = (tx: OrgTx, taskIds: readonly string[]) => run(tx)`
    update task set status = 'scheduled', waits_for = 'undecided', blocked_at = least(blocked_at, clock_now())
    where org_id = ${tx.orgId} and id = any(${taskIds}::uuid[])`;

/** Lets the tasks of these accounts that waited for another one have their turn. */
export async function wakeOthers(tx: OrgTx, accountIds: readonly string[]): Promise<void> {
  await run(tx)`
    update task set waits_for = null
    where org_id = ${tx.orgId} and account_id = any(${accountIds}::uuid[]) and status = 'scheduled'
      and waits_for = 'account'`;
  raise(tx, 'tasks');
}

/** Ends the wait of tasks that are still on hold. A deletion among them has yet to preempt the other tasks of its account. */
export const release = (tx: OrgTx, taskIds: readonly string[], userId: string) => run(tx)`
    update task set waits_for = null, blocked_at = null, released_at = clock_now(), released_by = ${userId}
    where org_id = ${tx.orgId} and id = any(${taskIds}::uuid[]) and status = 'scheduled' and waits_for = 'hold'`;
