import type { OrgDb } from '#kit/database.ts';
import { many } from '#kit/sql.ts';

/** Returns whether the connector of each app carries out its tasks. Apps without a connector are missing. */
export async function findCarriers(db: OrgDb, apps: readonly string[]): Promise<Map<string, boolean>> {
  const rows = await many<{ app_id: string; carries_out_tasks: boolean }>(db)`
    select app_id, carries_out_tasks from connector
    where org_id = ${db.orgId} and app_id = any(${apps}::uuid[])`;
  return new Map(rows.map((row) => [row.app_id, row.carries_out_tasks]));
}
