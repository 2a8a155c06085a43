import { sql } from 'kysely';
import type { OrgDb } from '../../../kit/database/organization.ts';

/** Returns this person if they are active and can read policies. */
export async function readerOfPolicies(db: OrgDb, id: string | null): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    select u.id from platform_user u
    where u.org_id = ${db.orgId} and u.id = ${id}::uuid and u.status = 'active' and u.role <> 'member'`.execute(
    db,
  );
  return rows[0]?.id;
}
