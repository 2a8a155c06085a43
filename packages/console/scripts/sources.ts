import { glob } from 'node:fs/promises';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');

/**
 * Lists the files that a build of the console depends on, relative to its folder: the sources, catalogs, public files and configurations
 * of the console, the sources of packages/protocol, the scripts of the build, and the lock file.
 */
export async function listSources(): Promise<string[]> {
  const files = ['../../package-lock.json', '../../tsconfig.json', '../../scripts/built-folder.ts'];
  const sources = [
    'src/**/*.*',
    '../protocol/src/**/*.*',
    'public/**/*.*',
    'scripts/{build,first-page,kept-assets,sources,texts-of-files}.ts',
    '*.*',
  ];
  // These files are generated, and the build does not read them.
  for await (const file of glob(sources, {
    cwd: root,
    exclude: ['src/api/schema.ts*', 'src/api/sentences.ts'],
  }))
    files.push(file);
  return files.sort();
}
