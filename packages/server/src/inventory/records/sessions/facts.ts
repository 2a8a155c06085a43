import type { Org } from '#kit/database.ts';
import { type RawBuilder, sql } from '#kit/sql.ts';

/** The sessions whose removals wait for the approval of an administrator. Columns: org_id, app_id, started_at, published_at, held. */
export const heldSyncs = sql`(
  select org_id, app_id, started_at, published_at, held from sync_session
  where status = 'completing' and held is not null)`;

/** Late by less than this is a sync that runs a little later than usual. */
const OVERDUE_AFTER_INTERVALS = 3;

/**
 * The newest completed session of an app, and the usual interval in seconds: the median between the last ten. Columns: sync_id, finished_at,
 * seconds, gaps (the number of intervals), is_upload (a person sent it). One row; `appId` is an SQL expression.
 */
export const usualSync = (org: Org, appId: RawBuilder<unknown>): RawBuilder<unknown> => sql`(
  select max(s.finished_at) as finished_at, (array_agg(s.id order by s.finished_at desc))[1] as sync_id,
    percentile_cont(0.5) within group (order by extract(epoch from s.finished_at - s.before)) as seconds,
    count(s.before) as gaps, (array_agg(s.client_type = 'person' order by s.finished_at desc))[1] as is_upload
  from (
    select d.id, d.finished_at, d.client_type, lag(d.finished_at) over (order by d.finished_at) as before
    from (
      select y.id, y.finished_at, y.client_type from sync_session y
      where y.org_id = ${org.orgId} and y.app_id = ${appId} and y.status = 'completed'
      order by y.started_at desc, y.id desc limit 10) d
  ) s)`;

/**
 * The newest completed session of a connected app, `sync_id` and `finished_at`, if a sync is overdue: the session is older
 * than three usual intervals, and older than an hour. Fewer than four sessions show none. `app` is the alias of the app, for a lateral join.
 */
export const overdueSync = (org: Org, app: string): RawBuilder<unknown> => sql`(
  select newest.sync_id, newest.finished_at from ${usualSync(org, sql.ref(`${app}.id`))} newest
  where ${sql.ref(`${app}.configuration_status`)} = 'CONNECTED' and newest.gaps >= 3
    and extract(epoch from clock_now() - newest.finished_at)
      > greatest(3600, ${OVERDUE_AFTER_INTERVALS}::float8 * newest.seconds))`;

/**
 * The session whose report holds for an app: the newest completion that was published and not reverted. An upload, which reports nothing, is
 * one, too. An abandoned session is not.
 */
export const newestReport = (org: Org, appId: RawBuilder<unknown>): RawBuilder<unknown> => sql`(
  select reporting.id from sync_session reporting
  where reporting.org_id = ${org.orgId} and reporting.app_id = ${appId} and reporting.completing_at is not null
    and reporting.published_at is not null and reporting.reverted_at is null
  order by reporting.started_at desc, reporting.id desc limit 1)`;

/**
 * Things that the connector of an app cannot see although it is asked for, for a lateral join: records, members of groups and licenses, and since
 * when. Nothing without a report.
 */
export const unseenAccess = (org: Org, appId: RawBuilder<unknown>): RawBuilder<unknown> => sql`(
  select s.published_at, coalesce(sum(u.count) filter (where u.id is null), 0) as records,
    coalesce(sum(u.count) filter (where u.id is not null), 0) as members
  from sync_session s cross join jsonb_to_recordset(s.unseen) as u (id text, rule text, count bigint)
  where s.org_id = ${org.orgId} and s.id = ${newestReport(org, appId)} and u.rule not in ('range', 'filter', 'class')
  group by s.published_at)`;

/** The report of a session about records of a resource type, or members of a group or license, that it could not see (D81). All are SQL. */
export const unreadable = (
  slug: RawBuilder<unknown>,
  id: RawBuilder<unknown> = sql`null`,
): RawBuilder<unknown> => sql`jsonb_build_array(jsonb_build_object('slug', ${slug}, 'id', ${id}::text))`;

/**
 * Whether session `s` reports none of these, given as an array in SQL. A session that does says nothing about whether they are gone. The
 * array must not depend on `s`, so that it is made once for all sessions.
 */
export const couldSee = (these: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql<boolean>`(s.unreadable is null or not s.unreadable @> any (${these}))`;
