import { sql } from 'kysely';
import { emailKey } from '../../../identity/person.ts';
import type { Db } from '../../../platform/database/open.ts';

/** Returns the active person with this email. */
export async function findByEmail(db: Db, orgId: string, email: string): Promise<{ id: string } | undefined> {
  const { rows } = await sql<{ id: string }>`
    select id from platform_user
    where org_id = ${orgId} and ${emailKey(sql`email`)} = ${emailKey(sql`${email}`)} and status = 'active'`.execute(
    db,
  );
  return rows[0];
}
