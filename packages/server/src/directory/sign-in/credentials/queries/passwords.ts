import { type Db, everywhere, type OrgDb, type OrgTx } from '#kit/database.ts';
import type { PersonIdentity } from '#kit/identity.ts';
import { exists, one, run, value } from '#kit/sql.ts';

export const setPassword = (tx: OrgTx, userId: string, hash: string) => run(tx)`
    insert into sign_in_account (org_id, user_id, provider_id, account_id, password)
    values (${tx.orgId}, ${userId}, 'credential', ${userId}, ${hash})
    on conflict (org_id, provider_id, account_id) do update set password = excluded.password,
      updated_at = excluded.updated_at`;

export const findPassword = (db: OrgDb, userId: string) => value<string | undefined>(db)`
    select password from sign_in_account
    where org_id = ${db.orgId} and user_id = ${userId} and provider_id = 'credential' and password is not null`;

export const deletePassword = (tx: OrgTx, userId: string) => exists(tx)`
    delete from sign_in_account where org_id = ${tx.orgId} and user_id = ${userId} and provider_id = 'credential'
    returning id`;

/** Keeps people as they are until `tx` ends. */
export const lockPeople = (tx: OrgTx, ids: string[]) => run(tx)`
    select id from platform_user where org_id = ${tx.orgId} and id = any(${ids}::uuid[]) order by id for share`;

/** Stores a link and deletes the person's earlier ones, so that only the latest link works. */
export async function replaceLink(
  tx: OrgTx,
  userId: string,
  identifier: string,
  expiresAt: Date,
): Promise<void> {
  await deleteLinks(tx, [userId]);
  await run(tx)`
    insert into sign_in_verification (org_id, identifier, value, expires_at)
    values (${tx.orgId}, ${identifier}, ${userId}, ${expiresAt})`;
}

export const deleteLinks = (tx: OrgTx, userIds: string[]) => run(tx)`
    delete from sign_in_verification
    where org_id = ${tx.orgId} and value = any(${userIds}::text[]) and starts_with(identifier, 'link:')`;

/** Returns the active person of a valid link. */
export const findLinkOwner = (db: OrgDb, identifier: string) => one<PersonIdentity>(db)`
    select u.id, u.email, u.username, u.first_name, u.last_name, u.role, u.status
    from sign_in_verification v
    join platform_user u on u.org_id = v.org_id and u.id::text = v.value and u.status = 'active'
    where v.org_id = ${db.orgId} and v.identifier = ${identifier} and v.expires_at > now()`;

/** Deletes a link, which works only once. Returns false if it is no longer valid. */
export const consumeLink = (tx: OrgTx, identifier: string) => exists(tx)`
    delete from sign_in_verification v using platform_user u
    where v.org_id = ${tx.orgId} and v.identifier = ${identifier} and v.expires_at > now()
      and u.org_id = v.org_id and u.id::text = v.value and u.status = 'active'
    returning u.id`;

/** Deletes expired links, challenges and redirect states. */
export const deleteExpiredVerifications = (db: Db) =>
  run(everywhere(db))`delete from sign_in_verification where expires_at < now()`;
