import { afterAll, beforeAll, expect, test } from 'vitest';
import { within } from '#kit/database.ts';
import { openProvisioningTest, type ProvisioningTest } from '#test/provisioning.ts';
import type { NewTask } from './create.ts';
import { entitlementIds } from './entitlements.ts';
import { openTasks, tasksOf } from './find.ts';

let service: ProvisioningTest;
const pushed = (id: string) => ({ id, email: `${id}@acme.example`, memberships: { team: [{ id: 'red' }] } });

const IDS = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'];

beforeAll(async () => {
  service = await openProvisioningTest(IDS.map(pushed));
  // The tests take away most of the accounts.
  await service.call('PATCH', `/api/apps/${service.appId}/`, { removal_guard: null });
});
afterAll(() => service.close());

const manual = { taskType: 'USER_ACTION', createdBy: null } as const;
const on = async (id: string, action: 'update_account' | 'delete_account' | 'suspend_account', more = {}) => {
  const { external_uuid } = await service.accountByEmail(`${id}@acme.example`);
  return { ...manual, appId: service.appId, accountId: external_uuid, action, ...more } as NewTask;
};

test('a task that can run is pending immediately', async () => {
  await service.news();
  const [task] = await service.create(await on('a', 'suspend_account'));
  expect(task).toMatchObject({ status: 'pending', external_id: 'a', resource_type: 'person' });
  expect(await service.news()).toEqual(['task.created']);
});

test('a second task of an account waits and is announced once', async () => {
  await service.news();
  await service.create(await on('b', 'suspend_account'));
  const [second] = await service.create(await on('b', 'update_account'));
  expect(second).toMatchObject({ status: 'scheduled', waits_for: 'account' });
  expect(second?.execute_after.getTime()).toBeGreaterThan(Date.now());
  expect(await service.news()).toEqual(['task.created', 'task.created', 'task.dispatch_blocked']);
  await service.create(await on('b', 'suspend_account'));
  expect(await service.news()).toEqual(['task.created', 'task.dispatch_blocked']);
});

test('a deletion preempts undispatched tasks, scheduled ones included', async () => {
  const tomorrow = new Date(Date.now() + 86_400_000);
  await service.create(
    await on('c', 'suspend_account'),
    await on('c', 'update_account', { executeAfter: tomorrow }),
  );
  await service.news();
  const [removal] = await service.create(await on('c', 'delete_account'));
  expect(removal?.status).toBe('pending');
  expect(await service.news()).toEqual(['task.created', 'task.preempted', 'task.preempted']);
});

test.each([
  ['f', 'delete_account', { status: 'NEW', external_id: null, memberships: {} }],
  ['i', 'suspend_account', { status: 'NEW', external_id: 'i' }],
] as const)(
  'creates %s again if that was requested before its %s was reported (D25)',
  async (id, action, awaited) => {
    const userId = await service.addUser(`${id}@acme.example`);
    const [earlier] = await service.create(await on(id, action));
    await service.sync(IDS.map((one) => ({ ...pushed(one), status: one === id ? 'inactive' : 'active' })));
    const wanted = { ...manual, appId: service.appId, action: 'create_account', userId } as const;
    const [creation] = await service.create(wanted);
    expect(creation).toMatchObject({ status: 'scheduled', account_id: earlier?.account_id });
    const report = (task: typeof earlier, result: object | null = null) =>
      service.bridge('PATCH', `/tasks/${task?.id}/status/`, { status: 'completed', result });

    await report(earlier);
    expect(await service.accountByEmail(`${id}@acme.example`)).toMatchObject(awaited);
    expect((await report(creation, { account: { id: `${id}2` } })).status).toBe(200);
    const created = { status: 'INVITED', external_id: `${id}2` };
    expect(await service.accountByEmail(`${id}@acme.example`)).toMatchObject(created);
  },
);

test('creates one NEW account per person', async () => {
  const userId = await service.addUser('new@acme.example');
  const wanted = { ...manual, appId: service.appId, action: 'create_account', userId } as const;
  const [task] = await service.create(wanted);
  expect(task).toMatchObject({ status: 'pending', email: 'new@acme.example', external_id: null });
  expect(await service.accountByEmail('new@acme.example')).toMatchObject({ status: 'NEW' });
  await expect(service.create(wanted)).rejects.toMatchObject({ code: 'conflict' });
  const update = {
    ...manual,
    appId: service.appId,
    action: 'reset_password',
    accountId: task?.account_id ?? '',
  } as const;
  const [waiting] = await service.create(update);
  expect(waiting).toMatchObject({ status: 'scheduled', waits_for: 'account' });
});

test('creates accounts for several people in one call', async () => {
  const userIds = [
    await service.addUser('many-1@acme.example'),
    await service.addUser('many-2@acme.example'),
  ];
  const creations = userIds.map(
    (userId) => ({ ...manual, appId: service.appId, action: 'create_account', userId }) as const,
  );

  const tasks = await service.create(...creations, await on('h', 'suspend_account'));

  expect(tasks.map(({ email, status }) => [email, status])).toEqual([
    ['many-1@acme.example', 'pending'],
    ['many-2@acme.example', 'pending'],
    ['h@acme.example', 'pending'],
  ]);
});

test('rejects two creations for the same person in one call', async () => {
  const userId = await service.addUser('double@acme.example');
  const creation = { ...manual, appId: service.appId, action: 'create_account', userId } as const;

  await expect(service.create(creation, creation)).rejects.toMatchObject({ code: 'conflict' });
});

test('concurrent creations for the same people do not deadlock', async () => {
  const userIds: string[] = [];
  for (let n = 0; n < 8; n++) userIds.push(await service.addUser(`crowd-${n}@acme.example`));
  const creations = userIds.map(
    (userId) => ({ ...manual, appId: service.appId, action: 'create_account', userId }) as const,
  );

  const calls = await Promise.allSettled([
    service.create(...creations),
    service.create(...creations.toReversed()),
    service.create(...creations.slice(4), ...creations.slice(0, 4)),
  ]);

  const outcomes = calls.map((call) => (call.status === 'fulfilled' ? 'created' : call.reason.code));
  expect(outcomes.toSorted()).toEqual(['conflict', 'conflict', 'created']);
});

test('finds the tasks of a decision and the open tasks of an account', async () => {
  const source = { type: 'ticket', id: service.appId } as const;
  const [task] = await service.create(await on('d', 'suspend_account', { source }));
  const { db } = service.database;
  expect(await tasksOf(within(db, service.orgId), source)).toEqual([task]);
  expect(await openTasks(within(db, service.orgId), task?.account_id ?? '')).toEqual([task]);
});

test('cancels a task with an unmet precondition when its turn comes', async () => {
  const userId = await service.addUser('gone@acme.example');
  const holds = await on('e', 'suspend_account', {
    preconditions: [{ kind: 'user_active', user_id: userId }],
  });
  const unmet = await on('e', 'suspend_account', {
    preconditions: [{ kind: 'user_inactive', user_id: userId }],
  });
  const tasks = await service.create(holds, unmet);
  expect(tasks.map(({ status }) => status)).toEqual(['pending', 'cancelled']);
  expect(tasks[1]?.ended_reason?.text).toBe('The person is active again.');
});

test('does not remove access that was granted again, and finds the task that granted it', async () => {
  const { appId, orgId, database } = service;
  const [red = ''] = await entitlementIds(within(database.db, orgId), appId, { team: ['red'] });
  const removal = await on('g', 'update_account', {
    remove: [red],
    executeAfter: new Date(Date.now() + 60_000),
    preconditions: [{ kind: 'not_regranted' }],
  });
  const [ends, granted] = await service.create(removal, await on('g', 'update_account', { add: [red] }));
  await service.bridge('PATCH', `/tasks/${granted?.id}/status/`, { status: 'completed' });
  await service.passTime(60);
  const { body } = await service.call('GET', `/api/tasks/${ends?.id}/`);
  expect(body).toMatchObject({
    status: 'cancelled',
    explanation: { happened: expect.stringContaining('granted again') },
  });
  const grants = await service.call(
    'GET',
    `/api/grants/?account=${granted?.account_id}&slug=team&resource=red`,
  );
  expect(grants.body.results).toMatchObject([{ source: { kind: 'manual', external_uuid: granted?.id } }]);
});

test('rejects unknown entitlements, accounts, apps and users', async () => {
  const { database, orgId, appId } = service;
  const resolve = (refs: Record<string, string[]>) => entitlementIds(within(database.db, orgId), appId, refs);
  await expect(resolve({ team: ['green'] })).rejects.toMatchObject({ code: 'unprocessable' });
  await expect(resolve({ person: ['a'] })).rejects.toMatchObject({ code: 'unprocessable' });
  const task = { ...manual, appId, accountId: orgId, action: 'delete_account' } as const;
  await expect(service.create(task)).rejects.toMatchObject({
    code: 'not_found',
    message: 'Account not found.',
  });
  await expect(service.create({ ...task, appId: orgId })).rejects.toMatchObject({
    message: 'App not found.',
  });
  await expect(
    service.create({ ...manual, appId, userId: orgId, action: 'create_account' }),
  ).rejects.toMatchObject({ message: 'Person not found.' });
});
