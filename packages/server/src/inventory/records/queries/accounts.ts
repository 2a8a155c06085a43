import { type RawBuilder, sql } from 'kysely';
import type { Org, OrgDb } from '../../../kit/database/organization.ts';
import { countOf, type Page, type Slice } from '../../../kit/http/lists.ts';
import type { AccountKind, AccountStatus } from '../account.ts';
import type { AccountSort, AccountView } from '../account-view.ts';
import { accountDetailView } from '../detail-facts.ts';
import { accountEmailContains, accountMatches, accountOwners, giverOf, lastSeenAt } from '../facts.ts';
import { isOfLeaver, lacksOwner } from '../leaver-facts.ts';
import { countAccounts, countQuery, idsInOrder, ORDER } from './account-pages.ts';
import { searchAccounts } from './account-search.ts';
import { candidatesOf, isAmbiguous } from './correlation.ts';
import { type UseFilter, useConditions } from './dormant.ts';

export interface AccountFilter extends UseFilter {
  /** One app, the apps of an app-scoped key, or null for all of the organization. */
  apps: string[] | null;
  status: AccountStatus | null;
  /** Part of the email, compared without case. */
  email: string | null;
  /** Part of the email, the username or the display name, compared without case. */
  search: string | null;
  /** The accounts of one person. */
  user: string | null;
  /** Whether the account belongs to a person. */
  linked: boolean | null;
  /** Service or shared accounts. */
  kind?: AccountKind | null;
  /** The accounts for which one person answers. */
  owner?: string | null;
  /** Whether to list only service and shared accounts without an active owner. */
  withoutOwner?: boolean;
  /** Whether to list only usable accounts of people who have left. */
  ofLeavers?: boolean;
  /** The accounts that hold a group or license, by its external id and the slug of its resource type. */
  entitlement?: { slug: string; resource: string } | null;
  /** Whether to list only accounts of which an administrator has to choose the record. */
  ambiguous?: boolean;
  /** Accounts that sign in with a second factor, or without, or of which the app does not say. */
  mfa?: Mfa | null;
  sort: AccountSort;
}

type Mfa = 'true' | 'false' | 'unknown';

/** Whether the app says this about the second factor of account `a`. */
const saysMfa = (org: Org, mfa: Mfa) => {
  const says = (value: RawBuilder<unknown>) => sql`exists (
    select from account_detail d where d.org_id = ${org.orgId} and d.account_id = a.id and ${value})`;
  if (mfa === 'unknown') return sql`not ${says(sql`d.mfa_enabled is not null`)}`;
  return says(mfa === 'true' ? sql`d.mfa_enabled` : sql`not d.mfa_enabled`);
};

/** The groups or licenses that account `a` holds, by resource type slug. */
const entitlementsOf = (org: Org, type: 'group' | 'license') => sql`
  coalesce((
    select jsonb_object_agg(by_type.slug, by_type.refs) from (
      select t.slug, jsonb_agg(jsonb_build_object('id', e.external_id, 'name', e.name,
        'granted_at', to_char(m.granted_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'via', ${giverOf(org, 'm')}) order by e.external_id) as refs
      from membership m
      join entitlement e on e.org_id = m.org_id and e.id = m.entitlement_id
      join resource_type t on t.org_id = e.org_id and t.id = e.resource_type_id and t.type = ${sql.lit(type)}
      where m.org_id = ${org.orgId} and m.account_id = a.id
      group by t.slug
    ) as by_type
  ), '{}')`;

const view = (org: Org) => sql`
  a.id, a.app_id, p.name as app_name, a.external_id, a.email, a.username, a.display_name, a.status, a.user_id as "user",
  (select jsonb_build_object('external_uuid', u.id, 'email', u.email, 'first_name', u.first_name, 'last_name', u.last_name)
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

export async function findAccount(db: OrgDb, accountId: string): Promise<AccountView | undefined> {
  const { rows } = await sql<AccountView>`
    select ${view(db)} from ${from} where a.org_id = ${db.orgId} and a.id = ${accountId}`.execute(db);
  return rows[0];
}

/**
 * Lists accounts (protocol 4.14). The count comes from account_count unless the filter names a text or a person. The
 * second half of such a list is read from its end. So neither grows with the length of the list. In the order of the last
 * sign-in, a page of such a list costs as much as its offset.
 */
export async function listAccounts(
  db: OrgDb,
  filter: AccountFilter,
  page: Page,
): Promise<Slice<AccountView>> {
  const where = conditions(db, filter);
  const [order, reverse] = ORDER[filter.sort];
  const { email, search } = filter;
  const texts = [
    ...(email === null ? [] : [accountEmailContains('a', email)]),
    ...(search === null ? [] : [accountMatches('a', search)]),
  ];
  const uses = useConditions(db, 'a', filter.apps, filter);
  if (texts.length > 0 || uses.length > 0) {
    const matches = sql.join([...texts, ...uses.map((use) => use.matches)], sql` and `);
    const candidates = texts.length === 0 ? uses[0]?.candidates : undefined;
    const walked = sql.join([where, ...uses.slice(0, 1).map((use) => use.isObserved)], sql` and `);
    const { ids, ...counts } = await searchAccounts(
      db,
      { apps: filter.apps, sort: filter.sort, where: walked, matches, candidates },
      page,
    );
    return { ...counts, results: await selectViews(db, sql`select unnest(${ids}::uuid[]) as id`, order) };
  }
  const isPrecounted =
    filter.user === null &&
    !filter.kind &&
    !filter.owner &&
    !filter.withoutOwner &&
    !filter.ofLeavers &&
    !filter.entitlement &&
    !filter.ambiguous &&
    !filter.mfa;
  const n = await countAccounts(db.db, isPrecounted ? precounted(db, filter) : countQuery(where, page));
  const counts = isPrecounted
    ? { count: n, ...(page.countTo === undefined ? {} : { more: false }) }
    : countOf(n, page);
  if (page.offset >= n) return { ...counts, results: [] };
  const fromEnd = isPrecounted && reverse !== undefined && page.offset > n / 2;
  const [limit, offset] = fromEnd
    ? [Math.min(page.limit, n - page.offset), Math.max(n - page.offset - page.limit, 0)]
    : [page.limit, page.offset];
  const ids = await idsInOrder(db, filter, where, {
    ...{ limit, offset },
    order: fromEnd ? reverse : order,
  });
  return { ...counts, results: await selectViews(db, ids, order) };
}

/** Returns the accounts that the query `ids` selects. */
async function selectViews(
  db: OrgDb,
  ids: RawBuilder<unknown>,
  order: RawBuilder<unknown>,
): Promise<AccountView[]> {
  const { rows } = await sql<AccountView>`
    with page as materialized (${ids})
    select ${view(db)} from page join account a on a.org_id = ${db.orgId} and a.id = page.id
    join app p on p.org_id = a.org_id and p.id = a.app_id
    left join account_detail ad on ad.org_id = ${db.orgId} and ad.account_id = page.id
    order by ${order}`.execute(db);
  return rows;
}

function conditions(
  org: Org,
  {
    apps,
    status,
    user,
    linked,
    kind,
    owner,
    withoutOwner,
    ofLeavers,
    entitlement,
    ambiguous,
    mfa,
  }: AccountFilter,
): RawBuilder<unknown> {
  const parts = [sql`a.org_id = ${org.orgId}`];
  const owned = (where: RawBuilder<unknown>) =>
    sql`a.id in (select o.account_id from ${accountOwners} o where o.org_id = ${org.orgId} and ${where})`;
  if (kind) parts.push(owned(sql`o.kind = ${kind}`));
  if (owner) parts.push(owned(sql`o.owner_id = ${owner}`));
  if (withoutOwner) parts.push(lacksOwner(org, 'a'));
  if (ofLeavers) parts.push(isOfLeaver(org, 'a'));
  if (entitlement) parts.push(sql`a.id in (${holdersOf(org, apps, entitlement)})`);
  if (ambiguous) parts.push(isAmbiguous(org, 'a'));
  if (mfa) parts.push(saysMfa(org, mfa));
  if (apps?.length === 1) parts.push(sql`a.app_id = ${apps[0]}`);
  else if (apps !== null) parts.push(sql`a.app_id = any(${apps}::uuid[])`);
  if (status === 'ACTIVE') parts.push(sql`a.status = 'ACTIVE'`);
  // The second condition lets the planner use the partial index of all states but ACTIVE.
  else if (status !== null) parts.push(sql`a.status = ${status} and a.status <> 'ACTIVE'`);
  if (user !== null) parts.push(sql`a.user_id = ${user}`);
  if (linked !== null) parts.push(linked ? sql`a.user_id is not null` : sql`a.user_id is null`);
  return sql.join(parts, sql` and `);
}

/** Selects the accounts that hold a group or license. Without `apps`, one of each app with that name may fit. */
const holdersOf = (
  org: Org,
  apps: string[] | null,
  { slug, resource }: NonNullable<AccountFilter['entitlement']>,
) => sql`
  select m.account_id from entitlement e
  join resource_type t on t.org_id = e.org_id and t.id = e.resource_type_id and t.slug = ${slug}
  join membership m on m.org_id = e.org_id and m.entitlement_id = e.id
  where e.org_id = ${org.orgId} and e.external_id = ${resource}
    and (${apps}::uuid[] is null or e.app_id = any(${apps}::uuid[]))`;

const precounted = (org: Org, { apps, status, linked }: AccountFilter) => sql`
  select coalesce(sum(n), 0)::bigint as n from account_count
  where org_id = ${org.orgId} and (${apps}::uuid[] is null or app_id = any(${apps}::uuid[]))
    and (${status}::text is null or status = ${status}) and (${linked}::boolean is null or linked = ${linked})`;
