import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { lockFolder } from './folder-lock.ts';

async function newFolder() {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-lock-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

const refusal = (folder: string) =>
  `The data folder ${folder} is in use by another Gatehouse process. Stop that process, or set GATEHOUSE_DATA_DIR to another folder.`;

/** A process that locks the folder, prints `locked` or the error, and keeps the lock, which would end with the function that unlocks, until it is killed. */
function startProcess(folder: string) {
  const script = `
    const { lockFolder } = await import(${JSON.stringify(new URL('./folder-lock.ts', import.meta.url).href)});
    globalThis.unlock = lockFolder(${JSON.stringify(folder)});
    process.stdout.write('locked');
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script]);
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

test('rejects a second lock on the same folder', async () => {
  const folder = await newFolder();
  const unlock = lockFolder(folder);

  expect(() => lockFolder(folder)).toThrow(refusal(folder));
  unlock();
  lockFolder(folder)();
});

test('locks two folders independently', async () => {
  const unlocks = [lockFolder(await newFolder()), lockFolder(await newFolder())];

  for (const unlock of unlocks) unlock();
});

test('gives the lock to one of several processes that start at the same time', async () => {
  const folder = await newFolder();
  const processes = [1, 2, 3].map(() => startProcess(folder));

  const ends = await Promise.all(
    processes.map(async (child) => {
      const errors = text(child.stderr);
      const winner = await Promise.race([
        once(child.stdout, 'data'),
        once(child, 'exit').then(() => undefined),
      ]);
      return winner === undefined ? errors : 'locked';
    }),
  );

  expect(ends.filter((end) => end === 'locked')).toHaveLength(1);
  expect(ends.filter((end) => end.includes(refusal(folder)))).toHaveLength(2);
});

test('releases the lock of a killed process', async () => {
  const folder = await newFolder();
  const child = startProcess(folder);
  await once(child.stdout, 'data');
  expect(() => lockFolder(folder)).toThrow(refusal(folder));

  child.kill('SIGKILL');
  await once(child, 'exit');

  lockFolder(folder)();
});
