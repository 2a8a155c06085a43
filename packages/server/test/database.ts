import { randomUUID } from 'node:crypto';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { inject } from 'vitest';
import { type Database, type DatabaseOptions, openDatabase } from '../src/platform/database/open.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where this run prepared its templates, and the API key of the organization in the template `organization`. */
    prepared: { key: string } & (
      | { engine: 'pglite'; folder: string }
      | { engine: 'postgres'; adminUrl: string }
    );
  }
}

/** A prepared database that tests copy: with the tables only, or also with the first organization. */
export type Template = 'migrated' | 'organization';

export interface TestDatabase {
  database: Database;
  /** The options with which `openDatabase` or another process opens the same database. */
  options: DatabaseOptions;
  /** Closes the database and removes it. */
  close(): Promise<void>;
}

/** Opens a new copy of `template`, on the engine of the test project. */
export async function openTestDatabase(template: Template = 'migrated'): Promise<TestDatabase> {
  const { options, remove } = await createTestDatabase(template);
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

/** Copies `template` without opening it, for tests that start or kill the whole server. */
export async function createTestDatabase(template: Template = 'migrated'): Promise<{
  options: DatabaseOptions;
  remove(): Promise<void>;
}> {
  const prepared = inject('prepared');
  return prepared.engine === 'pglite'
    ? copyFolder(join(prepared.folder, template))
    : cloneTemplate(prepared.adminUrl, template);
}

async function copyFolder(template: string) {
  const dataDir = await mkdtemp(`${template}-`);
  await cp(template, dataDir, { recursive: true });
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
