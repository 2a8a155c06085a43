import type { Database, Db } from '#kit/database.ts';
import { run } from '#kit/sql.ts';

/** A rate-limit window's verdict on a request. */
export interface Verdict extends Record<string, unknown> {
  admitted: boolean;
  /** How many more requests the window would admit now. */
  remaining: number;
  /** Seconds until the window's oldest request leaves it. */
  seconds: number;
}

/** Admits one request to all of the windows `ids`, or to none, in one round trip, with admit_request(). */
export const admitRequest = (
  database: Database,
  ids: string[],
  limits: number[],
  seconds: number,
): Promise<Verdict[]> =>
  database.prepared<Verdict>(
    "select * from admit_request($1::text[], $2::integer[], $3 * interval '1 second')",
    [ids, limits, seconds],
  );

export const deleteIdleWindows = (db: Db, seconds: number) => run(db)`
    delete from rate_window where passed = '{}'
      or passed[cardinality(passed)] < now() - ${seconds} * interval '1 second'`;
