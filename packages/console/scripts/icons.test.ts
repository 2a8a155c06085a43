import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { generateIcons } from './icons.ts';

test('src/kit/icons/icons.ts has exactly the icons that the console imports', () => {
  const committed = readFileSync(new URL('../src/kit/icons/icons.ts', import.meta.url), 'utf8');
  expect(committed, 'run npm run icons').toBe(generateIcons());
});
