import { accountExists, accounts, memberships } from '#inventory/records/accounts/facts.ts';
import type { GrantKind } from '#inventory/records/accounts/grant-kinds.ts';
import type { Org, OrgDb } from '#kit/database.ts';
import { isoTime, many, type RawBuilder, sql } from '#kit/sql.ts';
import { type Access, OWED_SECONDS, type RevokedEntry } from './grant.ts';

/**
 * Every grant. Columns: org_id, id, app_id, account_id, entitlement_id (null: the account itself), kind, source_id, label, for_user,
 * decided_by, starts_at, ends_at (null: never), ended_at (null: not yet, or its time is over), ended_kind, ended_source, ended_label,
 * brought, over_found, gone_since, recorded_at, end_recorded_at.
 */
export const grants = sql`(
  select org_id, id, app_id, account_id, entitlement_id, kind, source_id, label, for_user, decided_by, starts_at, ends_at, ended_at,
    ended_kind, ended_source, ended_label, brought, over_found, gone_since, recorded_at, end_recorded_at
  from access_grant)`;

const column = (alias: string, name: string) => sql.ref(`${alias}.${name}`);

const NOW = sql<Date>`clock_now()`;

/** When the grant with this alias ended, or will end. Null: never. */
export const endOf = (grant: string): RawBuilder<Date | null> =>
  sql`least(${column(grant, 'ended_at')}, ${column(grant, 'ends_at')})`;

/** Whether the grant with this alias has not ended. It may begin later. */
export const isOpen = (grant: string, at: RawBuilder<Date> = NOW): RawBuilder<boolean> =>
  sql`(coalesce(${endOf(grant)}, 'infinity') > ${at})`;

/** Whether the grant with this alias is in force. */
export const isInForce = (grant: string, at: RawBuilder<Date> = NOW): RawBuilder<boolean> =>
  sql`(${column(grant, 'starts_at')} <= ${at} and ${isOpen(grant, at)})`;

/**
 * Until when the grant with this alias is in force or owed. Null: without an end. Over found access, or when syncs did not show its access for
 * 30 days, it owes nothing.
 */
export const owedUntil = (grant: string): RawBuilder<Date | null> => sql`(case
  when ${column(grant, 'over_found')} or ${column(grant, 'ended_kind')} = 'sync' then ${endOf(grant)}
  when ${endOf(grant)} is not null and ${column(grant, 'gone_since')} is not null
    then seconds_after(greatest(${column(grant, 'gone_since')}, ${endOf(grant)}), ${OWED_SECONDS}) end)`;

/**
 * Whether the grant with this alias has ended and is owed, in the words of the index access_grant_owed: the planner would compare `owedUntil`
 * row by row, and find too many by the index access_grant_ended.
 */
export const isOwed = (grant: string): RawBuilder<boolean> => {
  const [gone, end] = [column(grant, 'gone_since'), endOf(grant)];
  return sql`(not ${isOpen(grant)} and coalesce(${column(grant, 'ended_at')}, ${column(grant, 'ends_at')}) is not null
    and not ${column(grant, 'over_found')} and ${column(grant, 'ended_kind')} is distinct from 'sync'
    and case when ${gone} is null then 'infinity'::timestamptz else greatest(${gone}, ${end}) end
      > ${NOW} - interval '${sql.raw(String(OWED_SECONDS))} seconds')`;
};

/** Whether the account of the grant with this alias has the access. */
export const hasAccess = (
  org: Org,
  grant: string,
): RawBuilder<boolean> => sql`(case when ${column(grant, 'entitlement_id')} is null
  then exists (
    select from ${accounts} own where own.org_id = ${org.orgId} and own.id = ${column(grant, 'account_id')} and ${accountExists('own')})
  else exists (
    select from ${memberships} own
    where own.org_id = ${org.orgId} and own.account_id = ${column(grant, 'account_id')}
      and own.entitlement_id = ${column(grant, 'entitlement_id')}) end)`;

/** Whether a grant on an access is in force. The entitlement is null for the account itself. All are SQL expressions. */
export const isGranted = (
  orgId: RawBuilder<unknown>,
  accountId: RawBuilder<unknown>,
  entitlementId: RawBuilder<unknown>,
): RawBuilder<boolean> => sql`exists (
  select from access_grant held
  where held.org_id = ${orgId} and held.account_id = ${accountId} and held.entitlement_id is not distinct from ${entitlementId}
    and ${isInForce('held')})`;

/** Whether a decision still needs an account, now or later: the account itself, or something in it. */
export const isNeeded = (
  orgId: RawBuilder<unknown>,
  accountId: RawBuilder<unknown>,
): RawBuilder<boolean> => sql`exists (
  select from access_grant held
  where held.org_id = ${orgId} and held.account_id = ${accountId} and ${isOpen('held')})`;

/**
 * The grants in force on what an account has, as JSON like GrantReference, without those for another person. `account` is an alias of
 * `accounts`; the entitlement is an SQL expression, null for the account itself. `more` adds fields.
 */
export const grantsIn = (
  org: Org,
  {
    account,
    entitlementId,
    more,
  }: { account: string; entitlementId: RawBuilder<unknown>; more?: RawBuilder<unknown> },
): RawBuilder<unknown> => sql`coalesce((
  select jsonb_agg(jsonb_build_object('external_uuid', held.id, 'kind', held.kind, 'label', held.label,
    'ends_at', ${isoTime(sql`held.ends_at`)}) ${more === undefined ? sql`` : sql`|| ${more}`} order by held.starts_at, held.id)
  from access_grant held
  where held.org_id = ${org.orgId} and held.account_id = ${column(account, 'id')}
    and held.entitlement_id is not distinct from ${entitlementId} and ${isInForce('held')}
    and not ${isForAnother('held', column(account, 'user_id'))}), '[]')`;

/** Returns what people took away from a policy or role. */
export const revokedFrom = (db: OrgDb, sourceId: string) => many<RevokedEntry>(db)`
    select r.app_id, r.account_id, r.entitlement_id, r.user_id, r.revoked_kind, r.revoked_source, r.revoked_label, r.revoked_at
    from revoked_entry r where r.org_id = ${db.orgId} and r.source_id = ${sourceId} order by r.id`;

/** Whether the grant with this alias was decided for another person than `userId`, an SQL expression. */
export const isForAnother = (grant: string, userId: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql`coalesce(${column(grant, 'for_user')} <> ${userId}, false)`;

/** Returns what a decision grants in these accounts to who has them now. */
export const grantsOfDecision = (
  db: OrgDb,
  { kind, id }: { kind: GrantKind; id: string },
  accountIds: readonly string[],
) => many<Access>(db)`
    select g.account_id, g.entitlement_id from access_grant g
    join ${accounts} a on a.org_id = ${db.orgId} and a.id = g.account_id
    where g.org_id = ${db.orgId} and g.account_id = any(${accountIds}::uuid[]) and g.kind = ${kind} and g.source_id = ${id}
      and ${isOpen('g')} and not ${isForAnother('g', sql`a.user_id`)}`;

/** A grant that has not ended. */
export interface OpenGrant extends Access {
  id: string;
  app_id: string;
  kind: GrantKind;
  source_id: string | null;
  label: string;
  decided_by: string | null;
  starts_at: Date;
  ends_at: Date | null;
  over_found: boolean;
}

/** Returns the grants of accounts that have not ended, those that were decided last at the end. */
export const openGrants = (db: OrgDb, accountIds: readonly string[]) => many<OpenGrant>(db)`
    select g.id, g.app_id, g.account_id, g.entitlement_id, g.kind, g.source_id, g.label, g.decided_by, g.starts_at, g.ends_at,
      g.over_found
    from access_grant g
    where g.org_id = ${db.orgId} and g.account_id = any(${accountIds}::uuid[]) and ${isOpen('g')}
    order by g.recorded_at, g.id`;
