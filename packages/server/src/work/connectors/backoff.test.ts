import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openConnectorApp } from '#test/connectors.ts';
import { setTimes } from '#test/time.ts';

const MINUTE_MS = 60_000;
let isBroken = false;
let users: object[] = [];
let system: Server;
let runner: Awaited<ReturnType<typeof openConnectorApp>>;
beforeAll(async () => {
  system = createServer(({ url }, response) => {
    const listed = url?.startsWith('/Users') ? users : [];
    const body = isBroken
      ? { detail: 'The database is gone.' }
      : { totalResults: listed.length, Resources: listed };
    response
      .writeHead(isBroken ? 500 : 200, { 'content-type': 'application/scim+json' })
      .end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => system.listen(0, '127.0.0.1', resolve));
  runner = await openConnectorApp();
});
afterAll(async () => {
  system.closeAllConnections();
  system.close();
  await runner.close();
});
beforeEach(() => {
  isBroken = true;
  users = [];
});

type App = Awaited<ReturnType<typeof connect>>;
const connect = (schedule: object) =>
  runner.connect({
    type: 'scim',
    settings: { url: `http://127.0.0.1:${(system.address() as AddressInfo).port}` },
    secrets: { token: 'correct horse' },
    schedule,
  });

/** Minutes until the next sync, without the delay that spreads the syncs of many apps. */
async function pauseOf({ path }: App): Promise<number> {
  const { next_sync_at } = (await runner.service.call('GET', path)).body;
  return Math.floor((Date.parse(next_sync_at) - Date.now()) / MINUTE_MS / 10 + 0.2) * 10;
}

/** Lets the schedule start a sync, and waits for its end. */
async function syncOnSchedule(app: App) {
  const syncs = async () => (await runner.service.call('GET', `${app.path}runs/?kind=sync`)).body;
  const { count } = await syncs();
  await setTimes(runner.service, 'connector', { next_sync_at: 'now' }, { app_id: app.id });
  await runner.service.app.tick();
  expect((await syncs()).count).toBe(count + 1);
  return app.ended(`${app.path}runs/${(await syncs()).results[0].id}/`);
}

test('each failure in a row delays the next sync of this app, until one succeeds', async () => {
  const [app, other] = [await connect({ every_minutes: 60 }), await connect({ every_minutes: 60 })];

  for (const minutes of [120, 240, 360]) {
    expect(await syncOnSchedule(app)).toMatchObject({ state: 'failed', requested_by: null });
    expect(await pauseOf(app)).toBe(minutes);
  }
  const { results } = (await runner.service.call('GET', '/api/app-connectors/')).body;
  const { next_sync_at } = (await runner.service.call('GET', app.path)).body;
  expect(results).toContainEqual(expect.objectContaining({ app_id: app.id, next_sync_at }));
  expect(await pauseOf(other)).toBe(60);

  isBroken = false;
  expect(await syncOnSchedule(other)).toMatchObject({ state: 'succeeded' });
  expect(await pauseOf(other)).toBe(60);
  expect(await syncOnSchedule(app)).toMatchObject({ state: 'succeeded' });
  expect(await pauseOf(app)).toBe(60);
}, 120_000);

test('a sync that pushed its records, but had to skip one, ends the delay', {
  tags: ['long'],
  timeout: 120_000,
}, async () => {
  const app = await connect({ every_minutes: 60 });
  for (let i = 0; i < 2; i++) await syncOnSchedule(app);
  expect(await pauseOf(app)).toBe(240);

  isBroken = false;
  users = [{ id: '1', userName: 'ada' }, { id: '2' }];
  expect(await syncOnSchedule(app)).toMatchObject({
    state: 'failed',
    result: { outcome: 'records_skipped' },
  });
  expect(await pauseOf(app)).toBe(60);
});

test('a sync that a person requests and a change of the connector end the delay', {
  tags: ['long'],
  timeout: 120_000,
}, async () => {
  const app = await connect({ every_minutes: 60 });
  for (let i = 0; i < 2; i++) await syncOnSchedule(app);
  expect(await pauseOf(app)).toBe(240);

  expect(await app.run('sync')).toMatchObject({ state: 'failed' });
  expect(await pauseOf(app)).toBe(120);
  isBroken = false;
  expect(await app.run('sync')).toMatchObject({ state: 'succeeded' });
  expect(await pauseOf(app)).toBe(60);

  isBroken = true;
  for (let i = 0; i < 2; i++) await syncOnSchedule(app);
  expect(await pauseOf(app)).toBe(240);
  const changed = await runner.service.call('PATCH', app.path, { secrets: { token: 'battery staple' } });
  expect(changed.status).toBe(200);
  expect(await pauseOf(app)).toBe(60);
  await syncOnSchedule(app);
  expect(await pauseOf(app)).toBe(120);
});

test('failures do not move the times of a cron expression', async () => {
  const app = await connect({ cron: '*/30 * * * *', time_zone: 'UTC' });

  for (let i = 0; i < 2; i++) await syncOnSchedule(app);

  expect(await pauseOf(app)).toBeLessThanOrEqual(30);
}, 120_000);
