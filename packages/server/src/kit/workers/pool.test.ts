import { getPriority } from 'node:os';
import { afterAll, expect, test } from 'vitest';
import type { run as task } from '#test/task.worker.ts';
import { DomainError } from '../errors.ts';
import { closeWorkers, runInWorker } from './pool.ts';

const file = new URL('../../../test/task.worker.ts', import.meta.url);
const run = (input: Parameters<typeof task>[0], timeoutMs?: number) =>
  runInWorker<typeof task>(file, input, timeoutMs === undefined ? {} : { timeoutMs });

afterAll(closeWorkers);

test('runs a TypeScript file in another thread', async () => {
  const { length, thread } = await run({ act: 'measure', text: 'Zoë' });
  expect(length).toBe(3);
  expect(thread).toBeGreaterThan(0);
});

test('carries a domain error across threads', async () => {
  const error = await run({ act: 'refuse' }).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(DomainError);
  expect(error).toMatchObject({ code: 'invalid', message: 'The text is wrong.' });
});

test('rejects with other errors as they are', async () => {
  await expect(run({ act: 'fail' })).rejects.toThrow('a bug');
});

test('ends a task that takes too long, and runs the next one', async () => {
  await expect(run({ act: 'spin' }, 200)).rejects.toMatchObject({ code: 'unavailable' });
  expect((await run({ act: 'measure' })).length).toBe(0);
});

test('refuses a task that needs too much memory', { tags: ['long'] }, async () => {
  await expect(run({ act: 'hoard' }, 60_000)).rejects.toMatchObject({ code: 'too_large' });
});

test('refuses tasks when too many wait', async () => {
  const tasks = await Promise.allSettled(Array.from({ length: 120 }, () => run({ act: 'measure' })));
  const refused = tasks.filter(({ status }) => status === 'rejected');
  expect(refused.length).toBeGreaterThan(0);
  for (const task of refused) {
    expect(task).toMatchObject({ reason: { code: 'unavailable', message: expect.stringContaining('busy') } });
  }
});

test.runIf(process.platform === 'linux')('lets requests go before tasks', async () => {
  const before = getPriority();
  expect((await run({ act: 'rank' })).length).toBe(Math.min(before + 10, 19));
  expect(getPriority()).toBe(before);
});

test('hides the environment from tasks', async () => {
  expect((await run({ act: 'secrets' })).length).toBe(0);
});

test('starts again after it was closed', async () => {
  await closeWorkers();
  expect((await run({ act: 'measure', text: 'ab' })).length).toBe(2);
});
