import { sql } from 'kysely';
import type { OrgDb, OrgTx } from '../../../../kit/database/organization.ts';

export interface Passkey {
  id: string;
  name: string;
  created_at: Date;
  /** Whether it is synced to other devices, according to its authenticator. */
  backed_up: boolean;
}

export async function listPasskeys(db: OrgDb, userId: string): Promise<Passkey[]> {
  const { rows } = await sql<Passkey>`
    select id, coalesce(name, '') as name, created_at, backed_up from sign_in_passkey
    where org_id = ${db.orgId} and user_id = ${userId} order by created_at, id`.execute(db);
  return rows;
}

/** The person to whom a passkey belongs. */
export interface PasskeyOwner {
  id: string;
  email: string;
  passkey_name: string;
  /** How many signatures the passkey had counted when it was last used. Synced passkeys do not count: 0. */
  counter: number;
}

/** Returns the passkey's person if they are active. */
export async function findPasskeyOwner(db: OrgDb, credentialId: string): Promise<PasskeyOwner | undefined> {
  const { rows } = await sql<PasskeyOwner>`
    select u.id, u.email, coalesce(p.name, '') as passkey_name, p.counter from sign_in_passkey p
    join platform_user u on u.org_id = p.org_id and u.id = p.user_id and u.status = 'active'
    where p.org_id = ${db.orgId} and p.credential_id = ${credentialId}`.execute(db);
  return rows[0];
}

/** Deletes all passkeys of a person and returns their names. */
export async function deletePasskeys(tx: OrgTx, userId: string): Promise<{ name: string }[]> {
  const { rows } = await sql<{ name: string }>`
    delete from sign_in_passkey where org_id = ${tx.orgId} and user_id = ${userId}
    returning coalesce(name, '') as name`.execute(tx);
  return rows;
}

/** Deletes a person's passkey and returns its name. */
export async function deletePasskey(
  tx: OrgTx,
  userId: string,
  passkeyId: string,
): Promise<{ name: string } | undefined> {
  const { rows } = await sql<{ name: string }>`
    delete from sign_in_passkey where org_id = ${tx.orgId} and user_id = ${userId} and id = ${passkeyId}
    returning coalesce(name, '') as name`.execute(tx);
  return rows[0];
}
