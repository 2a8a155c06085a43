import { accountExists, accounts, holds, isOwnAccount } from '#inventory/records/accounts/facts.ts';
import type { OrgTx } from '#kit/database.ts';
import { type RawBuilder, run, sql, values } from '#kit/sql.ts';
import { isEnd } from '../facts.ts';

/**
 * Whether this change of task `t` is a removal that was not carried out: each one of a task that did not run, or that a sync completed,
 * and of others those whose group was away.
 */
export const isOutstanding = (change: string): RawBuilder<boolean> => sql`(
  not ${sql.ref(`${change}.added`)} and (t.status in ('cancelled', 'preempted')
    or t.status = 'completed' and t.ended_reason is not null or ${sql.ref(`${change}.away`)}))`;

/**
 * Returns the tasks of an app that wait for what was away, or for the connector to sign in with another account, and whose account and
 * access exist. Those that Gatehouse has taken
 * back are left out: a newer task created or reactivated the account, or granted what they remove. A restore takes nothing else back (D75).
 */
export const tasksForReturned = (tx: OrgTx, appId: string) => values<string>(tx)`
    select t.id from task t
    join ${accounts} a on a.org_id = ${tx.orgId} and a.id = t.account_id
    where t.org_id = ${tx.orgId} and t.app_id = ${appId} and t.awaits_return_until > clock_now()
      and ${accountExists('a')}
      and not (t.action in ('delete_account', 'suspend_account') and ${isOwnAccount(tx, sql`t.account_id`)})
      and (t.action <> 'update_account' or exists (
        select from task_change back
        where back.org_id = ${tx.orgId} and back.task_id = t.id and ${isOutstanding('back')}
          and ${holds(sql`${tx.orgId}`, sql`t.account_id`, sql`back.entitlement_id`)}))
      and not exists (
        select from task newer
        where newer.org_id = ${tx.orgId} and newer.account_id = t.account_id and newer.number > t.number
          and newer.status in ('scheduled', 'pending', 'completed')
          and (newer.action in ('create_account', 'unsuspend_account')
            and (t.action <> 'update_account' or newer.source_type is distinct from 'restore') or exists (
            select from task_change added
            join task_change removed on removed.org_id = added.org_id and removed.task_id = t.id
              and removed.entitlement_id = added.entitlement_id and ${isOutstanding('removed')}
            where added.org_id = ${tx.orgId} and added.task_id = newer.id and added.added))
        offset 0)
    order by t.number`;

/** Returns the accounts that these tasks were to delete, whose ends are planned again. */
export const accountsOfDeletions = (tx: OrgTx, taskIds: readonly string[]) => values<string>(tx)`
    select distinct t.account_id from task t
    where t.org_id = ${tx.orgId} and t.id = any(${taskIds}::uuid[]) and t.action = 'delete_account' and not ${isEnd('t')}`;

/** Returns the tasks that only take away, and that these deletions, or those that they repeat, have preempted, without ends to come. */
export async function removalsPreemptedBy(tx: OrgTx, deletions: readonly string[]): Promise<string[]> {
  if (deletions.length === 0) return [];
  return values<string>(tx)`
    with recursive deletion (id, retry_of, account_id) as (
      select d.id, d.retry_of, d.account_id from task d
      where d.org_id = ${tx.orgId} and d.id = any(${deletions}::uuid[]) and d.action = 'delete_account'
      union all
      select d.id, d.retry_of, d.account_id from deletion later
      join task d on d.org_id = ${tx.orgId} and d.id = later.retry_of
    )
    select t.id from task t
    where t.org_id = ${tx.orgId} and t.preempted_by in (select deletion.id from deletion)
      and t.account_id in (select deletion.account_id from deletion)
      and (t.action in ('update_account', 'suspend_account') or t.action = 'delete_account' and ${isEnd('t')})
      and not (${isEnd('t')} and t.execute_after > clock_now())
      and not exists (
        select from task again where again.org_id = ${tx.orgId} and again.account_id = t.account_id and again.retry_of = t.id)
      and not exists (
        select from task_change c where c.org_id = ${tx.orgId} and c.task_id = t.id and c.added)
    order by t.number`;
}

/** Ends the wait of these tasks: others take their place, or nobody wants them any more. */
export const endWaiting = (tx: OrgTx, ids: readonly string[]) => run(tx)`
    update task set awaits_return_until = null where org_id = ${tx.orgId} and id = any(${ids}::uuid[])
      and awaits_return_until is not null`;

/** Ends the wait of all tasks of an app. */
export const endWaitingOf = (tx: OrgTx, appId: string) => run(tx)`
    update task set awaits_return_until = null
    where org_id = ${tx.orgId} and app_id = ${appId} and awaits_return_until is not null`;
