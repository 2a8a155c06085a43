import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { isHeld } from './lock.ts';

async function fileWith(text: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'lock-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, 'run.pid');
  await writeFile(file, text);
  return file;
}

test('a lock is held as long as its process runs', async () => {
  expect(isHeld(await fileWith(String(process.pid)))).toBe(true);
  const { pid } = spawnSync('true');
  expect(isHeld(await fileWith(String(pid)))).toBe(false);
});

test.each(['', '\n', '0', '..', 'self'])('a file with %j is not a lock', async (text) => {
  expect(isHeld(await fileWith(text))).toBe(false);
});

test('a missing file is not a lock', () => {
  expect(isHeld('/missing/run.pid')).toBe(false);
});
