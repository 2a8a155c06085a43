import { accountExists, accounts, memberships } from '#inventory/records/accounts/facts.ts';
import type { GrantKind } from '#inventory/records/accounts/grant-kinds.ts';
import { type OrgTx, timeToInsert } from '#kit/database.ts';
import { many, type RawBuilder, run, sql, writeMany } from '#kit/sql.ts';
import { isForAnother, isOpen } from '../facts.ts';
import type { Access, Ending, Given, NewGrant, Taken } from '../grant.ts';

/** Whether the account holds the access of row `g`, and a sync found it. */
const isFound = (tx: OrgTx) => sql`case when g.entitlement_id is null
  then exists (
    select from ${accounts} a where a.org_id = ${tx.orgId} and a.id = g.account_id and ${accountExists('a')} and not a.given)
  else exists (
    select from ${memberships} m
    where m.org_id = ${tx.orgId} and m.account_id = g.account_id and m.entitlement_id = g.entitlement_id and not m.given
      and m.via_id is null) end`;

/** Inserts grants, without those that the same decision has given until the same time. */
export async function insertGrants(tx: OrgTx, rows: readonly NewGrant[]): Promise<void> {
  if (rows.length === 0) return;
  const now = await timeToInsert(tx);
  const insert = (end: RawBuilder<unknown>) => sql`
    insert into access_grant (org_id, app_id, account_id, entitlement_id, kind, source_id, label, for_user, decided_by, starts_at,
      ends_at, over_found, recorded_at)
    select ${tx.orgId}::uuid, g.app_id, g.account_id, g.entitlement_id, g.kind, g.source_id, g.label, a.user_id, g.decided_by,
      coalesce(g.starts_at, ${now}), g.ends_at, ${isFound(tx)}, ${now}
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as g (
      app_id uuid, account_id uuid, entitlement_id uuid, kind text, source_id uuid, label text, decided_by uuid,
      starts_at timestamptz, ends_at timestamptz)
    join ${accounts} a on a.org_id = ${tx.orgId} and a.id = g.account_id
    where not exists (
      select from access_grant same
      where same.org_id = ${tx.orgId} and same.account_id = g.account_id
        and same.entitlement_id is not distinct from g.entitlement_id and same.kind = g.kind and same.source_id = g.source_id
        and same.ends_at is not distinct from g.ends_at and ${isOpen('same')} and not ${isForAnother('same', sql`a.user_id`)}) ${end}`;
  await writeMany(tx, rows.length, (end) => insert(end).execute(tx));
}

/** Whether the account has the access of row `g`. */
const isHeld = (tx: OrgTx) => sql`case when g.entitlement_id is null
  then exists (select from ${accounts} a where a.org_id = ${tx.orgId} and a.id = g.account_id and ${accountExists('a')})
  else exists (
    select from ${memberships} m
    where m.org_id = ${tx.orgId} and m.account_id = g.account_id and m.entitlement_id = g.entitlement_id) end`;

/** The assignments that end grant `g`. Access that is not there then is gone. */
const ended = async (tx: OrgTx, { kind, id, label }: Ending): Promise<RawBuilder<unknown>> => sql`
  ended_at = clock_now(), end_recorded_at = clock_now(), ended_kind = ${kind}, ended_source = ${id}::uuid, ended_label = ${label},
  gone_since = ${await goneSince(tx)}`;

/** Since when the access of grant `g` is gone. A cluster refuses `clock_now()` in a condition of an update. */
const goneSince = async (tx: OrgTx): Promise<RawBuilder<unknown>> => sql`
  case when not ${isHeld(tx)} then coalesce(g.gone_since, ${await timeToInsert(tx)}) end`;

/** A grant that has just ended. */
export interface Ended extends Access {
  app_id: string;
  kind: GrantKind;
  source_id: string | null;
}

const endedColumns = sql`g.app_id, g.account_id, g.entitlement_id, g.kind, g.source_id`;

/** Ends all grants on these accesses. Returns those that ended. */
export async function endOn(tx: OrgTx, accesses: readonly Access[], by: Ending): Promise<Ended[]> {
  if (accesses.length === 0) return [];
  return many<Ended>(tx)`
    update access_grant g set ${await ended(tx, by)}
    from unnest(${accesses.map(({ account_id }) => account_id)}::uuid[],
      ${accesses.map(({ entitlement_id }) => entitlement_id)}::uuid[]) as e (account_id, entitlement_id)
    where g.org_id = ${tx.orgId} and g.account_id = e.account_id and g.entitlement_id is not distinct from e.entitlement_id
      and ${isOpen('g')}
    returning ${endedColumns}`;
}

/** Ends all grants of these accounts, and of everything in them. Returns those that ended. */
export const endOfAccounts = async (tx: OrgTx, accountIds: readonly string[], by: Ending) => many<Ended>(tx)`
    update access_grant g set ${await ended(tx, by)}
    where g.org_id = ${tx.orgId} and g.account_id = any(${accountIds}::uuid[]) and ${isOpen('g')}
    returning ${endedColumns}`;

/**
 * Ends the grants of these decisions on these accesses. Of tasks by hand that continue another one, those of the same person. Returns the
 * accounts of those that ended.
 */
export async function endGiven(tx: OrgTx, given: readonly Given[], by: Ending): Promise<string[]> {
  if (given.length === 0) return [];
  const rows = await many<{ account_id: string }>(tx)`
    update access_grant g set ${await ended(tx, by)}
    from jsonb_to_recordset(${JSON.stringify(given)}::jsonb) as e (
      account_id uuid, entitlement_id uuid, kind text, source_id uuid, decided_by uuid)
    where g.org_id = ${tx.orgId} and g.account_id = e.account_id and g.entitlement_id is not distinct from e.entitlement_id
      and g.kind = e.kind and (g.source_id is not distinct from e.source_id
        or g.kind = 'manual' and g.decided_by is not distinct from e.decided_by and not exists (
          select from access_grant own
          where own.org_id = ${tx.orgId} and own.account_id = e.account_id and own.kind = 'manual' and own.source_id = e.source_id))
      and ${isOpen('g')}
    returning g.account_id`;
  return rows.map(({ account_id }) => account_id);
}

/** Inserts again what decisions have ended on these accesses since a time, without what its own end has ended since. Returns the accounts. */
export async function insertAgain(tx: OrgTx, taken: readonly Taken[]): Promise<string[]> {
  if (taken.length === 0) return [];
  const now = await timeToInsert(tx);
  const rows = await many<{ account_id: string }>(tx)`
    insert into access_grant (org_id, app_id, account_id, entitlement_id, kind, source_id, label, for_user, decided_by, starts_at,
      ends_at, brought, over_found, gone_since, recorded_at)
    select ${tx.orgId}::uuid, g.app_id, g.account_id, g.entitlement_id, g.kind, g.source_id, g.label, g.for_user, g.decided_by,
      greatest(g.starts_at, ${now}), g.ends_at, g.brought, g.over_found, g.gone_since, ${now}
    from jsonb_to_recordset(${JSON.stringify(taken)}::jsonb) as e (
      account_id uuid, entitlement_id uuid, kind text, id uuid, since timestamptz)
    join access_grant g on g.org_id = ${tx.orgId} and g.account_id = e.account_id
      and g.entitlement_id is not distinct from e.entitlement_id
    where g.ended_kind = e.kind and g.ended_source = e.id and g.ended_at >= e.since and coalesce(g.ends_at, 'infinity') > clock_now()
    returning account_id`;
  return rows.map(({ account_id }) => account_id);
}

/** Ends all grants of an app. */
export const endOfApp = async (tx: OrgTx, appId: string, by: Ending) => run(tx)`
    update access_grant g set ${await ended(tx, by)} where g.org_id = ${tx.orgId} and g.app_id = ${appId} and ${isOpen('g')}`;

/** Notes that a task has given accesses. Access that a sync has removed before the report is missing. */
export const noteBrought = async (tx: OrgTx, accesses: readonly Access[]) => run(tx)`
    update access_grant g set brought = true, gone_since = ${await goneSince(tx)}
    from unnest(${accesses.map(({ account_id }) => account_id)}::uuid[],
      ${accesses.map(({ entitlement_id }) => entitlement_id)}::uuid[]) as e (account_id, entitlement_id)
    where g.org_id = ${tx.orgId} and g.account_id = e.account_id and g.entitlement_id is not distinct from e.entitlement_id
      and ${isOpen('g')}`;

/** Notes that accesses are gone, because their removal was reported. `null` as the entitlement: the account, with all that it had. A group or license is no longer found. */
export const noteGone = (tx: OrgTx, accesses: readonly Access[]) => run(tx)`
    update access_grant g set gone_since = clock_now(), over_found = g.over_found and (e.entitlement_id is null or not ${isOpen('g')})
    from unnest(${accesses.map(({ account_id }) => account_id)}::uuid[],
      ${accesses.map(({ entitlement_id }) => entitlement_id)}::uuid[]) as e (account_id, entitlement_id)
    where g.org_id = ${tx.orgId} and g.account_id = e.account_id
      and (e.entitlement_id is null or g.entitlement_id = e.entitlement_id) and g.gone_since is null`;
