import { open, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { StartError } from '../errors.ts';

/**
 * A file of this name in a data folder says that its database was moved to PostgreSQL, and where it is. The copy that stays
 * behind must not be started by mistake: two servers would then change the same apps.
 */
const MOVED = 'moved-to-postgresql';

export const movedFile = (dataDir: string) => join(dataDir, MOVED);

/** Marks the folder. `where` names the new database without its password. */
export async function markMoved(dataDir: string, where: string): Promise<void> {
  const file = await open(movedFile(dataDir), 'w', 0o600);
  await file.writeFile(`${where}, on ${new Date().toISOString()}\n`);
  await file.sync();
  await file.close();
  const folder = await open(dataDir, 'r');
  await folder.sync();
  await folder.close();
}

export const unmarkMoved = (dataDir: string): Promise<void> => rm(movedFile(dataDir), { force: true });

/** Throws StartError if the database of the folder was moved. */
export async function requireNotMoved(dataDir: string): Promise<void> {
  const text = await readFile(movedFile(dataDir), 'utf8').catch(() => undefined);
  if (text === undefined) return;
  throw new StartError(
    `The database of the data folder ${dataDir} was moved to ${text.trim()}. Set DATABASE_URL to start Gatehouse there. To use this folder again, without any change that was made since then, delete the file ${movedFile(dataDir)}.`,
  );
}
