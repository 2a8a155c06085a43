import { type RawBuilder, sql } from 'kysely';
import { personWithEmail } from '../inventory/links.ts';
import type { Db, Tx } from '../platform/database/open.ts';

/**
 * The statements of a publication, in the order in which publish.ts runs them. They hand their results on through
 * temporary tables of the transaction: what was staged, what changed, what is to go.
 */

export interface Scope {
  orgId: string;
  appId: string;
  sessionId: string;
}

const run = async (tx: Tx, statement: RawBuilder<unknown>): Promise<number> =>
  Number((await statement.execute(tx)).numAffectedRows ?? 0);

/** Parses the session's pages. Of an id that was pushed more than once, the last page is the truth (D17). */
export async function readStaged(tx: Tx, { orgId, sessionId }: Scope): Promise<void> {
  await sql`set local work_mem = '64MB'`.execute(tx);
  // A rough picture of a temporary table is enough to plan by, and ten times cheaper.
  await sql`set local default_statistics_target = 10`.execute(tx);
  await sql`
    create temp table staged_account on commit drop as
    select distinct on (p.resource_type_id, external_id)
      p.resource_type_id, r.id collate "C" as external_id, coalesce(r.email, '') as email,
      coalesce(r.username, '') as username, coalesce(r.first_name, '') as first_name,
      coalesce(r.last_name, '') as last_name, coalesce(r.display_name, '') as display_name, r.status,
      p.number as page, r.place::integer as place
    from sync_page p
    join resource_type t on t.org_id = p.org_id and t.id = p.resource_type_id and t.type = 'account'
    cross join lateral rows from (json_to_recordset(p.records::json) as (
      id text, email text, username text, first_name text, last_name text, display_name text, status text)
    ) with ordinality as r (id, email, username, first_name, last_name, display_name, status, place)
    where p.org_id = ${orgId} and p.session_id = ${sessionId}
    order by p.resource_type_id, external_id, p.number desc`.execute(tx);
  await sql`analyze staged_account`.execute(tx);
  await sql`
    create temp table staged_ref on commit drop as
    select p.number as page, f.place, t.id as resource_type_id, f.id collate "C" as external_id, f.name
    from sync_page p
    join resource_type own on own.org_id = p.org_id and own.id = p.resource_type_id
    cross join lateral unnest(p.ref_records, p.ref_types, p.ref_ids, p.ref_names) as f (place, type, id, name)
    join resource_type t on t.org_id = p.org_id and t.clone_group_id = own.clone_group_id and t.slug = f.type
    where p.org_id = ${orgId} and p.session_id = ${sessionId}`.execute(tx);
  await sql`analyze staged_ref`.execute(tx);
  await sql`
    delete from staged_ref r
    where not exists (select from staged_account s where s.page = r.page and s.place = r.place)`.execute(tx);
  await sql`
    create temp table staged_entitlement on commit drop as
    select distinct on (resource_type_id, external_id) * from (
      select p.resource_type_id, r.id collate "C" as external_id, r.name, coalesce(r.description, '') as description,
        r.max_count, r.used_count, r.is_paid, r.is_unlimited, true as pushed, p.number
      from sync_page p
      join resource_type t on t.org_id = p.org_id and t.id = p.resource_type_id and t.type <> 'account'
      cross join lateral json_to_recordset(p.records::json) as r (
        id text, name text, description text, max_count bigint, used_count bigint, is_paid boolean, is_unlimited boolean)
      where p.org_id = ${orgId} and p.session_id = ${sessionId}
      union all
      select resource_type_id, external_id, coalesce(max(name), ''), '', null, null, null, null, false, 0
      from staged_ref group by resource_type_id, external_id
    ) as found
    order by resource_type_id, external_id, pushed desc, number desc`.execute(tx);
  await sql`analyze staged_entitlement`.execute(tx);
  await sql`create temp table account_change (account_id uuid, old_status text, new_status text) on commit drop`.execute(
    tx,
  );
}

const entitlementOf = (scope: Scope) => sql`
  e.org_id = ${scope.orgId} and e.app_id = ${scope.appId}
  and e.resource_type_id = s.resource_type_id and e.external_id = s.external_id`;

const accountOf = (scope: Scope) => sql`
  a.org_id = ${scope.orgId} and a.app_id = ${scope.appId}
  and a.resource_type_id = s.resource_type_id and a.external_id = s.external_id`;

/** A stub that was only referenced tells nothing about the record, except a name where we had none (D18). */
export const updateEntitlements = (tx: Tx, scope: Scope) =>
  run(
    tx,
    sql`
    update entitlement e set active = true, updated_at = now(),
      name = case when s.pushed or e.name = '' then s.name else e.name end,
      description = case when s.pushed then s.description else e.description end,
      max_count = case when s.pushed then s.max_count else e.max_count end,
      used_count = case when s.pushed then s.used_count else e.used_count end,
      is_paid = case when s.pushed then s.is_paid else e.is_paid end,
      is_unlimited = case when s.pushed then s.is_unlimited else e.is_unlimited end
    from staged_entitlement s
    where ${entitlementOf(scope)} and (
      not e.active
      or (not s.pushed and e.name = '' and s.name <> '')
      or (s.pushed and (e.name, e.description, e.max_count, e.used_count, e.is_paid, e.is_unlimited)
        is distinct from (s.name, s.description, s.max_count, s.used_count, s.is_paid, s.is_unlimited)))`,
  );

export const insertEntitlements = (tx: Tx, scope: Scope) =>
  run(
    tx,
    sql`
    insert into entitlement (org_id, app_id, resource_type_id, external_id, name, description,
      max_count, used_count, is_paid, is_unlimited)
    select ${scope.orgId}, ${scope.appId}, s.resource_type_id, s.external_id, s.name, s.description,
      s.max_count, s.used_count, s.is_paid, s.is_unlimited
    from staged_entitlement s
    where not exists (select from entitlement e where ${entitlementOf(scope)})`,
  );

/** Whether any account of the app still waits for the external system's own id (D24). */
export async function hasAwaited(tx: Tx, { orgId, appId }: Scope): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (
      select from account where org_id = ${orgId} and app_id = ${appId} and status in ('NEW', 'INVITED') and external_id is null
    ) as found`.execute(tx);
  return rows[0]?.found ?? false;
}

/**
 * Gives awaited accounts the ids under which they were pushed (D24): by email where that finds one, else by
 * username. Where two accounts or two records could be meant, none is taken.
 */
export const adoptAwaited = (tx: Tx, scope: Scope) =>
  run(
    tx,
    sql`
    with unknown as (
      select s.* from staged_account s where not exists (select from account a where ${accountOf(scope)})
    ), awaited as (
      select id, lower(email) as email, lower(username) as username from account
      where org_id = ${scope.orgId} and app_id = ${scope.appId} and status in ('NEW', 'INVITED') and external_id is null
    ), by_email as (
      select u.resource_type_id, u.external_id, w.id as account_id
      from unknown u join awaited w on w.email = lower(u.email) and u.email <> ''
    ), by_username as (
      select u.resource_type_id, u.external_id, w.id as account_id
      from unknown u join awaited w on w.username = lower(u.username) and u.username <> ''
      where not exists (
        select from by_email b where b.resource_type_id = u.resource_type_id and b.external_id = u.external_id)
    ), claim as (
      select *, count(*) over (partition by resource_type_id, external_id) as candidates,
        count(*) over (partition by account_id) as claimants
      from (select * from by_email union all select * from by_username) as claims
    )
    update account a set external_id = c.external_id, resource_type_id = c.resource_type_id
    from claim c
    where a.org_id = ${scope.orgId} and a.id = c.account_id and c.candidates = 1 and c.claimants = 1`,
  );

export const updateAccounts = (tx: Tx, scope: Scope) =>
  run(
    tx,
    sql`
    with changed as (
      update account a set email = s.email, username = s.username, first_name = s.first_name, last_name = s.last_name,
        display_name = s.display_name, status = s.status, removed_at = null, tasked_at = null,
        seen_at = now(), updated_at = now()
      from staged_account s
      where ${accountOf(scope)} and (
        (a.email, a.username, a.first_name, a.last_name, a.display_name, a.status)
          is distinct from (s.email, s.username, s.first_name, s.last_name, s.display_name, s.status)
        or a.removed_at is not null or a.tasked_at is not null)
      returning a.id, old.status as old_status, new.status as new_status
    )
    insert into account_change select id, old_status, new_status from changed`,
  );

export const insertAccounts = (tx: Tx, scope: Scope) =>
  run(
    tx,
    sql`
    with added as (
      insert into account (org_id, app_id, resource_type_id, external_id, email, username, first_name, last_name,
        display_name, status, seen_at, user_id)
      select ${scope.orgId}, ${scope.appId}, s.resource_type_id, s.external_id, s.email, s.username, s.first_name,
        s.last_name, s.display_name, s.status, now(), ${personWithEmail(scope.orgId, sql`lower(s.email)`)}
      from staged_account s
      where not exists (select from account a where ${accountOf(scope)})
      returning id, status
    )
    insert into account_change select id, null, status from added`,
  );

/** From here on a staged reference is a pair of our own ids. */
export async function resolveMemberships(tx: Tx, scope: Scope): Promise<void> {
  await sql`
    create temp table pushed_account on commit drop as
    select a.id as account_id, s.page, s.place from staged_account s join account a on ${accountOf(scope)}`.execute(
    tx,
  );
  await sql`
    create temp table staged_membership on commit drop as
    select p.account_id, e.id as entitlement_id
    from staged_ref s
    join pushed_account p on p.page = s.page and p.place = s.place
    join entitlement e on ${entitlementOf(scope)}`.execute(tx);
  await sql`analyze pushed_account, staged_membership`.execute(tx);
}

export async function insertMemberships(tx: Tx, { orgId }: Scope): Promise<number> {
  await sql`create temp table added_membership (account_id uuid, entitlement_id uuid) on commit drop`.execute(
    tx,
  );
  return run(
    tx,
    sql`
    with added as (
      insert into membership (org_id, account_id, entitlement_id)
      select ${orgId}, s.account_id, s.entitlement_id from staged_membership s
      where not exists (
        select from membership m
        where m.org_id = ${orgId} and m.account_id = s.account_id and m.entitlement_id = s.entitlement_id)
      returning account_id, entitlement_id
    )
    insert into added_membership select * from added`,
  );
}

/** What a task brought about and a sync has now seen is known like any other (D16). */
export const acknowledgeMemberships = (tx: Tx, { orgId }: Scope) =>
  run(
    tx,
    sql`
    update membership m set tasked_at = null from staged_membership s
    where m.org_id = ${orgId} and m.tasked_at is not null
      and m.account_id = s.account_id and m.entitlement_id = s.entitlement_id`,
  );

/** A membership that its pushed account no longer has, if it was known when the session started (D16, D17). */
export async function findDropped(tx: Tx, { orgId, sessionId }: Scope): Promise<number> {
  await sql`
    create temp table dropped_membership on commit drop as
    select m.account_id, m.entitlement_id
    from pushed_account p
    join membership m on m.org_id = ${orgId} and m.account_id = p.account_id
    where (m.tasked_at is null or m.tasked_at <= (
        select started_at from sync_session where org_id = ${orgId} and id = ${sessionId}))
      and not exists (
        select from staged_membership s where s.account_id = m.account_id and s.entitlement_id = m.entitlement_id)`.execute(
    tx,
  );
  const { rows } = await sql<{ n: number }>`select count(*) as n from dropped_membership`.execute(tx);
  return rows[0]?.n ?? 0;
}

export const deleteDropped = (tx: Tx, { orgId }: Scope) =>
  run(
    tx,
    sql`
    delete from membership m using dropped_membership d
    where m.org_id = ${orgId} and m.account_id = d.account_id and m.entitlement_id = d.entitlement_id`,
  );

/**
 * Freezes what a completed session makes stale (contract 3.1, D16, D17): accounts and entitlements that were
 * neither pushed nor referenced, unless a task brought them about after the session started. NEW accounts are left
 * alone, and so are those that never came to be.
 */
export async function planRemoval(
  tx: Tx,
  { orgId, appId, sessionId }: Scope,
): Promise<{ accounts: number; entitlements: number }> {
  const known = sql`(select started_at from sync_session where org_id = ${orgId} and id = ${sessionId})`;
  const accounts = await run(
    tx,
    sql`
    insert into sync_removal (org_id, session_id, account_id)
    select ${orgId}, ${sessionId}, a.id from account a
    where a.org_id = ${orgId} and a.app_id = ${appId} and a.removed_at is null
      and a.status <> 'NEW' and (a.external_id is not null or a.status <> 'INACTIVE')
      and (a.tasked_at is null or a.tasked_at <= ${known})
      and not exists (select from pushed_account p where p.account_id = a.id)`,
  );
  const entitlements = await run(
    tx,
    sql`
    insert into sync_removal (org_id, session_id, entitlement_id)
    select ${orgId}, ${sessionId}, e.id from entitlement e
    where e.org_id = ${orgId} and e.app_id = ${appId} and e.active
      and not exists (select from staged_entitlement s where ${entitlementOf({ orgId, appId, sessionId })})
      and not exists (
        select from membership m
        where m.org_id = ${orgId} and m.entitlement_id = e.id and m.tasked_at > ${known})`,
  );
  return { accounts, entitlements };
}

/** A completion that is held keeps the memberships that its accounts no longer have in its plan (D24a). */
export const planDropped = (tx: Tx, { orgId, sessionId }: Scope) =>
  run(
    tx,
    sql`
    insert into sync_removal (org_id, session_id, account_id, entitlement_id)
    select ${orgId}, ${sessionId}, account_id, entitlement_id from dropped_membership`,
  );

/** What was pushed now is not stale, whatever an earlier session that is held, or just approved, had planned. */
export async function takeOutOfOtherPlans(tx: Tx, { orgId, appId, sessionId }: Scope): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    select id from sync_session
    where org_id = ${orgId} and app_id = ${appId} and status = 'completing' and id <> ${sessionId}`.execute(
    tx,
  );
  for (const { id } of rows) {
    await sql`
      delete from sync_removal r where r.org_id = ${orgId} and r.session_id = ${id} and (
        (r.entitlement_id is null and exists (select from pushed_account p where p.account_id = r.account_id))
        or (r.account_id is null and exists (
          select from entitlement e join staged_entitlement s on ${entitlementOf({ orgId, appId, sessionId })}
          where e.id = r.entitlement_id))
        or exists (
          select from staged_membership s where s.account_id = r.account_id and s.entitlement_id = r.entitlement_id))`.execute(
      tx,
    );
  }
}

/** Accounts with access, as the guard counts them (D24a). */
export async function activeAccounts(tx: Tx, { orgId, appId }: Scope): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select coalesce(sum(n), 0)::bigint as n from account_count
    where org_id = ${orgId} and app_id = ${appId} and status in ('INVITED', 'ACTIVE', 'SUSPENDED')`.execute(
    tx,
  );
  return rows[0]?.n ?? 0;
}

/** What the plan would end: accounts that are active now, and memberships, dropped ones and those of stale records. */
export async function plannedLosses(
  tx: Tx,
  { orgId, sessionId }: Scope,
): Promise<{ accounts: number; memberships: number }> {
  const { rows } = await sql<{ accounts: number; memberships: number }>`
    select
      (select count(*) from sync_removal r join account a on a.org_id = r.org_id and a.id = r.account_id
        where r.org_id = ${orgId} and r.session_id = ${sessionId} and r.entitlement_id is null
          and a.status in ('INVITED', 'ACTIVE', 'SUSPENDED')) as accounts,
      (select count(*) from dropped_membership)
      + (select count(*) from sync_removal r join membership m on m.org_id = r.org_id and m.account_id = r.account_id
        where r.org_id = ${orgId} and r.session_id = ${sessionId} and r.entitlement_id is null) as memberships`.execute(
    tx,
  );
  return rows[0] as { accounts: number; memberships: number };
}

/** The memberships that the app had before this publication added any. */
export async function membershipsBefore(tx: Tx, { orgId, appId }: Scope): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select (select count(*) from account a join membership m on m.org_id = a.org_id and m.account_id = a.id
        where a.org_id = ${orgId} and a.app_id = ${appId})
      - (select count(*) from added_membership) as n`.execute(tx);
  return rows[0]?.n ?? 0;
}

export interface PublishedCounts {
  accounts: number;
  entitlements: number;
}

/** How many different records the session holds. */
export async function stagedCounts(tx: Tx): Promise<PublishedCounts> {
  const { rows } = await sql<PublishedCounts>`
    select (select count(*) from staged_account) as accounts, (select count(*) from staged_entitlement) as entitlements`.execute(
    tx,
  );
  return rows[0] as PublishedCounts;
}

/** A publication that adds fewer accounts leaves the planner's picture of the tables as good as it was. */
const LARGE = 1000;

/**
 * Tells the planner what a large publication has made of the tables: until it knows, it would look pushed ids up
 * through the wrong index. Autovacuum does the same a minute later, where there is one; PGlite has none.
 */
export async function refreshStatistics(db: Db, created: number): Promise<void> {
  if (created >= LARGE) await sql`analyze account, entitlement, membership`.execute(db);
}
