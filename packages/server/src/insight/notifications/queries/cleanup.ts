import { type Db, everywhere, type OrgDb } from '#kit/database.ts';
import { affected, sql, values } from '#kit/sql.ts';

export const allOrganizations = (db: Db) =>
  values<string>(everywhere(db))`select org_id from notification_cursor`;

const TABLES = ['notification', 'notification_delivery', 'notification_message'] as const;

/** Deletes up to `limit` rows that are older than `days`. Returns whether more are left. */
export async function deleteOld(
  db: OrgDb,
  table: (typeof TABLES)[number],
  days: number,
  limit: number,
): Promise<boolean> {
  const deleted = await affected(db)`
    delete from ${sql.table(table)} where org_id = ${db.orgId} and id in (
      select old.id from ${sql.table(table)} old
      where old.org_id = ${db.orgId} and old.created_at < clock_now() - ${days}::integer * interval '24 hours'
      order by old.id limit ${limit})`;
  return deleted === limit;
}
