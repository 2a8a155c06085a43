import { PGlite } from '@electric-sql/pglite';
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm';
import { type DatabaseConnection, type Dialect, Kysely, PGliteDialect, PGliteDriver } from 'kysely';
import { fromPglite } from 'pg-boss';
import { lockFolder } from './folder-lock.ts';
import type { Database, Row } from './open.ts';
import { openPrivateFolder } from './private-folder.ts';

export async function openPglite(dataDir: string): Promise<Database> {
  const inMemory = dataDir.startsWith('memory://');
  if (!inMemory) await openPrivateFolder(dataDir);
  const unlock = inMemory ? () => {} : lockFolder(dataDir);
  const pglite = await PGlite.create({
    dataDir: inMemory ? dataDir : `${dataDir}/pglite`,
    extensions: { pg_trgm },
    parsers: { 20: Number },
  }).catch((error: unknown) => {
    unlock();
    throw error;
  });
  const db = new Kysely<object>({ dialect: oneAtATime(pglite) });
  return {
    engine: 'pglite',
    db,
    exec: async (text) => {
      await pglite.exec(text);
    },
    prepared: async <R extends Row>(_name: string, text: string, values: unknown[]) =>
      (await pglite.query<R>(text, values)).rows,
    jobs: { db: fromPglite(pglite), backend: 'pglite' },
    close: async () => {
      await pglite.close();
      unlock();
    },
  };
}

/**
 * PGlite has a single connection. Kysely's own driver gives it to all callers at once, so a query next to an open
 * transaction would run inside that transaction. This driver lends the connection to one caller at a time (ADR 3).
 */
function oneAtATime(pglite: PGlite): Dialect {
  const dialect = new PGliteDialect({ pglite });
  return {
    createAdapter: () => dialect.createAdapter(),
    createIntrospector: (db) => dialect.createIntrospector(db),
    createQueryCompiler: () => dialect.createQueryCompiler(),
    createDriver: () => new SerialDriver({ pglite }),
  };
}

class SerialDriver extends PGliteDriver {
  #tail: Promise<void> = Promise.resolve();
  #release: () => void = () => {};

  override async acquireConnection(): Promise<DatabaseConnection> {
    const before = this.#tail;
    const turn = Promise.withResolvers<void>();
    this.#tail = turn.promise;
    await before;
    this.#release = turn.resolve;
    return super.acquireConnection();
  }

  override async releaseConnection(): Promise<void> {
    this.#release();
  }
}
