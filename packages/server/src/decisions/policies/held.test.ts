import { afterEach, beforeEach, expect, test } from 'vitest';
import { within } from '#kit/database.ts';
import { openTestApp, type TestApp } from '#test/app.ts';
import { eventsOf, organizationOf } from '#test/people.ts';
import { settle } from '#test/policies.ts';
import { setTimes } from '#test/time.ts';
import { firePolicies } from './fire.ts';
import { BATCH } from './plan.ts';

// Without background jobs, so that the tests decide when policies fire.
let service: TestApp;
let app: string;

beforeEach(async () => {
  service = await openTestApp();
  app = (await service.call('POST', '/api/v1/bridge/apps/', { name: 'Payroll' })).body.id;
  await service.call('POST', `/api/v1/bridge/apps/${app}/resource-types/`, {
    slug: 'user',
    name: 'Users',
    type: 'account',
  });
  await service.call('PATCH', '/api/policies/settings/', { task_limit: 5 });
});
afterEach(() => service.close());

const policy = async (more: object = {}) => {
  const { body } = await service.call('POST', '/api/policies/', {
    name: 'Everyone',
    trigger: 'user.created',
    condition: 'true',
    effects: [{ do: 'grant', app }],
    ...more,
  });
  return body.external_uuid as string;
};
const upload = (csv: string) =>
  service.call('POST', '/api/users/import/', csv, { headers: { 'content-type': 'text/csv' } });
const join = (count: number, name = 'p') =>
  upload(`email\n${Array.from({ length: count }, (_, i) => `${name}${i}@acme.example`).join('\n')}`);
const fired = () => settle(service.database.db);
const read = async (id: string) => (await service.call('GET', `/api/policies/${id}/`)).body;
const act = (id: string, verb: string) => service.call('POST', `/api/policies/${id}/${verb}/`);
const taskCount = async () => (await service.call('GET', '/api/tasks/')).body.count;

test('previews the number of tasks of a policy that matches everyone', async () => {
  const id = await policy({ enabled: false });
  await join(BATCH + 300);
  const { body } = await act(id, 'preview');
  expect(body).toMatchObject({ count: BATCH + 301, needs_confirmation: true });
  expect(body.tasks).toHaveLength(200);
  expect(body.tasks[0]).toMatchObject({
    action: 'create_account',
    app: { external_uuid: app, name: 'Payroll' },
    account: null,
    changes: {},
  });
  expect(await taskCount()).toBe(0);
  await fired();
  expect(await taskCount()).toBe(0);
});

test('creates as many tasks as the limit allows and holds a larger firing', async () => {
  const id = await policy();
  await join(5);
  await fired();
  expect(await taskCount()).toBe(5);
  await join(6, 'q');
  await fired();
  expect(await taskCount()).toBe(5);
  expect(await read(id)).toMatchObject({
    last_fired_count: 6,
    pending_confirmation: { status: 'held', count: 6, created: 0 },
  });
  await join(1, 'r');
  await fired();
  expect(await taskCount()).toBe(6);
});

test('creates confirmed tasks once, batch by batch, with the confirming person as actor', async () => {
  const id = await policy();
  const count = 2 * BATCH + 7;
  await join(count);
  await fired();
  await join(6, 'late');
  await fired();
  expect((await read(id)).pending_confirmation).toMatchObject({ status: 'held', count: count + 6 });
  const { orgId, ownerId } = await organizationOf(service);
  const replies = await Promise.all([act(id, 'confirm'), act(id, 'confirm')]);
  expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  const { db } = service.database;
  await firePolicies(within(db, orgId));
  expect((await read(id)).pending_confirmation).toMatchObject({ status: 'releasing', created: BATCH });
  await Promise.all([firePolicies(within(db, orgId)), firePolicies(within(db, orgId))]);
  await fired();
  expect(await taskCount()).toBe(count + 6);
  expect((await read(id)).pending_confirmation).toBeNull();
  const created = await eventsOf(service, 'task.created');
  expect(created).toHaveLength(count + 6);
  expect(created[0]).toMatchObject({ actor: { type: 'user', uuid: ownerId }, source: { uuid: id } });
}, 120_000);

test('holds a daily policy and releases it for everyone', async () => {
  const id = await policy({ trigger: 'daily', condition: 'user.email != "admin@acme.example"' });
  await join(7);
  for (let day = 0; day < 2; day++) {
    await setTimes(service, 'policy', { ran_at: '1 day earlier' });
    await fired();
  }
  expect((await read(id)).pending_confirmation).toMatchObject({ status: 'held', count: 7 });
  await act(id, 'confirm');
  await fired();
  expect(await taskCount()).toBe(7);
  expect((await read(id)).pending_confirmation).toBeNull();
});

test('has nothing to confirm after a discard', async () => {
  const id = await policy();
  expect((await act(id, 'confirm')).status).toBe(409);
  await join(6);
  await fired();
  expect((await act(id, 'discard')).body.pending_confirmation).toBeNull();
  expect((await act(id, 'discard')).status).toBe(409);
  await fired();
  expect(await taskCount()).toBe(0);
});

test.each([
  [{ condition: 'user.status == "active"' }, null],
  [{ enabled: false }, null],
  [{ name: 'Renamed' }, { status: 'held' }],
])('after the change %o the held actions are %o', async (change, held) => {
  const id = await policy();
  await join(6);
  await fired();
  const { body } = await service.call('PATCH', `/api/policies/${id}/`, change);
  if (held === null) expect(body.pending_confirmation).toBeNull();
  else expect(body.pending_confirmation).toMatchObject(held);
});

test('skips people who have left or already have access when the firing is confirmed', async () => {
  const id = await policy();
  await join(6);
  await fired();
  const { results } = (await service.call('GET', '/api/users/?q=p')).body;
  const [first, second] = results.filter(({ role }: { role: string }) => role === 'member');
  await service.call('POST', `/api/users/${first.external_uuid}/deactivate/`);
  await service.call('POST', '/api/tasks/', { app, action: 'create_account', user: second.external_uuid });
  await act(id, 'confirm');
  await fired();
  expect(await taskCount()).toBe(5);
});
