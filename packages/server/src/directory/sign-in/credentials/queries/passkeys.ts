import type { OrgDb, OrgTx } from '#kit/database.ts';
import { many, one } from '#kit/sql.ts';

export interface Passkey {
  id: string;
  name: string;
  created_at: Date;
  /** Whether it is synced to other devices, according to its authenticator. */
  backed_up: boolean;
}

export const listPasskeys = (db: OrgDb, userId: string) => many<Passkey>(db)`
    select id, coalesce(name, '') as name, created_at, backed_up from sign_in_passkey
    where org_id = ${db.orgId} and user_id = ${userId} order by created_at, id`;

/** The person to whom a passkey belongs. */
export interface PasskeyOwner {
  id: string;
  email: string;
  passkey_name: string;
  /** How many signatures the passkey had counted when it was last used. Synced passkeys do not count: 0. */
  counter: number;
}

/** Returns the passkey's person if they are active. */
export const findPasskeyOwner = (db: OrgDb, credentialId: string) => one<PasskeyOwner>(db)`
    select u.id, u.email, coalesce(p.name, '') as passkey_name, p.counter from sign_in_passkey p
    join platform_user u on u.org_id = p.org_id and u.id = p.user_id and u.status = 'active'
    where p.org_id = ${db.orgId} and p.credential_id = ${credentialId}`;

/** Deletes all passkeys of a person and returns their names. */
export const deletePasskeys = (tx: OrgTx, userId: string) => many<{ name: string }>(tx)`
    delete from sign_in_passkey where org_id = ${tx.orgId} and user_id = ${userId}
    returning coalesce(name, '') as name`;

/** Deletes a person's passkey and returns its name. */
export const deletePasskey = (tx: OrgTx, userId: string, passkeyId: string) => one<{ name: string }>(tx)`
    delete from sign_in_passkey where org_id = ${tx.orgId} and user_id = ${userId} and id = ${passkeyId}
    returning coalesce(name, '') as name`;
