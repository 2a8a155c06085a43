import { sql } from 'kysely';
import type { Db } from './database.ts';

/** Returns the database's time, the same for all nodes: what is due by it must also be planned by it. */
export async function databaseTime(db: Db): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`select clock_now() as now`.execute(db);
  return rows[0]?.now as Date;
}
