import { sql } from 'kysely';
import type { Db } from '../../../platform/database/open.ts';
import type { Page } from '../../../platform/http/lists.ts';
import type { Resource, ResourceFilter } from '../../queries/resources.ts';
import { entitlementStates, isCertain, isPossible, membershipPeriods } from '../facts.ts';
import { atOf, knownOf, type Moment } from '../moment.ts';
import { type Bounds, bestFirst, boundsOf, type Certainty } from '../shape.ts';

/** Members are counted up to this number. */
const COUNTED = 100;

/** A group or license at a moment, with the accounts that held it then. */
export interface ResourceAsOf extends Resource {
  certainty: Certainty;
  bounds: Bounds;
  members_more: boolean;
}

/**
 * Lists the groups and licenses that existed at a moment, by the name that they had. An account that certainly held one
 * proves that it existed, and its name too if only one is possible.
 */
export async function listResourcesAsOf(
  db: Db,
  orgId: string,
  appId: string,
  { slug, q }: Omit<ResourceFilter, 'active'>,
  moment: Moment,
  page: Page,
): Promise<{ count: number; results: ResourceAsOf[] }> {
  const at = atOf(moment);
  const known = knownOf(moment);
  const best = sql`(
    select s.*, e.external_id, e.description, e.is_paid, e.is_unlimited, t.slug, t.type,
      count(*) over (partition by s.entitlement_id) = 1 as is_only,
      row_number() over (partition by s.entitlement_id order by ${bestFirst('s', at)}) as place
    from ${entitlementStates(orgId, known, at)} s
    join entitlement e on e.org_id = s.org_id and e.id = s.entitlement_id
    join resource_type t on t.org_id = e.org_id and t.id = e.resource_type_id
    where s.app_id = ${appId} and ${isPossible('s', at)} and (${slug}::text is null or t.slug = ${slug}))`;
  const wanted = sql`${best} l
    where l.place = 1 and (${q}::text is null or position(lower(${q}) in lower(l.name)) > 0)`;
  const counted = await sql<{ n: number }>`select count(*) as n from ${wanted}`.execute(db);
  const { rows } = await sql<ResourceAsOf>`
    with page as materialized (
      select l.* from ${wanted} order by l.name, l.entitlement_id limit ${page.limit} offset ${page.offset}
    )
    select l.entitlement_id as external_uuid, l.external_id as id, l.slug, l.type, l.name, l.description, true as active,
      least(held.n, ${COUNTED}) as members, held.n > ${COUNTED} as members_more,
      null::bigint as max_count, null::bigint as used_count, l.is_paid, l.is_unlimited,
      case when ${isCertain('l', at)} or (held.certain and l.is_only) then 'certain' else 'possible' end as certainty,
      ${boundsOf('l')} as bounds
    from page l
    cross join lateral (
      select count(distinct m.account_id) as n, coalesce(bool_or(m.certain), false) as certain from (
        select m.account_id, ${isCertain('m', at)} as certain
        from ${membershipPeriods(orgId, known, at)} m
        where m.entitlement_id = l.entitlement_id and ${isPossible('m', at)} limit ${COUNTED + 1}
      ) m
    ) held
    order by l.name, l.entitlement_id`.execute(db);
  return { count: counted.rows[0]?.n ?? 0, results: rows };
}
