import type { OrgDb } from '#kit/database.ts';
import type { Page } from '#kit/pages.ts';
import { many, sql } from '#kit/sql.ts';
import { isSighting } from '../../history/change-facts.ts';
import {
  entitlementStates,
  isCertain,
  isPossible,
  mayHaveBegun,
  membershipPeriods,
} from '../../history/facts.ts';
import type { Moment } from '../../history/moment.ts';
import { type Bounds, bestFirst, boundsOf, type Certainty } from '../../history/period-facts.ts';
import { atOf, knownOf } from '../../history/queries/times.ts';
import type { ResourceFilter } from '../resource-filters.ts';
import type { ResourceRow } from './resources.ts';

/** Members are counted up to this number. */
const COUNTED = 100;

/** A group or license at a moment, with the accounts that held it then. Risk and owner have no history. */
export interface ResourceAsOf extends Omit<ResourceRow, 'risk' | 'owner_email' | 'owner' | 'hidden_members'> {
  /** The members as the newest completed sync until then reported them. Null if there was none. */
  hidden_members: number | null;
  app_id: string;
  app_name: string;
  certainty: Certainty;
  bounds: Bounds;
  members_more: boolean;
}

export type DatedFilter = Pick<ResourceFilter, 'resource_id' | 'slug' | 'q'> & {
  type?: 'group' | 'license';
  id?: string;
};

/**
 * Lists the groups and licenses that existed at a moment, by the name that they had; `apps` null: of all apps. An account that certainly held one
 * proves that it existed, and its name too if only one is possible.
 */
export async function listResourcesAsOf(
  db: OrgDb,
  apps: string[] | null,
  { resource_id, slug, id, q, type }: DatedFilter,
  moment: Moment,
  page: Page,
): Promise<{ count: number; results: ResourceAsOf[] }> {
  const at = atOf(moment);
  const known = knownOf(moment);
  const wanted = sql`(
    select s.*, e.external_id, e.description, e.is_paid, e.is_unlimited, e.slug, e.type
    from (
      select s.*, count(*) over (partition by s.entitlement_id) = 1 as is_only,
        row_number() over (partition by s.entitlement_id order by ${bestFirst('s', at)}) as place
      from ${entitlementStates(db, known, at)} s
      where (${apps}::uuid[] is null or s.app_id = any(${apps}::uuid[])) and ${isPossible('s', at)}
    ) s
    cross join lateral (
      select e.external_id, e.description, e.is_paid, e.is_unlimited, t.slug, t.type
      from entitlement e join resource_type t on t.org_id = e.org_id and t.id = e.resource_type_id
      where e.org_id = ${db.orgId} and e.id = s.entitlement_id
      offset 0 -- Otherwise the planner joins all states with all resource types first.
    ) e
    where s.place = 1 and (${type ?? null}::text is null or e.type = ${type ?? null})
      and (${resource_id ?? null}::uuid is null or s.entitlement_id = ${resource_id ?? null})
      and (${id || null}::text is null or e.external_id = ${id || null}) and (${slug || null}::text is null or e.slug = ${slug || null})
      and (${q || null}::text is null or position(name_key(${q || null}) in name_key(s.name)) > 0))`;
  const held = sql`(
    select m.* from ${membershipPeriods(db, known, at)} m
    where m.entitlement_id = l.entitlement_id and ${mayHaveBegun('m', at)}
      and ${isPossible('m', at)} limit ${COUNTED + 1})`;
  const rows = await many<{ count: number } & (ResourceAsOf | { external_uuid: null })>(db)`
    with wanted as materialized (select * from ${wanted} l),
    report as materialized (
      select p.id as app_id, s.unseen from app p join sync_session s on s.org_id = ${db.orgId} and s.id = (
        select x.source_id from inventory_change x
        where x.org_id = ${db.orgId} and x.app_id = p.id and ${isSighting('x', known)} and x.at <= ${at}
        order by x.at desc limit 1)
      where p.org_id = ${db.orgId} and (${apps}::uuid[] is null or p.id = any(${apps}::uuid[]))
    ), hidden as materialized (
      select report.app_id, u.slug, u.id, sum(u.count)::bigint as n,
        jsonb_agg(jsonb_build_object('rule', u.rule, 'count', u.count) order by u.rule) as by_rule
      from report cross join lateral jsonb_to_recordset(report.unseen) as u (slug text, id text, rule text, count bigint)
      where u.id is not null group by report.app_id, u.slug, u.id
    ), page as materialized (
      select * from wanted l order by l.name, l.entitlement_id limit ${page.limit} offset ${page.offset}
    )
    select total.count, l.*
    from (select count(*) as count from wanted) total
    left join lateral (
      select l.entitlement_id as external_uuid, l.app_id, p.name as app_name, l.external_id as id, l.slug, l.type, l.name, l.description,
        true as active, least(members.n, ${COUNTED}) as members, members.n > ${COUNTED} as members_more,
        case when exists (select from report r where r.app_id = l.app_id) then coalesce(hidden.n, 0) end as hidden_members,
        coalesce(hidden.by_rule, '[]') as hidden,
        null::bigint as max_count, null::bigint as used_count, l.is_paid, l.is_unlimited,
        case when ${isCertain('l', at)} then 'certain'
          when l.is_only and exists (select from ${held} m where ${isCertain('m', at)}) then 'certain'
          else 'possible' end as certainty,
        ${boundsOf('l')} as bounds
      from page l
      join app p on p.org_id = ${db.orgId} and p.id = l.app_id
      left join hidden on hidden.app_id = l.app_id and hidden.slug = l.slug and hidden.id = l.external_id
      cross join lateral (select count(distinct m.account_id) as n from ${held} m) members
    ) l on true
    order by l.name, l.external_uuid`;
  const results = rows.filter((row) => row.external_uuid !== null);
  return { count: rows[0]?.count ?? 0, results: results.map(({ count: _, ...resource }) => resource) };
}
