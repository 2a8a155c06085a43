import { type RawBuilder, sql } from 'kysely';
import type { AccountStatus } from '../../inventory/account.ts';
import {
  accountExists,
  accounts,
  accountsOfPeople,
  entitlementsByName,
  entitlementsOfAccount,
  lastSeenAt,
} from '../../inventory/facts.ts';
import { personFields } from '../../people/facts.ts';
import type { Profile } from '../../people/person.ts';
import type { Db } from '../../platform/database/open.ts';
import { changedEntitlements, openTasks } from '../../provisioning/facts.ts';
import type { Action } from '../../provisioning/task.ts';

/** A person as conditions see them. */
export type PersonFacts = Profile;

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

export interface AccountFacts {
  id: string;
  app_id: string;
  person_id: string | null;
  external_id: string | null;
  email: string;
  username: string;
  display_name: string;
  status: AccountStatus;
  last_seen_at: Date | null;
  held: Entitlement[];
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

export async function peopleWithin(
  db: Db,
  orgId: string,
  window: Window,
  status: PersonFacts['status'] | null = null,
): Promise<PersonFacts[]> {
  const { rows } = await sql<PersonFacts>`
    select ${personFields('u')}
    from platform_user u
    where u.org_id = ${orgId} and ${isWithin(sql`u.id`, window)} and (${status}::text is null or u.status = ${status})
    order by u.id limit ${limitOf(window)}`.execute(db);
  return rows;
}

/** Returns these apps (null: all) without archived ones. */
export async function appsAmong(db: Db, orgId: string, ids: readonly string[] | null): Promise<AppFacts[]> {
  const slugs = (type: string) => sql`array(
    select r.slug from resource_type r
    where r.org_id = p.org_id and r.clone_group_id = p.clone_group_id and r.type = ${sql.lit(type)} order by r.slug)`;
  const { rows } = await sql<AppFacts>`
    select p.id, p.name, p.owner_id as owner, ${slugs('account')} <> '{}' as takes_accounts,
      ${slugs('group')} as groups, ${slugs('license')} as licenses
    from app p
    where p.org_id = ${orgId} and p.archived_at is null and (${ids}::uuid[] is null or p.id = any(${ids}::uuid[]))
    order by p.id`.execute(db);
  return rows;
}

const account = sql`a.id, a.app_id, a.external_id, a.email, a.username, a.display_name, a.status,
  ${lastSeenAt('a', 'p')} as last_seen_at, ${entitlementsOfAccount('a')} as held`;

/**
 * Returns the accounts of these people in these apps, including those about to be linked. The account that provisioning
 * would use for a person comes first.
 */
export async function accountsOf(
  db: Db,
  orgId: string,
  people: readonly PersonFacts[],
  appIds: readonly string[],
): Promise<AccountFacts[]> {
  const { rows } = await sql<AccountFacts>`
    with owned as materialized (select account_id, person_id from ${accountsOfPeople(orgId, people)} as found)
    select owned.person_id, ${account}
    from owned
    join ${accounts} a on a.org_id = ${orgId} and a.id = owned.account_id and a.app_id = any(${appIds}::uuid[])
    join app p on p.org_id = a.org_id and p.id = a.app_id
    where ${accountExists('a')}
    order by owned.person_id, a.app_id, a.status = 'INACTIVE', a.id desc`.execute(db);
  return rows;
}

/** Returns active and suspended accounts that the external systems know. `orphaned`: only those without a person. */
export async function accountsWithin(
  db: Db,
  orgId: string,
  window: Window,
  appIds: readonly string[],
  orphaned: boolean,
): Promise<AccountFacts[]> {
  const { rows } = await sql<AccountFacts>`
    select a.user_id as person_id, ${account}
    from ${accounts} a join app p on p.org_id = a.org_id and p.id = a.app_id
    where a.org_id = ${orgId} and ${isWithin(sql`a.id`, window)} and a.app_id = any(${appIds}::uuid[])
      and a.removed_at is null and a.external_id is not null and a.status in ('ACTIVE', 'SUSPENDED')
      and ${orphaned ? sql`a.user_id is null` : sql`true`}
    order by a.id limit ${limitOf(window)}`.execute(db);
  return rows;
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
export async function openWorkOn(db: Db, orgId: string, accountIds: readonly string[]): Promise<OpenWork[]> {
  if (accountIds.length === 0) return [];
  const { rows } = await sql<OpenWork>`
    select t.account_id, t.action, t.execute_after,
      case when t.source_type = 'policy' then t.source_id end as policy_id,
      ${changedEntitlements('t', true)} as added, ${changedEntitlements('t', false)} as removed
    from ${openTasks} t
    where t.org_id = ${orgId} and t.account_id = any(${accountIds}::uuid[])
    order by t.number`.execute(db);
  return rows;
}

/** Returns the entitlements that effects name. A grant finds active ones only, a revoke also inactive ones. */
export async function entitlementsNamed(
  db: Db,
  orgId: string,
  refs: readonly { app_id: string; slug: string; id: string; removing: boolean }[],
): Promise<(Entitlement & { app_id: string; removing: boolean })[]> {
  if (refs.length === 0) return [];
  const { rows } = await sql<Entitlement & { app_id: string; removing: boolean }>`
    with named as (
      select * from json_to_recordset(${JSON.stringify(refs)}::json) as g (app_id uuid, slug text, id text, removing boolean))
    select e.app_id, e.entitlement_id, e.type, e.slug, e.id, e.name, named.removing
    from named join ${entitlementsByName(orgId, sql`named`)} as e
      on e.app_id = named.app_id and e.slug = named.slug and e.id = named.id
    where e.active or named.removing
    order by e.slug, e.id`.execute(db);
  return rows;
}
