import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRedactor, createService, openState, runSync, silent } from '@gatehouse/connector';
import { startScriptedServer, startScriptedService } from '@gatehouse/connector/conformance';
import { afterEach, expect, test } from 'vitest';
import { connector } from './connector.ts';

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

test('an account that moves to an earlier page stays, also if the total is the same', async () => {
  const after = ['2', '3', '4', '5'];
  let isChanging = false;
  let people = ['1', '2', '3', '4'];
  let requests = 0;
  const { url, close } = await startScriptedServer((line, _nth, at) => {
    if (line === 'GET /Groups') return { body: { totalResults: 0, Resources: [] } };
    const one = people.find((id) => line === `GET /Users/${id}`);
    if (line !== 'GET /Users') return one === undefined ? undefined : { body: { id: one, userName: one } };
    const startIndex = Number(at.searchParams.get('startIndex'));
    const Resources = people.slice(startIndex - 1, startIndex + 1).map((id) => ({ id, userName: id }));
    const body = { totalResults: people.length, startIndex, Resources };
    // The first two pages are those of the entitlements.
    if (isChanging && requests++ === 2) people = after;
    return { body };
  });
  cleanups.push(close);
  const { signal } = new AbortController();
  const system = { url, token: 't', deliverTo: undefined };
  const scripted = await startScriptedService();
  cleanups.push(scripted.close);
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-state-'));
  cleanups.push(() => rmSync(folder, { recursive: true, force: true }));
  const state = openState(folder);
  cleanups.push(() => state.close());
  const app = scripted.world.createApp('app').id;
  const service = createService({ url: scripted.url, key: scripted.key, log: silent, signal });
  const redactor = createRedactor();
  const run = { connector, system, service, app, state, progress: silent, redactor, signal };
  const active = () =>
    (scripted.world.inventory(app) as Record<string, { id: string; status?: string }[]>).user
      ?.flatMap(({ id, status }) => (status === 'inactive' ? [] : [id]))
      .toSorted();
  await runSync(run, { guard: null });
  isChanging = true;
  // Whether this sync is abandoned or not, it removes nobody who is still there.
  await runSync(run, { guard: null }).catch(() => undefined);
  expect(active()).toEqual(expect.arrayContaining(['2', '3', '4']));
  await runSync(run, { guard: null });
  expect(active()).toEqual(after);
});
