import { sql } from 'kysely';
import type { OrgDb } from '../../kit/database/organization.ts';

/** Returns those of the apps that uploads have synced. */
export async function findUploadedApps(db: OrgDb, appIds: string[]): Promise<Set<string>> {
  const { rows } = await sql<{ target_id: string }>`
    select target_id from upload_mapping
    where org_id = ${db.orgId} and target_id = any(${appIds}::uuid[])`.execute(db);
  return new Set(rows.map(({ target_id }) => target_id));
}
