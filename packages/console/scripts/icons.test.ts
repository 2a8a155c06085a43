import { globSync } from 'node:fs';
import { basename } from 'node:path';
import { expect, test } from 'vitest';
import { TABLER } from './icons.ts';
import { importedIcons } from './imported-icons.ts';

test('icons/tabler has exactly the icons that the console imports', () => {
  const kept = globSync('*.svg', { cwd: TABLER })
    .map((file) => basename(file, '.svg'))
    .sort();
  expect(kept, 'run npm run icons').toEqual(importedIcons(kept));
});
