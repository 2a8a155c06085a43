import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { createRedactor } from '../../protocol/src/redact.ts';
import { connector } from '../test/sample/connector.ts';
import { Directory } from '../test/sample/directory.ts';
import type { Fault } from './conformance/service/fault.ts';
import { startScriptedService } from './conformance/service/scripted.ts';
import { silent } from './progress.ts';
import { createService } from './service.ts';
import { openState } from './state.ts';
import { registerTypes } from './sync.ts';
import { watch } from './watch.ts';

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

/** Watches until `over` returns true. It is called after each full sync and each report. */
async function watched(
  provisioning: boolean,
  over: (counts: { syncs: number; reports: number }) => boolean,
  faults: Fault[] = [],
) {
  const service = await startScriptedService(faults);
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-watch-'));
  const state = openState(join(folder, 'state'));
  cleanups.push(
    () => rmSync(folder, { recursive: true }),
    () => state.close(),
    () => service.close(),
  );
  const directory = Directory.create(join(folder, 'people.json'), 3);
  const controller = new AbortController();
  const { signal } = controller;
  const app = service.world.createApp('sample').id;
  const client = createService({ url: service.url, key: service.key, log: silent, signal, pause: 1 });
  const counts = { syncs: 0, reports: 0 };
  const end = () => over(counts) && controller.abort();
  const reporting = {
    ...client,
    reportTask: async (...args: Parameters<typeof client.reportTask>) => {
      const reported = await client.reportTask(...args);
      counts.reports++;
      end();
      return reported;
    },
  };
  const system = await connector.connect({ file: directory.path, key: 'write' }, { signal, log: silent });
  await registerTypes({ connector, service: client, app });
  const task = service.world.addTask(app, 'person', 'suspend_account', { account: { id: 'p000001' } });
  const run = {
    connector,
    system,
    service: reporting,
    app,
    state,
    progress: silent,
    redactor: createRedactor(),
    signal,
  };
  const onSync = () => {
    counts.syncs++;
    end();
  };
  const ended = watch(run, { every: 0.01, poll: 0.01, provisioning, onSync });
  return {
    ended,
    counts,
    directory,
    task: () => service.world.find(app).tasks.get(task.id)?.status,
    service,
  };
}

test('syncs repeatedly and does not carry out tasks by default', async () => {
  const { ended, counts, task, directory } = await watched(false, ({ syncs }) => syncs >= 3);
  await ended;
  expect(counts.syncs).toBe(3);
  expect(task()).toBe('pending');
  expect(directory.read().log).toEqual([]);
});

test('carries out tasks with provisioning', async () => {
  const { ended, task, directory } = await watched(true, ({ syncs, reports }) => syncs >= 1 && reports >= 1);
  await ended;
  expect(task()).toBe('completed');
  expect(directory.read().log).toEqual(['suspend p000001']);
});

test('continues after a failed sync', async () => {
  const { ended, counts } = await watched(false, ({ syncs }) => syncs >= 1, [
    { on: /complete$/, nth: 1, what: 'cleanup' },
  ]);
  await ended;
  expect(counts.syncs).toBe(1);
});
