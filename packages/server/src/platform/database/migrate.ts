import { readdir, readFile } from 'node:fs/promises';
import { sql } from 'kysely';
import { StartError } from '../errors.ts';
import type { Database, Db } from './open.ts';
import { isDuplicate } from './sqlstate.ts';
import { transaction } from './transaction.ts';

const FOLDER = new URL('../../../migrations/', import.meta.url);

/**
 * Applies the pending files of `migrations/` in order. Each file and its row in `schema_migration` commit together.
 * Several nodes may call it at once: a lock on that table gives each file to one of them. Throws StartError if the
 * database is newer than this program.
 */
export async function migrate(database: Database): Promise<void> {
  await createMigrationTable(database.db);
  while (await applyNext(database));
}

/** Returns false once nothing is pending. */
function applyNext(database: Database): Promise<boolean> {
  return transaction(database.db, async (tx) => {
    // Readers are not blocked: the readiness check reads this table meanwhile.
    await sql`lock table schema_migration in exclusive mode`.execute(tx);
    const [file] = await pendingMigrations(tx);
    if (file === undefined) return false;
    await database.exec(await readFile(new URL(file, FOLDER), 'utf8'), tx);
    await sql`insert into schema_migration (name) values (${file})`.execute(tx);
    return true;
  });
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
