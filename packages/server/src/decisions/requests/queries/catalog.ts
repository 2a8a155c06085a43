import {
  accountExists,
  accounts,
  entitlements,
  holds,
  memberCount,
  memberships,
} from '#inventory/records/accounts/facts.ts';
import type { Org, OrgDb } from '#kit/database.ts';
import { namedPersonJson } from '#kit/identity.ts';
import type { Page, Slice } from '#kit/pages.ts';
import { countFor, many, one, type RawBuilder, sql } from '#kit/sql.ts';
import type { StoredEntry } from '../catalog-schemas.ts';
import type { CatalogKind } from '../ticket.ts';

export interface CatalogFilter {
  /** Null: all apps. */
  apps: string[] | null;
  kind: CatalogKind | null;
  /** Part of the name, the description, or the name of the app, compared without case. */
  q: string | null;
}

/** The person whose catalog it is, with what is needed to find their peers. */
export interface Beneficiary {
  id: string;
  status: 'active' | 'deactivated';
  manager_id: string | null;
  department: string | null;
}

export const findBeneficiary = (db: OrgDb, userId: string) => one<Beneficiary>(db)`
    select u.id, u.status, u.manager_id, nullif(u.attributes ->> 'department', '') as department
    from platform_user u where u.org_id = ${db.orgId} and u.id = ${userId} and u.merged_into is null`;

/**
 * Returns up to `limit` other active people of the same department, or with the same manager if there is none. The
 * conditions are those of the indexes platform_user_department and platform_user_manager.
 */
export async function findPeers(
  db: OrgDb,
  { id, manager_id, department }: Beneficiary,
  limit: number,
): Promise<string[]> {
  const alike =
    department === null
      ? sql`u.manager_id = ${manager_id}`
      : sql`in_nfc(u.attributes ->> 'department') = in_nfc(${department})`;
  const rows = await many<{ id: string }>(db)`
    select u.id from platform_user u
    where u.org_id = ${db.orgId} and u.status = 'active' and u.id <> ${id} and ${alike} limit ${limit}`;
  return rows.map((peer) => peer.id);
}

const contains = (text: RawBuilder<unknown>, q: string | null) =>
  sql`(${q}::text is null or position(name_key(${q}) in name_key(${text})) > 0)`;

/**
 * The entries that match, without their details. The apps come first, in the order of the list, so that a page reads the
 * entitlements of few of them.
 */
const matching = (org: Org, { apps, kind, q }: CatalogFilter) => sql`
  (select p.id, p.name, p.owner_id from app p
    where p.org_id = ${org.orgId} and p.archived_at is null and p.configuration_status <> 'DISCONNECTED'
      and (${apps}::uuid[] is null or p.id = any(${apps}::uuid[]))
    order by p.name, p.id) as p
  cross join lateral (
    select null::uuid as entitlement_id, 'account' as kind, '' as name
    where ${kind === null || kind === 'account'} and ${contains(sql`p.name`, q)}
    union all
    select e.id, e.type, e.name from ${entitlements} e
    where e.org_id = ${org.orgId} and e.app_id = p.id and e.active and ${kind !== 'account'}
      and (${kind}::text is null or e.type = ${kind})
      and ${contains(sql`p.name || ' ' || e.name || ' ' || e.description`, q)}
  ) as found`;

const ORDER = sql`p.name, p.id, found.entitlement_id is not null, found.name, found.entitlement_id`;

const person = (org: Org, id: RawBuilder<unknown>) => sql`(
  select ${namedPersonJson('o')}
  from platform_user o where o.org_id = ${org.orgId} and o.id = ${id})`;

const isFull = (org: Org) => sql`
  case when e.type = 'license' then
    coalesce(e.max_count, 0) > 0 and e.is_unlimited is not true
    and coalesce(e.used_count, ${memberCount(org, 'e')}) >= e.max_count end`;

/** Lists by app and name. Reads the details of the returned entries only. */
export async function listCatalog(
  db: OrgDb,
  userId: string,
  filter: CatalogFilter,
  page: Page,
): Promise<Slice<StoredEntry>> {
  const counted = await countFor(db, page)`select from ${matching(db, filter)}`;
  const pending = sql`
    select t.id, t.label from ticket t
    where t.org_id = ${db.orgId} and t.user_id = ${userId} and t.app_id = page.app_id and t.status = 'PENDING'
      and t.type <> 'EXTEND_ACCESS' and (page.entitlement_id is null or exists (
        select from ticket_entitlement w
        where w.org_id = ${db.orgId} and w.ticket_id = t.id and w.entitlement_id = page.entitlement_id))
    order by t.number desc limit 1`;
  const own = (isHeld: RawBuilder<unknown>) => sql`
    select true from ${accounts} a
    where a.org_id = ${db.orgId} and a.user_id = ${userId} and a.app_id = page.app_id and ${accountExists('a')}
      and a.status <> 'INACTIVE' and ${isHeld} limit 1`;
  const holdsEntry = sql`(
    page.entitlement_id is null or ${holds(sql`${db.orgId}`, sql`a.id`, sql`page.entitlement_id`)})`;
  const rows = await many<StoredEntry>(db)`
    with page as materialized (
      select p.id as app_id, p.name as app_name, p.owner_id, found.entitlement_id, found.kind,
        row_number() over (order by ${ORDER}) as n
      from ${matching(db, filter)} order by ${ORDER} limit ${page.limit} offset ${page.offset}
    )
    select page.kind, page.app_id, page.app_name, page.entitlement_id, e.slug, e.external_id as id,
      coalesce(e.name, '') as name, coalesce(e.description, '') as description, e.risk, ${isFull(db)} as is_full,
      case when page.entitlement_id is null then ${person(db, sql`page.owner_id`)}
        else ${person(db, sql`e.owner_id`)} end as owner,
      coalesce((${own(sql`true`)}), false) as has_account, coalesce((${own(holdsEntry)}), false) as held,
      (select jsonb_build_object('external_uuid', asked.id, 'label', asked.label) from (${pending}) as asked) as pending
    from page left join ${entitlements} e on e.org_id = ${db.orgId} and e.id = page.entitlement_id
    order by page.n`;
  return { ...counted, results: rows };
}

/**
 * Counts how many of these people have each entry, in one statement for the whole page. Keys are those of entryKey
 * (catalog.ts): the app for an account, and the entitlement otherwise.
 */
export async function countHolders(
  db: OrgDb,
  people: string[],
  entries: readonly Pick<StoredEntry, 'app_id' | 'entitlement_id'>[],
): Promise<Map<string, number>> {
  const apps = [...new Set(entries.map(({ app_id }) => app_id))];
  const wanted = entries.flatMap(({ entitlement_id }) => entitlement_id ?? []);
  const rows = await many<{ key: string; n: number }>(db)`
    with theirs as materialized (
      select a.id, a.app_id, a.user_id from ${accounts} a
      where a.org_id = ${db.orgId} and a.user_id = any(${people}::uuid[]) and a.app_id = any(${apps}::uuid[])
        and ${accountExists('a')} and a.status <> 'INACTIVE'
    )
    select app_id as key, count(distinct user_id) as n from theirs group by app_id
    union all
    select m.entitlement_id, count(distinct theirs.user_id)
    from theirs join ${memberships} m on m.org_id = ${db.orgId} and m.account_id = theirs.id
    where m.entitlement_id = any(${wanted}::uuid[])
    group by m.entitlement_id`;
  return new Map(rows.map(({ key, n }) => [key, n]));
}
