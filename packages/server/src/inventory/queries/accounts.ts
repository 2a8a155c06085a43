import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../platform/database/open.ts';
import { countLimit, countOf, type Page, type Slice } from '../../platform/http/lists.ts';
import type { AccountStatus } from '../account.ts';
import { lastSeenAt } from '../facts.ts';

export interface EntitlementRef {
  id: string;
  name: string;
  /** When Gatehouse first knew of it, in ISO 8601. */
  granted_at: string;
}

export interface PersonRef {
  external_uuid: string;
  email: string;
  first_name: string;
  last_name: string;
}

export interface AccountView {
  id: string;
  app_id: string;
  app_name: string;
  external_id: string | null;
  email: string;
  username: string;
  display_name: string;
  status: AccountStatus;
  /** The linked person. */
  user: string | null;
  person: PersonRef | null;
  last_seen_at: Date | null;
  memberships: Record<string, EntitlementRef[]>;
  assignments: Record<string, EntitlementRef[]>;
}

export interface AccountFilter {
  /** One app, the apps of a listed key, or null for all of the organization. */
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
  sort: AccountSort;
}

export const ACCOUNT_SORTS = ['created', '-created', 'email', '-email'] as const;
export type AccountSort = (typeof ACCOUNT_SORTS)[number];

/** Total orders (D9), each with an index, and the reverse of each. */
const ORDER: Record<AccountSort, [RawBuilder<unknown>, RawBuilder<unknown>]> = {
  created: [sql`a.org_id, a.id`, sql`a.org_id desc, a.id desc`],
  '-created': [sql`a.org_id desc, a.id desc`, sql`a.org_id, a.id`],
  email: [sql`a.org_id, lower(a.email), a.id`, sql`a.org_id desc, lower(a.email) desc, a.id desc`],
  '-email': [sql`a.org_id desc, lower(a.email) desc, a.id desc`, sql`a.org_id, lower(a.email), a.id`],
};

/** The groups or licenses that account `a` holds, by resource type slug. */
const entitlementsOf = (orgId: string, type: 'group' | 'license') => sql`
  coalesce((
    select jsonb_object_agg(by_type.slug, by_type.refs) from (
      select t.slug, jsonb_agg(jsonb_build_object('id', e.external_id, 'name', e.name,
        'granted_at', to_char(m.granted_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) order by e.external_id) as refs
      from membership m
      join entitlement e on e.org_id = m.org_id and e.id = m.entitlement_id
      join resource_type t on t.org_id = e.org_id and t.id = e.resource_type_id and t.type = ${sql.lit(type)}
      where m.org_id = ${orgId} and m.account_id = a.id
      group by t.slug
    ) as by_type
  ), '{}')`;

const view = (orgId: string) => sql`
  a.id, a.app_id, p.name as app_name, a.external_id, a.email, a.username, a.display_name, a.status, a.user_id as "user",
  (select jsonb_build_object('external_uuid', u.id, 'email', u.email, 'first_name', u.first_name, 'last_name', u.last_name)
    from platform_user u where u.org_id = ${orgId} and u.id = a.user_id) as person,
  ${lastSeenAt('a', 'p')} as last_seen_at,
  ${entitlementsOf(orgId, 'group')} as memberships, ${entitlementsOf(orgId, 'license')} as assignments`;

const from = sql`account a join app p on p.org_id = a.org_id and p.id = a.app_id`;

export async function findAccount(
  db: Db,
  orgId: string,
  accountId: string,
): Promise<AccountView | undefined> {
  const { rows } = await sql<AccountView>`
    select ${view(orgId)} from ${from} where a.org_id = ${orgId} and a.id = ${accountId}`.execute(db);
  return rows[0];
}

/**
 * Lists accounts (protocol 4.14). The count comes from account_count unless the filter names a text or a person. The
 * second half of such a list is read from its end. So neither grows with the length of the list.
 */
export async function listAccounts(
  db: Db,
  orgId: string,
  filter: AccountFilter,
  page: Page,
): Promise<Slice<AccountView>> {
  const where = conditions(orgId, filter);
  const isPrecounted = filter.email === null && filter.search === null && filter.user === null;
  const counting = isPrecounted
    ? precounted(orgId, filter)
    : sql`select count(*) as n from (select from account a where ${where} limit ${countLimit(page)}) as found`;
  const counted = await sql<{ n: number }>`${counting}`.execute(db);
  const n = counted.rows[0]?.n ?? 0;
  const counts = isPrecounted
    ? { count: n, ...(page.countTo === undefined ? {} : { more: false }) }
    : countOf(n, page);
  if (page.offset >= n) return { ...counts, results: [] };
  const [order, reverse] = ORDER[filter.sort];
  const fromEnd = isPrecounted && page.offset > n / 2;
  const [limit, offset] = fromEnd
    ? [Math.min(page.limit, n - page.offset), Math.max(n - page.offset - page.limit, 0)]
    : [page.limit, page.offset];
  const { rows } = await sql<AccountView>`
    with page as materialized (
      select a.id from account a where ${where} order by ${fromEnd ? reverse : order} limit ${limit} offset ${offset})
    select ${view(orgId)} from page join account a on a.org_id = ${orgId} and a.id = page.id
    join app p on p.org_id = a.org_id and p.id = a.app_id
    order by ${order}`.execute(db);
  return { ...counts, results: rows };
}

function conditions(
  orgId: string,
  { apps, status, email, search, user, linked }: AccountFilter,
): RawBuilder<unknown> {
  const parts = [sql`a.org_id = ${orgId}`];
  if (apps?.length === 1) parts.push(sql`a.app_id = ${apps[0]}`);
  else if (apps !== null) parts.push(sql`a.app_id = any(${apps}::uuid[])`);
  if (status === 'ACTIVE') parts.push(sql`a.status = 'ACTIVE'`);
  // The second condition lets the planner use the partial index of all states but ACTIVE.
  else if (status !== null) parts.push(sql`a.status = ${status} and a.status <> 'ACTIVE'`);
  if (email !== null)
    parts.push(sql`${searchable} like ${part(email)} and lower(a.email) like ${part(email)}`);
  if (search !== null) parts.push(sql`${searchable} like ${part(search)}`);
  if (user !== null) parts.push(sql`a.user_id = ${user}`);
  if (linked !== null) parts.push(linked ? sql`a.user_id is not null` : sql`a.user_id is null`);
  return sql.join(parts, sql` and `);
}

/** The expression that the index account_part covers. */
const searchable = sql`lower(a.email || ' ' || a.username || ' ' || a.display_name)`;

const part = (text: string) => sql`lower(${`%${escapeLike(text)}%`})`;

const precounted = (orgId: string, { apps, status, linked }: AccountFilter) => sql`
  select coalesce(sum(n), 0)::bigint as n from account_count
  where org_id = ${orgId} and (${apps}::uuid[] is null or app_id = any(${apps}::uuid[]))
    and (${status}::text is null or status = ${status}) and (${linked}::boolean is null or linked = ${linked})`;

const escapeLike = (text: string) => text.replace(/[\\%_]/g, (character) => `\\${character}`);
