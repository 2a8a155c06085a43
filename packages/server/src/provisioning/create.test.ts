import { afterAll, beforeAll, expect, test } from 'vitest';
import { openProvisioningTest, type ProvisioningTest } from '../../test/provisioning.ts';
import { entitlementIds, grantsOf, type NewTask, openTasks, tasksOf } from './create.ts';

let service: ProvisioningTest;
const pushed = (id: string) => ({ id, email: `${id}@acme.example`, memberships: { team: [{ id: 'red' }] } });

beforeAll(async () => {
  service = await openProvisioningTest(['a', 'b', 'c', 'd', 'e', 'f', 'g'].map(pushed));
});
afterAll(() => service.close());

const manual = { taskType: 'USER_ACTION', createdBy: null } as const;
const on = async (id: string, action: 'update_account' | 'delete_account' | 'suspend_account', more = {}) => {
  const { external_uuid } = await service.accountByEmail(`${id}@acme.example`);
  return { ...manual, appId: service.appId, accountId: external_uuid, action, ...more } as NewTask;
};

test('a task whose turn has come is pending at once', async () => {
  const [task] = await service.create(await on('a', 'suspend_account'));
  expect(task).toMatchObject({ status: 'pending', external_id: 'a', resource_type: 'person' });
  expect(await service.news()).toEqual(['task.created']);
});

test('a second task of an account waits, a little ahead, and is told of once', async () => {
  await service.create(await on('b', 'suspend_account'));
  const [second] = await service.create(await on('b', 'update_account'));
  expect(second).toMatchObject({ status: 'scheduled', waits_for: 'account' });
  expect(second?.execute_after.getTime()).toBeGreaterThan(Date.now());
  expect(await service.news()).toEqual(['task.created', 'task.created', 'task.dispatch_blocked']);
  await service.create(await on('b', 'suspend_account'));
  expect(await service.news()).toEqual(['task.created', 'task.dispatch_blocked']);
});

test('a delete preempts what was not dispatched, scheduled ones included', async () => {
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

test('a person gets an account that is NEW, once', async () => {
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

test('a decision finds its tasks again, and what an account has open', async () => {
  const source = { type: 'ticket', id: service.appId } as const;
  const [task] = await service.create(await on('d', 'suspend_account', { source }));
  const { db } = service.database;
  expect(await tasksOf(db, service.orgId, source)).toEqual([task]);
  expect(await openTasks(db, service.orgId, task?.account_id ?? '')).toEqual([task]);
});

test('a task whose reason no longer holds when its turn comes is cancelled', async () => {
  const userId = await service.addUser('gone@acme.example');
  const holds = await on('e', 'suspend_account', {
    preconditions: [{ kind: 'user_active', user_id: userId }],
  });
  const broken = await on('e', 'suspend_account', {
    preconditions: [{ kind: 'user_inactive', user_id: userId }],
  });
  const tasks = await service.create(holds, broken);
  expect(tasks.map(({ status }) => status)).toEqual(['pending', 'cancelled']);
  expect(tasks[1]?.ended_reason).toBe('The person is active again.');
});

test.each([
  ['change_needed', { add: 'red' }, 'cancelled'],
  ['change_needed', { add: 'blue' }, 'scheduled'],
  ['change_needed', { remove: 'blue' }, 'cancelled'],
  ['change_needed', { remove: 'red' }, 'scheduled'],
  ['not_regranted', { remove: 'red' }, 'scheduled'],
] as const)('precondition %s of %o on a member of red: %s', async (kind, change, status) => {
  await service.create(await on('f', 'suspend_account'));
  const ids = await entitlementIds(service.database.db, service.orgId, service.appId, {
    team: Object.values(change),
  });
  const update = 'add' in change ? { add: ids } : { remove: ids };
  const [task] = await service.create(
    await on('f', 'update_account', { ...update, preconditions: [{ kind }] }),
  );
  expect(task?.status).toBe(status);
});

test('what was granted again meanwhile is not taken away, and whoever granted it is known', async () => {
  const { appId, orgId, database } = service;
  const [red = ''] = await entitlementIds(database.db, orgId, appId, { team: ['red'] });
  const removal = await on('g', 'update_account', {
    remove: [red],
    executeAfter: new Date(Date.now() + 60_000),
    preconditions: [{ kind: 'not_regranted' }],
  });
  const [ends, granted] = await service.create(removal, await on('g', 'update_account', { add: [red] }));
  await service.bridge('PATCH', `/tasks/${granted?.id}/status/`, { status: 'completed' });
  await service.passTime(60);
  const { body } = await service.call('GET', `/api/tasks/${ends?.id}/`);
  expect(body).toMatchObject({ status: 'cancelled', explanation: expect.stringContaining('granted again') });
  expect(await grantsOf(database.db, orgId, [granted?.account_id ?? ''])).toMatchObject([
    { entitlement_id: red, task_id: granted?.id, task_type: 'USER_ACTION', source: null },
  ]);
});

test('what is not there is refused', async () => {
  const { database, orgId, appId } = service;
  const resolve = (refs: Record<string, string[]>) => entitlementIds(database.db, orgId, appId, refs);
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
  ).rejects.toMatchObject({ message: 'User not found.' });
});
