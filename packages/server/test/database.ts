import { randomUUID } from 'node:crypto';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { inject, onTestFinished } from 'vitest';
import { type DatabaseOptions, openDatabase } from '#kit/database/open.ts';
import type { Database } from '#kit/database.ts';
import { cloneDatabase, databaseAt, dropDatabase } from './citus.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where this run prepared its templates, and the API key of the organization in the template `organization`. */
    prepared: { key: string } & (
      | { engine: 'pglite'; folder: string }
      | { engine: 'postgres'; adminUrl: string }
      | { engine: 'citus'; urls: [string, string, string] }
    );
    /**
     * Where the run on PostgreSQL records statements, the columns of tables that may be null, by the numbers of both, and whether
     * all tests of a file run.
     */
    recording: { folder: string; nullable: Record<string, string>; isWhole: boolean };
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

/** Returns the address of a new database without tables, which ends with the test. For tests on PostgreSQL. */
export async function createEmptyDatabase(): Promise<string> {
  const { adminUrl } = inject('prepared') as { adminUrl: string };
  const name = `empty_${randomUUID().replaceAll('-', '')}`;
  await cloneDatabase([adminUrl], name, 'template0');
  onTestFinished(() => dropDatabase(adminUrl, name));
  return databaseAt(adminUrl, name);
}

/** Copies `template` without opening it, for tests that start or kill the whole server. */
export async function createTestDatabase(template: Template = 'migrated'): Promise<{
  options: DatabaseOptions;
  remove(): Promise<void>;
}> {
  const prepared = inject('prepared');
  switch (prepared.engine) {
    case 'pglite':
      return copyFolder(join(prepared.folder, template));
    case 'postgres':
      return cloneTemplate([prepared.adminUrl], template);
    case 'citus':
      return cloneTemplate(prepared.urls, template);
  }
}

async function copyFolder(template: string) {
  const dataDir = await mkdtemp(`${template}-`);
  await cp(template, dataDir, { recursive: true });
  return { options: { dataDir }, remove: () => rm(dataDir, { recursive: true, force: true }) };
}

async function cloneTemplate(urls: readonly [string, ...string[]], template: string) {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await cloneDatabase(urls, name, template);
  return {
    options: { url: databaseAt(urls[0], name), keepPlans: true },
    remove: async () => {
      await Promise.all(urls.map((url) => dropDatabase(url, name)));
    },
  };
}
