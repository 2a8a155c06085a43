import { createHash } from 'node:crypto';
import { glob, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { build } from 'vite';

/**
 * Builds the console into dist/, unless dist/ was already built from the same sources. Also compresses each text file,
 * so that the server only has to send it. Builds into a temporary folder and moves that into place, so that dist/ is
 * never half written.
 */
const root = join(import.meta.dirname, '..');
const dist = join(root, 'dist');
// Always build for production, whatever environment the caller runs in.
process.env.NODE_ENV = 'production';

const sources = await hashOfSources();
const built = await readFile(join(dist, 'built-from'), 'utf8').catch(() => '');
if (built !== sources) {
  process.stderr.write('Building the console...\n');
  const outDir = join(root, `dist-${process.pid}`);
  await build({ root, configFile: join(root, 'vite.config.ts'), logLevel: 'warn', build: { outDir } });
  for await (const file of glob('**/*.{js,css,svg}', { cwd: outDir })) await compress(join(outDir, file));
  await writeFile(join(outDir, 'built-from'), sources);
  await rm(dist, { recursive: true, force: true });
  // Another process may have just put the same build there.
  await rename(outDir, dist).catch(() => rm(outDir, { recursive: true }));
}

async function hashOfSources(): Promise<string> {
  const files: string[] = ['../../package-lock.json'];
  for await (const file of glob(['src/**/*.*', 'public/*', 'scripts/build.ts', '*.*'], { cwd: root }))
    files.push(file);
  const hash = createHash('sha256');
  for (const file of files.sort()) hash.update(file).update(await readFile(join(root, file)));
  return hash.digest('hex');
}

async function compress(file: string) {
  const text = await readFile(file);
  const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
  await writeFile(`${file}.br`, await promisify(brotliCompress)(text, { params }));
  await writeFile(`${file}.gz`, await promisify(gzip)(text, { level: 9 }));
}
