import type { Kysely, Transaction } from 'kysely';
import type { ConstructorOptions } from 'pg-boss';

/** Tables are named in SQL only; each statement declares the type of its rows. */
// biome-ignore lint/complexity/noBannedTypes: an empty schema is what "no builder queries" means.
type Schema = {};

/** Runs statements one by one, each in its own transaction. */
export type Db = Kysely<Schema>;
/** Runs statements that commit together. A rule that writes twice requires one. */
export type Tx = Transaction<Schema>;

export type Row = Record<string, unknown>;

/** The connections of this process for requests: in use, open and unused, and the callers that wait for one. */
export type Connections = Record<'used' | 'idle' | 'waiting', number>;

/** `citus` is a Citus cluster whose tables are distributed (`gatehouse-server cluster prepare`). */
export type Engine = 'pglite' | 'postgres' | 'citus';

/** An open database. All engines run the same SQL (ADR 1). */
export interface Database {
  engine: Engine;
  db: Db;
  /** Runs a text of several statements, without parameters, in one transaction. */
  exec(text: string): Promise<void>;
  /** Runs a statement that PostgreSQL plans once per connection and keeps. For hot paths. */
  prepared<R extends Row>(text: string, values: unknown[]): Promise<R[]>;
  /** Throws StartError if a pooler exchanges the sessions of connections. PGlite has one session, which nothing exchanges. */
  checkSessions(): Promise<void>;
  /** Returns the use of the connections at this moment. */
  connections(): Connections;
  /** How pg-boss reaches the same database. */
  jobs: Pick<
    ConstructorOptions,
    'connectionString' | 'application_name' | 'max' | 'db' | 'backend' | 'notifyHeartbeatIntervalMs'
  >;
  close(): Promise<void>;
}
