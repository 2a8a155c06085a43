import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { StartError } from '../errors.ts';
import type { Database, Db } from './database.ts';
import { isDuplicate, isLockTimeout, isTransient } from './sqlstate.ts';
import { many, run } from './statements.ts';

const FOLDER = new URL('../../../migrations/', import.meta.url);

/** Other transactions wait behind a migration that waits for its lock, so it gives up soon and tries again. */
const LOCK_TIMEOUT = '2s';
const LONGEST_WAIT_MS = 10 * 60_000;

type Migrated = Pick<Database, 'db' | 'exec'>;

/**
 * Applies the pending files of `migrations/` in order. Several nodes may call it at the same time: one of them applies a file
 * while the others wait. Nodes of earlier versions may run beside it (ADR 17). Throws StartError if the database is
 * too old or too new for this program.
 */
export async function migrate(database: Migrated, folder = FOLDER): Promise<void> {
  await createMigrationTable(database.db);
  for (const file of await pendingMigrations(database.db, folder)) await apply(database, file, folder);
}

/** Applies a file. Repeats it after a deadlock, or when another transaction held a lock for too long. */
async function apply(database: Migrated, file: string, folder: URL): Promise<void> {
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
async function attempt(database: Migrated, file: string, text: string): Promise<void> {
  const runsWith = runsWithOf(file, text);
  await database.exec(`
    insert into schema_migration (name, runs_with) values ('${file}', ${runsWith === undefined ? 'null' : `'${runsWith}'`});
    set local lock_timeout = '${LOCK_TIMEOUT}';
    ${text}`);
}

/** The line `-- runs-with: 0001`: servers whose newest migration is 0001 or later also work after this one. */
function runsWithOf(file: string, text: string): string | undefined {
  const [, number] = /^-- runs-with: (.*)$/m.exec(text) ?? [];
  if (number === undefined || (/^\d{4}$/.test(number) && number < numberOf(file))) return number;
  throw new Error(`${file}: runs-with must be the number of an earlier migration, such as 0001.`);
}

async function createMigrationTable(db: Db): Promise<void> {
  try {
    await run(db)`create table if not exists schema_migration (
      name text primary key, applied_at timestamptz not null default now(), runs_with text)`;
  } catch (error) {
    // `if not exists` does not see a table that another node is just creating.
    if (!isDuplicate(error)) throw error;
    await createMigrationTable(db);
  }
}

/**
 * Returns the migrations that are still to be applied, in order: none once the service is ready (D42). Throws StartError
 * if the database was created before the first release, or if a newer version has applied a migration with which this
 * version cannot run.
 */
export async function pendingMigrations(db: Db, folder = FOLDER): Promise<string[]> {
  const files = (await readdir(folder)).filter((name) => /^\d{4}_.*\.sql$/.test(name)).sort();
  const newest = numberOf(files.at(-1) ?? '');
  // The oldest databases from before the first release do not have the column.
  const rows = await many<{ name: string; runs_with: string | null }>(db)`
    select name, to_jsonb(m) ->> 'runs_with' as runs_with from schema_migration m`;
  const unknown = rows.filter(({ name }) => !files.includes(name));
  const replaced = unknown.find(({ name }) => numberOf(name) <= newest);
  if (replaced !== undefined) {
    throw new StartError(
      `The database was created before the first release of Gatehouse: it has the migration ${replaced.name}. No version can upgrade it. Set DATABASE_URL to an empty database, or GATEHOUSE_DATA_DIR to an empty folder, and import the data again.`,
    );
  }
  const newer = unknown.find(({ runs_with }) => runs_with === null || runs_with > newest);
  if (newer !== undefined) {
    throw new StartError(
      `The database has migration ${newer.name}, with which this version cannot run. Start the newer Gatehouse that created it.`,
    );
  }
  const applied = new Set(rows.map(({ name }) => name));
  return files.filter((file) => !applied.has(file));
}

const numberOf = (file: string) => file.slice(0, 4);
