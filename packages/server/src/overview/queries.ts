import { sql } from 'kysely';
import type { Db } from '../platform/database/open.ts';

/** The only statements here that read what several features keep: each is one that an index answers. */

/** More are not counted one by one. */
const COUNTED = 1000;
const SHOWN = 10;

export interface AppHealth {
  external_uuid: string;
  name: string;
  configuration_status: string;
  last_synced_at: Date | null;
  last_sync: {
    sync_id: string;
    status: string;
    started_at: string;
    finished_at: string | null;
    counts: { created: number; updated: number; unchanged: number; removed: number } | null;
    held: { accounts: number; memberships: number } | null;
  } | null;
}

/** Those that need somebody first: a failed or held sync, disconnected, never synced; then the longest ago. */
export async function appsInNeed(db: Db, orgId: string): Promise<AppHealth[]> {
  const utc = (column: string) =>
    sql`to_char(${sql.ref(column)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
  const { rows } = await sql<AppHealth>`
    select p.id as external_uuid, p.name, p.configuration_status, p.last_synced_at,
      case when s.id is not null then jsonb_build_object('sync_id', s.id, 'status', s.status,
        'started_at', ${utc('s.started_at')}, 'finished_at', ${utc('s.finished_at')}, 'counts', s.counts,
        'held', s.held) end as last_sync
    from app p
    left join lateral (
      select * from sync_session s where s.org_id = p.org_id and s.app_id = p.id
      order by s.started_at desc, s.id desc limit 1) s on true
    where p.org_id = ${orgId} and p.archived_at is null
    order by case when s.status = 'error' or s.held is not null then 0 when p.configuration_status = 'DISCONNECTED' then 1
      when p.last_synced_at is null then 2 else 3 end, p.last_synced_at nulls first, p.id
    limit ${SHOWN}`.execute(db);
  return rows;
}

export async function countApps(db: Db, orgId: string): Promise<Record<string, number>> {
  const { rows } = await sql<{ status: string; n: number }>`
    select configuration_status as status, count(*) as n from app
    where org_id = ${orgId} and archived_at is null group by 1`.execute(db);
  return Object.fromEntries(rows.map(({ status, n }) => [status, n]));
}

/** From the folded counts: as quick for a million accounts as for ten. */
export async function countAccounts(db: Db, orgId: string): Promise<Record<string, number>> {
  const { rows } = await sql<{ status: string; n: number }>`
    select c.status, sum(c.n)::bigint as n from account_count c
    join app p on p.org_id = c.org_id and p.id = c.app_id and p.archived_at is null
    where c.org_id = ${orgId} group by 1 having sum(c.n) > 0`.execute(db);
  return Object.fromEntries(rows.map(({ status, n }) => [status, n]));
}

export interface Bounded {
  count: number;
  /** There are more than were counted. */
  more: boolean;
}

const bounded = (n: number): Bounded => ({ count: Math.min(n, COUNTED), more: n > COUNTED });

/** Accounts that nobody is behind. */
export async function countOrphans(db: Db, orgId: string): Promise<Bounded> {
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from (
      select from account where org_id = ${orgId} and user_id is null and removed_at is null limit ${COUNTED + 1}
    ) as found`.execute(db);
  return bounded(rows[0]?.n ?? 0);
}

export interface TaskState {
  pending: Bounded;
  scheduled: Bounded;
  oldest_pending_at: Date | null;
}

export async function openTasks(db: Db, orgId: string): Promise<TaskState> {
  const some = (status: string) => sql`(
    select count(*) from (select from task where org_id = ${orgId} and status = ${status} limit ${COUNTED + 1}) as found)`;
  const { rows } = await sql<{ pending: number; scheduled: number; oldest: Date | null }>`
    select ${some('pending')} as pending, ${some('scheduled')} as scheduled, (
      select min(created_at) from task where org_id = ${orgId} and status = 'pending') as oldest`.execute(db);
  const { pending = 0, scheduled = 0, oldest = null } = rows[0] ?? {};
  return { pending: bounded(pending), scheduled: bounded(scheduled), oldest_pending_at: oldest };
}

export interface Failures {
  day: string;
  error_code: string;
  count: number;
}

/** Of the last seven days, in UTC. */
export async function failedTasks(db: Db, orgId: string): Promise<Failures[]> {
  const { rows } = await sql<Failures>`
    select to_char(ended_at at time zone 'UTC', 'YYYY-MM-DD') as day, coalesce(error ->> 'code', 'INTERNAL_ERROR') as error_code,
      count(*) as count
    from task
    where org_id = ${orgId} and status = 'failed'
      and ended_at >= date_trunc('day', now() at time zone 'UTC') at time zone 'UTC' - interval '6 days'
    group by 1, 2 order by 1, 2`.execute(db);
  return rows;
}

export interface LicenseUse {
  app: { external_uuid: string; name: string };
  external_uuid: string;
  name: string;
  used: number;
  max: number;
}

/** The fullest first. What the external system counts, or else the assignments that we know. */
export async function licenseUse(db: Db, orgId: string): Promise<LicenseUse[]> {
  const { rows } = await sql<LicenseUse>`
    select jsonb_build_object('external_uuid', p.id, 'name', p.name) as app, e.id as external_uuid,
      coalesce(nullif(e.name, ''), e.external_id) as name, u.used, e.max_count as max
    from entitlement e
    join app p on p.org_id = e.org_id and p.id = e.app_id and p.archived_at is null
    join resource_type r on r.org_id = e.org_id and r.id = e.resource_type_id and r.type = 'license'
    cross join lateral (
      select coalesce(e.used_count, (
        select count(*) from membership m where m.org_id = e.org_id and m.entitlement_id = e.id)) as used) u
    where e.org_id = ${orgId} and e.active and e.max_count > 0 and e.is_unlimited is not true
    order by u.used::float8 / e.max_count desc, e.id limit ${SHOWN}`.execute(db);
  return rows;
}

export interface OpenCycle {
  external_uuid: string;
  review: string;
  name: string;
  due_at: Date | null;
  items: number;
  decided: number;
}

export async function openCycles(db: Db, orgId: string): Promise<OpenCycle[]> {
  const { rows } = await sql<OpenCycle>`
    select y.id as external_uuid, y.campaign_id as review, y.settings ->> 'name' as name, y.due_at, y.items, y.kept + y.revoked as decided
    from review_cycle y
    where y.org_id = ${orgId} and y.status = 'in_progress'
    order by y.due_at nulls last, y.id limit ${SHOWN}`.execute(db);
  return rows;
}

export async function waitingTickets(db: Db, orgId: string): Promise<Bounded> {
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from (
      select from ticket where org_id = ${orgId} and status = 'PENDING' limit ${COUNTED + 1}) as found`.execute(
    db,
  );
  return bounded(rows[0]?.n ?? 0);
}
