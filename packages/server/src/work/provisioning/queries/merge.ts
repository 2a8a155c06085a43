import type { OrgTx } from '#kit/database.ts';
import { many, run, sql } from '#kit/sql.ts';
import type { TaskPlace } from './find.ts';

/** Returns the open tasks that run only while this person is not active, and that no connector has taken on. With those that wait for what was away. */
export const tasksAwaitingLeave = (tx: OrgTx, userId: string) => many<TaskPlace>(tx)`
    select id, app_id, account_id from task
    where org_id = ${tx.orgId} and case when status in ('scheduled', 'pending') then dispatched_at is null else awaits_return_until is not null end
      and preconditions @> ${JSON.stringify([{ kind: 'user_inactive', user_id: userId }])}::jsonb
    order by number`;

/**
 * Moves the tasks of duplicates to the accounts that they are merged into. An account has at most one pending task (D28): a second
 * one waits for the first.
 */
export async function moveToAccounts(
  tx: OrgTx,
  merges: readonly { account_id: string; duplicate_id: string }[],
): Promise<void> {
  const waits = sql`t.status = 'pending' and exists (
    select from task o where o.org_id = ${tx.orgId} and o.account_id = m.account_id and o.status = 'pending')`;
  await run(tx)`
    update task t set account_id = m.account_id,
      status = case when ${waits} then 'scheduled' else t.status end,
      waits_for = case when ${waits} then 'account' else t.waits_for end,
      dispatched_at = case when ${waits} then null else t.dispatched_at end
    from unnest(${merges.map((one) => one.account_id)}::uuid[], ${merges.map((one) => one.duplicate_id)}::uuid[])
      as m (account_id, duplicate_id)
    where t.org_id = ${tx.orgId} and t.account_id = m.duplicate_id`;
}
