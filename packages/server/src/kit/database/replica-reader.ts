import {
  type CompiledQuery,
  type ControlledTransaction,
  type DatabaseConnection,
  type Driver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
  type TransactionSettings,
} from 'kysely';
import type { Database, Db, Row } from './database.ts';
import { isWriteRefused } from './sqlstate.ts';
import { statementName } from './statement-name.ts';

/** The database from which a request reads. */
export type Reader = Pick<Database, 'db' | 'prepared'>;

/** The replica, as one reader sees it. */
export interface ReadSource {
  /** Whether the replica has everything that is committed now. Waits for it for a short time. */
  isFresh(): Promise<boolean>;
  /** Whether the last check found the replica usable. */
  isUsable(): boolean;
  query<R extends Row>(statement: { name?: string; text: string; values: unknown[] }): Promise<R[]>;
  onRepeated(): void;
}

/**
 * Opens a reader for one request. Its first statement chooses the side, and the rest of the request stays there. A
 * statement that fails on the replica is repeated on the primary, where the request then stays. Transactions run on the
 * primary; after one, the side is chosen again, so that the request sees what it wrote.
 */
export function openReader(primary: Database, replica: ReadSource): Reader {
  const sides = new Sides(replica);
  return {
    db: new Kysely<object>({
      dialect: {
        createAdapter: () => new PostgresAdapter(),
        createIntrospector: (db) => new PostgresIntrospector(db),
        createQueryCompiler: () => new PostgresQueryCompiler(),
        createDriver: () => new ReaderDriver(primary.db, sides),
      },
    }),
    prepared: <R extends Row>(text: string, values: unknown[]) =>
      sides.read<R>({ name: statementName(text), text, values }, () => primary.prepared<R>(text, values)),
  };
}

class Sides {
  readonly #replica: ReadSource;
  #isFresh: Promise<boolean> | undefined;

  constructor(replica: ReadSource) {
    this.#replica = replica;
  }

  async read<R extends Row>(
    statement: { name?: string; text: string; values: unknown[] },
    onPrimary: () => Promise<R[]>,
  ): Promise<R[]> {
    this.#isFresh ??= this.#replica.isFresh();
    if (!(await this.#isFresh)) return onPrimary();
    if (this.#replica.isUsable()) {
      try {
        return await this.#replica.query<R>(statement);
      } catch (error) {
        // A statement that writes is a mistake of the route. It must not succeed just because the replica is lost.
        if (isWriteRefused(error)) throw error;
        this.#replica.onRepeated();
      }
    }
    this.#isFresh = Promise.resolve(false);
    return onPrimary();
  }

  chooseAnew() {
    this.#isFresh = undefined;
  }
}

class ReaderDriver implements Driver {
  readonly #primary: Db;
  readonly #sides: Sides;

  constructor(primary: Db, sides: Sides) {
    this.#primary = primary;
    this.#sides = sides;
  }

  async init() {}

  async acquireConnection() {
    return new ReaderConnection(this.#primary, this.#sides);
  }

  beginTransaction(connection: ReaderConnection, settings: TransactionSettings) {
    return connection.begin(settings);
  }

  commitTransaction(connection: ReaderConnection) {
    return connection.end((tx) => tx.commit().execute());
  }

  rollbackTransaction(connection: ReaderConnection) {
    return connection.end((tx) => tx.rollback().execute());
  }

  async releaseConnection() {}

  async destroy() {}
}

class ReaderConnection implements DatabaseConnection {
  readonly #primary: Db;
  readonly #sides: Sides;
  #transaction: ControlledTransaction<object> | undefined;

  constructor(primary: Db, sides: Sides) {
    this.#primary = primary;
    this.#sides = sides;
  }

  async begin({ isolationLevel }: TransactionSettings) {
    const builder = this.#primary.startTransaction();
    this.#transaction = await (isolationLevel
      ? builder.setIsolationLevel(isolationLevel)
      : builder
    ).execute();
  }

  async end(finish: (transaction: ControlledTransaction<object>) => Promise<unknown>) {
    const transaction = this.#transaction;
    this.#transaction = undefined;
    try {
      if (transaction !== undefined) await finish(transaction);
    } finally {
      this.#sides.chooseAnew();
    }
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    if (this.#transaction !== undefined) return this.#transaction.executeQuery<R>(query as CompiledQuery<R>);
    const rows = await this.#sides.read<Row>(
      { text: query.sql, values: [...query.parameters] },
      async () => (await this.#primary.executeQuery<Row>(query as CompiledQuery<Row>)).rows,
    );
    return { rows: rows as R[] };
  }

  // biome-ignore lint/correctness/useYield: nothing streams from a reader.
  async *streamQuery(): AsyncIterableIterator<never> {
    throw new Error('A reader does not stream.');
  }
}
