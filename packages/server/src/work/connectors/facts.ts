import type { OrgDb } from '#kit/database.ts';
import { many, sql } from '#kit/sql.ts';

/** The next planned syncs of connectors that the server runs. Columns: org_id, app_id, next_sync_at. */
export const plannedSyncs = sql`(
  select org_id, app_id, next_sync_at from connector where next_sync_at is not null and not paused)`;

/** Returns whether the connector of each app carries out its tasks. Apps without a connector are missing. */
export async function findCarriers(db: OrgDb, apps: readonly string[]): Promise<Map<string, boolean>> {
  const rows = await many<{ app_id: string; carries_out_tasks: boolean }>(db)`
    select app_id, carries_out_tasks from connector
    where org_id = ${db.orgId} and app_id = any(${apps}::uuid[])`;
  return new Map(rows.map((row) => [row.app_id, row.carries_out_tasks]));
}
