import { sql } from 'kysely';
import type { Db } from './database.ts';

/** Collects the statistics that the planner uses. PGlite needs it because it has no autovacuum. */
export async function analyze(db: Db): Promise<void> {
  await sql`analyze`.execute(db);
}
