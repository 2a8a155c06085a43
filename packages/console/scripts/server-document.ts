import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely';
import { createApp } from '../../server/src/app.ts';
import type { Database } from '../../server/src/kit/database/open.ts';
import { createLogger } from '../../server/src/kit/logger.ts';
import { temporaryKeys } from '../../server/src/kit/secrets/key-file.ts';
import { openSecrets } from '../../server/src/kit/secrets/secrets.ts';

/** Returns the server's OpenAPI document. */
export async function readServerDocument(): Promise<object> {
  const app = await createApp({
    database: noDatabase,
    secrets: openSecrets(temporaryKeys()),
    logger: createLogger('silent'),
    publicUrl: undefined,
    trustProxy: false,
  });
  await app.http.ready();
  const document = structuredClone(app.http.swagger());
  await app.close();
  return document;
}

/** A database that returns no rows. The document depends on the routes only, and opening a real database takes seconds. */
const noDatabase: Database = {
  engine: 'postgres',
  db: new Kysely<object>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  }),
  exec: async () => {},
  prepared: async () => [],
  checkSessions: async () => {},
  connections: () => ({ used: 0, idle: 0, waiting: 0 }),
  jobs: {},
  close: async () => {},
};
