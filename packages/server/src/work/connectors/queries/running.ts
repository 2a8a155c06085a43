import { accounts, memberships } from '#inventory/records/accounts/facts.ts';
import { type Db, everywhere, type OrgDb, type OrgTx, secondsUntilFirst } from '#kit/database.ts';
import { isActiveOrganization } from '#kit/identity.ts';
import { exists, many, one, run, sql, value, values } from '#kit/sql.ts';
import { tasks } from '#work/provisioning/facts.ts';
import type { Kind, Problem, State } from '../connector.ts';
import type { Schedule } from '../schedule.ts';

const LIMIT = 100;

export interface OfOrganization {
  org_id: string;
  app_id: string;
}

/** Returns connectors whose next sync is due. */
export const dueSyncs = (db: Db) => many<OfOrganization>(everywhere(db))`
    select c.org_id, c.app_id from connector c
    where c.next_sync_at <= clock_now() and not c.paused and ${isActiveOrganization('c.org_id')}
    order by c.next_sync_at limit ${LIMIT}`;

/** Whether the app of connector `c` has pending tasks that no run has begun to carry out. */
const hasTasks = sql`exists (
    select from ${tasks} t
    where t.org_id = c.org_id and t.app_id = c.app_id and t.status = 'pending')
  and not exists (
    select from connector_run r
    where r.org_id = c.org_id and r.app_id = c.app_id and r.kind = 'tasks' and r.ended_at is null)`;

/** Returns connectors that carry out tasks, of apps with pending ones. */
export const dueTasks = (db: Db) => many<OfOrganization>(everywhere(db))`
    select c.org_id, c.app_id from connector c
    where c.carries_out_tasks and not c.paused and c.next_tasks_at <= clock_now()
      and ${isActiveOrganization('c.org_id')}
      and ${hasTasks}
    order by c.next_tasks_at limit ${LIMIT}`;

/** Returns the seconds until the next connector is due, or the next run lost. Queued runs that nobody carries out count if `runs`. */
export const untilDueRun = (db: Db, runs: boolean) => secondsUntilFirst(db)`
    select w.at from (
      select c.org_id, c.next_sync_at as at from connector c where not c.paused
      union all
      select c.org_id, c.next_tasks_at from connector c
      where c.carries_out_tasks and not c.paused and ${hasTasks}
      union all
      select r.org_id, r.queued_at from connector_run r
      where ${runs} and r.ended_at is null and r.state = 'queued'
    ) w where ${isActiveOrganization('w.org_id')}
    union all
    select r.leased_until from connector_run r where r.ended_at is null and r.state = 'running'`;

/** A schedule with the database's time, which decides what is due. */
interface Due {
  schedule: Schedule;
  now: Date;
}

/** Locks a connector whose sync is due. Returns undefined if another node has it, or was faster. */
export const lockDue = (tx: OrgTx, appId: string) => one<Due>(tx)`
    select schedule, clock_now() as now from connector
    where org_id = ${tx.orgId} and app_id = ${appId} and next_sync_at <= clock_now() and not paused
      and schedule is not null
    for update skip locked`;

/** Locks the plan of a connector. Returns undefined if no sync is planned. */
export const lockPlan = (tx: OrgTx, appId: string) => one<Due & { next_sync_at: Date }>(tx)`
    select schedule, next_sync_at, clock_now() as now from connector
    where org_id = ${tx.orgId} and app_id = ${appId} and next_sync_at is not null and schedule is not null
    for update`;

/**
 * Counts the newest syncs that failed in a row, at most ten. One that a person requested, or a changed connector, starts the
 * count again. A sync that pushed its records, but removed nothing, is not a failure here: its system works.
 */
export async function countFailures(tx: OrgTx, appId: string): Promise<number> {
  const rows = await many<{ works: boolean; requested_by: string | null }>(tx)`
    select r.state = 'succeeded' or r.result->>'outcome' is not null as works, r.requested_by from connector c
    join connector_run r on r.org_id = c.org_id and r.app_id = c.app_id
    where c.org_id = ${tx.orgId} and c.app_id = ${appId} and r.kind = 'sync'
      and r.state in ('succeeded', 'failed', 'timed_out') and r.queued_at >= c.changed_at
    order by r.id desc limit 10`;
  let failures = 0;
  for (const { works, requested_by } of rows) {
    if (works) break;
    failures += 1;
    if (requested_by !== null) break;
  }
  return failures;
}

export const setNextSync = (tx: OrgTx, appId: string, at: Date) => run(tx)`
    update connector set next_sync_at = ${at} where org_id = ${tx.orgId} and app_id = ${appId}`;

export const setNextTasks = (db: OrgDb, appId: string, seconds: number) => run(db)`
    update connector set next_tasks_at = clock_now() + ${`${seconds} seconds`}::interval
    where org_id = ${db.orgId} and app_id = ${appId}`;

export const setLastSuccess = (db: OrgDb, appId: string) => run(db)`
    update connector set last_success_at = clock_now() where org_id = ${db.orgId} and app_id = ${appId}`;

export interface QueuedRun extends OfOrganization {
  id: string;
  org_slug: string;
  kind: Kind;
  accepts_removals: boolean;
}

/** Returns queued runs: first those of organizations with few running ones, then those that somebody waits for, then the oldest. */
export const queuedRuns = (db: Db) => many<QueuedRun>(everywhere(db))`
    select r.org_id, o.slug as org_slug, r.app_id, r.id, r.kind, r.accepts_removals
    from connector_run r join organization o on o.id = r.org_id
    left join (
      select org_id, count(*) as running from connector_run
      where ended_at is null and state = 'running' group by org_id) busy on busy.org_id = r.org_id
    where r.ended_at is null and r.state = 'queued' and ${isActiveOrganization('r.org_id')}
    order by coalesce(busy.running, 0), r.kind in ('test', 'preview') desc, r.queued_at limit ${LIMIT}`;

/** Begins a run on this node. Returns false if another node was faster, or the run was canceled. */
export const claimRun = (tx: OrgTx, id: string, node: string, leaseSeconds: number) => exists(tx)`
    update connector_run set state = 'running', node = ${node}, started_at = clock_now(),
      leased_until = clock_now() + ${`${leaseSeconds} seconds`}::interval
    where org_id = ${tx.orgId} and id = ${id} and state = 'queued' returning id`;

export const setKey = (tx: OrgTx, id: string, keyId: string) =>
  run(tx)`update connector_run set key_id = ${keyId} where org_id = ${tx.orgId} and id = ${id}`;

/** Renews the lease. Returns whether the run may go on: it is still this node's, and nobody has canceled it. */
export async function renewRun(
  db: OrgDb,
  id: string,
  node: string,
  leaseSeconds: number,
): Promise<'goes_on' | 'cancelled' | 'lost'> {
  const rows = await many<{ cancelled: boolean }>(db)`
    update connector_run set leased_until = clock_now() + ${`${leaseSeconds} seconds`}::interval
    where org_id = ${db.orgId} and id = ${id} and node = ${node} and state = 'running'
    returning cancel_requested_at is not null as cancelled`;
  if (rows[0] === undefined) return 'lost';
  return rows[0].cancelled ? 'cancelled' : 'goes_on';
}

/** Returns what the guard of a connector compares a sync with on a node without the state of the last one. */
export async function countHeld(db: OrgDb, appId: string): Promise<{ accounts: number; refs: number }> {
  const rows = await many<{ accounts: number; refs: number }>(db)`
    select
      (select count(*)::integer from ${accounts} a
       where a.org_id = ${db.orgId} and a.app_id = ${appId} and a.status = 'ACTIVE' and a.removed_at is null) as accounts,
      (select count(*)::integer from ${memberships} m join ${accounts} a on a.org_id = m.org_id and a.id = m.account_id
       where m.org_id = ${db.orgId} and a.org_id = ${db.orgId} and a.app_id = ${appId} and a.removed_at is null) as refs`;
  return rows[0] ?? { accounts: 0, refs: 0 };
}

/** How a run ended. */
export interface Ending {
  state: State;
  counts: object | null;
  error: string | null;
  log: string | null;
  result: object | null;
  problem: Problem | null;
}

const json = (value: object | null) =>
  value === null ? sql`null::jsonb` : sql`${JSON.stringify(value)}::jsonb`;

/** Ends a run of this node. Returns false if another node has declared it lost. */
export const finishRun = (
  tx: OrgTx,
  id: string,
  node: string,
  { state, counts, error, log, result, problem }: Ending,
) => exists(tx)`
    update connector_run set state = ${state}, ended_at = clock_now(), leased_until = null, counts = ${json(counts)},
      error = ${error}, problem = ${problem}, log = ${log}, result = ${json(result)}
    where org_id = ${tx.orgId} and id = ${id} and node = ${node} and state = 'running' returning id`;

export const organizationsWithLostRuns = (db: Db) => values<string>(everywhere(db))`
    select distinct org_id from connector_run
    where ended_at is null and state = 'running' and leased_until < clock_now()`;

/** Whether the last runs of this kind were all lost: such a run may be what ends the nodes. */
export async function isOftenLost(tx: OrgTx, appId: string, kind: Kind, most: number): Promise<boolean> {
  const n = await value<number>(tx)`
    select count(*) filter (where state = 'lost')::integer as n from (
      select state from connector_run
      where org_id = ${tx.orgId} and app_id = ${appId} and kind = ${kind} and ended_at is not null
      order by id desc limit ${most}) newest`;
  return n >= most;
}

/** Ends the runs of dead nodes. */
export const markLost = (tx: OrgTx, error: string) => many<{
  app_id: string;
  kind: Kind;
  key_id: string | null;
  requested_by: string | null;
  cancelled: boolean;
}>(tx)`
    update connector_run set ended_at = clock_now(), leased_until = null,
      state = case when cancel_requested_at is null then 'lost' else 'cancelled' end,
      error = case when cancel_requested_at is null then ${error}::text end
    where org_id = ${tx.orgId} and ended_at is null and state = 'running' and leased_until < clock_now()
    returning app_id, kind, key_id, requested_by, cancel_requested_at is not null as cancelled`;

/** How long the runs of an app are kept, and how many of each kind. */
export interface Retention {
  days: number;
  most: number;
}

export async function organizationsWithOldRuns(db: Db, { days, most }: Retention): Promise<string[]> {
  const old = await values<string>(everywhere(db))`
    select org_id from connector_run where ended_at is not null group by org_id, app_id, kind
    having count(*) > ${most} or min(ended_at) < clock_now() - ${`${days} days`}::interval`;
  return [...new Set(old)];
}

/** Deletes up to `limit` runs that are kept no longer. Returns their ids. */
export const deleteOldRuns = (tx: OrgTx, { days, most }: Retention, limit: number) => values<string>(tx)`
    delete from connector_run
    where org_id = ${tx.orgId} and id in (
      select id from (
        select id, ended_at, row_number() over (partition by app_id, kind order by id desc) as nth
        from connector_run where org_id = ${tx.orgId} and ended_at is not null) ended
      where nth > ${most} or ended_at < clock_now() - ${`${days} days`}::interval
      limit ${limit})
    returning id`;
