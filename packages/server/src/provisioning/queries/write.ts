import { sql } from 'kysely';
import type { Db, Tx } from '../../platform/database/open.ts';
import type { Action, Precondition, TaskError, TaskStatus, TaskType } from '../task.ts';

/** Keeps the apps from being published into or archived until `tx` ends. Answers those that there are. */
export async function holdApps(tx: Tx, orgId: string, appIds: string[]): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    select id from app where org_id = ${orgId} and id = any(${appIds}::uuid[]) and archived_at is null
    order by id for share`.execute(tx);
  return new Set(rows.map(({ id }) => id));
}

/** One at a time decides about the account of a person in an app. */
export async function lockPerson(tx: Tx, orgId: string, appId: string, userId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`account-of:${orgId}:${appId}:${userId}`}, 0))`.execute(
    tx,
  );
}

export interface Person {
  id: string;
  email: string;
  username: string;
  first_name: string;
  last_name: string;
}

export async function findPerson(db: Db, orgId: string, userId: string): Promise<Person | undefined> {
  const { rows } = await sql<Person>`
    select id, email, username, first_name, last_name from platform_user
    where org_id = ${orgId} and id = ${userId}`.execute(db);
  return rows[0];
}

/** The app's account types in the order of their registration; of these the one with `slug`, where one is given. */
export async function accountType(
  db: Db,
  orgId: string,
  appId: string,
  slug: string | null,
): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    select r.id from app p
    join resource_type r on r.org_id = p.org_id and r.clone_group_id = p.clone_group_id and r.type = 'account'
    where p.org_id = ${orgId} and p.id = ${appId} and (${slug}::text is null or r.slug = ${slug})
    order by r.created_at, r.id limit 1`.execute(db);
  return rows[0]?.id;
}

export interface AccountState {
  id: string;
  app_id: string;
  status: 'NEW' | 'INVITED' | 'ACTIVE' | 'SUSPENDED' | 'INACTIVE';
  external_id: string | null;
  removed_at: Date | null;
}

/** The accounts of a person in an app, the most alive first. */
export async function accountsOfPerson(
  db: Db,
  orgId: string,
  appId: string,
  person: Person,
): Promise<AccountState[]> {
  const { rows } = await sql<AccountState>`
    select id, app_id, status, external_id, removed_at from account
    where org_id = ${orgId} and app_id = ${appId} and (user_id = ${person.id}
      or (user_id is null and not user_linked_by_hand and email <> '' and lower(email) = lower(${person.email})))
    order by status = 'INACTIVE', removed_at is not null, id desc`.execute(db);
  return rows;
}

export async function insertAccount(
  tx: Tx,
  orgId: string,
  appId: string,
  resourceTypeId: string,
  person: Person,
): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    insert into account (org_id, app_id, resource_type_id, user_id, email, username, first_name, last_name, status)
    values (${orgId}, ${appId}, ${resourceTypeId}, ${person.id}, ${person.email}, ${person.username}, ${person.first_name},
      ${person.last_name}, 'NEW')
    returning id`.execute(tx);
  return rows[0]?.id as string;
}

/**
 * An account that never came to be, or is gone, begins again (D25). What was removed may come back under another
 * id, so that its old one is forgotten and a sync recognises it (D24).
 */
export async function reviveAccount(tx: Tx, orgId: string, accountId: string, person: Person): Promise<void> {
  await sql`
    update account set status = 'NEW', user_id = ${person.id}, email = ${person.email}, username = ${person.username},
      first_name = ${person.first_name}, last_name = ${person.last_name}, updated_at = clock_timestamp(),
      external_id = case when removed_at is null then external_id end, removed_at = null, tasked_at = null
    where org_id = ${orgId} and id = ${accountId}`.execute(tx);
}

/** Locked until `tx` ends, in the one order that all take. */
export async function lockAccounts(tx: Tx, orgId: string, accountIds: string[]): Promise<AccountState[]> {
  const { rows } = await sql<AccountState>`
    select id, app_id, status, external_id, removed_at from account
    where org_id = ${orgId} and id = any(${accountIds}::uuid[]) order by id for no key update`.execute(tx);
  return rows;
}

export interface TaskRow {
  app_id: string;
  account_id: string;
  action: Action;
  /** Null: now. */
  execute_after: string | null;
  task_type: TaskType;
  source_type: string | null;
  source_id: string | null;
  created_by: string | null;
  reason: string | null;
  preconditions: Precondition[];
  retry_of: string | null;
  attempt: number;
}

/** Answers the ids in the order of `rows`. */
export async function insertTasks(tx: Tx, orgId: string, rows: TaskRow[]): Promise<string[]> {
  const { rows: inserted } = await sql<{ id: string }>`
    insert into task (org_id, app_id, account_id, action, execute_after, task_type, source_type, source_id, created_by,
      reason, preconditions, retry_of, attempt)
    select ${orgId}, g.app_id, g.account_id, g.action, coalesce(g.execute_after, clock_timestamp()), g.task_type,
      g.source_type, g.source_id, g.created_by, g.reason, g.preconditions, g.retry_of, g.attempt
    from rows from (jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as (
      app_id uuid, account_id uuid, action text, execute_after timestamptz, task_type text, source_type text,
      source_id uuid, created_by uuid, reason text, preconditions jsonb, retry_of uuid, attempt integer
    )) with ordinality as g (app_id, account_id, action, execute_after, task_type, source_type, source_id, created_by,
      reason, preconditions, retry_of, attempt, i)
    order by g.i
    returning id`.execute(tx);
  return inserted.map(({ id }) => id);
}

export interface ChangeRow {
  task_id: string;
  entitlement_id: string;
  added: boolean;
}

/** Answers how many were stored: an entitlement of another app is not. */
export async function insertChanges(tx: Tx, orgId: string, rows: ChangeRow[]): Promise<number> {
  if (rows.length === 0) return 0;
  const { numAffectedRows } = await sql`
    insert into task_change (org_id, task_id, entitlement_id, added)
    select ${orgId}, t.id, e.id, c.added
    from unnest(${rows.map((row) => row.task_id)}::uuid[], ${rows.map((row) => row.entitlement_id)}::uuid[],
      ${rows.map((row) => row.added)}::boolean[]) as c (task_id, entitlement_id, added)
    join task t on t.org_id = ${orgId} and t.id = c.task_id
    join entitlement e on e.org_id = t.org_id and e.app_id = t.app_id and e.id = c.entitlement_id`.execute(
    tx,
  );
  return Number(numAffectedRows ?? 0);
}

/** A retry wants what the failed task wanted. */
export async function copyChanges(tx: Tx, orgId: string, from: string, to: string): Promise<void> {
  await sql`
    insert into task_change (org_id, task_id, entitlement_id, added, spared)
    select org_id, ${to}, entitlement_id, added, spared from task_change where org_id = ${orgId} and task_id = ${from}`.execute(
    tx,
  );
}

export interface OpenTask {
  id: string;
  account_id: string;
  action: Action;
  status: 'scheduled' | 'pending';
  due: boolean;
  waits_for: 'account' | 'external_id' | null;
  /** task.dispatch_blocked was told. */
  told: boolean;
  dispatched: boolean;
  conditional: boolean;
}

/** The open tasks of accounts whose locks the caller holds, locked themselves, in order of creation. */
export async function lockOpenTasks(tx: Tx, orgId: string, accountIds: string[]): Promise<OpenTask[]> {
  const { rows } = await sql<OpenTask>`
    select id, account_id, action, status, execute_after <= clock_timestamp() as due, waits_for,
      blocked_at is not null as told, dispatched_at is not null as dispatched, preconditions <> '[]' as conditional
    from task
    where org_id = ${orgId} and account_id = any(${accountIds}::uuid[]) and status in ('scheduled', 'pending')
    order by number for no key update`.execute(tx);
  return rows;
}

/** The creation that the present life of the account of task `t` began with. */
const birth = sql`coalesce((
  select max(b.number) from task b
  where b.org_id = t.org_id and b.account_id = t.account_id and b.action = 'create_account'), 0)`;

/**
 * Whether another decision than that of task `t` gives what its change `c` takes, and goes on to: it gave it in this
 * life of the account, nothing has taken it away since, and it takes it away later itself or never.
 */
const heldByOthers = sql`exists (
  select from task g
  join task_change a on a.org_id = g.org_id and a.task_id = g.id and a.entitlement_id = c.entitlement_id and a.added
  cross join lateral (
    select count(*) as n, bool_or(e.status = 'scheduled' and e.execute_after > clock_timestamp()) as ahead
    from task e
    join task_change d on d.org_id = e.org_id and d.task_id = e.id and d.entitlement_id = c.entitlement_id and not d.added
    where e.org_id = g.org_id and e.account_id = g.account_id
      and e.source_type = g.source_type and e.source_id = g.source_id) as own_end
  where g.org_id = t.org_id and g.account_id = t.account_id and g.source_id is distinct from t.source_id
    and g.number >= ${birth}
    and (g.status in ('completed', 'pending') or (g.status = 'scheduled' and g.execute_after <= clock_timestamp()))
    and (own_end.n = 0 or own_end.ahead)
    and not exists (
      select from task r
      join task_change d on d.org_id = r.org_id and d.task_id = r.id and d.entitlement_id = c.entitlement_id
        and not d.added and not d.spared
      where r.org_id = g.org_id and r.account_id = g.account_id and r.status = 'completed' and r.ended_at > g.ended_at))`;

/**
 * Whether another decision than that of task `t` is about to give its account something, or has given it something
 * that it has and does not lose now.
 */
const accountHeldByOthers = sql`exists (
  select from task g
  join task_change a on a.org_id = g.org_id and a.task_id = g.id and a.added
  where g.org_id = t.org_id and g.account_id = t.account_id and g.source_id is distinct from t.source_id
    and g.number >= ${birth}
    and (g.status in ('scheduled', 'pending') or (g.status = 'completed'
      and exists (
        select from membership m
        where m.org_id = g.org_id and m.account_id = g.account_id and m.entitlement_id = a.entitlement_id)
      and not exists (
        select from task r
        join task_change d on d.org_id = r.org_id and d.task_id = r.id and d.entitlement_id = a.entitlement_id
          and not d.added and not d.spared
        where r.org_id = g.org_id and r.account_id = g.account_id
          and r.status in ('scheduled', 'pending') and r.execute_after <= clock_timestamp()))))`;

/** What these removals leave, because another decision gives it for longer (Precondition last_holder). */
export async function spareHeld(tx: Tx, orgId: string, taskIds: string[]): Promise<void> {
  await sql`
    update task_change c set spared = true
    from task t
    where t.org_id = ${orgId} and t.id = any(${taskIds}::uuid[]) and t.preconditions @> '[{"kind": "last_holder"}]'
      and c.org_id = t.org_id and c.task_id = t.id and not c.added and not c.spared and ${heldByOthers}`.execute(
    tx,
  );
}

/** Of these tasks, those of whose preconditions one does not hold now, and its kind. */
export async function brokenPreconditions(
  db: Db,
  orgId: string,
  taskIds: string[],
): Promise<Map<string, Precondition['kind']>> {
  const person = sql`
    exists (select from platform_user u
      where u.org_id = t.org_id and u.id = (p.value ->> 'user_id')::uuid and u.status = 'active')`;
  const { rows } = await sql<{ id: string; kind: Precondition['kind'] }>`
    select t.id, p.value ->> 'kind' as kind
    from task t cross join lateral jsonb_array_elements(t.preconditions) p
    where t.org_id = ${orgId} and t.id = any(${taskIds}::uuid[]) and not case p.value ->> 'kind'
      when 'user_active' then ${person}
      when 'user_inactive' then not ${person}
      when 'account_status' then exists (
        select from account a where a.org_id = t.org_id and a.id = t.account_id and p.value -> 'in' ? a.status)
      when 'change_needed' then exists (
        select from task_change c where c.org_id = t.org_id and c.task_id = t.id and c.added <> exists (
          select from membership m
          where m.org_id = t.org_id and m.account_id = t.account_id and m.entitlement_id = c.entitlement_id))
      when 'not_regranted' then not exists (
        select from task_change c
        join task later on later.org_id = t.org_id and later.account_id = t.account_id and later.number > t.number
          and later.status in ('scheduled', 'pending', 'completed')
        join task_change again on again.org_id = t.org_id and again.task_id = later.id
          and again.entitlement_id = c.entitlement_id and again.added
        where c.org_id = t.org_id and c.task_id = t.id and not c.added)
      when 'last_holder' then case t.action
        when 'delete_account' then not ${accountHeldByOthers}
        else exists (
          select from task_change c where c.org_id = t.org_id and c.task_id = t.id and not c.added and not c.spared) end
    end`.execute(db);
  return new Map(rows.map(({ id, kind }) => [id, kind]));
}

export interface Ending {
  id: string;
  status: 'cancelled' | 'preempted';
  reason: string | null;
  preempted_by: string | null;
}

export async function endTasks(tx: Tx, orgId: string, endings: Ending[]): Promise<void> {
  if (endings.length === 0) return;
  await sql`
    update task t set status = e.status, ended_reason = e.reason, preempted_by = e.preempted_by, waits_for = null,
      ended_at = clock_timestamp()
    from unnest(${endings.map((end) => end.id)}::uuid[], ${endings.map((end) => end.status)}::text[],
      ${endings.map((end) => end.reason)}::text[], ${endings.map((end) => end.preempted_by)}::uuid[])
      as e (id, status, reason, preempted_by)
    where t.org_id = ${orgId} and t.id = e.id`.execute(tx);
}

export async function blockTasks(
  tx: Tx,
  orgId: string,
  blocks: { id: string; waits_for: 'account' | 'external_id' }[],
): Promise<void> {
  if (blocks.length === 0) return;
  await sql`
    update task t set waits_for = b.waits_for, blocked_at = coalesce(t.blocked_at, clock_timestamp())
    from unnest(${blocks.map((block) => block.id)}::uuid[], ${blocks.map((block) => block.waits_for)}::text[])
      as b (id, waits_for)
    where t.org_id = ${orgId} and t.id = b.id`.execute(tx);
}

export async function makePending(tx: Tx, orgId: string, ids: string[]): Promise<void> {
  if (ids.length === 0) return;
  await sql`
    update task set status = 'pending', waits_for = null
    where org_id = ${orgId} and id = any(${ids}::uuid[])`.execute(tx);
}

/** An account that is NEW and will not be created any more was never there: INACTIVE (D25). */
export async function buryUnborn(tx: Tx, orgId: string, accountIds: string[]): Promise<void> {
  await sql`
    update account a set status = 'INACTIVE', updated_at = clock_timestamp()
    where a.org_id = ${orgId} and a.id = any(${accountIds}::uuid[]) and a.status = 'NEW' and not exists (
      select from task t
      where t.org_id = a.org_id and t.account_id = a.id and t.action = 'create_account'
        and t.status in ('scheduled', 'pending'))`.execute(tx);
}

export interface DueAccount {
  org_id: string;
  app_id: string;
  account_id: string;
}

/** Where a task has fallen due that nobody has looked at yet, the longest due first: an account may be there twice. */
export async function dueAccounts(
  db: Db,
  within: { orgId: string; apps: string[] | null } | null,
  limit: number,
): Promise<DueAccount[]> {
  const scope =
    within === null
      ? sql``
      : sql`and org_id = ${within.orgId} and (${within.apps}::uuid[] is null or app_id = any(${within.apps}::uuid[]))`;
  const { rows } = await sql<DueAccount>`
    select org_id, app_id, account_id from task
    where status = 'scheduled' and waits_for is null and execute_after <= clock_timestamp() ${scope}
    order by execute_after limit ${limit}`.execute(db);
  return rows;
}

export async function accountsWithOpenTasks(db: Db, orgId: string, appId: string): Promise<string[]> {
  const { rows } = await sql<{ account_id: string }>`
    select distinct account_id from task
    where org_id = ${orgId} and app_id = ${appId} and status in ('scheduled', 'pending')`.execute(db);
  return rows.map(({ account_id }) => account_id);
}

export async function appOfTask(db: Db, orgId: string, taskId: string): Promise<string | undefined> {
  const { rows } = await sql<{ app_id: string }>`
    select app_id from task where org_id = ${orgId} and id = ${taskId}`.execute(db);
  return rows[0]?.app_id;
}

/** The open tasks of a source, where they are. */
export async function openOfSource(
  db: Db,
  orgId: string,
  type: string,
  id: string,
): Promise<{ id: string; app_id: string; account_id: string }[]> {
  const { rows } = await sql<{ id: string; app_id: string; account_id: string }>`
    select id, app_id, account_id from task
    where org_id = ${orgId} and source_type = ${type} and source_id = ${id} and status in ('scheduled', 'pending')
    order by number`.execute(db);
  return rows;
}

export interface LockedTask {
  app_id: string;
  account_id: string;
  archived: boolean;
  status: TaskStatus;
}

/** The task with its app and its account, locked in the order that all take: app, account, task. */
export async function lockTask(tx: Tx, orgId: string, taskId: string): Promise<LockedTask | undefined> {
  const { rows } = await sql<LockedTask>`
    select t.app_id, t.account_id, p.archived_at is not null as archived, t.status
    from task t
    join app p on p.org_id = t.org_id and p.id = t.app_id
    join account a on a.org_id = t.org_id and a.id = t.account_id
    where t.org_id = ${orgId} and t.id = ${taskId}
    for share of p for no key update of a for no key update of t`.execute(tx);
  return rows[0];
}

export async function setReported(
  tx: Tx,
  orgId: string,
  taskId: string,
  status: 'completed' | 'failed',
  error: TaskError | null,
): Promise<void> {
  await sql`
    update task set status = ${status}, error = ${error === null ? null : JSON.stringify(error)}::jsonb,
      ended_at = clock_timestamp()
    where org_id = ${orgId} and id = ${taskId}`.execute(tx);
}

/** A failed task again, later (D30). */
export async function insertRetry(
  tx: Tx,
  orgId: string,
  taskId: string,
  afterSeconds: number,
): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    insert into task (org_id, app_id, account_id, action, execute_after, task_type, source_type, source_id, created_by,
      reason, preconditions, retry_of, attempt)
    select org_id, app_id, account_id, action, clock_timestamp() + ${afterSeconds} * interval '1 second', task_type,
      source_type, source_id, created_by, reason, preconditions, id, attempt + 1
    from task where org_id = ${orgId} and id = ${taskId}
    returning id`.execute(tx);
  return rows[0]?.id as string;
}

export async function wasRetried(tx: Tx, orgId: string, taskId: string): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (
      select from task r join task t on t.org_id = r.org_id and t.id = ${taskId} and t.account_id = r.account_id
      where r.org_id = ${orgId} and r.retry_of = t.id) as found`.execute(tx);
  return rows[0]?.found ?? false;
}

/** An account whose creation failed for good is about to be created after all (D25). False where there is one. */
export async function rebirth(tx: Tx, orgId: string, accountId: string): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update account set status = 'NEW', updated_at = clock_timestamp()
    where org_id = ${orgId} and id = ${accountId} and status = 'INACTIVE' and removed_at is null`.execute(tx);
  return Number(numAffectedRows ?? 0) > 0;
}

/** Of these tasks, those that were pending and not yet dispatched: now they are. Each is answered to one caller. */
export async function markDispatched(tx: Tx, orgId: string, ids: string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    with waiting as (
      select id from task
      where org_id = ${orgId} and id = any(${ids}::uuid[]) and status = 'pending' and dispatched_at is null
      order by number for no key update)
    update task t set dispatched_at = clock_timestamp() from waiting
    where t.org_id = ${orgId} and t.id = waiting.id
    returning t.id`.execute(tx);
  return rows.map(({ id }) => id);
}

/** Entitlements of an app by slug and external id, among the active ones or all. */
export async function findEntitlements(
  db: Db,
  orgId: string,
  appId: string,
  refs: { slug: string; id: string }[],
): Promise<
  { slug: string; id: string; entitlement_id: string; type: 'group' | 'license'; active: boolean }[]
> {
  const { rows } = await sql<{
    slug: string;
    id: string;
    entitlement_id: string;
    type: 'group' | 'license';
    active: boolean;
  }>`
    select r.slug, e.external_id as id, e.id as entitlement_id, r.type, e.active
    from (select distinct * from unnest(${refs.map((ref) => ref.slug)}::text[], ${refs.map((ref) => ref.id)}::text[])
      as g (slug, id)) g
    join app p on p.org_id = ${orgId} and p.id = ${appId}
    join resource_type r on r.org_id = p.org_id and r.clone_group_id = p.clone_group_id and r.slug = g.slug
      and r.type in ('group', 'license')
    join entitlement e on e.org_id = p.org_id and e.app_id = p.id and e.resource_type_id = r.id
      and e.external_id = g.id`.execute(db);
  return rows;
}
