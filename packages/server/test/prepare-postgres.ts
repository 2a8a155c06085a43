import type { TestProject } from 'vitest/node';
import { migrate } from '#kit/database/migrate.ts';
import { openDatabase } from '#kit/database/open.ts';
import type { Database } from '#kit/database.ts';
import { sql } from '#kit/sql.ts';
import type { Template } from './database.ts';
import { guardDigests } from './digest-guard.ts';
import { addFirstOrganization } from './organization.ts';
import { FAST, startPostgres } from './postgres.ts';
import { openRecording } from './statements.ts';
import { temporaryFolder } from './temporary.ts';

/** Starts one PostgreSQL for the whole run and prepares one database for each template. */
export async function setup(project: TestProject) {
  const postgres = await startPostgres(FAST, await temporaryFolder());
  const nullable = await createTemplate(postgres.socketUrl, 'migrated', 'template1', async (database) => {
    await migrate(database);
    await guardDigests(database);
    return nullableColumns(database);
  });
  const key = await createTemplate(postgres.socketUrl, 'organization', 'migrated', addFirstOrganization);
  project.provide('prepared', { engine: 'postgres', adminUrl: postgres.socketUrl, key });
  project.provide('recording', {
    folder: await openRecording(),
    nullable,
    isWhole: project.vitest.config.testNamePattern === undefined,
  });
  return () => postgres.stop();
}

/** Returns the columns of tables that may be null, by the numbers of both: copies of a database have the same. */
async function nullableColumns({ db }: Database): Promise<Record<string, string>> {
  const { rows } = await sql<{ number: string; name: string }>`
    select a.attrelid::int8 || '.' || a.attnum as number, c.relname || '.' || a.attname as name
    from pg_attribute a join pg_class c on c.oid = a.attrelid
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
      and a.attnum > 0 and not a.attnotnull`.execute(db);
  return Object.fromEntries(rows.map(({ number, name }) => [number, name]));
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
