import { sql } from 'kysely';
import type { Db } from '../../../platform/database/open.ts';
import type { Page } from '../../../platform/http/lists.ts';
import type { Resource, ResourceFilter } from '../../queries/resources.ts';
import { isCertain, isPossible, membershipPeriods } from '../facts.ts';
import { atOf, knownOf, type Moment } from '../moment.ts';
import { type Bounds, boundsOf, type Certainty } from '../shape.ts';
import { isSighting } from '../sightings.ts';

/** Members are counted up to this number. */
const COUNTED = 100;

/** A group or license at a moment, with the accounts that held it then. */
export interface ResourceAsOf extends Resource {
  certainty: Certainty;
  bounds: Bounds;
  members_more: boolean;
}

/**
 * Lists the groups and licenses that existed at a moment, by name. Their own changes are not kept: they are known from
 * their first sync to the one that no longer found them, and are certain while an account certainly held them.
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
  const sync = sql`
    from inventory_change c
    where c.org_id = e.org_id and c.app_id = e.app_id and ${isSighting('c', known)}`;
  const lives = sql`(
    select e.org_id, e.id, e.app_id, t.slug, t.type, e.name,
      (select c.started_at ${sync} and c.at < e.created_at and c.completed_at < e.created_at
        order by c.at desc limit 1) as not_before,
      e.created_at as since,
      greatest(e.created_at, (select c.at ${sync}
        and (e.active or c.completed_at < e.updated_at) order by c.at desc limit 1)) as seen_until,
      case when not e.active and e.updated_at <= ${known} then e.updated_at end as gone_by,
      e.active and e.updated_at <= ${at} as is_steady
    from entitlement e join resource_type t on t.org_id = e.org_id and t.id = e.resource_type_id
    where e.org_id = ${orgId} and e.app_id = ${appId} and e.created_at <= ${known}
      and (${slug}::text is null or t.slug = ${slug})
      and (${q}::text is null or position(lower(${q}) in lower(e.name)) > 0))`;
  const counted = await sql<{ n: number }>`
    select count(*) as n from ${lives} l where ${isPossible('l', at)}`.execute(db);
  const { rows } = await sql<ResourceAsOf>`
    with page as materialized (
      select l.*, ${boundsOf('l')} as bounds from ${lives} l where ${isPossible('l', at)}
      order by l.name, l.id limit ${page.limit} offset ${page.offset}
    )
    select l.id as external_uuid, e.external_id as id, l.slug, l.type, e.name, e.description, true as active,
      least(held.n, ${COUNTED}) as members, held.n > ${COUNTED} as members_more,
      null::bigint as max_count, null::bigint as used_count, e.is_paid, e.is_unlimited,
      case when held.certain or (l.is_steady and ${isCertain('l', at)}) then 'certain' else 'possible' end as certainty,
      l.bounds
    from page l join entitlement e on e.org_id = l.org_id and e.id = l.id
    cross join lateral (
      select count(distinct m.account_id) as n, coalesce(bool_or(m.certain), false) as certain from (
        select m.account_id, ${isCertain('m', at)} as certain
        from ${membershipPeriods(orgId, known, at)} m
        where m.entitlement_id = l.id and ${isPossible('m', at)} limit ${COUNTED + 1}
      ) m
    ) held
    order by l.name, l.id`.execute(db);
  return { count: counted.rows[0]?.n ?? 0, results: rows };
}
