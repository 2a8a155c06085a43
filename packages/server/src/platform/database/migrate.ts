import { readdir, readFile } from 'node:fs/promises';
import { sql } from 'kysely';
import { StartError } from '../errors.ts';
import type { Database, Db } from './open.ts';
import { isDuplicate } from './sqlstate.ts';

const FOLDER = new URL('../../../migrations/', import.meta.url);

/**
 * Applies the pending files of `migrations/` in order. Several nodes may call it at once: one of them applies a file
 * while the others wait. Throws StartError if the database is newer than this program.
 */
export async function migrate(database: Database): Promise<void> {
  await createMigrationTable(database.db);
  for (const file of await pendingMigrations(database.db)) await apply(database, file);
}

/**
 * The file and its row commit together. The row comes first: its primary key makes other nodes wait until this one has
 * committed, and then rejects their row.
 */
async function apply(database: Database, file: string): Promise<void> {
  const text = await readFile(new URL(file, FOLDER), 'utf8');
  try {
    await database.exec(`insert into schema_migration (name) values ('${file}');\n${text}`);
  } catch (error) {
    const isApplied = isDuplicate(error) && !(await pendingMigrations(database.db)).includes(file);
    if (!isApplied) throw error;
  }
}

async function createMigrationTable(db: Db): Promise<void> {
  try {
    await sql`create table if not exists schema_migration (
      name text primary key, applied_at timestamptz not null default now())`.execute(db);
  } catch (error) {
    // `if not exists` does not see a table that another node is just creating.
    if (!isDuplicate(error)) throw error;
  }
}

/** Returns the migrations that are still to be applied, in order: none once the service is ready (D42). */
export async function pendingMigrations(db: Db): Promise<string[]> {
  const files = (await readdir(FOLDER)).filter((name) => /^\d{4}_.*\.sql$/.test(name)).sort();
  const { rows } = await sql<{ name: string }>`select name from schema_migration`.execute(db);
  const unknown = rows.find(({ name }) => !files.includes(name));
  if (unknown !== undefined) {
    throw new StartError(
      `The database has migration ${unknown.name}, which this version does not include. Start the newer Gatehouse that created it.`,
    );
  }
  return files.filter((file) => !rows.some(({ name }) => name === file));
}
