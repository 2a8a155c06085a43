import type { Db, OrgDb } from '#kit/database.ts';
import { many, sql } from '#kit/sql.ts';
import type { Coverage } from '../as-of-schemas.ts';
import { isKept, isSighting } from '../change-facts.ts';
import { exactTime } from '../period-facts.ts';

/** Reads times as the database's clock and calendar see them. */
export async function readTimes(db: Db, times: readonly string[]) {
  const rows = await many<{ now: string; times: { at: string; is_future: boolean }[] }>(db)`
    select ${exactTime(sql`clock.now`)} as now, coalesce((
      select jsonb_agg(jsonb_build_object('at', ${exactTime(sql`t.at`)}, 'is_future', t.at > clock.now) order by t.n)
      from unnest(${times}::timestamptz[]) with ordinality as t (at, n)), '[]') as times
    from (select clock_now() as now offset 0) as clock`;
  return rows[0] as NonNullable<(typeof rows)[0]>;
}

/** Reads the coverage of apps, by name. `apps` null: all that have ever completed a sync or are not archived. */
export async function readCoverage(
  db: OrgDb,
  apps: readonly string[] | null,
  { at, knownAt }: { at: string; knownAt: string },
): Promise<Coverage[]> {
  const sync = sql`
    select jsonb_build_object('sync_id', c.source_id, 'at', ${exactTime(sql`c.at`)})
    from inventory_change c
    where c.org_id = ${db.orgId} and c.app_id = p.id and ${isSighting('c', sql`${knownAt}::timestamptz`)}`;
  const rows = await many<Omit<Coverage, 'known'>>(db)`
    select jsonb_build_object('external_uuid', p.id, 'id', p.id, 'name', p.name) as app,
      (${sync} and c.at <= ${at}::timestamptz and ${isKept(sql`${db.orgId}::uuid`, sql`${at}::timestamptz`)} order by c.at desc limit 1) as sync_before,
      (${sync} and c.at > ${at}::timestamptz order by c.at limit 1) as sync_after
    from app p
    where p.org_id = ${db.orgId} and ${apps === null ? sql`(p.archived_at is null or p.last_synced_at is not null)` : sql`p.id = any(${apps}::uuid[])`}
    order by p.name, p.id`;
  return rows.map((row) => ({ ...row, known: row.sync_before !== null }));
}
