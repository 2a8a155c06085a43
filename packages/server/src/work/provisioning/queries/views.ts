import { accountEmailContains, accounts, entitlements, holds } from '#inventory/records/accounts/facts.ts';
import { couldSee, unreadable } from '#inventory/records/sessions/facts.ts';
import type { Db, Org, OrgDb, OrgTx } from '#kit/database.ts';
import { countLimit, countOf, type Page, type Slice } from '#kit/pages.ts';
import { many, one, type RawBuilder, sql, value } from '#kit/sql.ts';
import type { ReadBack } from '../confirmation.ts';
import { type Asked, hasStatus, ofEmail, type TaskFilter, taskFilters } from '../filters.ts';
import type { Task, TaskError, TaskStatus, WaitsFor } from '../task.ts';
import { takesAway } from './budget.ts';
import { hasItsTurn, isDue } from './due.ts';

/** Whether session `s` could see the account of task `t`, and the members of each group and license that the task changes (D81). */
const couldSeeTask = (org: Org) =>
  couldSee(sql`array(
  select ${unreadable(sql`tr.slug`)} from ${accounts} ta join resource_type tr on tr.org_id = ta.org_id and tr.id = ta.resource_type_id
  where ta.org_id = ${org.orgId} and ta.id = t.account_id
  union all
  select k.of from task_change tc join ${entitlements} te on te.org_id = tc.org_id and te.id = tc.entitlement_id
  cross join lateral (values (${unreadable(sql`te.slug`)}), (${unreadable(sql`te.slug`, sql`te.external_id`)})) as k (of)
  where tc.org_id = ${org.orgId} and tc.task_id = t.id and not tc.spared)`);

// Sync and provisioning are in the same layer. These are the only reads of sync's table: no lower layer knows when a
// completed session began.
const confirms = (org: Org) => sql`(
  s.status = 'completed' and s.started_at > t.ended_at and s.reverted_at is null and ${couldSeeTask(org)})`;
const confirmedBySync = (org: Org) => sql`exists (
  select from sync_session s where s.org_id = ${org.orgId} and s.app_id = t.app_id and ${confirms(org)})`;

/** The stored status, or the one that readers see. */
type Status = 'stored' | 'seen';

const statusOf = (org: Org, as: Status) =>
  as === 'stored' ? sql`t.status` : sql`(case when ${hasItsTurn(org)} then 'pending' else t.status end)`;

/** The columns of Task. */
const view = (org: Org, as: Status = 'stored') => sql`
  t.id, t.app_id, p.name as app_name, t.account_id, a.user_id, a.external_id, a.email, a.username, a.first_name, a.last_name,
  r.slug as resource_type, t.action, ${statusOf(org, as)} as status, t.waits_for, t.hold_id, t.created_at, t.dispatched_at, t.ended_at, t.ended_reason, t.left_out,
  t.awaits_return_until > clock_now() as awaits_return,
  case when t.execute_after <= clock_now() and ${statusOf(org, as)} = 'scheduled' then clock_now() + interval '30 seconds'
    else t.execute_after end as execute_after,
  t.preempted_by, t.error, t.retry_of, t.attempt, t.task_type, t.reason,
  case when t.source_id is not null then jsonb_build_object('type', t.source_type, 'id', t.source_id) end as source, t.source_label,
  jsonb_build_object('id', t.created_by, 'username', coalesce(u.username, ''), 'email', coalesce(u.email, ''),
    'first_name', coalesce(u.first_name, ''), 'last_name', coalesce(u.last_name, '')) as creator,
  coalesce((
    select jsonb_agg(jsonb_build_object('entitlement_id', e.id, 'type', e.type, 'slug', e.slug, 'id', e.external_id,
      'name', coalesce(nullif(c.name, ''), e.name), 'added', c.added) order by e.slug, e.external_id)
    from task_change c
    join ${entitlements} e on e.org_id = c.org_id and e.id = c.entitlement_id
    where c.org_id = ${org.orgId} and c.task_id = t.id and (not c.spared or t.status = 'cancelled')
  ), '[]') as changes,
  t.status = 'completed' and (t.action = 'reset_password' or t.ended_reason is not null or ${confirmedBySync(org)}) as confirmed, t.seen,
  case when t.status <> 'completed' then 'none' when t.confirmed = 'read' then 'read'
    when t.action <> 'reset_password' and (t.ended_reason is not null or ${confirmedBySync(org)}) then 'sync' else 'none' end as confirmation`;

const joined = (org: Org) => sql`
  join app p on p.org_id = ${org.orgId} and p.id = t.app_id
  join ${accounts} a on a.org_id = ${org.orgId} and a.id = t.account_id
  join resource_type r on r.org_id = ${org.orgId} and r.id = a.resource_type_id
  left join platform_user u on u.org_id = ${org.orgId} and u.id = t.created_by`;

/** Reads tasks in order of creation. */
export async function tasksByIds(db: OrgDb, ids: string[], as: Status = 'stored'): Promise<Task[]> {
  if (ids.length === 0) return [];
  return many<Task>(db)`
    select ${view(db, as)} from task t ${joined(db)}
    where t.org_id = ${db.orgId} and t.id = any(${ids}::uuid[]) order by t.number`;
}

const jsonOf = (value: object | null) => (value === null ? null : JSON.stringify(value));

/** Ends a pending task as its connector reported, and reads it, in one round trip. */
export const endReportedTask = (
  tx: OrgTx,
  taskId: string,
  {
    status,
    error,
    readBack,
  }: { status: 'completed' | 'failed'; error: TaskError | null; readBack: ReadBack },
) => one<Task>(tx)`
    with ended as (
      update task set status = ${status}, error = ${jsonOf(error)}::jsonb,
        confirmed = ${readBack.confirmed}, seen = ${jsonOf(readBack.seen)}::jsonb, ended_at = clock_now()
      where org_id = ${tx.orgId} and id = ${taskId}
      returning *)
    select ${view(tx)} from ended t ${joined(tx)}`;

/** The tasks of decisions of one type, in order of creation. */
export const tasksBySource = (db: OrgDb, type: string, ids: string[]) => many<Task>(db)`
    select ${view(db)} from task t ${joined(db)}
    where t.org_id = ${db.orgId} and t.source_type = ${type} and t.source_id = any(${ids}::uuid[]) order by t.number`;

/** A task that deletes or suspends an account, and has not ended. */
export interface OpenRemoval {
  account_id: string;
  task: string;
  action: 'delete_account' | 'suspend_account';
  /** The status that readers see. */
  status: 'scheduled' | 'pending';
  execute_after: Date;
  waits_for: WaitsFor | null;
}

/** The open tasks that delete or suspend these accounts, in order of creation. */
export const openRemovals = (db: OrgDb, accountIds: readonly string[]) => many<OpenRemoval>(db)`
    select t.account_id, t.id as task, t.action, ${statusOf(db, 'seen')} as status, t.execute_after, t.waits_for
    from task t
    where t.org_id = ${db.orgId} and t.account_id = any(${accountIds}::uuid[]) and t.status in ('scheduled', 'pending')
      and t.action in ('delete_account', 'suspend_account')
    order by t.number`;

/** Returns the completed sync that confirmed a completed task first, or null. */
export async function confirmingSync(db: OrgDb, taskId: string): Promise<string | null> {
  return (
    (await value<string | undefined>(db)`
    select s.id from task t
    join sync_session s on s.org_id = ${db.orgId} and s.app_id = t.app_id and ${confirms(db)}
    where t.org_id = ${db.orgId} and t.id = ${taskId} and t.status = 'completed'
    order by s.started_at limit 1`) ?? null
  );
}

/**
 * Returns the number of removals that tasks reported before a sync began, that no earlier sync can have confirmed, and that this one confirms: the
 * app does not have them again. `back` is a relation with the columns `type`, `account_id`, `slug` and `resource_id` of what the sync adds.
 */
export const countConfirmedRemovals = (
  db: OrgDb,
  { appId, syncId }: { appId: string; syncId: string },
  back: RawBuilder<unknown>,
) => value<number>(db)`
    with back as materialized (select type, account_id, slug, resource_id from ${back} as r)
    select count(*) as n from sync_session s
    join task t on t.org_id = ${db.orgId} and t.app_id = s.app_id and t.status = 'completed' and t.ended_at < s.started_at
    join ${accounts} a on a.org_id = ${db.orgId} and a.id = t.account_id
    where s.org_id = ${db.orgId} and s.app_id = ${appId} and s.id = ${syncId} and t.ended_at >= coalesce((
        select max(earlier.started_at) from sync_session earlier
        where earlier.org_id = ${db.orgId} and earlier.app_id = s.app_id and earlier.status = 'completed' and earlier.reverted_at is null
          and earlier.started_at < s.started_at), '-infinity')
      and t.ended_reason is null and t.action in ('delete_account', 'update_account') and ${takesAway(db, 't')}
      and case t.action when 'delete_account'
        then a.removed_at is not null and t.account_id not in (select account_id from back where type = 'account')
        else not exists (
          select from task_change c join ${entitlements} e on e.org_id = ${db.orgId} and e.id = c.entitlement_id
          where c.org_id = ${db.orgId} and c.task_id = t.id and not c.added and not c.spared
            and (${holds(sql`${db.orgId}`, sql`t.account_id`, sql`c.entitlement_id`)} or exists (
              select from back b where b.type = 'membership' and b.account_id = t.account_id
                and b.slug = e.slug and b.resource_id = e.external_id))) end`;

/** The open tasks of an account, in order of creation. */
export const openTasksOfAccount = (db: OrgDb, accountId: string) => many<Task>(db)`
    select ${view(db)} from task t ${joined(db)}
    where t.org_id = ${db.orgId} and t.account_id = ${accountId} and t.status in ('scheduled', 'pending')
    order by t.number`;

/** Lists the tasks of an app in these states for its connector, oldest first (D10). */
export async function listTasksOfApp(
  db: OrgDb,
  appId: string,
  statuses: readonly TaskStatus[],
  page: Page,
): Promise<Slice<{ id: string; undispatched: boolean }>> {
  const [only] = statuses;
  const wanted =
    only !== undefined && statuses.length === 1
      ? hasStatus(only, await knowingDue(db, [appId], only))
      : sql`t.status = any(${statuses})`;
  const where = sql`t.org_id = ${db.orgId} and t.app_id = ${appId} and ${wanted}`;
  return slice(db.db, where, sql`asc`, page);
}

async function knowingDue(db: OrgDb, apps: string[] | null, status: TaskStatus | undefined): Promise<Asked> {
  if (status !== 'pending' && status !== 'scheduled') return { ...db, isAnyDue: false };
  const rows = await many(db)`
    select from task t
    where t.org_id = ${db.orgId} and ${isDue('t')}
      and (${apps}::uuid[] is null or t.app_id = any(${apps}::uuid[])) limit 1`;
  return { ...db, isAnyDue: rows.length > 0 };
}

/** Lists tasks (protocol 4.15), newest first. `apps`: only those of these apps; null: all. */
export async function listTasks(
  db: OrgDb,
  { apps, email = '', ...filter }: TaskFilter & { apps: string[] | null },
  page: Page,
): Promise<Slice<{ id: string; undispatched: boolean }>> {
  const { app, status } = filter;
  const others = [sql`t.org_id = ${db.orgId}`];
  if (apps !== null && app === undefined) others.push(sql`t.app_id = any(${apps}::uuid[])`);
  const asked = await knowingDue(db, app === undefined ? apps : [app], status);
  const where = taskFilters.where(asked, filter, ...others);
  return email === '' ? slice(db.db, where, sql`desc`, page) : searchTasks(db, where, email, page);
}

/** How many results of a search are counted and sorted together. */
const FEW = 10_000;
/** The number of tasks to search for a page of many results, before all results are sorted. */
const NEAR = 10_000;

/**
 * Lists the tasks of accounts whose email contains a text, newest first. Few results are found from the accounts, and
 * sorted. A page of many results is soon found by walking from the newest task, unless all of them are old. The planner
 * cannot choose between these ways, because it can only guess how many accounts contain a text.
 */
async function searchTasks(db: OrgDb, where: RawBuilder<unknown>, email: string, page: Page) {
  const found = sql`${where} and ${ofEmail(db, email)}`;
  const few = await sortedTasks(db, found, page, FEW + 1);
  if (few.n <= FEW) return { ...countOf(few.n, page), results: few.results };
  const most = countLimit(page);
  const n = most !== null && most <= few.n ? few.n : await countTasks(db.db, found, page);
  const rows = await many<Found>(db)`
    select t.id, ${undispatched} from (
      select * from task t where ${where} order by t.number desc limit ${sql.lit(NEAR)}) t
    where exists (
      select from ${accounts} a
      where a.org_id = ${db.orgId} and a.id = t.account_id and ${accountEmailContains('a', email)} offset 0)
    order by t.number desc limit ${page.limit} offset ${page.offset}`;
  const isFull = rows.length === page.limit || page.offset >= n;
  const results = isFull ? rows : (await sortedTasks(db, found, page, null)).results;
  return { ...countOf(n, page), results };
}

/** Sorts up to `most` tasks. Returns their number, and a page of them. */
async function sortedTasks(db: OrgDb, where: RawBuilder<unknown>, page: Page, most: number | null) {
  const rows = await many<{ n: number } & (Found | { id: null })>(db)`
    with found as materialized (select t.number from task t where ${where} limit ${most}),
    page as (select number from found order by number desc limit ${page.limit} offset ${page.offset})
    select counted.n, t.id, ${undispatched}
    from (select count(*) as n from found) counted left join page on true
    left join task t on t.org_id = ${db.orgId} and t.number = page.number
    order by page.number desc`;
  return { n: rows[0]?.n ?? 0, results: rows.flatMap(resultOf) };
}

const countTasks = (db: Db, where: RawBuilder<unknown>, page: Page) => value<number>(db)`
    select count(*) as n from (select from task t where ${where} limit ${countLimit(page)}) as found`;

const undispatched = sql`t.status = 'pending' and t.dispatched_at is null as undispatched`;

interface Found {
  id: string;
  undispatched: boolean;
}

const resultOf = (row: Found | { id: null }): Found[] =>
  row.id === null ? [] : [{ id: row.id, undispatched: row.undispatched }];

async function slice(db: Db, where: RawBuilder<unknown>, direction: RawBuilder<unknown>, page: Page) {
  const rows = await many<{ count: number } & (Found | { id: null })>(db)`
    with counted as (
      select count(*) as count from (select from task t where ${where} limit ${countLimit(page)}) as found),
    page as (
      select t.id, t.number, ${undispatched}
      from task t where ${where} order by t.number ${direction} limit ${page.limit} offset ${page.offset})
    select counted.count, page.id, page.undispatched
    from counted left join page on true order by page.number ${direction}`;
  return { ...countOf(rows[0]?.count ?? 0, page), results: rows.flatMap(resultOf) };
}
