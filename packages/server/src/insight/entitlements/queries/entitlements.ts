import { lastReviewOf } from '#decisions/reviews/campaigns/facts.ts';
import {
  accounts,
  isDormant,
  memberCount,
  memberships,
  observedApps,
} from '#inventory/records/accounts/facts.ts';
import { isOfLeaver } from '#inventory/records/accounts/leaver-facts.ts';
import type { Org, OrgDb } from '#kit/database.ts';
import type { Page, Slice } from '#kit/pages.ts';
import { many, type RawBuilder, sql, value } from '#kit/sql.ts';
import { type EntitlementSort, MOST_LOOKED_THROUGH, UNUSED_DAYS } from '../entitlement-schemas.ts';
import { type EntitlementFilter, entitlementFilters } from '../filters.ts';

/** A group or license, with the fields that a list of all apps adds. */
export interface Use {
  id: string;
  app_id: string;
  app_name: string;
  leavers: number;
  unused: number | null;
  reviewed_at: Date | null;
}

const from = sql`entitlement e
  join resource_type t on t.org_id = e.org_id and t.id = e.resource_type_id
  join app p on p.org_id = e.org_id and p.id = e.app_id and p.archived_at is null`;

/** Those without the value come last, but those that nobody has reviewed first: they wait for longest. */
function orderOf(org: Org, sort: EntitlementSort): RawBuilder<unknown> {
  const isDown = sort.startsWith('-');
  const by: Record<string, RawBuilder<unknown>> = {
    name: sql`e.name`,
    app: sql`p.name`,
    risk: sql`array_position(array['low', 'medium', 'high'], e.risk)`,
    members: memberCount(org, 'e'),
    reviewed: lastReviewOf(org, 'e'),
  };
  const first = by[isDown ? sort.slice(1) : sort] ?? sql`e.name`;
  const direction = isDown
    ? sql`desc nulls last`
    : sort === 'reviewed'
      ? sql`asc nulls first`
      : sql`asc nulls last`;
  return sql`${first} ${direction}, e.name, e.id`;
}

/** Lists a page. `isOne`: its accounts are looked through, however many there are. Looks only at the accounts of the returned rows. */
export async function listEntitlements(
  db: OrgDb,
  apps: string[] | null,
  { sort, ...filter }: EntitlementFilter & { sort: EntitlementSort },
  page: Page,
): Promise<Slice<Use>> {
  const where = entitlementFilters.where(
    { orgId: db.orgId, apps },
    filter,
    sql`e.org_id = ${db.orgId} and (${apps}::uuid[] is null or e.app_id = any(${apps}::uuid[]))`,
  );
  const most = filter.resource_id === undefined ? MOST_LOOKED_THROUGH : Number.MAX_SAFE_INTEGER;
  const counted = await value<number>(db)`select count(*) as n from ${from} where ${where}`;
  const results = await many<Use>(db)`
    with page as materialized (
      select e.id, e.app_id, p.name as app_name, row_number() over (order by ${orderOf(db, sort)}) as n
      from ${from} where ${where}
      order by n limit ${page.limit} offset ${page.offset}
    ), leaver as materialized (
      select a.id from ${accounts} a where a.org_id = ${db.orgId} and ${isOfLeaver(db, 'a')}
    ), of_leavers as materialized (
      select m.entitlement_id, count(*) as n from leaver
      join ${memberships} m on m.org_id = ${db.orgId} and m.account_id = leaver.id
      where m.entitlement_id = any(array(select page.id from page)) group by m.entitlement_id
    ), looked_through as materialized (
      select page.id from page
      where page.app_id = any(${observedApps(db, apps)}) and ${memberCount(db, 'page')} <= ${most}
    ), unused as materialized (
      select m.entitlement_id, count(*) as n from ${memberships} m
      join ${accounts} a on a.org_id = m.org_id and a.id = m.account_id
      where m.org_id = ${db.orgId} and m.entitlement_id = any(array(select l.id from looked_through l))
        and ${isDormant(db, 'a', UNUSED_DAYS, apps)}
      group by m.entitlement_id
    )
    select page.id, page.app_id, page.app_name, coalesce(of_leavers.n, 0) as leavers,
      case when exists (select from looked_through l where l.id = page.id) then coalesce(unused.n, 0) end as unused,
      ${lastReviewOf(db, 'page')} as reviewed_at
    from page
    left join of_leavers on of_leavers.entitlement_id = page.id
    left join unused on unused.entitlement_id = page.id
    order by page.n`;
  return { count: counted, results };
}
