import type { Kysely, Transaction } from 'kysely';
import type { ConstructorOptions } from 'pg-boss';
import { openPglite } from './pglite.ts';
import { openPostgres } from './postgres.ts';

/** Tables are named in SQL only: rows are typed where their statement stands. */
// biome-ignore lint/complexity/noBannedTypes: an empty schema is what "no builder queries" means.
type Schema = {};

/** Runs statements one by one, each in a transaction of its own. */
export type Db = Kysely<Schema>;
/** Runs statements that commit together. A rule that writes twice asks for one of these. */
export type Tx = Transaction<Schema>;

export type Row = Record<string, unknown>;

/** One open database, the same on both engines (house: one SQL dialect). */
export interface Database {
  engine: 'postgres' | 'pglite';
  db: Db;
  /** Several statements in one text, without parameters: migrations and dumps. */
  exec(text: string): Promise<void>;
  /** One statement that PostgreSQL plans once per connection and keeps under `name`: hot paths. */
  prepared<R extends Row>(name: string, text: string, values: unknown[]): Promise<R[]>;
  /** How pg-boss reaches the same database. */
  jobs: Pick<ConstructorOptions, 'connectionString' | 'max' | 'db' | 'backend'>;
  close(): Promise<void>;
}

export interface DatabaseOptions {
  /** A PostgreSQL address; without one, PGlite is embedded in this process (D40). */
  url?: string | undefined;
  /** PGlite's folder, or `memory://`. */
  dataDir?: string | undefined;
  /** Connections of one process to PostgreSQL. */
  poolSize?: number | undefined;
  onError?: (error: Error) => void;
}

/** Opens PostgreSQL where `url` is given, else PGlite in `dataDir`. Throws an Error that a person can read. */
export function openDatabase(options: DatabaseOptions): Promise<Database> {
  return options.url === undefined
    ? openPglite(options.dataDir ?? 'memory://')
    : openPostgres(options.url, options.poolSize ?? 10, options.onError ?? (() => {}));
}
