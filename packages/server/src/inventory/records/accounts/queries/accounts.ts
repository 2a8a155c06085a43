import type { Org, OrgDb } from '#kit/database.ts';
import { namedPersonJson } from '#kit/identity.ts';
import { countOf, type Page, type Slice } from '#kit/pages.ts';
import { isoTime, many, one, type RawBuilder, sql } from '#kit/sql.ts';
import { type AccountFilter, accountFilters, type Searched } from '../account-filters.ts';
import type { AccountSort, AccountView } from '../account-view.ts';
import { accountDetailView } from '../detail-facts.ts';
import { accountOwners, giverOf, lastSeenAt } from '../facts.ts';
import { countAccounts, countQuery, idsInOrder, ORDER } from './account-pages.ts';
import { searchAccounts } from './account-search.ts';
import { candidatesOf, isAmbiguous } from './correlation.ts';

/** A list of accounts: its filters, its order, and its apps (null: all of the organization). */
export interface AccountList extends AccountFilter {
  apps: string[] | null;
  sort: AccountSort;
}

/** The groups or licenses that account `a` holds, by resource type slug. */
const entitlementsOf = (org: Org, type: 'group' | 'license') => sql`
  coalesce((
    select jsonb_object_agg(by_type.slug, by_type.refs) from (
      select t.slug, jsonb_agg(jsonb_build_object('id', e.external_id, 'name', e.name,
        'granted_at', ${isoTime(sql`m.granted_at`)}, 'via', ${giverOf(org, 'm')}, 'found', not m.given,
        'entitlement_id', e.id) order by e.external_id) as refs
      from membership m
      join entitlement e on e.org_id = m.org_id and e.id = m.entitlement_id
      join resource_type t on t.org_id = e.org_id and t.id = e.resource_type_id and t.type = ${sql.lit(type)}
      where m.org_id = ${org.orgId} and m.account_id = a.id
      group by t.slug
    ) as by_type
  ), '{}')`;

const view = (org: Org) => sql`
  a.id, a.app_id, p.name as app_name, a.external_id, a.email, a.username, a.display_name, a.status, not a.given as found, a.user_id as "user",
  (select ${namedPersonJson('u')}
    from platform_user u where u.org_id = ${org.orgId} and u.id = a.user_id) as person,
  coalesce((select o.kind from ${accountOwners} o where o.org_id = ${org.orgId} and o.account_id = a.id), 'person') as kind,
  (select jsonb_build_object('external_uuid', u.id, 'email', u.email, 'first_name', u.first_name, 'last_name', u.last_name,
      'status', u.status)
    from ${accountOwners} o join platform_user u on u.org_id = ${org.orgId} and u.id = o.owner_id
    where o.org_id = ${org.orgId} and o.account_id = a.id) as owner,
  coalesce((select o.by_hand from ${accountOwners} o where o.org_id = ${org.orgId} and o.account_id = a.id), true) as owner_confirmed,
  ${lastSeenAt('a', 'p')} as last_seen_at, ${accountDetailView('ad')},
  ${entitlementsOf(org, 'group')} as memberships, ${entitlementsOf(org, 'license')} as assignments,
  case when ${isAmbiguous(org, 'a')} then ${candidatesOf(org, 'a')} end as candidates`;

const from = sql`
  account a join app p on p.org_id = a.org_id and p.id = a.app_id
  left join account_detail ad on ad.org_id = a.org_id and ad.account_id = a.id`;

export const findAccount = (db: OrgDb, accountId: string) => one<AccountView>(db)`
    select ${view(db)} from ${from} where a.org_id = ${db.orgId} and a.id = ${accountId}`;

/**
 * Lists accounts (protocol 4.14). The count comes from account_count unless the filter names a text or a person. The
 * second half of such a list is read from its end. So neither grows with the length of the list. In the order of the last
 * sign-in, a page of such a list costs as much as its offset.
 */
export async function listAccounts(
  db: OrgDb,
  { apps, sort, ...filter }: AccountList,
  page: Page,
): Promise<Slice<AccountView>> {
  const [order, reverse] = ORDER[sort];
  const asked = { ...db, apps, slug: filter.slug ?? '' };
  const conditions = accountFilters.conditions(asked, filter);
  const searched = conditions.filter(isSearched);
  const placed = [
    sql`a.org_id = ${db.orgId}`,
    ...(apps === null || filter.app !== undefined ? [] : [isIn(apps)]),
    ...conditions.filter(isPlaced),
  ];
  if (searched.length > 0) {
    const matches = all(searched.map((one) => one.matches));
    const [{ candidates } = {}] = searched;
    const { isObserved } = searched.find((one) => one.isObserved) ?? {};
    const where = all(isObserved === undefined ? placed : [...placed, isObserved]);
    const search = { apps, sort, where, matches, candidates };
    const { ids, ...counts } = await searchAccounts(db, search, page);
    return { ...counts, results: await selectViews(db, sql`select unnest(${ids}::uuid[]) as id`, order) };
  }
  const where = all(placed);
  const others = Object.fromEntries(Object.entries(filter).filter(([name]) => !PRECOUNTED.has(name)));
  const isPrecounted = accountFilters.conditions(asked, others).length === 0;
  const n = await countAccounts(db.db, isPrecounted ? precounted(db, apps, filter) : countQuery(where, page));
  const counts = isPrecounted
    ? { count: n, ...(page.countTo === undefined ? {} : { more: false }) }
    : countOf(n, page);
  if (page.offset >= n) return { ...counts, results: [] };
  const fromEnd = isPrecounted && reverse !== undefined && page.offset > n / 2;
  const [limit, offset] = fromEnd
    ? [Math.min(page.limit, n - page.offset), Math.max(n - page.offset - page.limit, 0)]
    : [page.limit, page.offset];
  const ids = await idsInOrder(db, { apps, sort }, where, {
    ...{ limit, offset },
    order: fromEnd ? reverse : order,
  });
  return { ...counts, results: await selectViews(db, ids, order) };
}

const all = (conditions: RawBuilder<unknown>[]) => sql.join(conditions, sql` and `);

const isSearched = (condition: RawBuilder<unknown> | Searched): condition is Searched =>
  'matches' in condition;
const isPlaced = (condition: RawBuilder<unknown> | Searched): condition is RawBuilder<unknown> =>
  !isSearched(condition);

const isIn = (apps: string[]) =>
  apps.length === 1 ? sql`a.app_id = ${apps[0]}` : sql`a.app_id = any(${apps}::uuid[])`;

/** Returns the accounts that the query `ids` selects. */
const selectViews = (db: OrgDb, ids: RawBuilder<unknown>, order: RawBuilder<unknown>) => many<AccountView>(
  db,
)`
    with page as materialized (${ids})
    select ${view(db)} from page join account a on a.org_id = ${db.orgId} and a.id = page.id
    join app p on p.org_id = a.org_id and p.id = a.app_id
    left join account_detail ad on ad.org_id = ${db.orgId} and ad.account_id = page.id
    order by ${order}`;

/** The filters by which account_count counts. */
const PRECOUNTED = new Set(['app', 'status', 'linked']);

const precounted = (org: Org, apps: string[] | null, { status, linked }: AccountFilter) => sql`
  select coalesce(sum(n), 0)::bigint as n from account_count
  where org_id = ${org.orgId} and (${apps}::uuid[] is null or app_id = any(${apps}::uuid[]))
    and ${status === undefined ? sql`true` : sql`status = ${status}`}
    and ${linked === undefined ? sql`true` : sql`linked = ${linked}`}`;
