import { isBackAsAnother, type PersonName, personFields } from '#directory/people/facts.ts';
import type { Profile } from '#directory/people/person.ts';
import type { AccountStatus } from '#inventory/records/accounts/account.ts';
import { type AccountDetails, shownDetail } from '#inventory/records/accounts/detail-facts.ts';
import {
  accountDetails,
  accountExists,
  accounts,
  accountsOfPeople,
  entitlementIdsOfAccount,
  entitlements,
  entitlementsByName,
  lastSeenAt,
} from '#inventory/records/accounts/facts.ts';
import type { Org, OrgDb } from '#kit/database.ts';
import { many, type RawBuilder, sql } from '#kit/sql.ts';
import { changedEntitlements, openTasks, tasks } from '#work/provisioning/facts.ts';
import type { Action } from '#work/provisioning/task.ts';
import { CEL_DETAILS, type CelDetail } from '../../../../../protocol/src/records.ts';

/** A person as the condition sees them: the fields that it reads. */
export type PersonFacts = PersonName &
  Pick<Profile, 'status'> &
  Partial<Profile> & {
    /** Whether they came back under another id of their provider, and have not left since (D63). */
    is_back_as_another?: boolean;
  };

/** The fields of people and accounts to load, in addition to those that are always needed. */
export interface Wanted {
  person: readonly string[];
  account: readonly string[];
  /** Whether to load the groups and licenses of accounts. */
  held: boolean;
}

export interface AppFacts {
  id: string;
  name: string;
  owner: string | null;
  /** Whether it has a resource type of type account, so that accounts can be created. */
  takes_accounts: boolean;
  /** The slugs of its group and license types. */
  groups: string[];
  licenses: string[];
}

export interface Entitlement {
  entitlement_id: string;
  type: 'group' | 'license';
  slug: string;
  id: string;
  name: string;
}

/** An account with the fields that the condition reads. */
export interface AccountFacts extends Partial<Pick<AccountDetails, CelDetail>> {
  id: string;
  app_id: string;
  person_id: string | null;
  email: string;
  status: AccountStatus;
  external_id?: string | null;
  username?: string;
  display_name?: string;
  last_seen_at?: Date | null;
  /** Full days since the last sign-in, or null. */
  days_since_sign_in?: number | null;
  /** Whether it ever had a task. */
  has_tasks: boolean;
  /** Empty if not wanted. */
  held: Entitlement[];
  /** The ids of `held`, with commas. */
  held_ids?: string | null;
}

/** People or accounts by id: these, or the next ones of all. */
export type Window = { ids: readonly string[] } | { after: string | null; limit: number };

const isWithin = (id: RawBuilder<unknown>, window: Window) =>
  'ids' in window
    ? sql`${id} = any(${window.ids}::uuid[])`
    : window.after === null
      ? sql`true`
      : sql`${id} > ${window.after}`;
const limitOf = (window: Window) => ('ids' in window ? null : window.limit);

/** People who were merged into another person are left out: that they are deactivated does not mean that anybody left. */
export async function peopleWithin(
  db: OrgDb,
  window: Window,
  fields: readonly string[],
  {
    status = null,
    holds,
  }: { status?: PersonFacts['status'] | null; holds?: RawBuilder<boolean> | undefined } = {},
): Promise<PersonFacts[]> {
  // Only people who triggered a policy can have returned.
  const returned = 'ids' in window ? sql`, ${isBackAsAnother(db, 'u')} as is_back_as_another` : sql``;
  const stillHolds = 'ids' in window && holds !== undefined ? holds : sql`true`;
  return many<PersonFacts>(db)`
    select ${personFields('u', db, fields)}${returned}
    from platform_user u
    where u.org_id = ${db.orgId} and ${isWithin(sql`u.id`, window)} and (${status}::text is null or u.status = ${status})
      and u.merged_into is null and ${stillHolds}
    order by u.id limit ${limitOf(window)}`;
}

/** Returns these apps (null: all) without archived ones. */
export async function appsAmong(db: OrgDb, ids: readonly string[] | null): Promise<AppFacts[]> {
  const slugs = (type: string) => sql`array(
    select r.slug from resource_type r
    where r.org_id = ${db.orgId} and r.clone_group_id = p.clone_group_id and r.type = ${sql.lit(type)} order by r.slug)`;
  return many<AppFacts>(db)`
    select p.id, p.name, p.owner_id as owner, ${slugs('account')} <> '{}' as takes_accounts,
      ${slugs('group')} as groups, ${slugs('license')} as licenses
    from app p
    where p.org_id = ${db.orgId} and p.archived_at is null and (${ids}::uuid[] is null or p.id = any(${ids}::uuid[]))
    order by p.id`;
}

const detail = (org: Org, value: RawBuilder<unknown>) => sql`(
  select ${value} from ${accountDetails} d where d.org_id = ${org.orgId} and d.account_id = a.id)`;

const accountColumns = (org: Org): Record<string, RawBuilder<unknown>> => ({
  external_id: sql`a.external_id`,
  username: sql`a.username`,
  display_name: sql`a.display_name`,
  last_seen_at: sql`${lastSeenAt('a', 'p')} as last_seen_at`,
  days_since_sign_in: sql`${detail(
    org,
    sql`floor(extract(epoch from clock_now() - d.last_sign_in_at) / 86400)::integer`,
  )} as days_since_sign_in`,
  ...Object.fromEntries(
    CEL_DETAILS.map((column) => [
      column,
      sql`${shownDetail(column, detail(org, sql.ref(`d.${column}`)))} as ${sql.ref(column)}`,
    ]),
  ),
});

/** The columns of accounts that these fields are read from, in addition to those that are always needed. */
const SOURCES: Record<string, readonly string[]> = {
  external_id: ['external_id'],
  username: ['username'],
  display_name: ['display_name'],
  last_seen_at: ['removed_at', 'seen_at', 'unseen'],
};

const account = (org: Org, { account: fields, held }: Wanted, hasTasks: RawBuilder<unknown>) => {
  const columns = accountColumns(org);
  return sql.join([
    sql`a.id, a.app_id, a.email, a.status, ${hasTasks} as has_tasks`,
    ...fields.flatMap((field) => columns[field] ?? []),
    ...(held ? [sql`${entitlementIdsOfAccount(org, 'a')} as held_ids`] : []),
  ]);
};

type AccountRow = Omit<AccountFacts, 'held'>;

/** Adds the groups and licenses to accounts. Names each entitlement once, because many accounts hold the same ones. */
async function withHeld(db: OrgDb, rows: AccountRow[]): Promise<AccountFacts[]> {
  const held = rows.map(({ held_ids }) => held_ids?.split(',') ?? []);
  const named = await entitlementsById(db, [...new Set(held.flat())]);
  // Copies of so many rows would cost as much as reading them.
  return rows.map((row, i) =>
    Object.assign(row, { held: (held[i] ?? []).flatMap((id) => named.get(id) ?? []).sort(bySlugAndId) }),
  );
}

const bySlugAndId = (one: Entitlement, other: Entitlement) =>
  one.slug < other.slug || (one.slug === other.slug && one.id < other.id) ? -1 : 1;

async function entitlementsById(db: OrgDb, ids: string[]): Promise<Map<string, Entitlement>> {
  if (ids.length === 0) return new Map();
  const rows = await many<Entitlement>(db)`
    select e.id as entitlement_id, e.type, e.slug, e.external_id as id, e.name from ${entitlements} e
    where e.org_id = ${db.orgId} and e.id = any(${ids}::uuid[])`;
  return new Map(rows.map((one) => [one.entitlement_id, one]));
}

/**
 * Returns the accounts of these people in these apps, including those about to be linked. The account that provisioning
 * would use for a person comes first.
 */
export async function accountsOf(
  db: OrgDb,
  people: readonly PersonFacts[],
  appIds: readonly string[],
  wanted: Wanted,
): Promise<AccountFacts[]> {
  const sources = wanted.account.flatMap((field) => SOURCES[field] ?? []);
  const columns = sql.join(
    ['person_id', 'id', 'app_id', 'email', 'status', ...sources].map((name) => sql.ref(name)),
  );
  const rows = await many<AccountRow>(db)`
    with a as materialized (
      select ${columns} from ${accountsOfPeople(db, people)} found
      where found.app_id = any(${appIds}::uuid[]) and ${accountExists('found')}
    ),
    tasked as materialized (
      select distinct t.account_id from ${tasks} t
      where t.org_id = ${db.orgId} and t.account_id = any(array(select a.id from a))
    )
    select a.person_id, ${account(db, wanted, sql`a.id in (select account_id from tasked)`)}
    from a join app p on p.org_id = ${db.orgId} and p.id = a.app_id
    order by a.person_id, a.app_id, a.status = 'INACTIVE', a.id desc`;
  return withHeld(db, rows);
}

/** Returns active and suspended accounts that the external systems know. `orphaned`: only those without a person. */
export async function accountsWithin(
  db: OrgDb,
  window: Window,
  appIds: readonly string[],
  orphaned: boolean,
  wanted: Wanted,
): Promise<AccountFacts[]> {
  const hasTasks = sql`exists (select from ${tasks} t where t.org_id = ${db.orgId} and t.account_id = a.id)`;
  const rows = await many<AccountRow>(db)`
    select a.user_id as person_id, ${account(db, wanted, hasTasks)}
    from ${accounts} a join app p on p.org_id = a.org_id and p.id = a.app_id
    where a.org_id = ${db.orgId} and ${isWithin(sql`a.id`, window)} and a.app_id = any(${appIds}::uuid[])
      and a.removed_at is null and a.external_id is not null and a.status in ('ACTIVE', 'SUSPENDED')
      and ${orphaned ? sql`a.user_id is null` : sql`true`}
    order by a.id limit ${limitOf(window)}`;
  return withHeld(db, rows);
}

export interface OpenWork {
  account_id: string;
  action: Action;
  execute_after: Date;
  /** The policy that created the task. Null for another source. */
  policy_id: string | null;
  added: string[];
  removed: string[];
}

/** Returns the open tasks of these accounts, oldest first. */
export async function openWorkOn(db: OrgDb, accountIds: readonly string[]): Promise<OpenWork[]> {
  if (accountIds.length === 0) return [];
  return many<OpenWork>(db)`
    select t.account_id, t.action, t.execute_after,
      case when t.source_type = 'policy' then t.source_id end as policy_id,
      ${changedEntitlements(db, 't', true)} as added, ${changedEntitlements(db, 't', false)} as removed
    from ${openTasks} t
    where t.org_id = ${db.orgId} and t.account_id = any(${accountIds}::uuid[])
    order by t.number`;
}

/** Returns the entitlements that effects name. A grant finds active ones only, a revoke also inactive ones. */
export async function entitlementsNamed(
  db: OrgDb,
  refs: readonly { app_id: string; slug: string; id: string; removing: boolean }[],
): Promise<(Entitlement & { app_id: string; removing: boolean })[]> {
  if (refs.length === 0) return [];
  return many<Entitlement & { app_id: string; removing: boolean }>(db)`
    with named as (
      select * from json_to_recordset(${JSON.stringify(refs)}::json) as g (app_id uuid, slug text, id text, removing boolean))
    select e.app_id, e.entitlement_id, e.type, e.slug, e.id, e.name, named.removing
    from named join ${entitlementsByName(db, sql`named`)} as e
      on e.app_id = named.app_id and e.slug = named.slug and e.id = named.id
    where e.active or named.removing
    order by e.slug, e.id`;
}
