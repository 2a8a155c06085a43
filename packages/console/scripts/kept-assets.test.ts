import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { keepAssets } from './kept-assets.ts';

let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'gatehouse-assets-'));
});
afterAll(() => rm(root, { recursive: true }));

/** Creates a build with these assets, after the one before it. */
async function build(name: string, assets: Record<string, string>, last: string) {
  await mkdir(join(root, name, 'assets'), { recursive: true });
  for (const [file, text] of Object.entries(assets)) await writeFile(join(root, name, 'assets', file), text);
  await keepAssets(join(root, last), join(root, name));
  return (await readdir(join(root, name, 'assets'))).sort();
}

test('a build keeps the assets of the one before it, and not older ones', async () => {
  expect(await build('first', { 'app-1.js': '1', 'logo.svg': 'old' }, 'none')).toEqual([
    'app-1.js',
    'logo.svg',
  ]);

  expect(await build('second', { 'app-2.js': '2', 'logo.svg': 'new' }, 'first')).toEqual([
    'app-1.js',
    'app-2.js',
    'logo.svg',
  ]);
  expect(await readFile(join(root, 'second/assets/logo.svg'), 'utf8')).toBe('new');

  expect(await build('third', { 'app-3.js': '3' }, 'second')).toEqual(['app-2.js', 'app-3.js', 'logo.svg']);
});
