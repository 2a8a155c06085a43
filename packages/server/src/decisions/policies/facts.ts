import { unsettledHolds } from '#decisions/holds/facts.ts';
import { type Db, everywhere, type OrgDb, type OrgTx, secondsUntilFirst } from '#kit/database.ts';
import { beginningAfter, dayAfter, isActiveOrganization, isBeforeToday, isPastDay } from '#kit/identity.ts';
import { many, type RawBuilder, sql, values } from '#kit/sql.ts';
import { openTasks } from '#work/provisioning/facts.ts';

const isDaily = sql`p.enabled and p.trigger = 'daily'`;
const hasDays = sql`p.enabled and p.offset_days is not null`;

/** Policy `p` is a daily one that has not run today in the organization's time zone. */
const isDailyDue = sql`${isDaily} and ${isBeforeToday('p.ran_at', 'p.org_id')}`;
/** Policy `p` has days, and has not looked at those that have begun since. */
const hasNewDays = sql`${hasDays} and ${isPastDay('p.days_until', 'p.org_id')}`;

/** Policy `p` has not run today in the organization's time zone, and a day makes it run. */
export const isDue = sql`(${isDailyDue} or ${hasNewDays})`;

/** Returns the organizations with unread events, policies that have not run today, or unfinished releases and decisions about holds. */
export const organizationsWithWork = (db: Db) => many<{ org_id: string }>(everywhere(db))`
    select w.org_id from (
      select c.org_id from policy_cursor c join event_head h on h.org_id = c.org_id and h.last_ingested_at > c.read_to
      union select org_id from policy p where ${isDailyDue}
      union select org_id from policy p where ${hasNewDays}
      union select org_id from policy_firing f where confirmed_at is not null and not ${isHeldForGroup}
      union select org_id from ${unsettledHolds} h
    ) w where ${isActiveOrganization('w.org_id')}`;

/** Returns the seconds until time brings the next organization work: a new day, for daily policies and those with days. */
export const untilWork = (db: Db) => secondsUntilFirst(db)`
    select w.at from (
      select c.org_id, h.last_ingested_at as at
      from policy_cursor c join event_head h on h.org_id = c.org_id and h.last_ingested_at > c.read_to
      union all select p.org_id, ${dayAfter('p.ran_at', 'p.org_id')} from policy p where ${isDaily}
      union all select p.org_id, ${beginningAfter('p.days_until', 'p.org_id')} from policy p where ${hasDays}
      union all select f.org_id, f.confirmed_at from policy_firing f
        where f.confirmed_at is not null and not ${isHeldForGroup}
      union all select h.org_id, h.decided_at from ${unsettledHolds} h
    ) w where ${isActiveOrganization('w.org_id')}`;

/** The runs of policies that wait for a confirmation. Columns: org_id, policy_id, count (of tasks), held_at. */
export const heldFirings = sql`(
  select org_id, policy_id, count, held_at from policy_firing where confirmed_at is null)`;

/** Returns those of the policies that are held until a person confirms them. */
export const heldPoliciesAmong = (db: OrgDb, ids: readonly string[]) => values<string>(db)`
    select f.policy_id from ${heldFirings} f where f.org_id = ${db.orgId} and f.policy_id = any(${ids}::uuid[])`;

/** Whether the policy of firing `f` is held because of a group. */
export const isHeldForGroup = sql`exists (
  select from policy_firing h
  where h.org_id = f.org_id and h.policy_id = f.policy_id and h.confirmed_at is null and h.because is not null)`;

/**
 * Returns the open tasks that policies have created since then because a sync discovered these accounts, without those
 * that a connector has seen.
 */
export async function tasksOfDiscoveries(
  tx: OrgTx,
  accountIds: string[],
  since: RawBuilder<unknown>,
): Promise<{ id: string; app_id: string; account_id: string }[]> {
  if (accountIds.length === 0) return [];
  return many<{ id: string; app_id: string; account_id: string }>(tx)`
    select t.id, t.app_id, t.account_id
    from ${openTasks} t
    join policy p on p.org_id = t.org_id and p.id = t.source_id and p.trigger = 'account.discovered'
    where t.org_id = ${tx.orgId} and t.source_type = 'policy' and t.account_id = any(${accountIds}::uuid[])
      and t.created_at >= ${since} and t.dispatched_at is null
    order by t.number`;
}
