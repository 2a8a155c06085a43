import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from 'kysely';
import { declareOnlyWriter } from './commits.ts';
import type { Connections, Database, Row } from './database.ts';
import { lockFolder } from './folder-lock.ts';
import { requireNotMoved } from './moved-folder.ts';
import { type PgliteClient, startPglite } from './pglite-client.ts';
import { EMBEDDED, openPrivateFolder } from './private-folder.ts';
import { openingFailure, requireDataFolder, requireWholeFolder } from './whole-folder.ts';
import { takeLastStatements } from './with-commit.ts';

/** The embedded database, open in this process. */
export interface EmbeddedDatabase extends Database {
  /** Runs `copy … to '/dev/blob'`, and returns its output. */
  copy(text: string): Promise<Uint8Array>;
}

/** Opens the embedded database for a server or a command. Throws StartError if it was moved to PostgreSQL. */
export async function openPglite(dataDir: string, onDeath?: (error: Error) => void): Promise<Database> {
  await requireNotMoved(dataDir);
  return openEmbedded(dataDir, onDeath);
}

export async function openEmbedded(
  dataDir: string,
  onDeath?: (error: Error) => void,
): Promise<EmbeddedDatabase> {
  const inMemory = dataDir.startsWith('memory://');
  const unlock = inMemory ? () => {} : await claimFolder(dataDir);
  const client = await startPglite(inMemory ? dataDir : `${dataDir}/${EMBEDDED}`, onDeath).catch(
    async (error: unknown) => {
      unlock();
      throw inMemory ? error : await openingFailure(dataDir);
    },
  );
  const turns = new Turns();
  const run = <T>(work: () => Promise<T>) => turns.run(work);
  const db = new Kysely<object>({ dialect: dialectOf(client, turns) });
  declareOnlyWriter(db, client.sent);
  return {
    engine: 'pglite',
    db,
    exec: (text) =>
      run(async () => {
        await client.exec(text);
      }),
    copy: (text) => run(() => client.copy(text)),
    prepared: async <R extends Row>(text: string, values: unknown[]) =>
      (await run(() => client.query<R>(text, values))).rows,
    checkSessions: async () => {},
    connections: () => turns.connections(),
    jobs: { db: jobDatabase(client, turns), backend: 'pglite' },
    close: async () => {
      try {
        await run(() => client.close());
      } finally {
        unlock();
      }
    },
  };
}

/** Prepares, locks and checks the folder. While a process creates its database, the lock keeps others from checking it. */
async function claimFolder(dataDir: string): Promise<() => void> {
  requireDataFolder(dataDir);
  await openPrivateFolder(dataDir);
  const unlock = lockFolder(dataDir);
  try {
    await requireWholeFolder(dataDir);
  } catch (error) {
    unlock();
    throw error;
  }
  return unlock;
}

const rollBack = (client: PgliteClient) => async (error: unknown) => {
  await client.exec('rollback').catch(() => {});
  throw error;
};

/** Lends the connection to one caller at a time: a query next to an open transaction must not run inside it (ADR 3). */
class Turns {
  #tail: Promise<void> = Promise.resolve();
  #callers = 0;

  connections(): Connections {
    const used = Math.min(this.#callers, 1);
    return { used, idle: 1 - used, waiting: this.#callers - used };
  }

  /** Waits for the connection and returns a function that gives it back. */
  async take(): Promise<() => void> {
    const before = this.#tail;
    const turn = Promise.withResolvers<void>();
    this.#tail = turn.promise;
    this.#callers++;
    await before;
    return () => {
      this.#callers--;
      turn.resolve();
    };
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    const release = await this.take();
    try {
      return await work();
    } finally {
      release();
    }
  }
}

const dialectOf = (client: PgliteClient, turns: Turns): Dialect => ({
  createAdapter: () => new PostgresAdapter(),
  createIntrospector: (db) => new PostgresIntrospector(db),
  createQueryCompiler: () => new PostgresQueryCompiler(),
  createDriver: () => new PgliteDriver(client, turns),
});

class PgliteDriver implements Driver {
  readonly #client: PgliteClient;
  readonly #turns: Turns;

  constructor(client: PgliteClient, turns: Turns) {
    this.#client = client;
    this.#turns = turns;
  }

  async init() {}

  async acquireConnection(): Promise<PgliteConnection> {
    return new PgliteConnection(this.#client, await this.#turns.take());
  }

  async beginTransaction(connection: PgliteConnection) {
    await connection.run('begin');
  }

  async commitTransaction(connection: PgliteConnection) {
    for (const statement of takeLastStatements(connection)) await connection.executeQuery(statement);
    // PostgreSQL answers COMMIT with ROLLBACK if a statement of the transaction failed.
    if ((await connection.run('commit')).command === 'ROLLBACK')
      throw new Error('The transaction was rolled back, because one of its statements failed.');
  }

  async rollbackTransaction(connection: PgliteConnection) {
    await connection.run('rollback');
  }

  async releaseConnection(connection: PgliteConnection) {
    connection.release();
  }

  async destroy() {}
}

class PgliteConnection implements DatabaseConnection {
  readonly #client: PgliteClient;
  readonly release: () => void;

  constructor(client: PgliteClient, release: () => void) {
    this.#client = client;
    this.release = release;
  }

  run(text: string) {
    return this.#client.query(text, []);
  }

  async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    const { rows, affected } = await this.#client.query<R>(sql, parameters);
    return affected === undefined ? { rows } : { rows, numAffectedRows: BigInt(affected) };
  }

  // biome-ignore lint/correctness/useYield: nothing streams from PGlite.
  async *streamQuery(): AsyncIterableIterator<never> {
    throw new Error('PGlite does not stream.');
  }
}

/** How pg-boss reaches PGlite. It sends statements without values as texts of several statements. */
function jobDatabase(client: PgliteClient, turns: Turns) {
  return {
    executeSql: (text: string, values: unknown[] = []) =>
      turns.run(async () => {
        // A failed statement within `begin` would leave the connection in an aborted transaction.
        if (values.length > 0) return client.query<Row>(text, values).catch(rollBack(client));
        const results = await client.exec(text).catch(rollBack(client));
        return { rows: results.flatMap(({ rows }) => rows) };
      }),
    listen: async (channel: string, onNotification: (payload: string) => void, onReconnect: () => void) => {
      const close = await turns.run(() => client.listen(channel, onNotification));
      onReconnect();
      return { close: () => turns.run(close) };
    },
  };
}
