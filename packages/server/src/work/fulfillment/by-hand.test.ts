import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '#kit/sql.ts';
import { addPersonWithKey, eventsOf } from '#test/people.ts';
import { openRequestsTest, type RequestsTest, type Somebody } from '#test/requests.ts';

let service: RequestsTest;
let fay: Somebody;
beforeAll(async () => {
  service = await openRequestsTest([]);
  fay = await addPersonWithKey(service, 'member', { email: 'fay@acme.example' });
});
afterAll(() => service.close());

const SETTINGS = {
  enabled: true,
  assignment: 'round_robin',
  people: [] as string[],
  groups: [] as string[],
  instructions: {},
  due_in_working_days: {},
  remind_before_working_days: 1,
  escalate_after_working_days: null,
};
const newApp = async (name: string): Promise<string> =>
  (await service.call('POST', '/api/v1/bridge/apps/', { name })).body.id;
const save = (app: string, more: object = {}) =>
  service.call('PUT', `/api/apps/${app}/fulfillment/`, { ...SETTINGS, ...more });
const carrierOf = async (app: string) =>
  (await service.call('GET', `/api/apps/${app}/`)).body.tasks_carried_out_by;

test('refuses settings with which nobody could get a task', async () => {
  const app = await newApp('Badges');
  const empty = '11111111-1111-4111-8111-111111111111';
  await sql`
    insert into person_group (org_id, id, display_name, created_at, updated_at)
    values (${service.orgId}, ${empty}, 'Nobody yet', now(), now())`.execute(service.database.db);
  const auditor = await addPersonWithKey(service, 'auditor');
  const gone = await addPersonWithKey(service, 'member', { email: 'gone@acme.example' });
  await service.call('POST', `/api/users/${gone.id}/deactivate/`);

  for (const more of [{}, { groups: [empty] }, { people: [auditor.id] }, { people: [gone.id] }])
    expect(await save(app, more), JSON.stringify(more)).toMatchObject({
      status: 400,
      body: { errors: [{ path: 'people', message: expect.stringContaining('Choose a person') }] },
    });
  expect(await save(app, { assignment: 'owner', people: [fay.id] })).toMatchObject({
    status: 400,
    body: { errors: [{ path: 'assignment' }] },
  });
  expect((await service.call('GET', `/api/apps/${app}/fulfillment/`)).body.enabled).toBe(false);

  expect((await save(app, { enabled: false })).status).toBe(200);
  expect((await save(app, { people: [fay.id] })).status).toBe(200);
  expect(await carrierOf(app)).toBe('people');
});

test('takes the owner of the app as somebody', async () => {
  const app = await newApp('Lockers');
  await service.call('PATCH', `/api/apps/${app}/`, { owner: fay.id });

  expect((await save(app)).status).toBe(200);
  expect((await save(app, { assignment: 'owner' })).status).toBe(200);
  expect(await carrierOf(app)).toBe('people');
});

async function assigned(app: string, email: string) {
  const user = await service.addUser(email);
  const { body } = await service.call('POST', '/api/tasks/', { app, user, action: 'create_account' });
  const path = `/api/fulfillment/tasks/${body.external_uuid}/`;
  await expect.poll(async () => (await service.call('GET', path)).status, { timeout: 20_000 }).toBe(200);
  return { id: body.external_uuid as string, path };
}

test('tells who carried a task out, with their note, and by when', async () => {
  const app = await newApp('Keys');
  await save(app, { people: [fay.id] });
  const { id, path } = await assigned(app, 'new@acme.example');
  const task = async () => (await service.call('GET', `/api/tasks/${id}/`)).body;
  const { due_at } = (await service.call('GET', path)).body;
  expect(await task()).toMatchObject({
    confirmed_by_sync: null,
    fulfillment: { assignee: { external_uuid: fay.id }, due_at, note: null, reported_by: null },
  });

  const done = { account_id: 'k-1', note: 'Key 12 handed out.' };
  expect((await service.call('POST', `${path}complete/`, done, fay)).status).toBe(200);

  expect((await task()).fulfillment).toMatchObject({ note: 'Key 12 handed out.', reported_by: fay.id });
  const events = (await eventsOf(service, 'task.')).filter(({ subject }) => subject.uuid === id);
  expect(events.find(({ event_type }) => event_type === 'task.dispatched')?.payload.api_key_id).toBe(null);
  expect(events.find(({ event_type }) => event_type === 'task.completed')).toMatchObject({
    actor: { uuid: fay.id },
    payload: { manual: true, note: 'Key 12 handed out.' },
  });
});

test('tells who refused a task', async () => {
  const app = await newApp('Desks');
  await save(app, { people: [fay.id] });
  const { id, path } = await assigned(app, 'desk@acme.example');

  const refusal = { code: 'PERMISSION_DENIED', message: 'No desk is free.' };
  await service.call('POST', `${path}refuse/`, refusal, fay);

  const [failed] = (await eventsOf(service, 'task.failed')).filter(({ subject }) => subject.uuid === id);
  expect(failed).toMatchObject({ actor: { uuid: fay.id }, payload: { manual: true, error: refusal } });
});

test('names the sync that confirmed a task', async () => {
  const { body: user } = await service.call('POST', '/api/users/', { email: 'seen@acme.example' });
  const { body: task } = await service.call('POST', '/api/tasks/', {
    ...{ app: service.appId, user: user.external_uuid, action: 'create_account' },
  });
  await service.bridge('PATCH', `/tasks/${task.external_uuid}/status/`, {
    ...{ status: 'completed', result: { account: { id: 'seen' } } },
  });
  const read = async () => (await service.call('GET', `/api/tasks/${task.external_uuid}/`)).body;
  expect(await read()).toMatchObject({ op_type: 'PRE_SYNC', confirmed_by_sync: null, fulfillment: null });

  await service.sync([{ id: 'seen', email: 'seen@acme.example' }]);

  const [sync] = (await service.call('GET', `/api/apps/${service.appId}/syncs/`)).body.results;
  expect(await read()).toMatchObject({ op_type: 'POST_SYNC', confirmed_by_sync: sync.sync_id });
});
