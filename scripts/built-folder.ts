import { createHash } from 'node:crypto';
import { glob, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

interface BuiltFolder {
  /** The folder of the package. Its dist/ is built. */
  root: string;
  /** The files that a build depends on, relative to `root`. */
  sources: readonly string[];
  /** Completes "Building the ...". */
  name: string;
  /** Builds into an empty folder. */
  build(folder: string): Promise<void>;
  /** Takes from the last build what is still used. */
  keep?(last: string, next: string): Promise<void>;
}

/**
 * Builds dist/ of a package, unless it was already built from files with the same content. Also compresses each text file, so that the server
 * only has to send it. Builds into a temporary folder and moves that into place, so that dist/ is never half written.
 */
export async function buildFolder({ root, sources, name, build, keep }: BuiltFolder): Promise<void> {
  const dist = join(root, 'dist');
  const hash = await hashOf(root, sources);
  if ((await readFile(join(dist, 'built-from'), 'utf8').catch(() => '')) === hash) return;
  process.stderr.write(`Building the ${name}...\n`);
  const folder = join(root, `dist-${process.pid}`);
  await build(folder);
  const files = await Array.fromAsync(glob('**/*.{html,js,css,svg,json}', { cwd: folder }));
  await Promise.all(files.map((file) => compress(join(folder, file))));
  await writeFile(join(folder, 'built-from'), hash);
  await keep?.(dist, folder);
  await rm(dist, { recursive: true, force: true });
  // Another process may have just put the same build there.
  await rename(folder, dist).catch(() => rm(folder, { recursive: true }));
}

async function hashOf(root: string, files: readonly string[]): Promise<string> {
  const hash = createHash('sha256');
  const contents = await Promise.all(files.map((file) => readFile(join(root, file))));
  for (const [at, file] of files.entries()) hash.update(`${file}\n`).update(contents[at] ?? '');
  return hash.digest('hex');
}

async function compress(file: string) {
  const text = await readFile(file);
  const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
  await writeFile(`${file}.br`, await promisify(brotliCompress)(text, { params }));
  await writeFile(`${file}.gz`, await promisify(gzip)(text, { level: 9 }));
}
