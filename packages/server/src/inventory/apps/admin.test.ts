import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sql } from '#kit/sql.ts';
import { addOrganization, addPersonWithKey, eventsOf } from '#test/people.ts';
import { openProvisioningTest, type ProvisioningTest } from '#test/provisioning.ts';

let service: ProvisioningTest;
let call: ProvisioningTest['call'];
beforeAll(async () => {
  service = await openProvisioningTest([{ id: 'a', email: 'a@x.example' }]);
  call = service.call;
});
afterAll(() => service.close());

const addApp = async (name = 'App') =>
  (await call('POST', '/api/v1/bridge/apps/', { name })).body.id as string;
const addUser = async (email = `${randomUUID()}@acme.example`) =>
  (await call('POST', '/api/users/', { email })).body.external_uuid as string;
const get = async (id: string) => (await call('GET', `/api/apps/${id}/`)).body;
const patch = (id: string, body: object) => call('PATCH', `/api/apps/${id}/`, body);
const eventsAbout = async (id: string) =>
  (await eventsOf(service, 'app.')).filter(({ subject }) => subject.uuid === id);

test('returns an app with its owner, approvers and removal guard', async () => {
  const app = await get(service.appId);

  expect(app).toEqual({
    external_uuid: service.appId,
    name: 'Payroll',
    connection: {
      external_uuid: service.appId,
      display_name: 'Payroll',
      unique_identifier: `bridge:${service.appId}`,
    },
    configuration_status: 'CONNECTED',
    owner: null,
    approval_steps: [{ approvers: 'app_owner', require: 'any' }],
    fallback_approvers: null,
    escalate_after_working_days: null,
    removal_guard: { percent: 30, at_least: 100 },
    user_name: null,
    user_name_kind: null,
    created_at: expect.any(String),
    last_synced_at: expect.any(String),
    last_sync: { sync_id: expect.any(String), status: 'completed', held: null, rejected_by: null },
    held_tasks: 0,
    fulfilled_by_people: false,
    tasks_carried_out_by: null,
  });
  expect((await call('GET', '/api/apps/?q=PAYR')).body).toMatchObject({ count: 1, results: [app] });
});

describe('changing settings', () => {
  test('sets owner, approval steps and removal guard', async () => {
    const [id, owner, one, two] = [await addApp(), await addUser(), await addUser(), await addUser()];
    const change = {
      name: 'Renamed',
      owner,
      approval_steps: [
        { approvers: 'manager', require: 'any' },
        { approvers: [one, two], require: 'all' },
      ],
      fallback_approvers: [two],
      removal_guard: { percent: 12.5, at_least: 3 },
    };

    const { status, body } = await patch(id, change);

    expect(status).toBe(200);
    expect(body).toMatchObject(change);
    expect(await get(id)).toEqual({
      ...body,
      last_sync: null,
      held_tasks: 0,
      fulfilled_by_people: false,
      tasks_carried_out_by: null,
    });
  });

  test('keeps fields that are not given and clears fields that are null', async () => {
    const [id, owner] = [await addApp(), await addUser()];
    await patch(id, { owner, fallback_approvers: [owner] });

    await patch(id, { removal_guard: null, approval_steps: [{ approvers: [owner.toUpperCase()] }] });
    expect(await get(id)).toMatchObject({
      owner,
      fallback_approvers: [owner],
      removal_guard: null,
      approval_steps: [{ approvers: [owner], require: 'any' }],
    });

    await patch(id, { owner: null, fallback_approvers: null });
    expect(await get(id)).toMatchObject({ owner: null, fallback_approvers: null, removal_guard: null });
  });

  test.each([
    { removal_guard: { percent: 0, at_least: 1 } },
    { removal_guard: { percent: 101, at_least: 1 } },
    { removal_guard: { percent: 10, at_least: 0 } },
    { removal_guard: { percent: 10, at_least: 1.5 } },
    { removal_guard: { percent: 10 } },
    { approval_steps: [] },
    { approval_steps: [{ approvers: 'everybody' }] },
    { approval_steps: [{ approvers: [] }] },
    { approval_steps: [{ approvers: 'manager', require: 'some' }] },
    { approval_steps: null },
    { fallback_approvers: [] },
    { owner: 'ada' },
    { name: '' },
  ])('rejects %j', async (change) => {
    expect(await patch(service.appId, change)).toMatchObject({ status: 400 });
  });

  test('returns 404 for unknown people and changes nothing', async () => {
    const [id, known] = [await addApp(), await addUser()];
    const other = await addOrganization(service, 'approvers');
    const stranger = (await other('POST', '/api/users/', { email: 'x@approvers.example' })).body
      .external_uuid;
    const before = await get(id);

    for (const nobody of [randomUUID(), stranger]) {
      for (const change of [
        { name: 'X', owner: nobody },
        { name: 'X', fallback_approvers: [known, nobody] },
        { name: 'X', approval_steps: [{ approvers: [known, known] }, { approvers: [nobody] }] },
      ]) {
        expect(await patch(id, change)).toMatchObject({ status: 404, body: { detail: 'Person not found.' } });
      }
    }
    expect(await get(id)).toEqual(before);
  });
});

describe('disconnecting', () => {
  test('lasts through syncs until an administrator reconnects, and is recorded once', async () => {
    const other = await openProvisioningTest();
    const path = `/api/apps/${other.appId}`;
    const status = async () => (await other.call('GET', `${path}/`)).body.configuration_status;

    expect(await other.call('POST', `${path}/disconnect/`)).toMatchObject({
      status: 200,
      body: { configuration_status: 'DISCONNECTED' },
    });
    await other.call('POST', `${path}/disconnect/`);
    await other.sync([]);
    expect(await status()).toBe('DISCONNECTED');

    expect(await other.call('POST', `${path}/reconnect/`)).toMatchObject({
      status: 200,
      body: { configuration_status: 'CHECKING_CONFIGURATION' },
    });
    await other.sync([]);
    expect(await status()).toBe('CONNECTED');
    expect(await other.call('POST', `${path}/reconnect/`)).toMatchObject({
      body: { configuration_status: 'CONNECTED' },
    });
    const told = (await eventsOf(other, 'app.')).filter(({ event_type }) => /connected$/.test(event_type));
    expect(told).toMatchObject([
      { event_type: 'app.connected' },
      {
        event_type: 'app.disconnected',
        actor: { uuid: other.adminId },
        payload: { previous_status: 'CONNECTED' },
      },
      { event_type: 'app.connected' },
    ]);
    await other.close();
  });
});

describe('archiving', () => {
  test('hides the app from people and keys and keeps its history', async () => {
    const other = await openProvisioningTest([{ id: 'a', email: 'a@x.example' }]);
    const { key } = await addPersonWithKey(other, 'admin', { apps: [other.appId] });

    expect(await other.call('DELETE', `/api/apps/${other.appId}/`)).toMatchObject({ status: 204 });

    expect(await other.call('DELETE', `/api/apps/${other.appId}/`)).toMatchObject({ status: 404 });
    expect(await other.call('GET', `/api/apps/${other.appId}/`)).toMatchObject({ status: 404 });
    expect((await other.call('GET', '/api/apps/')).body.count).toBe(0);
    for (const path of ['/', '/resource-types/', '/tasks/?status=pending']) {
      const bridge = await other.call('GET', `/api/v1/bridge/apps/${other.appId}${path}`, undefined, { key });
      expect(bridge, path).toMatchObject({ status: 404 });
    }
    expect(await other.bridge('POST', '/sync/')).toMatchObject({ status: 404 });
    expect((await other.call('GET', '/api/accounts/?email=a@x.example')).body.count).toBe(1);
    expect((await eventsOf(other, 'app.disconnected')).at(-1)).toMatchObject({
      payload: { app_id: other.appId, reason: 'An administrator archived the app.' },
    });
    await other.close();
  });

  test('ends the sync session in progress and records it', async () => {
    const id = await addApp();
    await call('POST', `/api/v1/bridge/apps/${id}/resource-types/`, {
      slug: 'u',
      name: 'U',
      type: 'account',
    });
    const { sync_id } = (await call('POST', `/api/v1/bridge/apps/${id}/sync/`)).body;
    await call('PUT', `/api/v1/bridge/apps/${id}/sync/${sync_id}/u/`, {
      records: [{ id: '1', email: 'late@x.example' }],
    });

    await call('DELETE', `/api/apps/${id}/`);

    const { rows } = await sql<{ status: string; progress: unknown; pages: number }>`
      select status, progress, (select count(*) from sync_page p where p.org_id = s.org_id and p.session_id = s.id) as pages
      from sync_session s where id = ${sync_id}`.execute(service.database.db);
    expect(rows).toMatchObject([
      { status: 'abandoned', progress: [{ slug: 'u', synced_count: 1 }], pages: 0 },
    ]);
    expect(await eventsAbout(id)).toMatchObject([
      { event_type: 'app.created' },
      { event_type: 'app.sync.started' },
      { event_type: 'app.sync.failed', payload: { reason: 'app_archived', sync_id } },
      { event_type: 'app.disconnected' },
    ]);
    expect((await call('GET', '/api/accounts/?email=late@x')).body.count).toBe(0);
  });

  test('cancels open tasks', async () => {
    const other = await openProvisioningTest([{ id: 'a', email: 'a@x.example' }]);
    const account = await other.accountByEmail('a@x.example');
    const task = await other.call('POST', '/api/tasks/', {
      app: other.appId,
      action: 'suspend_account',
      account: account.external_uuid,
    });
    expect(task.status).toBe(201);

    await other.call('DELETE', `/api/apps/${other.appId}/`);

    expect((await eventsOf(other, 'task.')).map(({ event_type }) => event_type)).toEqual([
      'task.created',
      'task.cancelled',
    ]);
    await other.close();
  });

  test('happens once if two administrators archive at the same time', async () => {
    const id = await addApp();

    const answers = await Promise.all([1, 2].map(() => call('DELETE', `/api/apps/${id}/`)));

    expect(answers.map(({ status }) => status).sort()).toEqual([204, 404]);
    expect(
      (await eventsAbout(id)).filter(({ event_type }) => event_type === 'app.disconnected'),
    ).toHaveLength(1);
  });
});

describe('access', () => {
  const requests = (id: string) =>
    [
      ['PATCH', `/api/apps/${id}/`, { name: 'X' }],
      ['POST', `/api/apps/${id}/disconnect/`, undefined],
      ['POST', `/api/apps/${id}/reconnect/`, undefined],
      ['DELETE', `/api/apps/${id}/`, undefined],
    ] as const;

  test('limits a key for listed apps to those', async () => {
    const [mine, other] = [await addApp(), await addApp()];
    const { key } = await addPersonWithKey(service, 'admin', { apps: [mine] });

    expect((await call('GET', '/api/apps/', undefined, { key })).body).toMatchObject({
      count: 1,
      results: [{ external_uuid: mine }],
    });
    expect(await call('GET', `/api/apps/${other}/`, undefined, { key })).toMatchObject({ status: 403 });
    for (const [method, path, body] of requests(other)) {
      expect(await call(method, path, body, { key }), `${method} ${path}`).toMatchObject({ status: 403 });
    }
  });
});
