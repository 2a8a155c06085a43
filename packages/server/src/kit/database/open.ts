import type { Database } from './database.ts';
import { openPglite } from './pglite.ts';
import { openPostgres } from './postgres.ts';

export type { Database, Db, Tx } from './database.ts';

export interface DatabaseOptions {
  /** The address of a PostgreSQL server. Without it, PGlite runs in this process (D40). */
  url?: string | undefined;
  /** PGlite's folder, or `memory://`. */
  dataDir?: string | undefined;
  /** How many connections this process opens to PostgreSQL at most, and half as many for prepared statements. */
  poolSize?: number | undefined;
  /**
   * Whether connections keep the plans of frequent statements: for tests, whose databases are so small that planning takes longer than running.
   */
  keepPlans?: boolean | undefined;
  onError?: (error: Error) => void;
  /** The embedded database has stopped and cannot recover. Only a new process can open it again. */
  onDeath?: (error: Error) => void;
}

/** Opens PostgreSQL if `url` is given, otherwise PGlite in `dataDir`. Throws an error that a person can read. */
export function openDatabase(options: DatabaseOptions): Promise<Database> {
  return options.url === undefined
    ? openPglite(options.dataDir ?? 'memory://', options.onDeath)
    : openPostgres(options.url, options);
}
