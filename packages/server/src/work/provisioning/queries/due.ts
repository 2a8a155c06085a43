import { accounts } from '#inventory/records/accounts/facts.ts';
import type { Org } from '#kit/database.ts';
import { type RawBuilder, sql } from '#kit/sql.ts';

/** Whether the task with this alias waits for nothing but its turn. The index task_due has these tasks. */
export const isDue = (task: string): RawBuilder<boolean> =>
  sql`(${waitsForTime(task)} and ${sql.ref(`${task}.execute_after`)} <= clock_now())`;

/** Whether the task with this alias waits for nothing but its time and its turn. */
export const waitsForTime = (task: string): RawBuilder<boolean> => {
  const column = (name: string) => sql.ref(`${task}.${name}`);
  return sql`${column('status')} = 'scheduled' and ${column('waits_for')} is null`;
};

/**
 * Whether the turn of task `t` has come, although the loop has not made it pending yet. Readers see it as pending (D31), and change
 * nothing. Whether its preconditions hold, and its app's budget, is decided when it becomes pending.
 */
export const hasItsTurn = (org: Org): RawBuilder<boolean> => sql`(
  ${isDue('t')}
  and not exists (
    select from task o
    where o.org_id = ${org.orgId} and o.account_id = t.account_id and o.id <> t.id
      and (o.status = 'pending' or ${isDue('o')} and o.number < t.number))
  and (t.action = 'create_account' or exists (
    select from ${accounts} owned
    where owned.org_id = ${org.orgId} and owned.id = t.account_id and owned.external_id is not null)))`;
