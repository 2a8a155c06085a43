import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../platform/database/open.ts';
import type { Action } from '../../provisioning/task.ts';

/** A person as conditions see them: the names are those of the API, the id is `id`. */
export interface PersonFacts {
  id: string;
  username: string;
  email: string;
  first_name: string;
  last_name: string;
  identity_type: string;
  domain_type: string;
  manager: string | null;
  status: 'active' | 'deactivated';
  role: string;
  attributes: Record<string, unknown>;
  start_date: string | null;
  end_date: string | null;
}

export interface AppFacts {
  id: string;
  name: string;
  owner: string | null;
  /** Whether it has a resource type of type account, without which nobody can be given one. */
  takes_accounts: boolean;
  /** The slugs of its types. */
  groups: string[];
  licenses: string[];
}

export interface Held {
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
  status: 'NEW' | 'INVITED' | 'ACTIVE' | 'SUSPENDED' | 'INACTIVE';
  last_seen_at: Date | null;
  held: Held[];
}

/** People or accounts, by id: these, or the next ones of all. */
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
    select u.id, u.username, u.email, u.first_name, u.last_name, u.identity_type, u.domain_type,
      u.manager_id as manager, u.status, u.role, u.attributes,
      to_char(u.start_date, 'YYYY-MM-DD') as start_date, to_char(u.end_date, 'YYYY-MM-DD') as end_date
    from platform_user u
    where u.org_id = ${orgId} and ${isWithin(sql`u.id`, window)} and (${status}::text is null or u.status = ${status})
    order by u.id limit ${limitOf(window)}`.execute(db);
  return rows;
}

/** `ids`: these; null: all. Those that are archived are not there. */
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
  case when a.seen_at is not null then greatest(a.seen_at, p.last_synced_at) end as last_seen_at,
  coalesce((
    select jsonb_agg(jsonb_build_object('entitlement_id', e.id, 'type', t.type, 'slug', t.slug, 'id', e.external_id,
      'name', e.name) order by t.slug, e.external_id)
    from membership m
    join entitlement e on e.org_id = m.org_id and e.id = m.entitlement_id
    join resource_type t on t.org_id = e.org_id and t.id = e.resource_type_id
    where m.org_id = a.org_id and m.account_id = a.id), '[]') as held`;

/** Not gone, and not one that never came to be. */
const isThere = sql`a.removed_at is null and (a.status <> 'INACTIVE' or a.external_id is not null)`;

/**
 * The accounts of these people in these apps, linked or about to be, the most alive first: as provisioning finds the
 * account of a person. Emails are looked up one by one, through their index, whatever the planner believes.
 */
export async function accountsOfPeople(
  db: Db,
  orgId: string,
  people: readonly PersonFacts[],
  appIds: readonly string[],
): Promise<AccountFacts[]> {
  const { rows } = await sql<AccountFacts>`
    with owned as materialized (
      select a.id, a.user_id as person_id from account a
      where a.org_id = ${orgId} and a.user_id = any(${people.map(({ id }) => id)}::uuid[])
      union all
      select found.id, u.id
      from unnest(${people.map(({ id }) => id)}::uuid[], ${people.map(({ email }) => email)}::text[]) as u (id, email)
      cross join lateral unnest(array(
        select a.id from account a
        where a.org_id = ${orgId} and lower(a.email) = lower(u.email)
          and a.user_id is null and not a.user_linked_by_hand and a.email <> '')) as found (id)
    )
    select owned.person_id, ${account}
    from owned
    join account a on a.org_id = ${orgId} and a.id = owned.id and a.app_id = any(${appIds}::uuid[])
    join app p on p.org_id = a.org_id and p.id = a.app_id
    where ${isThere}
    order by owned.person_id, a.app_id, a.status = 'INACTIVE', a.id desc`.execute(db);
  return rows;
}

/** Accounts that the external systems know and let in. `nobodys`: only those without a person. */
export async function accountsWithin(
  db: Db,
  orgId: string,
  window: Window,
  appIds: readonly string[],
  nobodys: boolean,
): Promise<AccountFacts[]> {
  const { rows } = await sql<AccountFacts>`
    select a.user_id as person_id, ${account}
    from account a join app p on p.org_id = a.org_id and p.id = a.app_id
    where a.org_id = ${orgId} and ${isWithin(sql`a.id`, window)} and a.app_id = any(${appIds}::uuid[])
      and a.removed_at is null and a.external_id is not null and a.status in ('ACTIVE', 'SUSPENDED')
      and ${nobodys ? sql`a.user_id is null` : sql`true`}
    order by a.id limit ${limitOf(window)}`.execute(db);
  return rows;
}

export interface OpenWork {
  account_id: string;
  action: Action;
  execute_after: Date;
  /** The policy that made it, if one did. */
  policy_id: string | null;
  added: string[];
  removed: string[];
}

/** What is still to be done on these accounts, in order of creation. */
export async function openWorkOn(db: Db, orgId: string, accountIds: readonly string[]): Promise<OpenWork[]> {
  if (accountIds.length === 0) return [];
  const changes = (added: boolean) => sql`array(
    select c.entitlement_id::text from task_change c
    where c.org_id = t.org_id and c.task_id = t.id and c.added = ${sql.lit(added)})`;
  const { rows } = await sql<OpenWork>`
    select t.account_id, t.action, t.execute_after,
      case when t.source_type = 'policy' then t.source_id end as policy_id,
      ${changes(true)} as added, ${changes(false)} as removed
    from task t
    where t.org_id = ${orgId} and t.account_id = any(${accountIds}::uuid[]) and t.status in ('scheduled', 'pending')
    order by t.number`.execute(db);
  return rows;
}

/** Of what effects name, what there is: of a grant what is active, of a revoke what there ever was. */
export async function entitlementsNamed(
  db: Db,
  orgId: string,
  refs: readonly { app_id: string; slug: string; id: string; removing: boolean }[],
): Promise<(Held & { app_id: string; removing: boolean })[]> {
  if (refs.length === 0) return [];
  const { rows } = await sql<Held & { app_id: string; removing: boolean }>`
    select e.app_id, e.id as entitlement_id, r.type, r.slug, e.external_id as id, e.name, g.removing
    from json_to_recordset(${JSON.stringify(refs)}::json) as g (app_id uuid, slug text, id text, removing boolean)
    join app p on p.org_id = ${orgId} and p.id = g.app_id
    join resource_type r on r.org_id = p.org_id and r.clone_group_id = p.clone_group_id and r.slug = g.slug
      and r.type in ('group', 'license')
    join entitlement e on e.org_id = p.org_id and e.app_id = p.id and e.resource_type_id = r.id
      and e.external_id = g.id and (e.active or g.removing)
    order by r.slug, e.external_id`.execute(db);
  return rows;
}
