import { sql } from 'kysely';
import type { Db } from './open.ts';

/** Tells the planner what the tables hold. PostgreSQL does so by itself; PGlite has nobody in the background. */
export async function analyze(db: Db): Promise<void> {
  await sql`analyze`.execute(db);
}
