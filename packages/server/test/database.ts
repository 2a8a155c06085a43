import { randomUUID } from 'node:crypto';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import pg from 'pg';
import { inject } from 'vitest';
import { type Database, type DatabaseOptions, openDatabase } from '../src/platform/database/open.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The migrated database of this run: a PGlite folder to copy, or a PostgreSQL database to clone. */
    prepared:
      | { engine: 'pglite'; folder: string }
      | { engine: 'postgres'; adminUrl: string; template: string };
  }
}

export interface TestDatabase {
  database: Database;
  /** The options with which `openDatabase` or another process opens the same database. */
  options: DatabaseOptions;
  /** Closes the database and removes it. */
  close(): Promise<void>;
}

/** Opens a new database, migrated and empty, on the engine of the test project. */
export async function openTestDatabase(): Promise<TestDatabase> {
  const { options, remove } = await createTestDatabase();
  const database = await openDatabase(options);
  return {
    database,
    options,
    close: async () => {
      await database.close();
      await remove();
    },
  };
}

/** Creates a database without opening it, for tests that start or kill the whole server. */
export async function createTestDatabase(): Promise<{
  options: DatabaseOptions;
  remove(): Promise<void>;
}> {
  const prepared = inject('prepared');
  return prepared.engine === 'pglite'
    ? copyFolder(prepared.folder)
    : cloneTemplate(prepared.adminUrl, prepared.template);
}

async function copyFolder(folder: string) {
  const dataDir = await mkdtemp(`${folder}-`);
  await cp(folder, dataDir, { recursive: true });
  return { options: { dataDir }, remove: () => rm(dataDir, { recursive: true, force: true }) };
}

async function cloneTemplate(adminUrl: string, template: string) {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await administer(adminUrl, `create database ${name} template ${template}`);
  const url = new URL(adminUrl);
  url.pathname = name;
  return {
    options: { url: url.href },
    remove: () => administer(adminUrl, `drop database if exists ${name} with (force)`),
  };
}

async function administer(adminUrl: string, statement: string) {
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
