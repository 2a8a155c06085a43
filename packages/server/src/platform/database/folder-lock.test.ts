import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { lockFolder } from './folder-lock.ts';

async function newFolder(name = '') {
  const folder = await mkdtemp(join(tmpdir(), `gatehouse-lock-${name}`));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

const REFUSED = (folder: string) =>
  `The data folder ${folder} is in use by another Gatehouse process. Stop that one first, or give this one a folder of its own (GATEHOUSE_DATA_DIR).`;

test.each(['', 'x'.repeat(120)])('a folder is for one at a time (%#)', async (name) => {
  const folder = await newFolder(name);
  const unlock = await lockFolder(folder);

  await expect(lockFolder(folder)).rejects.toThrow(REFUSED(folder));
  await unlock();
  const again = await lockFolder(folder);
  await again();
});

test('two folders do not know each other', async () => {
  const locks = [await lockFolder(await newFolder()), await lockFolder(await newFolder())];

  await Promise.all(locks.map((unlock) => unlock()));
});

test('of several at the same moment one has it, also where a killed process left its lock', async () => {
  const folder = await newFolder();
  await writeFile(join(folder, 'lock.sock'), '');

  const tries = await Promise.allSettled(Array.from({ length: 8 }, () => lockFolder(folder)));

  const [unlock, ...others] = tries.filter((one) => one.status === 'fulfilled');
  expect(others).toEqual([]);
  await expect(lockFolder(folder)).rejects.toThrow(REFUSED(folder));
  await unlock?.value();
});

test('a process that is killed leaves no lock', async () => {
  const folder = await newFolder();
  const script = `
    const { lockFolder } = await import(${JSON.stringify(new URL('./folder-lock.ts', import.meta.url).href)});
    await lockFolder(${JSON.stringify(folder)});
    process.stdout.write('locked');
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script]);
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  await expect(lockFolder(folder)).rejects.toThrow(REFUSED(folder));

  child.kill('SIGKILL');
  await once(child, 'exit');

  const unlock = await lockFolder(folder);
  await unlock();
});
