import { existsSync } from 'node:fs';
import { readdir, stat, statfs } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { StartError } from '../errors.ts';
import { EMBEDDED, STAGING } from './private-folder.ts';

/** Parts without which PostgreSQL does not start. PGlite creates a new database if it finds no PG_VERSION. */
const PARTS = [
  'PG_VERSION',
  'global/pg_control',
  'postgresql.conf',
  'base',
  'pg_wal',
  'pg_xact',
  'pg_multixact',
];
/** A folder that a file system creates where it is mounted. */
const NOT_OURS = 'lost+found';
/** PostgreSQL reserves a file of this size for its log before it continues. */
const LEAST_FREE_BYTES = 16 * 1024 ** 2;

const RESTORE =
  'Restore a backup into an empty data folder with "gatehouse-server restore": see docs/guides/backup.md.';

/** Throws StartError if the data folder is the folder of a database, or of a server of PostgreSQL. */
export function requireDataFolder(dataDir: string): void {
  if (!existsSync(join(dataDir, 'PG_VERSION'))) return;
  throw new StartError(
    `The data folder ${dataDir} is itself the folder of a database. Set GATEHOUSE_DATA_DIR to ${dirname(resolve(dataDir))}, or to an empty folder.`,
  );
}

/**
 * Throws StartError unless the data folder has a whole database, or neither a database nor traces of one. Only the process that
 * holds the folder's lock may call it.
 */
export async function requireWholeFolder(dataDir: string): Promise<void> {
  const folder = join(dataDir, EMBEDDED);
  const names = (await readdir(folder).catch(() => [])).filter((name) => name !== NOT_OURS);
  if (names.length === 0) return requireNoTraces(dataDir);
  for (const part of PARTS) {
    const found = await stat(join(folder, part)).catch(() => undefined);
    if (found !== undefined && (found.isDirectory() || found.size > 0)) continue;
    throw new StartError(
      `The database in ${folder} is incomplete: ${part} is ${found === undefined ? 'missing' : 'empty'}. Nothing was changed. If the first start was interrupted, delete this folder and start again. Otherwise, keep a copy of it. ${RESTORE}`,
    );
  }
}

function requireNoTraces(dataDir: string): void {
  if (existsSync(join(dataDir, STAGING))) {
    throw new StartError(
      `A restore into the data folder ${dataDir} was interrupted. Run "gatehouse-server restore" again, or delete ${join(dataDir, STAGING)} to begin with an empty database.`,
    );
  }
  if (existsSync(join(dataDir, 'secret.key'))) {
    throw new StartError(
      `The data folder ${dataDir} has a secret key, but no database. If its database was lost, restore a backup with "gatehouse-server restore": see docs/guides/backup.md. To begin with an empty database, move secret.key to another place.`,
    );
  }
}

/** Returns the error of a disk that has no space for the files of a start. */
export const fullDisk = (dataDir: string) =>
  new StartError(
    `The disk of the data folder ${dataDir} is full: the database needs at least ${LEAST_FREE_BYTES / 1024 ** 2} MB to start. Free some space, then start Gatehouse again.`,
  );

/** Returns why PGlite could not open the database, as a sentence with the next step. */
export async function openingFailure(dataDir: string): Promise<StartError> {
  const { bavail, bsize } = await statfs(dataDir);
  if (bavail * bsize < LEAST_FREE_BYTES) return fullDisk(dataDir);
  return new StartError(
    `The database in ${join(dataDir, EMBEDDED)} cannot be opened: its files are damaged or incomplete. Keep a copy of the folder. ${RESTORE}`,
  );
}
