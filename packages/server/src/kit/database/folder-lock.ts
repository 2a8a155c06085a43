import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { StartError } from '../errors.ts';
import { fullDisk } from './whole-folder.ts';

const SQLITE_BUSY = 5;
const SQLITE_FULL = 13;

/**
 * Reserves a PGlite folder for one process and returns a function that releases it. The lock is an open SQLite
 * transaction, which holds a lock on a file. The kernel drops it when the process ends, however that happens, so no
 * lock is ever stale, and only one of two processes that start at the same moment gets it.
 */
export function lockFolder(folder: string): () => void {
  const lock = new DatabaseSync(join(folder, 'lock'));
  try {
    lock.exec('begin exclusive');
  } catch (error) {
    lock.close();
    const { errcode } = error as { errcode?: number };
    if (errcode === SQLITE_FULL) throw fullDisk(folder);
    if (errcode !== SQLITE_BUSY) throw error;
    throw new StartError(
      `The data folder ${folder} is in use by another Gatehouse process. Stop that process, or set GATEHOUSE_DATA_DIR to another folder.`,
    );
  }
  return () => lock.close();
}
