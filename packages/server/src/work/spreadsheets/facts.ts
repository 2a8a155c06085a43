import type { OrgDb } from '#kit/database.ts';
import { many } from '#kit/sql.ts';

/** Returns those of the apps that uploads have synced. */
export async function findUploadedApps(db: OrgDb, appIds: string[]): Promise<Set<string>> {
  const rows = await many<{ target_id: string }>(db)`
    select target_id from upload_mapping
    where org_id = ${db.orgId} and target_id = any(${appIds}::uuid[])`;
  return new Set(rows.map(({ target_id }) => target_id));
}
