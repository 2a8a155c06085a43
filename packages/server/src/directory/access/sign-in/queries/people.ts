import { sql } from 'kysely';
import type { OrgDb } from '../../../../kit/database/organization.ts';
import { emailKey } from '../../../../kit/identity/person.ts';

/** Returns the active person with this email. */
export async function findByEmail(db: OrgDb, email: string): Promise<{ id: string } | undefined> {
  const { rows } = await sql<{ id: string }>`
    select id from platform_user
    where org_id = ${db.orgId} and ${emailKey(sql`email`)} = ${emailKey(sql`${email}`)} and status = 'active'`.execute(
    db,
  );
  return rows[0];
}

export interface SignsNotIn {
  external_uuid: string;
  email: string;
}

/**
 * Returns those of these people who have no way to sign in: neither a password nor a passkey, and no provider for their
 * email domain. By email.
 */
export async function withoutSignIn(db: OrgDb, userIds: string[]): Promise<SignsNotIn[]> {
  const { rows } = await sql<SignsNotIn>`
    select u.id as external_uuid, u.email from platform_user u
    where u.org_id = ${db.orgId} and u.id = any(${userIds}::uuid[])
      and not exists (
        select from sign_in_account a
        where a.org_id = ${db.orgId} and a.user_id = u.id and a.provider_id = 'credential')
      and not exists (select from sign_in_passkey k where k.org_id = ${db.orgId} and k.user_id = u.id)
      and not exists (
        select from sign_in_provider p
        where p.org_id = ${db.orgId}
          and (p.domain = '' or split_part(u.email, '@', 2) = any(string_to_array(p.domain, ','))))
    order by u.email, u.id`.execute(db);
  return rows;
}
