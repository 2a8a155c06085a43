// @module-tag engine

import { afterAll, beforeAll, expect, test } from 'vitest';
import { transaction, within } from '#kit/database.ts';
import { recordEvents } from '#log/events/record.ts';
import { BY_TEST, openProvisioningTest, type ProvisioningTest } from '#test/provisioning.ts';
import { cancelTask, cancelTasksOf } from './cancel.ts';
import type { NewTask } from './create.ts';
import { ERROR_CODES, type Task } from './task.ts';

let service: ProvisioningTest;
let next = 0;
const everyone: { id: string; email: string; memberships: object }[] = [];

beforeAll(async () => {
  service = await openProvisioningTest();
});
afterAll(() => service.close());

/** Pushes an active account that no other test uses. */
async function person(groups: string[] = []) {
  const id = `p${next++}`;
  everyone.push({
    id,
    email: `${id}@acme.example`,
    memberships: { team: groups.map((group) => ({ id: group })) },
  });
  await service.sync(everyone);
  const account = await service.accountByEmail(`${id}@acme.example`);
  await service.news();
  return { id, email: `${id}@acme.example`, uuid: account.external_uuid };
}

const act = (accountId: string, action: string, more = {}) =>
  service.call('POST', '/api/tasks/', { app: service.appId, account: accountId, action, ...more });
const report = (task: string, body: object) => service.bridge('PATCH', `/tasks/${task}/status/`, body);
const completed = { status: 'completed', result: null, error: null };
const failed = (code: string) => ({ status: 'failed', error: { code, message: 'No luck' } });
const listed = async (query = '?status=pending&limit=1000') =>
  (await service.bridge('GET', `/tasks/${query}`)).body;
const statusOf = async (task: string) => (await service.bridge('GET', `/tasks/${task}/`)).body.status;

test('each action has exactly its documented payload', async () => {
  const { uuid, id, email } = await person(['red']);
  const account = { id, email, first_name: '', last_name: '' };
  const nothing = { memberships: null, changes: null };
  const shapeOf = async (action: string, more = {}) => {
    const { body } = await act(uuid, action, more);
    const { tasks } = await listed();
    const task = tasks.find((one: { id: string }) => one.id === body.external_uuid);
    expect(Object.keys(task).slice(0, 7)).toEqual([
      'id',
      'action',
      'resource_type',
      'status',
      'execute_after',
      'created_at',
      'payload',
    ]);
    expect(task).toMatchObject({
      action,
      resource_type: 'person',
      status: 'pending',
      result: null,
      error: null,
    });
    expect((await report(task.id, completed)).body).toMatchObject({ status: 'completed', result: {} });
    return task.payload;
  };
  expect(await shapeOf('reset_password')).toEqual({ ...nothing, account: { id } });
  expect(await shapeOf('suspend_account')).toEqual({ ...nothing, account: { id } });
  expect(await shapeOf('unsuspend_account')).toEqual({ ...nothing, account: { id } });
  expect(
    await shapeOf('update_account', {
      changes: { team: { added: ['blue'], removed: ['red'] }, seat: { added: ['gold'] } },
    }),
  ).toEqual({
    account,
    memberships: null,
    changes: {
      seat: { added: [{ id: 'gold', name: 'Gold' }], removed: [] },
      team: { added: [{ id: 'blue', name: 'Blue' }], removed: [{ id: 'red', name: 'Red' }] },
    },
  });
  expect(await shapeOf('delete_account')).toEqual({ ...nothing, account: { id } });
});

test('a created account goes from NEW to ACTIVE; its licenses wait for the external id', async () => {
  const user = await service.addUser('carol@acme.example');
  const before = (await listed('?status=scheduled&limit=1000')).tasks.map(({ id }: { id: string }) => id);
  await listed();
  await service.news();
  const { status, body } = await service.call('POST', '/api/tasks/', {
    app: service.appId,
    action: 'create_account',
    user,
    memberships: { team: ['red'] },
    assignments: { seat: ['gold'] },
    reason: 'She starts on Monday',
  });
  expect(status).toBe(201);
  expect(body).toMatchObject({ op_type: 'PRE_SYNC', task_type: 'USER_ACTION', status: 'pending' });
  expect(await service.accountByEmail('carol@acme.example')).toMatchObject({
    status: 'NEW',
    external_id: null,
  });
  const { tasks } = await listed();
  expect(tasks.at(-1).payload).toEqual({
    account: {
      id: body.app_user.external_uuid,
      email: 'carol@acme.example',
      first_name: 'Ann',
      last_name: 'Other',
      username: 'carol@acme.example',
    },
    memberships: { team: [{ id: 'red', name: 'Red' }] },
    changes: null,
  });
  expect(await service.news()).toEqual(['task.created', 'task.dispatched']);

  await report(body.external_uuid, completed);
  expect(await service.news()).toEqual([
    'task.completed',
    'account.provisioned',
    'account.group.added',
    'task.created',
    'task.dispatch_blocked',
  ]);
  expect(await service.accountByEmail('carol@acme.example')).toMatchObject({
    status: 'INVITED',
    memberships: { team: [{ id: 'red' }] },
    assignments: {},
  });
  const waiting = (await listed('?status=scheduled&limit=1000')).tasks.filter(
    ({ id }: { id: string }) => !before.includes(id),
  );
  expect(waiting).toHaveLength(1);
  expect(Date.parse(waiting[0].execute_after)).toBeGreaterThan(Date.now());

  everyone.push({ id: 'carol', email: 'Carol@acme.example', memberships: { team: [{ id: 'red' }] } });
  await service.sync(everyone);
  expect(await service.accountByEmail('carol@acme.example')).toMatchObject({
    status: 'ACTIVE',
    external_id: 'carol',
  });
  const license = (await listed()).tasks.at(-1);
  expect(license).toMatchObject({
    id: waiting[0].id,
    action: 'update_account',
    payload: { account: { id: 'carol' } },
  });
  await report(license.id, completed);
  expect(await service.accountByEmail('carol@acme.example')).toMatchObject({
    assignments: { seat: [{ id: 'gold' }] },
  });

  const again = await service.call('GET', `/api/tasks/${body.external_uuid}/`);
  expect(again.body).toMatchObject({ op_type: 'POST_SYNC', creator: { external_uuid: service.adminId } });
  expect((await service.call('GET', `/api/tasks/${license.id}/`)).body.op_type).toBe('PRE_SYNC');
});

test('a reported external id releases the task that waits for it', async () => {
  const user = await service.addUser('dave@acme.example');
  const create = { app: service.appId, action: 'create_account', user, assignments: { seat: ['gold'] } };
  const { body } = await service.call('POST', '/api/tasks/', create);
  const reply = await report(body.external_uuid, { ...completed, result: { account: { id: 'dave-1' } } });
  expect(reply.body).toMatchObject({ result: {}, payload: { account: { id: 'dave-1' } } });
  expect((await listed()).tasks.at(-1)).toMatchObject({
    action: 'update_account',
    payload: { account: { id: 'dave-1' } },
  });
});

test('merges an account that a sync found under another email', async () => {
  const user = await service.addUser('erin@acme.example');
  const { body } = await service.call('POST', '/api/tasks/', {
    app: service.appId,
    action: 'create_account',
    user,
  });
  everyone.push({ id: 'erin-1', email: 'e.rin@other.example', memberships: { team: [{ id: 'blue' }] } });
  await service.sync(everyone);
  await report(body.external_uuid, { ...completed, result: { account: { id: 'erin-1' } } });
  expect(await service.accountByEmail('erin@acme.example')).toMatchObject({
    status: 'ACTIVE',
    external_id: 'erin-1',
    memberships: { team: [{ id: 'blue' }] },
  });
  expect(await service.accountByEmail('e.rin@other.example')).toMatchObject({
    status: 'INACTIVE',
    external_id: null,
  });
});

test('reuses the account of a creation that failed', async () => {
  const user = await service.addUser('frank@acme.example');
  const create = { app: service.appId, action: 'create_account', user };
  const first = await service.call('POST', '/api/tasks/', create);
  const waiting = await act(first.body.app_user.external_uuid, 'reset_password');
  await report(first.body.external_uuid, failed('PERMISSION_DENIED'));
  expect(await service.accountByEmail('frank@acme.example')).toMatchObject({ status: 'INACTIVE' });
  expect(await statusOf(waiting.body.external_uuid)).toBe('cancelled');
  expect((await act(first.body.app_user.external_uuid, 'reset_password')).status).toBe(409);
  const second = await service.call('POST', '/api/tasks/', create);
  expect(second.body.app_user).toEqual(first.body.app_user);
  await service.call('POST', `/api/tasks/${second.body.external_uuid}/cancel/`);
  expect(await service.accountByEmail('frank@acme.example')).toMatchObject({ status: 'INACTIVE' });
});

test.each([
  ['suspend_account', 'SUSPENDED', 'account.suspended'],
  ['delete_account', 'INACTIVE', 'account.deprovisioned'],
])('a completed %s sets the account to %s immediately', async (action, status, event) => {
  const { uuid, email } = await person(['red']);
  const { body } = await act(uuid, action);
  await report(body.external_uuid, completed);
  expect(await service.accountByEmail(email)).toMatchObject({ status });
  const lost = action === 'delete_account' ? ['account.group.removed'] : [];
  expect(await service.news()).toEqual(['task.created', 'task.completed', event, ...lost]);
});

test('a deleted account was last seen by the last sync before, even if that did not change it', async () => {
  const { uuid, email } = await person();
  await service.sync(everyone);
  const { last_seen_at } = await service.accountByEmail(email);
  const { body } = await act(uuid, 'delete_account');
  await report(body.external_uuid, completed);
  expect(await service.accountByEmail(email)).toMatchObject({ status: 'INACTIVE', last_seen_at });
  everyone.splice(0, everyone.length, ...everyone.filter((one) => one.email !== email));
  await service.sync(everyone);
  expect(await service.accountByEmail(email)).toMatchObject({ status: 'INACTIVE', last_seen_at });
});

test('rejects repeated, early and contradictory reports', async () => {
  const { uuid } = await person();
  const pending = (await act(uuid, 'reset_password')).body.external_uuid;
  const later = (await act(uuid, 'reset_password')).body.external_uuid;
  const cases: [string, object, number, RegExp][] = [
    [pending, { status: 'failed' }, 400, /error/],
    [pending, { status: 'failed', error: { code: 'OOPS', message: '' } }, 400, /one of/],
    [pending, { ...completed, error: { code: 'TIMEOUT', message: '' } }, 400, /must not have an error/],
    [pending, { status: 'pending' }, 400, /one of/],
    [pending, { ...completed, result: [] }, 400, /valid object/],
    [later, completed, 409, /'scheduled'/],
    [pending, completed, 200, /^$/],
    [pending, completed, 409, /^Task is already in 'completed' state and cannot be updated\.$/],
    [pending, failed('TIMEOUT'), 409, /'completed'/],
    [later, failed('INTERNAL_ERROR'), 200, /^$/],
    [later, completed, 409, /'failed'/],
    [service.appId, completed, 404, /not found/],
    ['nonsense', completed, 404, /nothing|not found/],
  ];
  for (const [task, body, status, detail] of cases) {
    const reply = await report(task, body);
    expect({ ...reply, asked: body }).toMatchObject({ status });
    expect(reply.body.detail ?? '').toMatch(detail);
  }
});

test('retries a transient failure after 1, 5 and 25 minutes, then stops', async () => {
  const { uuid } = await person();
  let task = (await act(uuid, 'reset_password')).body.external_uuid;
  for (const minutes of [1, 5, 25]) {
    await service.news();
    expect((await report(task, failed(minutes === 5 ? 'TIMEOUT' : 'RATE_LIMITED'))).status).toBe(200);
    expect(await service.news()).toEqual(['task.failed', 'task.created', 'task.retried']);
    const retry = (await listed('?status=scheduled')).tasks.find(
      (one: { retry_of: string }) => one.retry_of === task,
    );
    const wait = Date.parse(retry.execute_after) - Date.parse(retry.created_at);
    expect(Math.round(wait / 1000)).toBe(minutes * 60);
    expect(await statusOf(task)).toBe('failed');
    await service.passTime(minutes * 60);
    task = retry.id;
    expect(await statusOf(task)).toBe('pending');
  }
  await service.news();
  await report(task, failed('TIMEOUT'));
  expect(await service.news()).toEqual(['task.failed']);
});

test.each(ERROR_CODES)('explains %s to administrators', async (code) => {
  const { uuid, email } = await person();
  const { body } = await act(uuid, 'update_account', { changes: { seat: { added: ['gold'] } } });
  await report(body.external_uuid, failed(code));
  const { explanation } = (await service.call('GET', `/api/tasks/${body.external_uuid}/`)).body;
  expect(explanation.happened).toContain(`Changing the access of ${email} in Payroll failed`);
  expect(explanation.happened).toContain('The report says: No luck.');
  expect(explanation.advice).toMatch(/\.$/);
  if (code === 'INTERNAL_ERROR') {
    expect(explanation.happened).not.toContain('connector');
    expect(explanation.advice).toMatch(
      /^Somebody who manages Payroll or its connector .* An administrator can/,
    );
  }
  if (code === 'LICENSE_EXHAUSTED') expect(explanation.happened).toContain('no free seat of Gold');
});

test('a scheduled task is pending for every reader as soon as it is due', async () => {
  const { uuid } = await person();
  const execute_after = new Date(Date.now() + 3_600_000).toISOString();
  const { body } = await act(uuid, 'reset_password', { execute_after });
  expect(body).toMatchObject({ status: 'scheduled', execute_after });
  await service.passTime(3_500);
  expect(await statusOf(body.external_uuid)).toBe('scheduled');
  await service.passTime(100);
  const all = await service.call('GET', '/api/tasks/?limit=1');
  expect(all.body.results[0]).toMatchObject({ external_uuid: body.external_uuid, status: 'pending' });
});

test('the bridge list is oldest first, without canceled and preempted tasks', async () => {
  const { uuid } = await person();
  await act(uuid, 'reset_password');
  await act(uuid, 'suspend_account');
  await act(uuid, 'delete_account');
  const { tasks, count } = await listed('?limit=1000');
  expect(tasks).toHaveLength(count);
  expect(tasks.some(({ status }: { status: string }) => status === 'preempted')).toBe(false);
  expect(tasks.map(({ created_at }: { created_at: string }) => created_at)).toEqual(
    tasks.map(({ created_at }: { created_at: string }) => created_at).toSorted(),
  );
  const collected: string[] = [];
  let path: string | null = `/api/v1/bridge/apps/${service.appId}/tasks/?limit=7`;
  while (path !== null) {
    const { body }: { body: { tasks: { id: string }[]; next: string | null } } = await service.call(
      'GET',
      path,
    );
    collected.push(...body.tasks.map(({ id }) => id));
    path = body.next?.replace(/^.*?\/org\/\w+/, '') ?? null;
  }
  expect(collected).toEqual(tasks.map(({ id }: { id: string }) => id));
  for (const query of ['?status=cancelled', '?status=x', '?limit=0', '?limit=x', '?offset=-1']) {
    expect((await service.bridge('GET', `/tasks/${query}`)).status).toBe(400);
  }
});

test('concurrent lists dispatch each task once', async () => {
  await listed();
  const { uuid } = await person();
  const { body } = await act(uuid, 'reset_password');
  await service.news();
  await Promise.all([listed(), listed(), listed(), listed()]);
  expect(await service.news()).toEqual(['task.dispatched']);
  expect(await statusOf(body.external_uuid)).toBe('pending');
});

test('accepts one of several concurrent reports', async () => {
  const { uuid } = await person();
  const { body } = await act(uuid, 'suspend_account');
  await service.news();
  const replies = await Promise.all([
    report(body.external_uuid, completed),
    report(body.external_uuid, failed('TIMEOUT')),
    report(body.external_uuid, completed),
  ]);
  expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409, 409]);
  const news = await service.news();
  expect(news.filter((type) => type === 'task.completed' || type === 'task.failed')).toHaveLength(1);
});

test('accepts one of several concurrent creations for a person', async () => {
  const user = await service.addUser('twice@acme.example');
  const create = () =>
    service.call('POST', '/api/tasks/', { app: service.appId, action: 'create_account', user });
  const replies = await Promise.all([create(), create(), create()]);
  expect(replies.map(({ status }) => status).toSorted()).toEqual([201, 409, 409]);
});

test('a task is either preempted or listed by a connector, never both', async () => {
  for (let round = 0; round < 5; round++) {
    const { uuid } = await person();
    const reset = (await act(uuid, 'reset_password')).body.external_uuid;
    const [list, removal] = await Promise.all([listed(), act(uuid, 'delete_account')]);
    const shown = list.tasks.some(({ id }: { id: string }) => id === reset);
    const states = [await statusOf(reset), await statusOf(removal.body.external_uuid)];
    expect(states).toEqual(shown ? ['pending', 'scheduled'] : ['preempted', 'pending']);
  }
});

test('accepts either a report or a concurrent cancellation', async () => {
  const { uuid, email } = await person();
  const task = (await act(uuid, 'suspend_account')).body.external_uuid;
  const [reply, cancellation] = await Promise.all([
    report(task, completed),
    service.call('POST', `/api/tasks/${task}/cancel/`),
  ]);
  expect([reply.status, cancellation.status].toSorted()).toEqual([200, 409]);
  const account = await service.accountByEmail(email);
  expect(account.status).toBe(reply.status === 200 ? 'SUSPENDED' : 'ACTIVE');
});

test('a deletion waits for a dispatched task', async () => {
  const { uuid } = await person();
  const reset = (await act(uuid, 'reset_password')).body.external_uuid;
  const suspend = (await act(uuid, 'suspend_account')).body.external_uuid;
  await listed();
  const removal = (await act(uuid, 'delete_account')).body.external_uuid;
  const states = async () => Promise.all([reset, suspend, removal].map(statusOf));
  expect(await states()).toEqual(['pending', 'preempted', 'scheduled']);
  expect((await report(suspend, completed)).status).toBe(409);
  await report(reset, completed);
  expect(await states()).toEqual(['completed', 'preempted', 'pending']);
});

test('a sync keeps the effects of tasks that completed after it started', async () => {
  const { uuid, id, email } = await person();
  const user = await service.addUser('during@acme.example');
  const { sync_id } = (await service.bridge('POST', '/sync/')).body;
  const create = await service.call('POST', '/api/tasks/', {
    app: service.appId,
    action: 'create_account',
    user,
  });
  const update = await act(uuid, 'update_account', { changes: { team: { added: ['blue'] } } });
  await report(create.body.external_uuid, completed);
  await report(update.body.external_uuid, completed);
  await service.bridge('PUT', `/sync/${sync_id}/person/`, { records: everyone });
  await service.bridge('POST', `/sync/${sync_id}/complete/`);
  await expect
    .poll(async () => (await service.bridge('GET', `/sync/${sync_id}/`)).body.status, { timeout: 10_000 })
    .toBe('completed');
  expect(await service.accountByEmail('during@acme.example')).toMatchObject({ status: 'INVITED' });
  expect(await service.accountByEmail(email)).toMatchObject({ memberships: { team: [{ id: 'blue' }] } });
  expect((await service.call('GET', `/api/tasks/${update.body.external_uuid}/`)).body.op_type).toBe(
    'PRE_SYNC',
  );

  await service.sync(everyone);
  expect(await service.accountByEmail('during@acme.example')).toMatchObject({ status: 'INACTIVE' });
  const account = everyone.find((one) => one.id === id);
  expect(account?.memberships).toEqual({ team: [] });
  expect(await service.accountByEmail(email)).toMatchObject({ memberships: {} });
});

test('canceling a task gives the next one its turn; ended tasks cannot be canceled', async () => {
  const { uuid } = await person();
  const first = (await act(uuid, 'reset_password')).body.external_uuid;
  const second = (await act(uuid, 'suspend_account')).body.external_uuid;
  const cancel = (task: string) =>
    service.call('POST', `/api/tasks/${task}/cancel/`, { reason: 'Not needed' });
  expect((await cancel(first)).body).toMatchObject({ status: 'cancelled' });
  expect(await statusOf(second)).toBe('pending');
  const again = await cancel(first);
  expect(again).toMatchObject({ status: 409 });
  expect(again.body.detail).toBe("Task is already in 'cancelled' state and cannot be updated.");
  expect((await report(first, completed)).body.detail).toContain("'cancelled'");
});

test('cancelTask runs in the transaction of its caller', async () => {
  const { uuid } = await person();
  const wanted: NewTask = {
    appId: service.appId,
    accountId: uuid,
    action: 'reset_password',
    taskType: 'POLICY',
    createdBy: null,
  };
  const [task] = (await service.create(wanted)) as [Task];
  await transaction(within(service.database.db, service.orgId), async (tx) => {
    await recordEvents(tx, await cancelTask(tx, task.id, BY_TEST, 'No more'));
  });
  const { body } = await service.call('GET', `/api/tasks/${task.id}/`);
  expect(body).toMatchObject({
    status: 'cancelled',
    creator: { external_uuid: service.adminId },
    explanation: { happened: 'The task was canceled: No more', advice: null },
  });
});

test('cancelTasksOf cancels the open tasks of a decision and keeps completed ones', async () => {
  const source = { type: 'policy', id: service.adminId } as const;
  const wanted = async (): Promise<NewTask> => ({
    appId: service.appId,
    accountId: (await person()).uuid,
    action: 'reset_password',
    taskType: 'POLICY',
    createdBy: null,
    source,
  });
  const tasks = await service.create(await wanted(), await wanted(), await wanted());
  await report(tasks[0]?.id ?? '', completed);
  await service.news();
  await transaction(within(service.database.db, service.orgId), async (tx) => {
    const events = await cancelTasksOf(tx, source, BY_TEST, 'The policy was switched off');
    await recordEvents(tx, events);
  });
  expect(await Promise.all(tasks.map(({ id }) => statusOf(id)))).toEqual([
    'completed',
    'cancelled',
    'cancelled',
  ]);
  expect(await service.news()).toEqual(['task.cancelled', 'task.cancelled']);
});

test('validates manual tasks', async () => {
  const { uuid } = await person();
  const user = await service.addUser('live@acme.example');
  const app = service.appId;
  const unknown = service.orgId;
  const create = { app, action: 'create_account', user };
  const update = { app, account: uuid, action: 'update_account' };
  await service.call('POST', '/api/tasks/', create);
  const cases: [object, number][] = [
    [{ ...create, app: unknown }, 404],
    [{ ...create, user: unknown }, 404],
    [{ ...create, user: 'x' }, 400],
    [create, 409],
    [{ app, action: 'create_account' }, 400],
    [{ app, action: 'delete_account' }, 400],
    [{ app, action: 'delete_account', account: unknown }, 404],
    [{ app, action: 'explode', account: uuid }, 400],
    [{ ...create, memberships: { team: ['green'] } }, 422],
    [{ ...create, memberships: { seat: ['gold'] } }, 422],
    [{ ...create, assignments: { nope: ['gold'] } }, 422],
    [update, 400],
    [{ ...update, memberships: { team: ['red'] } }, 400],
    [{ ...update, changes: { person: { added: ['x'] } } }, 422],
    [{ ...update, changes: { team: { removed: ['green'] } } }, 422],
    [{ ...update, changes: { team: { added: ['red'], removed: ['red'] } } }, 400],
    [{ ...update, action: 'suspend_account', changes: { team: { added: ['red'] } } }, 400],
    [{ ...update, changes: { team: { added: ['red'] } }, execute_after: 'soon' }, 400],
    [{ ...update, changes: { team: { added: ['red'] } } }, 201],
  ];
  for (const [body, status] of cases) {
    const reply = await service.call('POST', '/api/tasks/', body);
    expect({ sent: body, status: reply.status, detail: reply.body.detail }).toMatchObject({ status });
  }
});
