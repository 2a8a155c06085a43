import type { Db } from '#kit/database.ts';
import { sql } from '#kit/sql.ts';

/**
 * Returns a time between the changes before this call and those after it, in whole milliseconds. The clock of the database
 * has passed it on return.
 */
export async function momentBetween(db: Db): Promise<string> {
  const after = async (time: string) => {
    for (;;) {
      const { rows } = await sql<{ now: string }>`
        select to_char(clock_now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as now`.execute(db);
      if (rows[0] !== undefined && rows[0].now > time) return rows[0].now;
    }
  };
  const moment = await after(await after(''));
  await after(moment);
  return moment;
}
