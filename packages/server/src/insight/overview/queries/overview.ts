import { accountCounts, entitlements, memberCount } from '#inventory/records/accounts/facts.ts';
import type { OrgDb } from '#kit/database.ts';
import { isoTime, many, sql, value } from '#kit/sql.ts';
import { tasks } from '#work/provisioning/facts.ts';
import { presentFindings } from '../../findings/facts.ts';
import type { Overview } from '../overview-schema.ts';

type AppHealth = Overview['apps']['in_need'][number];

// These statements read tables of several features. Each is answered by an index or reads few rows.

/** Returns apps that need attention first: a failed or held sync, an overdue one, disconnected, never synced, then the oldest sync. */
export async function appsInNeed(db: OrgDb, limit: number): Promise<AppHealth[]> {
  const utc = (column: string) => sql`${isoTime(sql.ref(column))}`;
  return many<AppHealth>(db)`
    select p.id as external_uuid, p.name, p.configuration_status, p.last_synced_at,
      case when s.id is not null then jsonb_build_object('sync_id', s.id, 'status', s.status,
        'started_at', ${utc('s.started_at')}, 'finished_at', ${utc('s.finished_at')}, 'counts', s.counts,
        'held', s.held, 'rejected_by', s.error -> 'rejected_by')
        || case when late.subject_id is null then '{}' else '{"overdue": true}'::jsonb end end as last_sync
    from app p
    left join lateral (
      select * from sync_session s where s.org_id = ${db.orgId} and s.app_id = p.id
      order by s.started_at desc, s.id desc limit 1) s on true
    left join ${presentFindings} late on late.org_id = ${db.orgId} and late.kind = 'overdue_sync' and late.subject_id = p.id
    where p.org_id = ${db.orgId} and p.archived_at is null
    order by case when s.status = 'error' and s.error -> 'rejected_by' is null or s.held is not null then 0 when late.subject_id is not null then 1
      when p.configuration_status = 'DISCONNECTED' then 2 when p.last_synced_at is null then 3 else 4 end, p.last_synced_at nulls first, p.id
    limit ${limit}`;
}

export async function countApps(db: OrgDb): Promise<Record<string, number>> {
  const rows = await many<{ status: string; n: number }>(db)`
    select configuration_status as status, count(*) as n from app
    where org_id = ${db.orgId} and archived_at is null group by 1`;
  return Object.fromEntries(rows.map(({ status, n }) => [status, n]));
}

/**
 * Adds up the maintained counts: as fast for a million accounts as for ten. Counts the accounts of archived apps, too,
 * because the list of accounts shows them.
 */
export async function countAccounts(db: OrgDb): Promise<Record<string, number>> {
  const rows = await many<{ status: string; n: number }>(db)`
    select c.status, sum(c.n)::bigint as n from ${accountCounts} c
    where c.org_id = ${db.orgId} group by 1 having sum(c.n) > 0`;
  return Object.fromEntries(rows.map(({ status, n }) => [status, n]));
}

export interface OpenTasks {
  pending: number;
  scheduled: number;
  /** When the oldest pending task was created. */
  oldest: Date | null;
}

/** Counts pending and scheduled tasks, each up to `limit`. */
export async function openTasks(db: OrgDb, limit: number): Promise<OpenTasks> {
  const count = (status: string) => sql`(
    select count(*) from (
      select from ${tasks} t where t.org_id = ${db.orgId} and t.status = ${status} limit ${limit}) as found)`;
  const rows = await many<OpenTasks>(db)`
    select ${count('pending')} as pending, ${count('scheduled')} as scheduled, (
      select min(t.created_at) from ${tasks} t where t.org_id = ${db.orgId} and t.status = 'pending') as oldest`;
  return rows[0] ?? { pending: 0, scheduled: 0, oldest: null };
}

/** Counts the failed tasks of the last seven days by day (UTC) and error code. */
export const failedTasks = (db: OrgDb) => many<Overview['tasks']['failed'][number]>(db)`
    select to_char(ended_at at time zone 'UTC', 'YYYY-MM-DD') as day, coalesce(error ->> 'code', 'INTERNAL_ERROR') as error_code,
      count(*) as count
    from ${tasks} t
    where org_id = ${db.orgId} and status = 'failed'
      and ended_at >= date_trunc('day', now() at time zone 'UTC') at time zone 'UTC' - interval '6 days'
    group by 1, 2 order by 1, 2`;

/**
 * Returns licenses with limited seats, the fullest first. Uses the external system's own count if it sends one, and the
 * known assignments otherwise.
 */
export const licenseUse = (db: OrgDb, limit: number) => many<Overview['licenses'][number]>(db)`
    select jsonb_build_object('external_uuid', p.id, 'name', p.name) as app, u.id as external_uuid,
      coalesce(nullif(u.name, ''), u.external_id) as name, u.used, u.max_count as max
    from (
      select e.app_id, e.id, e.external_id, e.name, e.max_count, coalesce(e.used_count, ${memberCount(db, 'e')}) as used
      from ${entitlements} e
      where e.org_id = ${db.orgId} and e.type = 'license' and e.active and e.max_count > 0 and e.is_unlimited is not true
    ) u
    join app p on p.org_id = ${db.orgId} and p.id = u.app_id and p.archived_at is null
    order by u.used::float8 / u.max_count desc, u.id limit ${limit}`;

/** Returns which steps after the first sync are done. */
export const nextSteps = (db: OrgDb) => value<Overview['next_steps']>(db)`
    select jsonb_build_object('app', (
        select jsonb_build_object('external_uuid', p.id, 'name', p.name) from app p
        where p.org_id = ${db.orgId} and p.archived_at is null and p.last_synced_at is not null
        order by p.id limit 1),
      'people', (select count(*) > 1 from (select from platform_user where org_id = ${db.orgId} limit 2) as found),
      'app_owner', exists (select from app where org_id = ${db.orgId} and archived_at is null and owner_id is not null),
      'review', exists (select from review_campaign where org_id = ${db.orgId} and deleted_at is null))`;
