import { readdir, readFile } from 'node:fs/promises';
import { sql } from 'kysely';
import { StartError } from '../errors.ts';
import type { Database, Db } from './open.ts';

const FOLDER = new URL('../../../migrations/', import.meta.url);

/** Any number: the advisory lock under which one node migrates while the others wait. */
const MIGRATION_LOCK = 7_408_153;

/**
 * Applies the numbered files of `migrations/` that this database has not seen, each together with its mark.
 * Several nodes may call it at once. Throws where the database is newer than this program.
 */
export async function migrate(database: Database): Promise<void> {
  await database.db.connection().execute(async (connection) => {
    await sql`select pg_advisory_lock(${sql.lit(MIGRATION_LOCK)})`.execute(connection);
    try {
      await sql`create table if not exists schema_migration (
        name text primary key, applied_at timestamptz not null default now())`.execute(connection);
      for (const file of await pendingMigrations(connection)) {
        const text = await readFile(new URL(file, FOLDER), 'utf8');
        // Several statements in one message are one transaction.
        await database.exec(`${text}\n;insert into schema_migration (name) values ('${file}');`);
      }
    } finally {
      await sql`select pg_advisory_unlock(${sql.lit(MIGRATION_LOCK)})`.execute(connection);
    }
  });
}

/** The files still to apply, in order: none once the service is ready (D42). */
export async function pendingMigrations(db: Db): Promise<string[]> {
  const files = (await readdir(FOLDER)).filter((name) => /^\d{4}_.*\.sql$/.test(name)).sort();
  const { rows } = await sql<{ name: string }>`select name from schema_migration`.execute(db);
  const unknown = rows.find(({ name }) => !files.includes(name));
  if (unknown !== undefined) {
    throw new StartError(
      `The database has migration ${unknown.name}, which this version does not know: it was made by a newer Gatehouse.`,
    );
  }
  return files.filter((file) => !rows.some(({ name }) => name === file));
}
