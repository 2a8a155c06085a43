import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Config } from '#config.ts';
import { counted } from '#kit/counted.ts';
import { lockFolder } from '#kit/database/folder-lock.ts';
import { unmarkMoved } from '#kit/database/moved-folder.ts';
import { openDatabase } from '#kit/database/open.ts';
import { dumpPglite, loadPglite } from '#kit/database/pglite-backup.ts';
import { EMBEDDED, openPrivateFolder, STAGING } from '#kit/database/private-folder.ts';
import { openingFailure, requireDataFolder, requireWholeFolder } from '#kit/database/whole-folder.ts';
import { StartError } from '#kit/errors.ts';
import { jumpAfterRestore } from '#log/events/log.ts';
import { prepareData } from '#startup.ts';

/** Writes the embedded database to a new file. It migrates nothing, so it can run before an upgrade. Returns a report. */
export async function backUp(config: Config, file: string): Promise<string> {
  requireEmbedded(config);
  const { dataDir, secretKey } = config;
  requireDataFolder(dataDir);
  if ((await readdir(join(dataDir, EMBEDDED)).catch(() => [])).length === 0)
    throw new StartError(`The data folder ${dataDir} has no database. Check GATEHOUSE_DATA_DIR.`);
  if (existsSync(file)) throw new StartError(`${file} already exists. Choose another name.`);
  const unlock = lockFolder(dataDir);
  try {
    await requireWholeFolder(dataDir);
    const dumped = await dumpPglite(dataDir).catch(async () => {
      throw await openingFailure(dataDir);
    });
    await writeNewFile(file, dumped);
  } finally {
    unlock();
  }
  const key = secretKey === undefined ? join(dataDir, 'secret.key') : 'GATEHOUSE_SECRET_KEY';
  return `The database is in ${file}.\nThe file does not contain the secret key. Keep a copy of ${key} in another place: a restore needs it.`;
}

/**
 * Restores a file of `backUp` into a data folder without a database. The database appears in the folder only once it is
 * complete, migrated and readable with the secret key. Returns a report.
 */
export async function restore(config: Config, file: string): Promise<string> {
  requireEmbedded(config);
  const { dataDir } = config;
  if (!existsSync(file)) throw new StartError(`${file} does not exist.`);
  await openPrivateFolder(dataDir);
  const unlock = lockFolder(dataDir);
  const staging = join(dataDir, STAGING);
  try {
    if ((await readdir(join(dataDir, EMBEDDED))).length > 0) {
      throw new StartError(
        `The data folder ${dataDir} already has a database. Set GATEHOUSE_DATA_DIR to an empty folder.`,
      );
    }
    // A restore that was interrupted leaves the folder behind.
    await rm(staging, { recursive: true, force: true });
    await mkdir(staging, { mode: 0o700 });
    await loadPglite(staging, file).catch(() => {
      throw new StartError(
        `${file} cannot be restored. It is damaged, or it is not a backup of an embedded database.`,
      );
    });
    const organizations = await skipPositions(config, staging);
    // The folder has another database from here on.
    await unmarkMoved(dataDir);
    await rename(join(staging, EMBEDDED), join(dataDir, EMBEDDED));
    return `The database of ${file} is in ${dataDir}. The event logs of ${counted(organizations, 'organization')} continue at new positions.`;
  } finally {
    await rm(staging, { recursive: true, force: true });
    unlock();
  }
}

/** Migrates the restored database, checks the secret key, and makes sure that no event position is used twice. */
async function skipPositions(config: Config, staging: string): Promise<number> {
  const { database } = await prepareData(config, await openDatabase({ dataDir: staging }));
  try {
    return await jumpAfterRestore(database.db);
  } finally {
    await database.close();
  }
}

function requireEmbedded({ databaseUrl }: Config) {
  if (databaseUrl === undefined) return;
  throw new StartError(
    'This command is for the embedded database. With DATABASE_URL, use the tools of PostgreSQL: see "PostgreSQL" in docs/guides/backup.md.',
  );
}

/** Writes a file for this user only. It appears under its name once it is complete and on disk. */
async function writeNewFile(file: string, content: Uint8Array) {
  const partial = `${file}.${randomUUID()}.partial`;
  try {
    const handle = await open(partial, 'wx', 0o600);
    try {
      await handle.writeFile(content);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(partial, file);
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
  const folder = await open(dirname(file), 'r');
  await folder.sync();
  await folder.close();
}
