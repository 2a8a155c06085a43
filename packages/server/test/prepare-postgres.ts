import type { TestProject } from 'vitest/node';
import { migrate } from '../src/platform/database/migrate.ts';
import { openDatabase } from '../src/platform/database/open.ts';
import { startPostgres } from './postgres.ts';

const TEMPLATE = 'migrated';

/** Starts a PostgreSQL server for the whole run and migrates a database for the test files to clone. */
export async function setup(project: TestProject) {
  // Tests do not need to survive a power failure.
  const postgres = await startPostgres(['fsync=off', 'synchronous_commit=off', 'full_page_writes=off']);
  await createTemplate(postgres.url);
  project.provide('prepared', { engine: 'postgres', adminUrl: postgres.url, template: TEMPLATE });
  return () => postgres.stop();
}

async function createTemplate(adminUrl: string) {
  const admin = await openDatabase({ url: adminUrl });
  await admin.exec(`create database ${TEMPLATE}`);
  await admin.close();
  const url = new URL(adminUrl);
  url.pathname = TEMPLATE;
  const database = await openDatabase({ url: url.href });
  await migrate(database);
  await database.close();
}
