import { getConstructionPlans } from 'pg-boss';

/** Returns the statements that create the tables of the job queue, to run in a transaction of the caller. */
export function jobTables(): string {
  const [, statements] = /^\s*BEGIN;([\s\S]*)COMMIT;\s*$/.exec(getConstructionPlans('pgboss')) ?? [];
  if (statements === undefined) throw new Error('pg-boss creates its tables in another way than expected.');
  return statements;
}
