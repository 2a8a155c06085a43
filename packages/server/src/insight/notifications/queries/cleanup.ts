import { acrossOrganizations, type Db, type OrgDb } from '#kit/database.ts';
import { sql } from '#kit/sql.ts';

export async function allOrganizations(db: Db): Promise<string[]> {
  const { rows } = await acrossOrganizations(db, (tx) =>
    sql<{ org_id: string }>`select org_id from notification_cursor`.execute(tx),
  );
  return rows.map(({ org_id }) => org_id);
}

const TABLES = ['notification', 'notification_delivery', 'notification_message'] as const;

/** Deletes up to `limit` rows that are older than `days`. Returns whether more are left. */
export async function deleteOld(
  db: OrgDb,
  table: (typeof TABLES)[number],
  days: number,
  limit: number,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    delete from ${sql.table(table)} where org_id = ${db.orgId} and id in (
      select old.id from ${sql.table(table)} old
      where old.org_id = ${db.orgId} and old.created_at < clock_now() - ${days}::integer * interval '24 hours'
      order by old.id limit ${limit})`.execute(db);
  return Number(numAffectedRows ?? 0) === limit;
}
