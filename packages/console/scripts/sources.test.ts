import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { listSources } from './sources.ts';

const root = join(import.meta.dirname, '..');

test('a change of any file that the console imports is built', async () => {
  const imported = globSync('src/**/*.{ts,tsx}', { cwd: root })
    .filter((file) => !file.includes('.test.') && !file.startsWith('src/api/schema'))
    .flatMap((file) =>
      [...readFileSync(join(root, file), 'utf8').matchAll(/ from '(\.[^']+)'/g)].map(([, path = '']) =>
        relative(root, join(root, dirname(file), path)),
      ),
    )
    .filter((file) => !file.startsWith('src/api/schema'));

  const sources = await listSources();

  expect(imported).toContain('../protocol/src/hidden-characters.ts');
  expect(sources).toEqual(expect.arrayContaining([...new Set(imported)]));
  expect(sources).toContain('scripts/build.ts');
});
