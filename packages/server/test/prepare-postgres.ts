import type { TestProject } from 'vitest/node';
import { migrate } from '../src/platform/database/migrate.ts';
import { type Database, openDatabase } from '../src/platform/database/open.ts';
import type { Template } from './database.ts';
import { guardDigests } from './digest-guard.ts';
import { addFirstOrganization } from './organization.ts';
import { startPostgres } from './postgres.ts';
import { temporaryFolder } from './temporary.ts';

/** Starts one PostgreSQL for the whole run and prepares one database for each template. */
export async function setup(project: TestProject) {
  // These tests kill Gatehouse, never PostgreSQL, so nothing has to survive a crash of the server.
  const settings = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off'];
  const postgres = await startPostgres(settings, await temporaryFolder());
  await createTemplate(postgres.url, 'migrated', 'template1', async (database) => {
    await migrate(database);
    await guardDigests(database);
  });
  const key = await createTemplate(postgres.url, 'organization', 'migrated', addFirstOrganization);
  project.provide('prepared', { engine: 'postgres', adminUrl: postgres.url, key });
  return () => postgres.stop();
}

async function createTemplate<Made>(
  adminUrl: string,
  name: Template,
  source: Template | 'template1',
  fill: (database: Database) => Promise<Made>,
): Promise<Made> {
  const admin = await openDatabase({ url: adminUrl });
  await admin.exec(`create database ${name} template ${source}`);
  await admin.close();
  const url = new URL(adminUrl);
  url.pathname = name;
  const database = await openDatabase({ url: url.href });
  const made = await fill(database);
  await database.close();
  return made;
}
