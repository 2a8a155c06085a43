import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buildFolder } from '../../../scripts/built-folder.ts';
import { keepAssets } from './kept-assets.ts';
import './event-sentences.ts';
import './icons.ts';
import { listSources } from './sources.ts';

/** Builds the console into dist/, unless it was already built from files with the same content (sources.ts). */
const root = join(import.meta.dirname, '..');
// Always build for production, whatever environment the caller runs in.
process.env.NODE_ENV = 'production';

await buildFolder({
  root,
  sources: await listSources(),
  name: 'console',
  keep: keepAssets,
  async build(outDir) {
    // Loading Vite takes longer than finding out whether anything has changed.
    const { build, minify } = await import('vite');
    await build({ root, configFile: join(root, 'vite.config.ts'), logLevel: 'warn', build: { outDir } });
    // Vite copies this file as it is.
    const start = join(outDir, 'start.js');
    const { code } = await minify(start, await readFile(start, 'utf8'), { compress: { target: 'es2020' } });
    await writeFile(start, code);
  },
});
