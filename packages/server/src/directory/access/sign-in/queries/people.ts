import { sql } from 'kysely';
import type { OrgDb } from '../../../../kit/database/organization.ts';
import { emailKey } from '../../../../kit/identity/person-facts.ts';

/** Returns the active person with this email. */
export async function findByEmail(db: OrgDb, email: string): Promise<{ id: string } | undefined> {
  const { rows } = await sql<{ id: string }>`
    select id from platform_user
    where org_id = ${db.orgId} and ${emailKey(sql`email`)} = ${emailKey(sql`${email}`)} and status = 'active'`.execute(
    db,
  );
  return rows[0];
}
