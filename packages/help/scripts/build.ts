import { glob } from 'node:fs/promises';
import { join } from 'node:path';
import { buildFolder } from '../../../scripts/built-folder.ts';

/** Builds the help into dist/, unless it was already built from files with the same content. The pages of the API follow from the server. */
const root = join(import.meta.dirname, '..');
const SOURCES = [
  '../../{package,package-lock}.json',
  '../../docs/**/*.{md,png,svg}',
  '../../scripts/{built-folder,operation-reference}.ts',
  '../../packages/{server,protocol}/src/**/*.ts',
  '{assets,scripts,src}/*.*',
];

await buildFolder({
  root,
  sources: (await Array.fromAsync(glob(SOURCES, { cwd: root, exclude: ['**/*.test.ts'] }))).sort(),
  name: 'help',
  async build(folder) {
    const { buildSite } = await import('../src/site.ts');
    await buildSite(folder);
  },
});
