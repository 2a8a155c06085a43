import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type App, createApp } from '#app.ts';
import { createLogger } from '#kit/logger.ts';
import { sql } from '#kit/sql.ts';
import { openTestApp, type TestApp } from '#test/app.ts';
import { addPersonWithRole, organizationOf } from '#test/people.ts';
import { secrets } from '#test/secrets.ts';
import { sweepFolders } from './folders.ts';
import * as running from './queries/running.ts';
import { forgetOldRuns, queueDue } from './worker.ts';

/** The caller talks to one node, which runs no connectors. Another node, on the same database, runs one at a time. */
let service: TestApp;
let runner: App;
let folder: string;
let system: Server;
let origin: string;
let waiting = 0;

beforeAll(async () => {
  system = createServer(() => {
    waiting += 1;
  });
  await new Promise<void>((resolve) => system.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(system.address() as AddressInfo).port}`;
  folder = await mkdtemp(join(tmpdir(), 'gatehouse-nodes-'));
  service = await openTestApp({ own: true });
  runner = await createApp({
    database: service.database,
    secrets,
    logger: createLogger('silent'),
    publicUrl: undefined,
    trustProxy: false,
    connectors: { folder, runs: 1, allowPrivateAddresses: ['127.0.0.1'] },
  });
  await runner.startJobs();
  await runner.http.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(async () => {
  system.closeAllConnections();
  system.close();
  await runner.close();
  await service.close();
  await rm(folder, { recursive: true, force: true });
});
afterEach(() => system.closeAllConnections());

async function connect(more: object = {}) {
  const { id } = (await service.call('POST', '/api/v1/bridge/apps/', { name: 'Desk' })).body;
  const path = `/api/apps/${id}/connector/`;
  const made = await service.call('POST', path, {
    type: 'scim',
    settings: { url: origin },
    secrets: { token: 'correct horse' },
    ...more,
  });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  return { id: id as string, path };
}
const start = async (path: string, kind: 'run' | 'test') => {
  const { body } = await service.call(
    'POST',
    `${path}${kind}/`,
    kind === 'run' ? { kind: 'sync' } : undefined,
  );
  return `${path}runs/${body.id}/`;
};
const stateOf = async (run: string) => (await service.call('GET', run)).body.state;

test('a test does not wait for a sync, and runs of another node can be canceled', async () => {
  const [first, second] = [await connect(), await connect()];
  const sync = await start(first.path, 'run');
  await expect.poll(() => waiting, { timeout: 20_000 }).toBeGreaterThan(0);
  const next = await start(second.path, 'run');
  const trial = await start(second.path, 'test');
  await expect.poll(() => stateOf(trial), { timeout: 20_000 }).toBe('running');
  expect([await stateOf(sync), await stateOf(next)]).toEqual(['running', 'queued']);

  for (const run of [next, trial, sync])
    expect((await service.call('POST', `${run}cancel/`)).status).toBe(200);

  for (const run of [next, trial, sync])
    await expect.poll(() => stateOf(run), { timeout: 20_000 }).toBe('cancelled');
});

test('a run fails if the person who requested it is no longer an administrator', async () => {
  const { id, path } = await connect();
  const { external_uuid: person } = await addPersonWithRole(service, 'once@acme.example', 'member');
  await sql`update connector set acts_for = ${person} where app_id = ${id}`.execute(service.database.db);

  const run = await start(path, 'run');

  await expect.poll(() => stateOf(run), { timeout: 20_000 }).toBe('failed');
  expect((await service.call('GET', run)).body.error).toContain('no longer an active administrator');
});

test('a key without the scope bridge starts no run', async () => {
  const { path } = await connect();
  const { key } = (await service.call('POST', '/api/api-keys/', { name: 'governs', scopes: ['govern'] }))
    .body;

  expect((await service.call('POST', `${path}run/`, { kind: 'sync' }, { key })).status).toBe(403);
  expect((await service.call('POST', `${path}preview/`, undefined, { key })).status).toBe(403);
});

test('a schedule that cannot be read does not keep the others from starting', async () => {
  const idle = await openTestApp({ own: true });
  const { db } = idle.database;
  try {
    for (const name of ['First', 'Second']) {
      const { id } = (await idle.call('POST', '/api/v1/bridge/apps/', { name })).body;
      await idle.call('POST', `/api/apps/${id}/connector/`, {
        type: 'scim',
        settings: { url: origin },
        secrets: { token: 'correct horse' },
        schedule: { every_minutes: 60 },
      });
      const schedule =
        name === 'First' ? { cron: '0 6 * * *', time_zone: 'Mars/Olympus' } : { every_minutes: 60 };
      const hours = name === 'First' ? '2 hours' : '1 hour';
      await sql`update connector set schedule = ${JSON.stringify(schedule)}::jsonb,
        next_sync_at = clock_now() - ${hours}::interval where app_id = ${id}`.execute(db);
    }

    await expect(queueDue(db)).rejects.toThrow('1 of 2 failed');

    expect(await running.queuedRuns(db)).toHaveLength(1);
    expect((await idle.call('GET', '/api/app-connectors/')).status).toBe(200);
  } finally {
    await idle.close();
  }
});

test('keeps the newest runs of each kind, and those of the last 30 days', async () => {
  const { id } = await connect({ paused: true });
  const { orgId } = await organizationOf(service);
  const { db } = service.database;
  await sql`
    insert into connector_run (org_id, app_id, kind, state, ended_at)
    select ${orgId}::uuid, ${id}::uuid, kind, 'succeeded', clock_now() - age
    from (values ('sync', interval '31 days'), ('sync', '29 days'), ('tasks', '0'), ('tasks', '0'), ('tasks', '0')) runs (kind, age)`.execute(
    db,
  );

  await forgetOldRuns(db, { days: 30, most: 2 });

  const { rows } = await sql<{ kind: string; n: number }>`
    select kind, count(*)::integer as n from connector_run where org_id = ${orgId} and app_id = ${id}
    group by kind order by kind`.execute(db);
  expect(rows).toEqual([
    { kind: 'sync', n: 1 },
    { kind: 'tasks', n: 2 },
  ]);
});

test('deletes the folders of apps without a connector, unless a process still uses them', async () => {
  const [kept, deleted, busy] = [await connect(), await connect(), await connect()];
  const { orgId } = await organizationOf(service);
  const home = await mkdtemp(join(tmpdir(), 'gatehouse-sweep-'));
  const elsewhere = crypto.randomUUID();
  for (const path of [kept.id, deleted.id, busy.id]
    .map((id) => join(orgId, id))
    .concat(join(elsewhere, kept.id))) {
    await mkdir(join(home, path), { recursive: true });
    await writeFile(join(home, path, 'state.db'), '');
  }
  await writeFile(join(home, 'note'), '');
  for (const { path } of [deleted, busy]) await service.call('DELETE', path);

  await sweepFolders(service.database.db, home, (appId) => appId === busy.id);

  expect((await readdir(home)).toSorted()).toEqual([orgId, 'note'].toSorted());
  expect((await readdir(join(home, orgId))).toSorted()).toEqual([kept.id, busy.id].toSorted());
  await rm(home, { recursive: true });
});

test('checks only so many definitions of an organization at the same time', async () => {
  const check = () => service.call('POST', '/api/connectors/check/', { type: 'rest', definition: 'name: x' });

  const replies = await Promise.all([check(), check(), check(), check()]);

  expect(replies.map(({ status }) => status).toSorted()).toEqual([400, 400, 503, 503]);
  expect((await check()).status).toBe(400);
});
