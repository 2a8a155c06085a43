import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sql } from '#kit/sql.ts';
import { addOrganization, eventsOf } from '#test/people.ts';
import { openProvisioningTest, type ProvisioningTest } from '#test/provisioning.ts';

const TEN = Array.from({ length: 10 }, (_, n) => ({ id: `p${n}`, email: `p${n}@x.example` }));

let service: ProvisioningTest;
let call: ProvisioningTest['call'];
let syncs: string;
beforeAll(async () => {
  service = await openProvisioningTest(TEN);
  call = service.call;
  syncs = `/api/apps/${service.appId}/syncs/`;
  await call('PATCH', `/api/apps/${service.appId}/`, { removal_guard: { percent: 50, at_least: 5 } });
});
afterAll(() => service.close());

const sessionOf = async (id: string) => (await service.bridge('GET', `/sync/${id}/`)).body;
const activeAccounts = async () => (await call('GET', '/api/accounts/?status=ACTIVE')).body.count;

/** Completes a session whose removal of nine of ten accounts is held. */
async function hold(): Promise<string> {
  const { sync_id } = (await service.bridge('POST', '/sync/')).body;
  await service.bridge('PUT', `/sync/${sync_id}/person/`, { records: TEN.slice(0, 1) });
  await service.bridge('POST', `/sync/${sync_id}/complete/`);
  await expect.poll(async () => (await sessionOf(sync_id)).held, { timeout: 20_000 }).toBeDefined();
  return sync_id;
}

describe('a held session', () => {
  let held: string;
  beforeEach(async () => {
    await service.sync(TEN);
    held = await hold();
  });

  test('carries out its plan after approval', async () => {
    expect(await activeAccounts()).toBe(10);

    const approved = await call('POST', `${syncs}${held}/approve/`);

    const me = (await call('GET', '/api/me/')).body.external_uuid;
    expect(approved).toMatchObject({ status: 202, body: { sync_id: held, approved_by: me } });
    await expect.poll(async () => (await sessionOf(held)).status, { timeout: 20_000 }).toBe('completed');
    expect(await activeAccounts()).toBe(1);
    expect(await call('POST', `${syncs}${held}/approve/`)).toMatchObject({ status: 409 });
    expect(await call('POST', `${syncs}${held}/reject/`)).toMatchObject({ status: 409 });
  });

  test('ends in error after rejection and removes nothing', async () => {
    const rejected = await call('POST', `${syncs}${held}/reject/`);

    expect(rejected).toMatchObject({
      status: 200,
      body: {
        status: 'error',
        error: { error_code: 'CLEANUP_FAILED', message: expect.stringContaining('rejected') },
      },
    });
    const me = (await call('GET', '/api/me/')).body.external_uuid;
    expect(rejected.body.rejected_by).toBe(me);
    const lastSync = { sync_id: held, status: 'error', held: null, rejected_by: me };
    expect((await call('GET', `/api/apps/${service.appId}/`)).body.last_sync).toEqual(lastSync);
    expect((await call('GET', '/api/apps/')).body.results).toContainEqual(
      expect.objectContaining({ external_uuid: service.appId, last_sync: lastSync }),
    );
    expect((await call('GET', '/api/overview/')).body.apps.in_need).toContainEqual(
      expect.objectContaining({ last_sync: expect.objectContaining({ rejected_by: me }) }),
    );
    expect(await activeAccounts()).toBe(10);
    expect((await eventsOf(service, 'app.sync.failed')).at(-1)).toMatchObject({ payload: { sync_id: held } });
    expect(await call('POST', `${syncs}${held}/approve/`)).toMatchObject({ status: 409 });
  });

  test('is decided once if two callers decide at the same time', async () => {
    const answers = await Promise.all([
      call('POST', `${syncs}${held}/approve/`),
      call('POST', `${syncs}${held}/reject/`),
    ]);

    const [approved, rejected] = answers.map(({ status }) => status);
    expect([
      [202, 409],
      [409, 200],
    ]).toContainEqual([approved, rejected]);
    await expect
      .poll(async () => (await sessionOf(held)).status, { timeout: 20_000 })
      .toBe(approved === 202 ? 'completed' : 'error');
    expect(await activeAccounts()).toBe(approved === 202 ? 1 : 10);
  });

  test('ends in error when its app is archived and keeps its counts', async () => {
    const other = await openProvisioningTest(TEN);
    await other.call('PATCH', `/api/apps/${other.appId}/`, { removal_guard: { percent: 50, at_least: 5 } });
    const { sync_id } = (await other.bridge('POST', '/sync/')).body;
    await other.bridge('PUT', `/sync/${sync_id}/person/`, { records: TEN.slice(0, 1) });
    await other.bridge('POST', `/sync/${sync_id}/complete/`);
    const state = async () => (await other.bridge('GET', `/sync/${sync_id}/`)).body;
    await expect.poll(async () => (await state()).held, { timeout: 20_000 }).toBeDefined();

    await other.call('DELETE', `/api/apps/${other.appId}/`);

    expect((await eventsOf(other, 'app.')).slice(-2)).toMatchObject([
      { event_type: 'app.sync.failed', payload: { sync_id, reason: 'app_archived' } },
      { event_type: 'app.disconnected' },
    ]);
    expect((await other.call('GET', '/api/accounts/?status=ACTIVE')).body.count).toBe(10);
    await other.close();
  });
});

test('lists sessions newest first', async () => {
  await service.sync(TEN);
  const { sync_id } = (await service.bridge('POST', '/sync/')).body;

  const { body } = await call('GET', `${syncs}?limit=2`);

  expect(body.results).toMatchObject([
    { sync_id, status: 'in_progress', counts: null },
    { status: 'completed', counts: { unchanged: expect.any(Number) } },
  ]);
  expect(body.count).toBeGreaterThan(2);
  expect(body.next).toContain('offset=2');
  expect(await call('GET', `/api/apps/${randomUUID()}/syncs/`)).toMatchObject({ status: 404 });
});

test('lists the newest sessions of several apps, newest first, as far as the caller may see them', async () => {
  const { sync_id } = (await service.bridge('POST', '/sync/')).body;
  const empty = (await call('POST', '/api/v1/bridge/apps/', { name: 'No syncs' })).body.id;
  const other = await addOrganization(service);
  const scopes = ['bridge', 'read', 'govern'];
  const { key } = (await call('POST', '/api/api-keys/', { name: 'one app', scopes, apps: [empty] })).body;
  const both = `/api/syncs/recent/?app_ids=${service.appId},${empty}`;

  const { body } = await call('GET', both);

  expect(body.results.map(({ app_id }: { app_id: string }) => app_id)).toEqual([service.appId, empty]);
  const [{ syncs: recent }, none] = body.results;
  expect(none.syncs).toEqual([]);
  expect(recent[0]).toMatchObject({ sync_id, status: 'in_progress', records: null, finished_at: null });
  const completed = recent.find(({ status }: { status: string }) => status === 'completed');
  expect(completed).toMatchObject({ held: false, rejected: false, records: expect.any(Number) });
  const listed = (await call('GET', `${syncs}?limit=20`)).body.results;
  const ids = (all: { sync_id: string }[]) => all.map((one) => one.sync_id);
  expect(ids(recent)).toEqual(ids(listed));
  expect((await call('GET', '/api/syncs/recent/')).body.results).toHaveLength(2);
  expect((await call('GET', '/api/syncs/recent/', undefined, { key })).body.results).toHaveLength(1);
  expect(await call('GET', both, undefined, { key })).toMatchObject({ status: 403 });
  expect((await other('GET', both)).body.results).toEqual([
    { app_id: service.appId, syncs: [] },
    { app_id: empty, syncs: [] },
  ]);
  expect(await call('GET', '/api/syncs/recent/?app_ids=x')).toMatchObject({ status: 400 });
  const many = Array.from({ length: 51 }, () => randomUUID()).join(',');
  expect(await call('GET', `/api/syncs/recent/?app_ids=${many}`)).toMatchObject({ status: 400 });
});

test('marks an app whose next sync is overdue in the list of apps and on its page', async () => {
  const late = await openProvisioningTest(TEN);
  const { orgId, appId } = late;
  for (let n = 0; n < 3; n += 1) await late.sync(TEN);
  const app = async () => (await late.call('GET', '/api/apps/')).body.results[0];
  await late.bridge('POST', '/check/', { status: 'succeeded' });
  expect((await app()).last_sync).not.toHaveProperty('overdue');

  const { db } = late.database;
  const { rows } = await sql<{ id: string; earlier: Date }>`
    select id, finished_at - interval '2 hours' as earlier from sync_session where org_id = ${orgId}`.execute(
    db,
  );
  for (const { id, earlier } of rows) {
    await sql`update sync_session set finished_at = ${earlier} where org_id = ${orgId} and id = ${id}`.execute(
      db,
    );
  }
  expect(await app()).toMatchObject({ configuration_status: 'CONNECTED', last_sync: { overdue: true } });
  expect((await late.call('GET', `/api/apps/${appId}/`)).body.last_sync).toMatchObject({ overdue: true });
});
