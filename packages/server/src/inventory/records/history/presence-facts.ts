import type { Org } from '#kit/database.ts';
import { type RawBuilder, sql } from '#kit/sql.ts';

/*
 * The accesses that a sync session brought and took away, for reasons of access (D73). An access is an account (its entitlement is null), or a group or
 * license of an account.
 */

const changesOf = (org: Org, sessionId: string) => sql`array(
  select ic.id from inventory_change ic where ic.org_id = ${org.orgId} and ic.source_id = ${sessionId})`;

/** The last period of an access before the present one: whether it was given, when it ended, by which change, and when if that was a task. */
const before = (
  org: Org,
  table: 'account_period' | 'membership_period',
  condition: RawBuilder<unknown>,
) => sql`(
  select p.given, p.ended_at, p.ended_by, (
    select ic.at from inventory_change ic where ic.org_id = ${org.orgId} and ic.id = p.ended_by and ic.kind = 'task') as taken_at
  from ${sql.table(table)} p
  where p.org_id = ${org.orgId} and p.known_to is null and ${condition} order by p.ended_at desc limit 1)`;

/**
 * The accesses that a session began, and that exist. Of the first sync of an app, only groups and licenses of accounts that were given. Columns: account_id, entitlement_id,
 * was_given (of the period before; null if there was none), absent_since (null if it was never there, or not absent), taken_at (when a task
 * took it away).
 */
export const begunBy = (org: Org, sessionId: string): RawBuilder<unknown> => sql`(
  select m.account_id, m.entitlement_id, p.given as was_given, p.ended_at as absent_since, p.taken_at
  from membership m
  left join lateral ${before(org, 'membership_period', sql`p.account_id = m.account_id and p.entitlement_id = m.entitlement_id`)} p on true
  where m.org_id = ${org.orgId} and m.change_id = any(${changesOf(org, sessionId)}) and m.not_before is not null
  union all
  select m.account_id, m.entitlement_id, null, null, null
  from account a
  join membership m on m.org_id = ${org.orgId} and m.account_id = a.id and m.change_id = any(${changesOf(org, sessionId)})
    and m.not_before is null
  where a.org_id = ${org.orgId} and a.given and a.app_id = (
    select first.app_id from inventory_change first
    where first.org_id = ${org.orgId} and first.source_id = ${sessionId} and first.not_before is null limit 1)
  union all
  select a.id, null, p.given, case when p.ended_by <> all(${changesOf(org, sessionId)}) then p.ended_at end, p.taken_at
  from account a
  left join lateral ${before(org, 'account_period', sql`p.account_id = a.id`)} p on true
  where a.org_id = ${org.orgId} and a.change_id = any(${changesOf(org, sessionId)}) and a.not_before is not null
    and a.removed_at is null)`;

/** The accesses that a session ended, and that do not exist. Columns: account_id, entitlement_id. */
export const endedBy = (org: Org, sessionId: string): RawBuilder<unknown> => sql`(
  select p.account_id, p.entitlement_id from membership_period p
  where p.org_id = ${org.orgId} and p.ended_by = any(${changesOf(org, sessionId)}) and not exists (
    select from membership m
    where m.org_id = ${org.orgId} and m.account_id = p.account_id and m.entitlement_id = p.entitlement_id)
  union all
  select a.id, null from account_period p
  join account a on a.org_id = ${org.orgId} and a.id = p.account_id and a.removed_at is not null
  where p.org_id = ${org.orgId} and p.ended_by = any(${changesOf(org, sessionId)}))`;

/** Whether an access was there before. The ids are SQL expressions. */
export const wasHeld = (
  org: Org,
  accountId: RawBuilder<unknown>,
  entitlementId: RawBuilder<unknown>,
): RawBuilder<boolean> => sql`exists (
  select from membership_period p
  where p.org_id = ${org.orgId} and p.account_id = ${accountId} and p.entitlement_id = ${entitlementId} and p.known_to is null)`;

/** Whether a session is the first that began after a time, an SQL expression. True if the time is null. */
export const isFirstSince = (
  org: Org,
  sessionId: string,
  at: RawBuilder<unknown>,
): RawBuilder<boolean> => sql`not exists (
  select from inventory_change own
  join inventory_change earlier on earlier.org_id = ${org.orgId} and earlier.app_id = own.app_id and earlier.kind = 'sync'
    and earlier.started_at is not null and earlier.at < own.at and earlier.started_at > ${at}
  where own.org_id = ${org.orgId} and own.source_id = ${sessionId} and own.kind = 'sync')`;

/**
 * The accounts of which a session began a state, and that exist. Columns: account_id, app_id, status, before (the status of the state before,
 * null if there was none), follows (whether that state ended when this one began).
 */
export const statusesBegunBy = (org: Org, sessionId: string): RawBuilder<unknown> => sql`(
  select a.id as account_id, a.app_id, a.status, p.status as before, coalesce(p.ended_by = a.change_id, false) as follows
  from account a
  left join lateral (
    select p.status, p.ended_by from account_period p
    where p.org_id = ${org.orgId} and p.account_id = a.id and p.known_to is null order by p.ended_at desc limit 1) p on true
  where a.org_id = ${org.orgId} and a.change_id = any(${changesOf(org, sessionId)}) and a.removed_at is null)`;
