import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { PGlite } from '@electric-sql/pglite';
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm';
import { EMBEDDED } from './private-folder.ts';

const extensions = { pg_trgm };

/**
 * Returns the embedded database of a data folder as a compressed tar file. Opening the folder first completes what a
 * crash interrupted. Only the process that holds the folder's lock may call it.
 */
export async function dumpPglite(dataDir: string): Promise<Uint8Array> {
  const pglite = await PGlite.create({ dataDir: `${dataDir}/${EMBEDDED}`, extensions });
  try {
    await pglite.exec('checkpoint');
    return new Uint8Array(await (await pglite.dumpDataDir('gzip')).arrayBuffer());
  } finally {
    await pglite.close();
  }
}

/** Unpacks a result of `dumpPglite` into an empty data folder. Throws if the file is anything else. */
export async function loadPglite(dataDir: string, file: string): Promise<void> {
  // PGlite could unpack it too, but a damaged file would then end the process.
  const tar = await promisify(gunzip)(await readFile(file));
  // PGlite makes an empty database of a file without one.
  if (!tar.includes('PG_VERSION')) throw new Error(`${file} contains no database.`);
  const loadDataDir = new Blob([tar], { type: 'application/x-tar' });
  const pglite = await PGlite.create({ dataDir: `${dataDir}/${EMBEDDED}`, extensions, loadDataDir });
  await pglite.close();
}
