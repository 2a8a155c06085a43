import { accounts, entitlements, holds } from '#inventory/records/accounts/facts.ts';
import type { OrgDb, OrgTx } from '#kit/database.ts';
import { many, type RawBuilder, sql, value } from '#kit/sql.ts';
import type { Action } from '../task.ts';
import { takesAway } from './budget.ts';

/** A pending task whose account no longer exists, or that only removes what its account no longer has. */
export interface Vanished {
  id: string;
  account_id: string;
  action: Action;
  account_gone: boolean;
  /** Whether it removes groups and licenses, and adds none. */
  only_removes: boolean;
  takes_away: boolean;
}

/** Task `t` has a change that is not left out, and that meets a condition. */
const hasChange = (tx: OrgDb, condition: RawBuilder<unknown>) => sql`exists (
  select from task_change c where c.org_id = ${tx.orgId} and c.task_id = t.id and not c.spared and ${condition})`;

/** Returns the pending tasks of an app that have vanished, in order of creation. */
export async function vanishedTasks(tx: OrgTx, appId: string): Promise<Vanished[]> {
  const held = holds(sql`${tx.orgId}`, sql`t.account_id`, sql`c.entitlement_id`);
  const onlyRemoves = sql`(t.action = 'update_account'
    and ${hasChange(tx, sql`not c.added`)} and not ${hasChange(tx, sql`c.added`)})`;
  return many<Vanished>(tx)`
    select t.id, t.account_id, t.action, a.removed_at is not null as account_gone, ${onlyRemoves} as only_removes,
      ${takesAway(tx, 't')} as takes_away
    from task t join ${accounts} a on a.org_id = ${tx.orgId} and a.id = t.account_id
    where t.org_id = ${tx.orgId} and t.app_id = ${appId} and t.status = 'pending' and t.action <> 'create_account'
      and (a.removed_at is not null or ${onlyRemoves} and not ${hasChange(tx, held)})
    order by t.number`;
}

/**
 * Returns the number of the app's open tasks whose time has come, and that want a removal among `removed`: a relation with the columns `type`
 * ('account' or 'membership'), `account_id`, and the `slug` and `resource_id` of a group or license.
 */
export const countTasksFor = (db: OrgDb, appId: string, removed: RawBuilder<unknown>) => value<number>(db)`
    with removed as materialized (select type, account_id, slug, resource_id from ${removed} as r)
    select count(*) as n from task t
    where t.org_id = ${db.orgId} and t.app_id = ${appId}
      and (t.status = 'pending' or t.status = 'scheduled' and t.execute_after <= clock_now())
      and t.action in ('delete_account', 'update_account') and ${takesAway(db, 't')}
      and (t.account_id in (select account_id from removed where type = 'account') or exists (
        select from task_change c
        join ${entitlements} e on e.org_id = ${db.orgId} and e.id = c.entitlement_id
        join removed m on m.type = 'membership' and m.account_id = t.account_id and m.slug = e.slug
          and m.resource_id = e.external_id
        where c.org_id = ${db.orgId} and c.task_id = t.id and not c.added and not c.spared))`;
