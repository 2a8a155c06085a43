import { sql } from 'kysely';
import type { Database, Db } from '../platform/database/open.ts';

/** Whether one more request passes a window, how many would pass after it, and when its oldest one leaves it. */
export interface Turn extends Record<string, unknown> {
  passes: boolean;
  remaining: number;
  seconds: number;
}

/** Lets one request through every window, or through none, in one trip; take_turn() of the migration says how. */
export const takeTurn = (
  database: Database,
  ids: string[],
  limits: number[],
  seconds: number,
): Promise<Turn[]> =>
  database.prepared<Turn>(
    'take_turn',
    "select * from take_turn($1::text[], $2::integer[], $3 * interval '1 second')",
    [ids, limits, seconds],
  );

export async function sweepIdleWindows(db: Db, seconds: number): Promise<void> {
  await sql`
    delete from rate_window where passed = '{}'
      or passed[cardinality(passed)] < now() - ${seconds} * interval '1 second'`.execute(db);
}
