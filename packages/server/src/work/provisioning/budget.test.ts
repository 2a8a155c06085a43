// @module-tag engine

import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { sql } from '#kit/sql.ts';
import { addPersonWithKey, eventsOf } from '#test/people.ts';
import { openPolicyTest, type PolicyTest } from '#test/policies.ts';
import { setTimes } from '#test/time.ts';

const NAMES = Array.from({ length: 60 }, (_, i) => `p${String(i).padStart(2, '0')}`);
const record = (id: string) => ({
  id,
  email: `${id}@acme.example`,
  memberships: { team: [{ id: 'red' }, { id: 'blue' }] },
});

let service: PolicyTest;
let accounts: Record<string, string>;
let next = 0;
beforeAll(open);
async function open() {
  service = await openPolicyTest(NAMES.map(record), { own: true });
  const { body } = await service.call('GET', `/api/accounts/?app=${service.appId}&limit=200`);
  accounts = Object.fromEntries(
    body.results.map((one: { external_id: string; external_uuid: string }) => [
      one.external_id,
      one.external_uuid,
    ]),
  );
}
afterAll(() => service.close());

/** Gives the test a service in which no other test has taken accounts. */
async function openAlone() {
  const [shared, known, used] = [service, accounts, next];
  await open();
  next = 0;
  const own = service;
  onTestFinished(async () => {
    [service, accounts, next] = [shared, known, used];
    await own.close();
  });
  await guard({ percent: 7, at_least: 2 });
}

/** 4 of 60 accounts a day. */
beforeEach(async () => {
  await sql`delete from access_loss`.execute(service.database.db);
  await guard({ percent: 7, at_least: 2 });
});

const guard = (removal_guard: object | null) =>
  service.call('PATCH', `/api/apps/${service.appId}/`, { removal_guard });
/** The external id of an account that no other test uses. */
const another = () => NAMES[next++] as string;
const act = async (action: string, id = another(), more: object = {}) => {
  const body = { app: service.appId, account: accounts[id], action, ...more };
  return (await service.call('POST', '/api/tasks/', body)).body;
};
const use = async (times: number, action = 'delete_account') => {
  const tasks: Awaited<ReturnType<typeof act>>[] = [];
  for (let i = 0; i < times; i++) tasks.push(await act(action));
  return tasks;
};
const read = async ({ external_uuid }: { external_uuid: string }) =>
  (await service.call('GET', `/api/tasks/${external_uuid}/`)).body;
const held = async () => (await service.call('GET', `/api/apps/${service.appId}/held-tasks/`)).body;
const decide = (verb: 'confirm' | 'reject', tasks?: string[]) =>
  service.call('POST', `/api/apps/${service.appId}/held-tasks/${verb}/`, tasks && { tasks });
const report = (task: { external_uuid: string }, body: object) =>
  service.bridge('PATCH', `/tasks/${task.external_uuid}/status/`, body);

const HELD = { status: 'scheduled', waits_for: 'confirmation' };

test('lets an app lose its daily budget, and holds tasks beyond it until an administrator confirms', async () => {
  for (const task of await use(4)) expect(task).toMatchObject({ status: 'pending', waits_for: null });

  const task = await act('suspend_account');

  expect(task).toMatchObject({ ...HELD, explanation: { advice: expect.stringContaining('confirm') } });
  expect(await held()).toMatchObject({
    count: 1,
    counts: { tasks: 1, accounts: { suspended: 1, removed: 0 } },
    budget: { percent: 7, at_least: 2, used: { accounts: 4 } },
    results: [{ external_uuid: task.external_uuid }],
  });
  const app = async () => (await service.call('GET', `/api/apps/${service.appId}/`)).body;
  expect(await app()).toMatchObject({ held_tasks: 1 });
  expect((await service.bridge('GET', '/tasks/?status=pending')).body.tasks).not.toContainEqual(
    expect.objectContaining({ id: task.external_uuid }),
  );
  expect((await eventsOf(service, 'task.dispatch_blocked')).at(-1)?.payload).toMatchObject({
    task_id: task.external_uuid,
    reason: expect.stringContaining('daily budget'),
  });
  expect((await eventsOf(service, 'removal_budget.exceeded')).at(-1)?.payload).toMatchObject({ tasks: 1 });

  expect(await decide('confirm')).toMatchObject({ status: 200, body: { count: 1 } });
  expect(await read(task)).toMatchObject({ status: 'pending', waits_for: null });
  expect(await app()).toMatchObject({ held_tasks: 0 });
  expect((await eventsOf(service, 'removal_budget.confirmed')).at(-1)).toMatchObject({
    actor: { uuid: expect.any(String) },
    payload: { tasks: 1 },
  });
  expect((await decide('confirm')).status).toBe(409);
});

test('a held removal ends no grant and begins no suspension before it is confirmed', async () => {
  await use(4);
  const [one, other] = [another(), another()];
  const added = await act('update_account', one, { changes: { seat: { added: ['gold'] } } });
  await report(added, { status: 'completed' });
  expect(await act('update_account', one, { changes: { seat: { removed: ['gold'] } } })).toMatchObject(HELD);
  expect(await act('suspend_account', other)).toMatchObject(HELD);
  const list = async (path: string, id: string) =>
    (await service.call('GET', `/api/${path}/?account=${accounts[id]}`)).body.results;
  expect(await list('grants', one)).toMatchObject([{ resource: 'gold' }]);
  expect(await list('suspensions', other)).toEqual([]);

  await decide('confirm');
  expect(await list('grants', one)).toEqual([]);
  expect(await list('suspensions', other)).toMatchObject([{ source: { kind: 'manual' } }]);
});

test('cancels the held tasks that an administrator rejects, and leaves the others', async () => {
  await use(4);
  const [one, other] = [await act('delete_account'), await act('delete_account')];

  expect(await decide('reject', [one.external_uuid])).toMatchObject({ status: 200, body: { count: 1 } });

  expect(await read(one)).toMatchObject({ status: 'cancelled' });
  expect(await read(other)).toMatchObject(HELD);
  expect((await eventsOf(service, 'removal_budget.rejected')).at(-1)?.payload).toMatchObject({ tasks: 1 });
  await decide('reject');
});

test('holds all tasks of a policy if together they exceed the budget', async () => {
  const ids = [another(), another(), another(), another(), another()];
  const policy = await service.policy({
    trigger: 'daily',
    condition: `account.external_id in ${JSON.stringify(ids)}`,
    effects: [{ do: 'suspend', app: service.appId }],
  });
  await service.nextDay();
  await service.settled();

  const tasks = await service.tasksOf(policy);
  expect(tasks).toHaveLength(5);
  for (const task of tasks) expect(task).toMatchObject(HELD);
  expect(await held()).toMatchObject({
    counts: { accounts: { suspended: 5 } },
    budget: { used: { accounts: 0 } },
  });
  expect(await act('delete_account')).toMatchObject({ status: 'pending' });
  await service.nextDay();
  await service.settled();
  expect(await service.tasksOf(policy)).toHaveLength(5);
  await service.call('DELETE', `/api/policies/${policy}/?cancel_tasks=true`);
});

test('counts memberships like accounts, and lets grants pass', async () => {
  await guard({ percent: 4, at_least: 2 });
  const changes = (which: string, ...ids: string[]) => ({ changes: { team: { [which]: ids } } });
  await act('update_account', another(), changes('removed', 'red', 'blue'));
  await act('update_account', another(), changes('removed', 'red', 'blue'));

  const over = await act('update_account', another(), changes('removed', 'red'));
  expect(over).toMatchObject(HELD);
  expect(await held()).toMatchObject({ counts: { memberships: { removed: 1 } } });

  expect(await act('unsuspend_account')).not.toMatchObject(HELD);
  await decide('reject');
});

test('frees what a failed or canceled task would have used', async () => {
  const [one, other] = await use(4);
  await report(one, { status: 'failed', error: { code: 'PERMISSION_DENIED', message: 'No.' } });
  await service.call('POST', `/api/tasks/${other.external_uuid}/cancel/`);

  await use(2);

  expect((await held()).budget.used).toMatchObject({ accounts: 4 });
  expect(await act('delete_account')).toMatchObject(HELD);
  await decide('reject');
});

test('forgets losses after 24 hours, but keeps holding what was held', async () => {
  for (const task of await use(4, 'suspend_account')) await report(task, { status: 'completed' });
  const task = await act('delete_account');
  await setTimes(service, 'access_loss', { at: '25 hours earlier' });

  expect(await act('delete_account')).toMatchObject({ status: 'pending' });
  expect(await read(task)).toMatchObject(HELD);
  await decide('reject');
});

test('counts what open tasks are about to take away, however long their connector takes, and a day longer', async () => {
  const tasks = await use(4, 'suspend_account');
  await setTimes(service, 'access_loss', { at: '40 hours earlier' });
  expect(await act('delete_account')).toMatchObject(HELD);

  for (const task of tasks) await report(task, { status: 'completed' });

  expect((await held()).budget.used).toMatchObject({ accounts: 4 });
  expect(await act('suspend_account')).toMatchObject(HELD);
  await decide('reject');
});

test('lets a held deletion neither block nor preempt the other tasks of its account until it is confirmed', async () => {
  await use(4);
  const id = another();
  const deletion = await act('delete_account', id);
  const reset = await act('reset_password', id);
  expect(reset).toMatchObject({ status: 'pending' });
  await report(reset, { status: 'completed' });
  const later = await act('reset_password', id, {
    execute_after: new Date(Date.now() + 365 * 86_400_000).toISOString(),
  });

  await decide('confirm');

  expect(await read(deletion)).toMatchObject({ status: 'pending' });
  expect(await read(later)).toMatchObject({ status: 'preempted' });
});

test('lets only one of two concurrent decisions use the rest of the budget', async () => {
  await use(3);
  const tasks = await Promise.all([act('delete_account'), act('delete_account'), act('delete_account')]);
  expect(tasks.filter(({ status }) => status === 'pending')).toHaveLength(1);
  await decide('reject');
});

/** Syncs without some accounts that no other test uses. Returns the session, when its records have been published. */
async function lose(times: number, status = 'completed'): Promise<string> {
  const { body } = await service.call('GET', `/api/accounts/?app=${service.appId}&status=ACTIVE&limit=200`);
  const ids: string[] = body.results.map((one: { external_id: string }) => one.external_id);
  const lost = Array.from({ length: times }, another);
  const records = ids.filter((id) => !lost.includes(id)).map(record);
  const session = (await service.bridge('POST', '/sync/')).body.sync_id;
  await service.bridge('PUT', `/sync/${session}/person/`, { records });
  await service.bridge('POST', `/sync/${session}/complete/`);
  await expect.poll(() => publishedAs(session), { timeout: 20_000 }).toBe(status);
  return session;
}

/** Returns the status of a session whose records have been published. */
async function publishedAs(session: string): Promise<string | undefined> {
  const { rows } = await sql<{ status: string }>`
    select status from sync_session where id = ${session} and published_at is not null`.execute(
    service.database.db,
  );
  return rows[0]?.status;
}

test('shares the budget between tasks and syncs', async () => {
  await openAlone();
  await use(3);
  const left = NAMES.slice(0, -2).map(record);
  const sync = async () => {
    const session = (await service.bridge('POST', '/sync/')).body.sync_id;
    await service.bridge('PUT', `/sync/${session}/person/`, { records: left });
    await service.bridge('POST', `/sync/${session}/complete/`);
    const view = async () => (await service.bridge('GET', `/sync/${session}/`)).body;
    await expect
      .poll(async () => (await view()).held ?? (await view()).finished_at, { timeout: 20_000 })
      .toBeTruthy();
    return { session, ...(await view()) };
  };

  const first = await sync();
  expect(first).toMatchObject({ status: 'completing', held: { accounts: 2 } });
  await service.call('POST', `/api/apps/${service.appId}/syncs/${first.session}/approve/`);
  await expect.poll(async () => (await held()).budget.used.accounts, { timeout: 20_000 }).toBe(5);

  expect(await act('delete_account')).toMatchObject(HELD);
});

test('does not let a key for listed apps change the guard, because it cannot decide about held tasks either', async () => {
  const { key } = await addPersonWithKey(service, 'admin', { apps: [service.appId] });
  const change = (body: object) => service.call('PATCH', `/api/apps/${service.appId}/`, body, { key });

  expect(await change({ removal_guard: null })).toMatchObject({
    status: 403,
    body: { detail: expect.stringContaining('removal_guard requires a key for all apps') },
  });
  expect((await change({ name: 'Payroll' })).status).toBe(200);
});

test('frees what a reverted sync has used', async () => {
  await openAlone();
  const gone = await lose(3);
  expect((await held()).budget.used).toMatchObject({ accounts: 3 });

  await service.call('POST', `/api/apps/${service.appId}/syncs/${gone}/revert/`, {});

  expect((await held()).budget.used).toMatchObject({ accounts: 0, memberships: 0 });
});

test('keeps the budget of a removal that is allowed until it has been carried out', async () => {
  await openAlone();
  const { db } = service.database;
  await sql`
    create function refuse_removals() returns trigger language plpgsql as $$ begin raise 'Not now.'; end $$`.execute(
    db,
  );
  await sql`
    create trigger refuse_removals before insert on inventory_change for each row when (new.kind = 'removal')
    execute function refuse_removals()`.execute(db);
  await lose(2, 'completing');

  await expect.poll(async () => (await held()).budget.used.accounts, { timeout: 20_000 }).toBe(2);
  const [, , third] = await use(3);
  expect(third).toMatchObject(HELD);
});
