import type { OrgDb, OrgTx } from '#kit/database.ts';
import { emailKey } from '#kit/identity.ts';
import { many, one, run, sql, values } from '#kit/sql.ts';
import type { AccountKind } from '../account.ts';
import { accountOwners } from '../facts.ts';

/** The digest of a row of `account_detail` without details. */
export const NO_DETAILS = '00000000-0000-0000-0000-000000000000';

/** The kind of an account, and the person who is responsible for a service or shared account. */
export interface Ownership {
  kind: AccountKind;
  owner: string | null;
  /** Whether an administrator chose them. Otherwise they follow from the owner that the app names. */
  owner_confirmed: boolean;
}

export async function findOwnership(db: OrgDb, accountId: string): Promise<Ownership> {
  const rows = await many<Ownership>(db)`
    select o.kind, o.owner_id as owner, o.by_hand as owner_confirmed from ${accountOwners} o
    where o.org_id = ${db.orgId} and o.account_id = ${accountId}`;
  return rows[0] ?? { kind: 'person', owner: null, owner_confirmed: true };
}

/** Returns the service and shared accounts that exist and have this owner. */
export const accountsOwnedBy = (db: OrgDb, ownerId: string) => values<string>(db)`
    select o.account_id as id from ${accountOwners} o join account a on a.org_id = ${db.orgId} and a.id = o.account_id
    where o.org_id = ${db.orgId} and o.owner_id = ${ownerId} and a.removed_at is null order by a.id`;

export async function setOwnership(
  tx: OrgTx,
  accountId: string,
  { kind, owner }: Omit<Ownership, 'owner_confirmed'>,
): Promise<void> {
  if (kind === 'person') {
    await run(tx)`delete from account_owner where org_id = ${tx.orgId} and account_id = ${accountId}`;
    await run(tx)`
      insert into account_detail (org_id, account_id, app_id, digest, owner_overruled)
      select org_id, id, app_id, ${NO_DETAILS}::uuid, true from account where org_id = ${tx.orgId} and id = ${accountId}
      on conflict (org_id, account_id) do update set owner_overruled = true`;
    return;
  }
  await run(tx)`
    insert into account_owner (org_id, account_id, kind, owner_id)
    values (${tx.orgId}, ${accountId}, ${kind}, ${owner}::uuid)
    on conflict (org_id, account_id) do update set kind = excluded.kind, owner_id = excluded.owner_id,
      by_hand = true, named_email = null`;
}

/** Returns a person to whom an account is given, and keeps them from being merged or deactivated until `tx` ends. */
export const lockRecipient = (tx: OrgTx, id: string) => one<{
  id: string;
  email: string;
  status: string;
  merged_into: string | null;
}>(tx)`
    select id, email, status, merged_into from platform_user
    where org_id = ${tx.orgId} and id = ${id} for share`;

/**
 * Makes these people the owners of the accounts, groups and licenses for which the apps name their emails (D54), unless the email has
 * already decided who the owner is (D83). A publication finds the owners of groups and licenses that it has locked.
 */
export async function ownByEmail(tx: OrgTx, ids: string[], emails: string[]): Promise<void> {
  const people = sql`unnest(${ids}::uuid[], ${emails}::text[]) as p (id, email)`;
  const isTheirs = sql`org_id = ${tx.orgId} and ${emailKey(sql`owner_email`)} = ${emailKey(sql`p.email`)} and owner_email is not null`;
  await run(tx)`
    with found as materialized (
      select d.account_id, d.owner_email, p.id as owner_id
      from ${people} cross join lateral (select account_id, owner_email from account_detail where ${isTheirs}) d
    )
    update account_owner o set owner_id = f.owner_id, named_email = f.owner_email
    from found f
    where o.org_id = ${tx.orgId} and o.account_id = f.account_id and not o.by_hand and o.named_email is null`;
  await run(tx)`
    with found as materialized (
      select e.id, e.owner_email, p.id as owner_id
      from ${people} cross join lateral (
        select id, owner_email from entitlement where ${isTheirs} and named_email is null
        for no key update skip locked) e
    )
    update entitlement e set owner_id = f.owner_id, named_email = f.owner_email
    from found f where e.org_id = ${tx.orgId} and e.id = f.id`;
}
