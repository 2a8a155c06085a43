import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventsOf } from '#test/people.ts';
import { openPolicyTest, type PolicyTest } from '#test/policies.ts';

const NAMES = ['ada', 'alan', 'grace', 'kay', 'lena', 'mary', 'rosa', 'tim'];
const LATER = new Date(Date.now() + 20 * 86_400_000).toISOString();

let service: PolicyTest;
let accounts: Record<string, { external_uuid: string }>;
beforeAll(async () => {
  const people = NAMES.map((id) => ({ id, email: `${id}@acme.example` }));
  service = await openPolicyTest(people, { own: true });
  const { body } = await service.call('GET', `/api/accounts/?app=${service.appId}&limit=200`);
  accounts = Object.fromEntries(body.results.map((one: { external_id: string }) => [one.external_id, one]));
  await service.call('PATCH', `/api/apps/${service.appId}/`, { removal_guard: null });
});
afterAll(() => service.close());

const ask = (name: string, action: string, more: object = {}) =>
  service.call('POST', '/api/tasks/', {
    ...{ app: service.appId, account: accounts[name]?.external_uuid, action },
    ...more,
  });
const tasksOf = async (name: string) =>
  (await service.call('GET', `/api/tasks/?account=${accounts[name]?.external_uuid}`)).body.results;

/** The deletion that a policy has decided for later. */
async function deletedLater(name: string) {
  const [task] = await service.create({
    ...{ appId: service.appId, accountId: accounts[name]?.external_uuid ?? '', action: 'delete_account' },
    ...{ taskType: 'POLICY', createdBy: service.adminId, executeAfter: new Date(LATER) },
  } as never);
  return task?.id ?? '';
}

test.each(['delete_account', 'suspend_account'])(
  'refuses a second %s while the first is open',
  async (action) => {
    const name = action === 'delete_account' ? 'ada' : 'alan';
    const first = await ask(name, action);
    expect(first.status).toBe(201);

    const second = await ask(name, action);

    expect(second.status).toBe(409);
    expect(second.body.detail).toContain(first.body.external_uuid);
    expect(await tasksOf(name)).toMatchObject([
      { external_uuid: first.body.external_uuid, status: 'pending' },
    ]);
  },
);

test('lets one of two win who ask at the same time', async () => {
  const both = await Promise.all([ask('grace', 'delete_account'), ask('grace', 'delete_account')]);

  expect(both.map(({ status }) => status).toSorted()).toEqual([201, 409]);
  expect(await tasksOf('grace')).toHaveLength(1);
});

test('does not preempt what a policy does later, unless it is named', async () => {
  const policys = await deletedLater('kay');

  const refused = await ask('kay', 'delete_account');
  expect(refused).toMatchObject({ status: 409, body: { detail: expect.stringContaining('instead_of') } });
  expect((await ask('kay', 'delete_account', { execute_after: LATER })).status).toBe(409);
  expect(await tasksOf('kay')).toMatchObject([{ external_uuid: policys, status: 'scheduled' }]);

  const now = await ask('kay', 'delete_account', { instead_of: policys });
  expect(now).toMatchObject({ status: 201, body: { status: 'pending' } });
  expect(await tasksOf('kay')).toMatchObject([
    { external_uuid: now.body.external_uuid },
    { external_uuid: policys, status: 'preempted', preempted_by: now.body.external_uuid },
  ]);
});

test('refuses to replace another task, or one that has begun', async () => {
  const pending = (await ask('lena', 'delete_account')).body.external_uuid;
  expect((await ask('lena', 'delete_account', { instead_of: pending })).status).toBe(409);
  expect((await ask('mary', 'delete_account', { instead_of: pending })).status).toBe(409);
  expect((await ask('mary', 'suspend_account', { instead_of: pending })).status).toBe(400);
  expect((await ask('mary', 'delete_account', { leaving: true })).status).toBe(400);
  expect((await ask('mary', 'delete_account', { instead_of: 'lena' })).status).toBe(400);
  expect(await tasksOf('mary')).toEqual([]);
});

test('suspends again after a task that unsuspends', async () => {
  await ask('rosa', 'suspend_account');
  const [suspension] = await tasksOf('rosa');
  await service.bridge('PATCH', `/tasks/${suspension.external_uuid}/status/`, { status: 'completed' });
  await ask('rosa', 'unsuspend_account');

  expect((await ask('rosa', 'suspend_account')).status).toBe(201);
});

test('lists the removals that are under way with the accounts of leavers', async () => {
  const user = await service.addUser('tim@acme.example');
  await service.call('PATCH', `/api/accounts/${accounts.tim?.external_uuid}/`, { user });
  await service.call('POST', `/api/users/${user}/deactivate/`);
  const leaver = async () => (await service.call('GET', `/api/users/leavers/?user=${user}`)).body.results[0];
  expect(await leaver()).toMatchObject({ accounts: [{ removals: [] }] });

  const later = await deletedLater('tim');
  const suspension = (await ask('tim', 'suspend_account')).body.external_uuid;

  expect((await leaver()).accounts).toMatchObject([
    {
      removals: [
        { task: later, action: 'delete_account', status: 'scheduled', execute_after: LATER, waits_for: null },
        { task: suspension, action: 'suspend_account', status: 'pending' },
      ],
    },
  ]);
  await service.bridge('PATCH', `/tasks/${suspension}/status/`, { status: 'completed' });
  expect((await leaver()).accounts).toMatchObject([{ status: 'SUSPENDED', removals: [{ task: later }] }]);
  expect(await eventsOf(service, 'task.preempted')).toHaveLength(1);
});
