import type { TestProject } from 'vitest/node';
import { administer, databaseAt } from '../../server/test/citus.ts';
import { startPostgres } from '../../server/test/postgres.ts';
import { temporaryFolder } from '../../server/test/temporary.ts';
import { buildConsole } from './build.ts';
import { type Seeded, seed } from './seed.ts';
import { startGatehouse } from './server.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** A PostgreSQL with a database that holds the seeded company. Each server works on a copy. */
    company: { adminUrl: string; template: string; key: string; seeded: Seeded };
  }
}

const TEMPLATE = 'company';
/** These tests never kill PostgreSQL, so nothing has to survive a crash of it. */
const FAST = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off'];

/** Prepares once what all browser tests need: the console's build and the seeded company. */
export async function setup(project: TestProject) {
  const [postgres] = await Promise.all([startPostgres(FAST, await temporaryFolder()), buildConsole()]);
  await administer(postgres.url, `create database ${TEMPLATE}`);
  const service = await startGatehouse({ database: { url: databaseAt(postgres.url, TEMPLATE) } });
  const seeded = await seed(`${service.url}/org/acme`, service.key);
  await service.stop();
  project.provide('company', { adminUrl: postgres.url, template: TEMPLATE, key: service.key, seeded });
  return () => postgres.stop();
}
