import type { Db } from './database.ts';
import { run } from './statements.ts';

/** Collects the statistics that the planner uses. PGlite needs it because it has no autovacuum. */
export const analyze = (db: Db) => run(db)`analyze`;
