import { levelOf } from '#directory/deciders/facts.ts';
import { type Db, everywhere, type OrgTx } from '#kit/database.ts';
import { isActiveOrganization } from '#kit/identity.ts';
import { many, sql, values } from '#kit/sql.ts';
import type { Reassigned } from '../../campaigns/cycle.ts';
import { handedOver } from './reassign.ts';
import { escalatedTo } from './reviewing.ts';

const days = sql`(y.settings ->> 'escalate_after_working_days')::integer`;

/** Returns the open cycles that escalate and have been open for long enough. */
export const cyclesThatEscalate = (db: Db) => many<{ org_id: string; id: string }>(everywhere(db))`
    select y.org_id, y.id from review_cycle y
    where y.status = 'in_progress' and ${levelOf(sql`y.opened_at`, days)} >= 1
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
      and ${levelOf(sql`coalesce(i.assigned_at, y.opened_at)`, days)} >= ${level}
    order by i.id limit ${limit}`;

/** Adds the people who may decide these items at this level. Returns the items to which somebody was added. */
export async function escalate(
  tx: OrgTx,
  cycleId: string,
  itemIds: string[],
  level: 1 | 2,
): Promise<Reassigned[]> {
  const rows = await many<Reassigned>(tx)`
    update review_item i set escalation_level = ${level},
      escalated_to = nullif(coalesce(i.escalated_to, '{}'::uuid[]) || more.added, '{}'::uuid[])
    from (
      select i.id, array(
          select who.id from (${escalatedTo(tx, level)}) as who (id)
          where not who.id = any(i.reviewers || coalesce(i.escalated_to, '{}'::uuid[])) order by who.id) as added
      from review_item i
      where i.org_id = ${tx.orgId} and i.cycle_id = ${cycleId} and i.id = any(${itemIds}::uuid[])
    ) as more
    where i.org_id = ${tx.orgId} and i.cycle_id = ${cycleId} and i.id = more.id
    returning ${handedOver}, (old.reviewers || coalesce(old.escalated_to, '{}'::uuid[]))::text[] as "from",
      (new.reviewers || coalesce(new.escalated_to, '{}'::uuid[]))::text[] as "to"`;
  return rows.filter(({ from, to }) => to.length > from.length);
}
