import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { StartError } from '../errors.ts';
import type { Database, Db } from './open.ts';
import { isDuplicate, isLockTimeout, isTransient } from './sqlstate.ts';

const FOLDER = new URL('../../../migrations/', import.meta.url);

/** Other transactions wait behind a migration that waits for its lock, so it gives up soon and tries again. */
const LOCK_TIMEOUT = '2s';
const LONGEST_WAIT_MS = 10 * 60_000;

/**
 * Applies the pending files of `migrations/` in order. Several nodes may call it at once: one of them applies a file
 * while the others wait. Nodes of earlier versions may run beside it (ADR 17). Throws StartError if the database is too
 * new for this program.
 */
export async function migrate(database: Database, folder = FOLDER): Promise<void> {
  await createMigrationTable(database.db);
  for (const file of await pendingMigrations(database.db, folder)) await apply(database, file, folder);
}

/** Applies a file. Repeats it after a deadlock, or when another transaction held a lock for too long. */
async function apply(database: Database, file: string, folder: URL): Promise<void> {
  const text = await readFile(new URL(file, folder), 'utf8');
  const deadline = Date.now() + LONGEST_WAIT_MS;
  for (;;) {
    try {
      return await attempt(database, file, text);
    } catch (error) {
      const isApplied = isDuplicate(error) && !(await pendingMigrations(database.db, folder)).includes(file);
      if (isApplied) return;
      if (!isLockTimeout(error) && !isTransient(error)) throw error;
      if (Date.now() > deadline) {
        throw new StartError(
          `The migration ${file} could not get its locks within 10 minutes. End the long transactions in pg_stat_activity, and start again.`,
        );
      }
      await sleep(500 + Math.random() * 1000);
    }
  }
}

/**
 * The file and its row commit together. The row comes first: its primary key makes other nodes wait until this one has
 * committed, and then rejects their row.
 */
async function attempt(database: Database, file: string, text: string): Promise<void> {
  const runsWith = runsWithOf(file, text);
  await database.exec(`
    insert into schema_migration (name, runs_with) values ('${file}', ${runsWith === undefined ? 'null' : `'${runsWith}'`});
    set local lock_timeout = '${LOCK_TIMEOUT}';
    ${text}`);
}

/** The line `-- runs-with: 0060`: servers whose newest migration is 0060 or later also work after this one. */
function runsWithOf(file: string, text: string): string | undefined {
  const [, number] = /^-- runs-with: (.*)$/m.exec(text) ?? [];
  if (number === undefined || (/^\d{4}$/.test(number) && number < file.slice(0, 4))) return number;
  throw new Error(`${file}: runs-with must be the number of an earlier migration, such as 0060.`);
}

async function createMigrationTable(db: Db): Promise<void> {
  try {
    await sql`create table if not exists schema_migration (
      name text primary key, applied_at timestamptz not null default now())`.execute(db);
    const { rows } = await sql`select from information_schema.columns
      where table_name = 'schema_migration' and column_name = 'runs_with'`.execute(db);
    // Adding an existing column would still lock the table.
    if (rows.length === 0) {
      await sql`alter table schema_migration add column if not exists runs_with text`.execute(db);
    }
  } catch (error) {
    // `if not exists` does not see a table that another node is just creating.
    if (!isDuplicate(error)) throw error;
    await createMigrationTable(db);
  }
}

/**
 * Returns the migrations that are still to be applied, in order: none once the service is ready (D42). Throws StartError
 * if a newer version has applied one with which this version cannot run.
 */
export async function pendingMigrations(db: Db, folder = FOLDER): Promise<string[]> {
  const files = (await readdir(folder)).filter((name) => /^\d{4}_.*\.sql$/.test(name)).sort();
  const newest = files.at(-1) ?? '';
  // The column is missing in a database of an earlier version.
  const { rows } = await sql<{ name: string; runs_with: string | null }>`
    select name, to_jsonb(m) ->> 'runs_with' as runs_with from schema_migration m`.execute(db);
  const known = new Set(files);
  const unknown = rows.find(
    ({ name, runs_with }) => !known.has(name) && (runs_with === null || runs_with > newest.slice(0, 4)),
  );
  if (unknown !== undefined) {
    throw new StartError(
      `The database has migration ${unknown.name}, with which this version cannot run. Start the newer Gatehouse that created it.`,
    );
  }
  const applied = new Set(rows.map(({ name }) => name));
  return files.filter((file) => !applied.has(file));
}
