import type { Org, OrgDb } from '#kit/database.ts';
import { type RawBuilder, sql, values } from '#kit/sql.ts';

/** The undecided items of open cycles that name the person `u` as a reviewer, for a lateral join. Columns: count (or 0), since. */
export const itemsWaitingFor = (org: Org): RawBuilder<unknown> => sql`(
  select count(*)::integer as count, min(coalesce(i.assigned_at, y.opened_at)) as since
  from review_item i join review_cycle y on y.org_id = ${org.orgId} and y.id = i.cycle_id and y.status = 'in_progress'
  where i.org_id = ${org.orgId} and i.reviewers @> array[u.id] and i.decision is null)`;

/** Whether any cycle is open. Much cheaper than the items of everybody. */
export const hasOpenCycle = (org: Org): RawBuilder<boolean> => sql`exists (
  select from review_cycle o where o.org_id = ${org.orgId} and o.status = 'in_progress')`;

/** Returns the reviewers of these items. */
export const reviewersOfItems = (db: OrgDb, itemIds: readonly string[]) => values<string>(db)`
    select distinct r.id from review_item i cross join lateral unnest(i.reviewers) as r (id)
    where i.org_id = ${db.orgId} and i.id = any(${itemIds}::uuid[])`;

/** Returns the reviewers of all undecided items of open cycles. */
export const reviewersOfOpenCycles = (db: OrgDb) => values<string>(db)`
    select distinct r.id from review_cycle y
    join review_item i on i.org_id = ${db.orgId} and i.cycle_id = y.id and i.decision is null
    cross join lateral unnest(i.reviewers) as r (id)
    where y.org_id = ${db.orgId} and y.status = 'in_progress'`;
