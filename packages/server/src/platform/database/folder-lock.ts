import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { StartError } from '../errors.ts';

const SQLITE_BUSY = 5;

/**
 * Keeps a PGlite folder for one process, and returns what gives it back. The lock is an open transaction of SQLite,
 * which is a lock on a file that the kernel drops with the process, however that ends: no stale lock ever needs a
 * guess, and of two starts at the same moment one has it.
 */
export function lockFolder(folder: string): () => void {
  const lock = new DatabaseSync(join(folder, 'lock'));
  try {
    lock.exec('begin exclusive');
  } catch (error) {
    lock.close();
    if ((error as { errcode?: number }).errcode !== SQLITE_BUSY) throw error;
    throw new StartError(
      `The data folder ${folder} is in use by another Gatehouse process. Stop that one first, or give this one a folder of its own (GATEHOUSE_DATA_DIR).`,
    );
  }
  return () => lock.close();
}
