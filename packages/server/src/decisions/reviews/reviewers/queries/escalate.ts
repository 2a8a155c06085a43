import { type Db, everywhere, type OrgTx } from '#kit/database.ts';
import { isActiveOrganization, mayDecide } from '#kit/identity.ts';
import { many, sql, values } from '#kit/sql.ts';
import type { Reassigned } from '../../campaigns/cycle.ts';

const days = sql`(y.settings ->> 'escalate_after_working_days')::integer`;

/** Returns the open cycles that escalate and have been open for long enough. */
export const cyclesThatEscalate = (db: Db) => many<{ org_id: string; id: string }>(everywhere(db))`
    select y.org_id, y.id from review_cycle y
    where y.status = 'in_progress' and after_working_days(y.opened_at, ${days}) <= clock_now()
      and ${isActiveOrganization('y.org_id')}
    order by y.org_id, y.id`;

/**
 * Returns the next undecided items that have waited long enough for this level, in the order of their ids. The wait
 * begins when the cycle opens, or when the item is handed to other reviewers.
 */
export const overdueItems = (
  tx: OrgTx,
  cycleId: string,
  { level, after, limit }: { level: 1 | 2; after: string | null; limit: number },
) => values<string>(tx)`
    select i.id from review_item i
    join review_cycle y on y.org_id = ${tx.orgId} and y.id = i.cycle_id
    where i.org_id = ${tx.orgId} and i.cycle_id = ${cycleId} and i.decision is null
      and coalesce(i.escalation_level, 0) < ${level} and (${after}::uuid is null or i.id > ${after}::uuid)
      and after_working_days(coalesce(i.assigned_at, y.opened_at), ${level} * ${days}) <= now()
    order by i.id limit ${limit}`;

/**
 * Adds people who may decide these items: the managers of their reviewers, or those in `next`. Returns the items to which
 * somebody was added.
 */
export async function escalate(
  tx: OrgTx,
  cycleId: string,
  itemIds: string[],
  to: { level: 1 } | { level: 2; next: string[] },
): Promise<Reassigned[]> {
  const candidates =
    to.level === 1
      ? sql`
        select above.manager_id from platform_user above
        where above.org_id = ${tx.orgId} and above.id = any(i.reviewers)`
      : sql`select unnest(${to.next}::uuid[])`;
  const added = sql`array(
    select u.id from platform_user u
    where u.org_id = ${tx.orgId} and u.id in (${candidates}) and ${mayDecide('u')} and u.id is distinct from i.user_id
      and not u.id = any(i.reviewers || coalesce(i.escalated_to, '{}'::uuid[]))
    order by u.id)`;
  const rows = await many<Reassigned>(tx)`
    update review_item i set escalation_level = ${to.level},
      escalated_to = nullif(coalesce(i.escalated_to, '{}'::uuid[]) || ${added}, '{}'::uuid[])
    where i.org_id = ${tx.orgId} and i.cycle_id = ${cycleId} and i.id = any(${itemIds}::uuid[])
    returning i.cycle_id, i.id as item_id, i.app_id, i.app_name, i.account_id, i.account_email as email,
      i.account_username as username, i.user_id,
      (old.reviewers || coalesce(old.escalated_to, '{}'::uuid[]))::text[] as "from",
      (new.reviewers || coalesce(new.escalated_to, '{}'::uuid[]))::text[] as "to"`;
  return rows.filter(({ from, to }) => to.length > from.length);
}
