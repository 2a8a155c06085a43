import { createHash } from 'node:crypto';
import { glob, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { keepAssets } from './kept-assets.ts';
import './event-sentences.ts';
import './icons.ts';
import { listSources } from './sources.ts';

/**
 * Builds the console into dist/, unless dist/ was already built from files with the same content (sources.ts). Also compresses each text file, so that the
 * server only has to send it. Builds into a temporary folder and moves that into place, so that dist/ is never half written.
 */
const root = join(import.meta.dirname, '..');
const dist = join(root, 'dist');
// Always build for production, whatever environment the caller runs in.
process.env.NODE_ENV = 'production';

const sources = await hashOf(await listSources());
const built = await readFile(join(dist, 'built-from'), 'utf8').catch(() => '');
if (built !== sources) {
  process.stderr.write('Building the console...\n');
  // Loading Vite takes longer than all of the check above.
  const { build, minify } = await import('vite');
  const outDir = join(root, `dist-${process.pid}`);
  await build({ root, configFile: join(root, 'vite.config.ts'), logLevel: 'warn', build: { outDir } });
  // Vite copies this file as it is.
  const start = join(outDir, 'start.js');
  const { code } = await minify(start, await readFile(start, 'utf8'), { compress: { target: 'es2020' } });
  await writeFile(start, code);
  const files = await Array.fromAsync(glob('**/*.{js,css,svg}', { cwd: outDir }));
  await Promise.all(files.map((file) => compress(join(outDir, file))));
  await writeFile(join(outDir, 'built-from'), sources);
  await keepAssets(dist, outDir);
  await rm(dist, { recursive: true, force: true });
  // Another process may have just put the same build there.
  await rename(outDir, dist).catch(() => rm(outDir, { recursive: true }));
}

async function hashOf(files: readonly string[]): Promise<string> {
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
