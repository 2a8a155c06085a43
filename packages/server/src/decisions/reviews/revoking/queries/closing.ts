import { accounts, holdsDirectly, isOwnAccount } from '#inventory/records/accounts/facts.ts';
import { hasLosses } from '#inventory/records/budget/facts.ts';
import type { Org, OrgDb } from '#kit/database.ts';
import { many, sql } from '#kit/sql.ts';
import type { TakingTask } from '#work/provisioning/task.ts';
import { keptAccess } from './kept.ts';
import { isGone } from './revoke.ts';

/** Whether item `i` of cycle `y` is not revoked because the account would lose what a person keeps as well (D68). */
const wouldTakeKept = (
  org: Org,
  cycleId: string,
) => sql`(i.kept_for is not null or i.decided_by is null and coalesce(
  case when i.entitlement_id is null
    then y.settings ->> 'revoke_account_by' = 'delete'
      and i.account_id in (select k.account_id from ${keptAccess(org, cycleId)} k)
    else (i.account_id, i.entitlement_id) in (
      select k.account_id, k.source_id from ${keptAccess(org, cycleId)} k where k.source_id is not null) end, false))`;

/** Whether closing the cycle now would take away the access of item `i`, or a decision already has and it still exists. */
export const wouldRevoke = (org: Org, cycleId: string) => sql`exists (
  select from review_cycle y
  join ${accounts} a on a.org_id = ${org.orgId} and a.id = i.account_id
  join app p on p.org_id = ${org.orgId} and p.id = i.app_id and p.archived_at is null
  where y.org_id = ${org.orgId} and y.id = i.cycle_id
    and (i.entitlement_id is null or i.revoked_at is not null
      or ${holdsDirectly(sql`${org.orgId}`, sql`i.account_id`, sql`i.entitlement_id`)})
    and (i.decision = 'revoke' or (i.decision is null and y.settings ->> 'on_no_response' = 'revoke'))
    and not (i.kind = 'account' and ${isOwnAccount(org, sql`i.account_id`)})
    and not ${wouldTakeKept(org, cycleId)}
    and not ${isGone(org, sql`y.settings ->> 'revoke_account_by' = 'suspend'`)})`;

/** The access that closing a cycle now would take away. */
export interface RevocationCounts {
  accounts: { suspended: number; removed: number };
  memberships: { removed: number };
}

export async function countRevocations(db: OrgDb, cycleId: string): Promise<RevocationCounts> {
  const ofKind = (by: string) =>
    sql`count(*) filter (where i.kind = 'account' and y.settings ->> 'revoke_account_by' = ${by})`;
  const rows = await many<{ suspended: number; removed: number; memberships: number }>(db)`
    select ${ofKind('suspend')} as suspended, ${ofKind('delete')} as removed,
      count(*) filter (where i.kind <> 'account') as memberships
    from review_item i join review_cycle y on y.org_id = i.org_id and y.id = i.cycle_id
    where i.org_id = ${db.orgId} and i.cycle_id = ${cycleId} and ${wouldRevoke(db, cycleId)}`;
  const { suspended = 0, removed = 0, memberships = 0 } = rows[0] ?? {};
  return { accounts: { suspended, removed }, memberships: { removed: memberships } };
}

/**
 * Returns the tasks that closing the cycle now would create, apart from those that count against the budget already. An
 * account that is deleted loses its groups and licenses with it.
 */
export const uncountedRevocations = (db: OrgDb, cycleId: string) => many<TakingTask>(db)`
    with wanted as materialized (
      select i.app_id, i.account_id,
        case when i.kind <> 'account' then 'update_account'
          else (y.settings ->> 'revoke_account_by') || '_account' end as action
      from review_item i join review_cycle y on y.org_id = i.org_id and y.id = i.cycle_id
      where i.org_id = ${db.orgId} and i.cycle_id = ${cycleId} and ${wouldRevoke(db, cycleId)}
        and not ${hasLosses(sql`${db.orgId}`, sql`i.task_id`)}
    )
    select app_id, account_id, action, count(*) filter (where action = 'update_account') as removed
    from wanted w
    where action <> 'update_account' or not exists (
      select from wanted d where d.account_id = w.account_id and d.action = 'delete_account')
    group by 1, 2, 3`;
