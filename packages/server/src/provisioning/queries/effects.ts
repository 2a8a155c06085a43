import { sql } from 'kysely';
import type { Tx } from '../../platform/database/open.ts';
import type { AccountState } from './write.ts';

/**
 * What completed tasks do to the inventory (D25, D26). `tasked_at` is what keeps a sync whose session began earlier
 * from removing it (D16). An account that a sync has removed meanwhile is left as it is.
 */

export interface StatusChange {
  from: AccountState['status'];
  to: AccountState['status'];
}

type Status = AccountState['status'];

/** Undefined where the account is removed. */
export async function setStatus(
  tx: Tx,
  orgId: string,
  accountId: string,
  status: Status,
): Promise<StatusChange | undefined> {
  const { rows } = await sql<StatusChange>`
    update account set status = ${status}, tasked_at = clock_timestamp(), updated_at = clock_timestamp()
    where org_id = ${orgId} and id = ${accountId} and removed_at is null
    returning old.status as from, new.status as to`.execute(tx);
  return rows[0];
}

/** The create is done: INVITED, unless a sync has seen more of the account already. */
export async function setCreated(
  tx: Tx,
  orgId: string,
  accountId: string,
  externalId: string | null,
): Promise<StatusChange | undefined> {
  const { rows } = await sql<StatusChange>`
    update account set status = case status when 'NEW' then 'INVITED' else status end,
      external_id = coalesce(external_id, ${externalId}), tasked_at = clock_timestamp(), updated_at = clock_timestamp()
    where org_id = ${orgId} and id = ${accountId} and removed_at is null
    returning old.status as from, new.status as to`.execute(tx);
  return rows[0];
}

export async function setDeleted(
  tx: Tx,
  orgId: string,
  accountId: string,
): Promise<StatusChange | undefined> {
  const { rows } = await sql<StatusChange>`
    update account set status = 'INACTIVE', removed_at = clock_timestamp(), tasked_at = clock_timestamp(),
      updated_at = clock_timestamp()
    where org_id = ${orgId} and id = ${accountId} and removed_at is null
    returning old.status as from, new.status as to`.execute(tx);
  return rows[0];
}

/** Another account of the app that has this external id already, if no task of it is open. */
export async function findTwin(
  tx: Tx,
  orgId: string,
  accountId: string,
  externalId: string,
): Promise<{ id: string; free: boolean } | undefined> {
  const { rows } = await sql<{ id: string; free: boolean }>`
    select b.id, not exists (
      select from task t where t.org_id = b.org_id and t.account_id = b.id and t.status in ('scheduled', 'pending')) as free
    from account a join account b on b.org_id = a.org_id and b.app_id = a.app_id
      and b.resource_type_id = a.resource_type_id and b.external_id = ${externalId} and b.id <> a.id
    where a.org_id = ${orgId} and a.id = ${accountId}
    for no key update of b`.execute(tx);
  return rows[0];
}

/**
 * A sync has seen the new account under an email that did not tell whose it is, and knows it as `twinId`: that one
 * ends, and what was seen of it is told of this account. Answers the twin's status change, unless it was gone.
 */
export async function absorbTwin(
  tx: Tx,
  orgId: string,
  accountId: string,
  twinId: string,
): Promise<StatusChange | undefined> {
  const { rows } = await sql<StatusChange & { external_id: string; seen_at: Date | null; gone: boolean }>`
    update account set status = 'INACTIVE', external_id = null, updated_at = clock_timestamp(),
      removed_at = coalesce(removed_at, clock_timestamp())
    where org_id = ${orgId} and id = ${twinId}
    returning old.status as from, new.status as to, old.external_id, old.seen_at, old.removed_at is not null as gone`.execute(
    tx,
  );
  const twin = rows[0];
  if (twin === undefined) return undefined;
  await sql`
    update account set external_id = ${twin.external_id}, seen_at = ${twin.seen_at},
      status = case when ${twin.gone} then status else ${twin.from} end
    where org_id = ${orgId} and id = ${accountId}`.execute(tx);
  await sql`
    insert into membership (org_id, account_id, entitlement_id, granted_at, tasked_at)
    select org_id, ${accountId}, entitlement_id, granted_at, tasked_at from membership
    where org_id = ${orgId} and account_id = ${twinId} on conflict do nothing`.execute(tx);
  await sql`delete from membership where org_id = ${orgId} and account_id = ${twinId}`.execute(tx);
  return twin.gone ? undefined : { from: twin.from, to: twin.to };
}

/** Answers the entitlements that the account did not have. */
export async function grant(
  tx: Tx,
  orgId: string,
  accountId: string,
  entitlementIds: string[],
): Promise<string[]> {
  if (entitlementIds.length === 0) return [];
  const { rows } = await sql<{ entitlement_id: string; fresh: boolean }>`
    insert into membership (org_id, account_id, entitlement_id, tasked_at)
    select a.org_id, a.id, e.id, clock_timestamp()
    from unnest(${entitlementIds}::uuid[]) as e (id)
    join account a on a.org_id = ${orgId} and a.id = ${accountId} and a.removed_at is null
    on conflict (org_id, account_id, entitlement_id) do update set tasked_at = excluded.tasked_at
    returning entitlement_id, old.entitlement_id is null as fresh`.execute(tx);
  return rows.filter(({ fresh }) => fresh).map(({ entitlement_id }) => entitlement_id);
}

/** Answers the entitlements that the account had. */
export async function revoke(
  tx: Tx,
  orgId: string,
  accountId: string,
  entitlementIds: string[],
): Promise<string[]> {
  if (entitlementIds.length === 0) return [];
  const { rows } = await sql<{ entitlement_id: string }>`
    delete from membership
    where org_id = ${orgId} and account_id = ${accountId} and entitlement_id = any(${entitlementIds}::uuid[])
    returning entitlement_id`.execute(tx);
  return rows.map(({ entitlement_id }) => entitlement_id);
}

export interface LostGroup {
  entitlement_id: string;
  type: 'group' | 'license';
  slug: string;
  id: string;
  name: string;
}

/** Answers the groups and licenses that went with the account. */
export async function revokeAll(tx: Tx, orgId: string, accountId: string): Promise<LostGroup[]> {
  const { rows } = await sql<LostGroup>`
    with lost as (
      delete from membership where org_id = ${orgId} and account_id = ${accountId} returning entitlement_id)
    select e.id as entitlement_id, r.type, r.slug, e.external_id as id, e.name
    from lost
    join entitlement e on e.org_id = ${orgId} and e.id = lost.entitlement_id
    join resource_type r on r.org_id = e.org_id and r.id = e.resource_type_id
    order by r.slug, e.external_id`.execute(tx);
  return rows;
}
