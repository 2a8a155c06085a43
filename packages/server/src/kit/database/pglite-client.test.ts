// @module-tag long
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Worker } from 'node:worker_threads';
import { sql } from 'kysely';
import { expect, onTestFinished, test, vi } from 'vitest';
import { temporaryFolder } from '#test/temporary.ts';
import { openDatabase } from './open.ts';

async function openFolder(dataDir: string) {
  const onDeath = vi.fn();
  const threads: Worker[] = [];
  const see = (worker: Worker) => threads.push(worker);
  process.on('worker', see);
  const database = await openDatabase({ dataDir, onDeath });
  process.off('worker', see);
  // Pools of other tests may start threads in the meantime.
  const worker = threads.find(({ threadName }) => threadName === 'pglite') as Worker;
  return { database, worker, onDeath };
}

test('reports the death of the thread once, rejects later calls, and still unlocks the folder', {
  timeout: 300_000,
}, async () => {
  const dataDir = await mkdtemp(join(await temporaryFolder(), 'gatehouse-death-'));
  onTestFinished(() => rm(dataDir, { recursive: true }));
  const { database, worker, onDeath } = await openFolder(dataDir);
  const pending = expect(sql`select pg_sleep(60)`.execute(database.db)).rejects.toThrow('has stopped');

  await worker.terminate();

  await pending;
  await expect.poll(() => onDeath.mock.calls.length).toBe(1);
  await expect(sql`select 1`.execute(database.db)).rejects.toMatchObject({
    code: 'unavailable',
    message: 'The embedded database has stopped.',
  });
  await database.close();

  const again = await openFolder(dataDir);
  await again.database.close();
  expect(again.onDeath).not.toHaveBeenCalled();
  expect(onDeath).toHaveBeenCalledTimes(1);
});
