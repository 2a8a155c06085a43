import { statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';

const IN_MEMORY = '/dev/shm';
/** More than the databases of a test run take at any time. */
const ENOUGH_BYTES = 4 * 1024 ** 3;

/**
 * Returns a folder for the databases of tests: in memory if there is enough room, otherwise the system's temporary
 * folder. Copying a database on disk takes ten times the CPU time.
 */
export async function temporaryFolder(): Promise<string> {
  const { bavail, bsize } = await statfs(IN_MEMORY).catch(() => ({ bavail: 0, bsize: 0 }));
  return bavail * bsize >= ENOUGH_BYTES ? IN_MEMORY : tmpdir();
}
