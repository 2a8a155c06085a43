import type { OrgDb } from '#kit/database.ts';
import { many } from '#kit/sql.ts';
import type { Awaited } from '../../campaigns/cycle.ts';
import { placesOf } from './reviewing.ts';

/** Looks at each list of reviewers once for each person whose access is reviewed, not at each item. */
export const reviewersWaitedFor = (db: OrgDb, cycleId: string) => many<Awaited>(db)`
    with undecided as materialized (
      select item.*, row_number() over () as n from (
        select i.cycle_id, i.reviewers, i.escalated_to, i.user_id, count(*) as items
        from review_item i
        join review_cycle y on y.org_id = ${db.orgId} and y.id = i.cycle_id and y.status = 'in_progress'
        where i.org_id = ${db.orgId} and i.cycle_id = ${cycleId} and i.decision is null
        group by i.cycle_id, i.reviewers, i.escalated_to, i.user_id) as item
    ), waited_for as (
      select distinct on (i.n, place.id) place.id, place.on_behalf_of, i.items
      from undecided i cross join lateral ${placesOf(db)} as place
      where place.id is distinct from i.user_id
      order by i.n, place.id, place.on_behalf_of nulls first)
    select id as "userId", on_behalf_of as "onBehalfOf", sum(items)::integer as items
    from waited_for group by id, on_behalf_of order by id, on_behalf_of`;
