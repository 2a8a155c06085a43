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
import { isStatementTimeout, isWriteRefused } from './sqlstate.ts';
import { statementName } from './statement-name.ts';

/** The database from which a request reads. */
export type Reader = Pick<Database, 'db' | 'prepared'>;

interface ReadStatement {
  name?: string;
  text: string;
  values: unknown[];
}

/** A transaction on the replica. */
export interface ReadSession {
  query<R extends Row>(statement: ReadStatement): Promise<R[]>;
  /** Ends it, and closes its connection after a failure of this. */
  end(failure?: Error): Promise<void>;
}

/** The replica, as one reader sees it. */
export interface ReadSource {
  /** Whether the replica has everything that is committed now. Waits for it for a short time. */
  isFresh(): Promise<boolean>;
  /** Whether the last check found the replica usable. */
  isUsable(): boolean;
  query<R extends Row>(statement: ReadStatement): Promise<R[]>;
  /** Begins a transaction. */
  begin(): Promise<ReadSession>;
  onRepeated(): void;
}

/**
 * Opens a reader for one request. Its first statement chooses the side, and the rest of the request stays there. A
 * statement that fails on the replica is repeated on the primary, where the request then stays. Transactions run on the
 * primary, unless they are read-only; after one, the side is chosen again, so that the request sees what it wrote.
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

  async read<R extends Row>(statement: ReadStatement, onPrimary: () => Promise<R[]>): Promise<R[]> {
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
    this.stayOnPrimary();
    return onPrimary();
  }

  /** Begins a read-only transaction on the replica. Returns undefined if the request reads from the primary. */
  async begin(): Promise<ReadSession | undefined> {
    this.#isFresh ??= this.#replica.isFresh();
    if (!(await this.#isFresh)) return undefined;
    if (this.#replica.isUsable()) {
      try {
        return await this.#replica.begin();
      } catch {
        this.#replica.onRepeated();
      }
    }
    this.stayOnPrimary();
    return undefined;
  }

  stayOnPrimary() {
    this.#isFresh = Promise.resolve(false);
  }

  repeat() {
    this.#replica.onRepeated();
    this.stayOnPrimary();
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
  /** Whether the transaction failed on the replica. */
  #isRepeated = false;
  /** A transaction on the replica, and its statements until now. */
  #reading: { session: ReadSession; done: CompiledQuery[] } | undefined;

  constructor(primary: Db, sides: Sides) {
    this.#primary = primary;
    this.#sides = sides;
  }

  async begin(settings: TransactionSettings) {
    const session = settings.accessMode === 'read only' ? await this.#sides.begin() : undefined;
    if (session !== undefined) this.#reading = { session, done: [] };
    else await this.#beginOnPrimary(settings);
  }

  async #beginOnPrimary({ isolationLevel, accessMode }: TransactionSettings) {
    let builder = this.#primary.startTransaction();
    if (isolationLevel !== undefined) builder = builder.setIsolationLevel(isolationLevel);
    if (accessMode !== undefined) builder = builder.setAccessMode(accessMode);
    this.#transaction = await builder.execute();
  }

  async end(finish: (transaction: ControlledTransaction<object>) => Promise<unknown>) {
    const reading = this.#reading;
    this.#reading = undefined;
    if (reading !== undefined) return reading.session.end();
    const transaction = this.#transaction;
    this.#transaction = undefined;
    try {
      if (transaction !== undefined) await finish(transaction);
    } finally {
      if (!this.#isRepeated) this.#sides.chooseAnew();
    }
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    if (this.#reading !== undefined) return this.#readInTransaction<R>(query, this.#reading);
    if (this.#transaction !== undefined) return this.#transaction.executeQuery<R>(query as CompiledQuery<R>);
    const rows = await this.#sides.read<Row>(
      { text: query.sql, values: [...query.parameters] },
      async () => (await this.#primary.executeQuery<Row>(query as CompiledQuery<Row>)).rows,
    );
    return { rows: rows as R[] };
  }

  /** A transaction that fails on the replica is repeated on the primary, unless a limit of its own or a mistake ended it. */
  async #readInTransaction<R>(
    query: CompiledQuery,
    { session, done }: { session: ReadSession; done: CompiledQuery[] },
  ): Promise<QueryResult<R>> {
    try {
      const rows = await session.query<Row>({ text: query.sql, values: [...query.parameters] });
      done.push(query);
      return { rows: rows as R[] };
    } catch (error) {
      if (isWriteRefused(error) || isStatementTimeout(error)) throw error;
      this.#reading = undefined;
      await session.end(error as Error);
    }
    this.#isRepeated = true;
    this.#sides.repeat();
    await this.#beginOnPrimary({ accessMode: 'read only' });
    for (const earlier of done) await this.executeQuery(earlier);
    return this.executeQuery<R>(query);
  }

  // biome-ignore lint/correctness/useYield: nothing streams from a reader.
  async *streamQuery(): AsyncIterableIterator<never> {
    throw new Error('A reader does not stream.');
  }
}
