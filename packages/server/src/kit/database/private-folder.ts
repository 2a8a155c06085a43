import { chmod, mkdir } from 'node:fs/promises';

/** The folder of the embedded database inside the data folder. */
export const EMBEDDED = 'pglite';

/** The folder, inside the data folder, in which a restore prepares the database. */
export const STAGING = 'restoring';

const OWNER_ONLY = 0o700;

/**
 * Creates the data folder, for this user only, and closes an existing one to others. A mounted volume may belong to
 * another user; then the folder of the database inside it is closed.
 */
export async function openPrivateFolder(dataDir: string): Promise<void> {
  await mkdir(`${dataDir}/${EMBEDDED}`, { recursive: true, mode: OWNER_ONLY });
  await chmod(`${dataDir}/${EMBEDDED}`, OWNER_ONLY);
  await chmod(dataDir, OWNER_ONLY).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPERM') throw error;
  });
}
