// @module-tag engine
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type App, createApp } from '#app.ts';
import { openDatabase } from '#kit/database/open.ts';
import type { Database } from '#kit/database.ts';
import { createLogger } from '#kit/logger.ts';
import { type Answer, caller, openTestApp, type TestApp } from '../app.ts';
import { openDecisions, type Subject } from '../decisions.ts';
import { organizationOf } from '../people.ts';
import { settle } from '../policies.ts';
import { secrets } from '../secrets.ts';
import { setTimes } from '../time.ts';

/*
 * Two nodes decide opposite things at the same time, and a connector fetches while the reason of a task ends. The decisions have one order,
 * and grants, suspensions, tasks and the account agree afterwards.
 */

let service: TestApp;
let database: Database;
let second: App;
let orgId: string;
let next: () => Promise<Subject>;
type Call = TestApp['call'];
let nodes: [Call, Call];

beforeAll(async () => {
  service = await openTestApp({ own: true });
  ({ orgId } = await organizationOf(service));
  next = await openDecisions(service);
  database = service.database.engine === 'pglite' ? service.database : await openDatabase(service.options);
  second = await createApp({
    ...{ database, secrets, logger: createLogger('silent'), publicUrl: undefined, trustProxy: false },
  });
  nodes = [service.call, caller(second, service.key)];
});
afterAll(async () => {
  await second.close();
  if (database !== service.database) await database.close();
  await service.close();
});

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
const subjects = async (count: number) => {
  const all: Subject[] = [];
  for (let n = 0; n < count; n++) all.push(await next());
  return all;
};
const ok = async (answer: Promise<Answer>, ...others: number[]): Promise<Answer['body']> => {
  const { status, body } = await answer;
  expect([200, 201, ...others], JSON.stringify(body)).toContain(status);
  return body;
};

const taskBy = (call: Call, { app, account }: Subject, action: string, more = {}) =>
  call('POST', '/api/tasks/', { app, account, action, reason: 'By phone', ...more });
const give = (call: Call, subject: Subject) =>
  taskBy(call, subject, 'update_account', { changes: { team: { added: ['blue'] } } });
const take = (call: Call, subject: Subject) =>
  taskBy(call, subject, 'update_account', { changes: { team: { removed: ['blue'] } } });
const tasksAt = ({ app }: Subject) => `/api/v1/bridge/apps/${app}/tasks/`;
const fetched = async (call: Call, subject: Subject): Promise<string[]> => {
  const { tasks } = await ok(call('GET', `${tasksAt(subject)}?status=pending&limit=200`));
  return tasks.map(({ id }: { id: string }) => id);
};
const report = (call: Call, subject: Subject, id: string) =>
  ok(call('PATCH', `${tasksAt(subject)}${id}/status/`, { status: 'completed' }), 409);

/** Both nodes carry out all tasks of the app, at the same time. */
async function work(subject: Subject): Promise<void> {
  const one = async (call: Call): Promise<void> => {
    const ids = await fetched(call, subject);
    if (ids.length === 0) return;
    await Promise.all(ids.map((id) => report(call, subject, id)));
    return one(call);
  };
  await Promise.all(nodes.map(one));
  await one(service.call);
}

const list = async (path: string) => (await ok(service.call('GET', path))).results;
const tasksOf = ({ account }: Subject) => list(`/api/tasks/?account=${account}&limit=200`);
/** Whether the account has the group blue, and a grant on it; and whether it is suspended, and by a decision. */
async function stateOf({ account }: Subject) {
  const { memberships, status } = await ok(service.call('GET', `/api/accounts/${account}/`));
  const grants = await list(`/api/grants/?account=${account}&resource=blue&slug=team`);
  const suspensions = await list(`/api/suspensions/?account=${account}`);
  return {
    has: memberships.team.some(({ id }: { id: string }) => id === 'blue'),
    isGranted: grants.length > 0,
    isSuspended: status === 'SUSPENDED',
    shouldBe: suspensions.length > 0,
  };
}

/** Expects that rows and tasks agree, and that the last decision counts. */
async function expectOneOrder(subject: Subject) {
  const { has, isGranted, isSuspended, shouldBe } = await stateOf(subject);
  const tasks = await tasksOf(subject);
  const label = JSON.stringify(
    tasks.map(({ action, status, changes }: Answer['body']) => [action, status, changes]),
  );
  expect([has, isSuspended], label).toEqual([isGranted, shouldBe]);
  expect(
    tasks.filter(({ status }: { status: string }) => status === 'pending'),
    label,
  ).toEqual([]);
  const [last] = tasks.filter(({ status }: { status: string }) => status === 'completed');
  if (last.action === 'update_account') expect(has, label).toBe(last.changes.team.added.length > 0);
  else expect(isSuspended, label).toBe(last.action === 'suspend_account');
}

const PAIRS = 4;

test('a grant and a removal at the same time have one order', async () => {
  const all = await subjects(PAIRS);
  for (const subject of all) await ok(give(service.call, subject));
  await work(all[0] as Subject);
  await Promise.all(
    all.flatMap((subject) => [ok(take(nodes[0], subject), 409), ok(give(nodes[1], subject), 409)]),
  );
  await work(all[0] as Subject);
  for (const subject of all) await expectOneOrder(subject);
});

test('an approval and a removal at the same time have one order', async () => {
  const all = await subjects(PAIRS);
  const requests: string[] = [];
  for (const subject of all) {
    await ok(give(service.call, subject));
    const access = { type: 'MODIFY_ACCESS', memberships: { team: ['blue'] }, end_time: inDays(7) };
    const asked = { app: subject.app, user: subject.user, ...access };
    requests.push((await ok(service.call('POST', '/api/tickets/', asked, subject.manager))).external_uuid);
  }
  await work(all[0] as Subject);
  const approve = (call: Call, id: string) =>
    call('POST', `/api/tickets/${id}/approve/`, { override: true, comment: 'In a test' });
  await Promise.all(
    all.flatMap((subject, n) => [
      ok(approve(nodes[0], requests[n] as string)),
      ok(take(nodes[1], subject), 409),
    ]),
  );
  await work(all[0] as Subject);
  for (const subject of all) {
    const { has, isGranted } = await stateOf(subject);
    expect(has).toBe(isGranted);
    // The end is planned exactly if the request still counts.
    const ends = (await tasksOf(subject)).filter(({ status }: { status: string }) => status === 'scheduled');
    expect(ends).toHaveLength(isGranted ? 1 : 0);
  }
});

test('a suspension and its opposite at the same time have one order', async () => {
  const all = await subjects(PAIRS);
  for (const subject of all.slice(0, PAIRS / 2)) await ok(taskBy(service.call, subject, 'suspend_account'));
  await work(all[0] as Subject);
  await Promise.all(
    all.flatMap((subject) => [
      ok(taskBy(nodes[0], subject, 'suspend_account'), 409),
      ok(taskBy(nodes[1], subject, 'unsuspend_account'), 409),
    ]),
  );
  await work(all[0] as Subject);
  for (const subject of all) await expectOneOrder(subject);
});

/** Expects that a task that a connector got goes on, and that any other is canceled and gives nothing. */
async function expectStoppedUnlessFetched(subject: Subject, id: string, isFetched: boolean) {
  const [task] = (await tasksOf(subject)).filter(
    (one: { external_uuid: string }) => one.external_uuid === id,
  );
  expect(task.status).toBe(isFetched ? 'pending' : 'cancelled');
  expect((await stateOf(subject)).isGranted).toBe(isFetched);
}

test('a connector that fetches while the person leaves gets the task, or the task is canceled', async () => {
  const all = await subjects(PAIRS);
  const tasks: string[] = [];
  for (const subject of all) tasks.push((await ok(give(service.call, subject))).external_uuid);
  const [first] = await Promise.all([
    fetched(nodes[1], all[0] as Subject),
    ...all.map(({ user }) => ok(nodes[0]('POST', `/api/users/${user}/deactivate/`))),
  ]);
  const then = await fetched(nodes[1], all[0] as Subject);
  expect(first.toSorted()).toEqual(expect.arrayContaining(then));
  for (const [n, subject] of all.entries())
    await expectStoppedUnlessFetched(subject, tasks[n] as string, first.includes(tasks[n] as string));
  await work(all[0] as Subject);
});

test('a connector that fetches while its policy stops agreeing gets the task, or the task is canceled', async () => {
  const all = await subjects(PAIRS);
  const turn = (call: Call, { user }: Subject, team: string) =>
    ok(call('PATCH', `/api/users/${user}/`, { attributes: { team } }));
  for (const subject of all) await turn(service.call, subject, 'sales');
  await settle(service.database.db);
  const tasks: string[] = [];
  for (const subject of all) tasks.push((await tasksOf(subject))[0].external_uuid);
  const [first] = await Promise.all([
    fetched(nodes[1], all[0] as Subject),
    ...all.map((subject) => turn(nodes[0], subject, '')),
  ]);
  const then = await fetched(nodes[1], all[0] as Subject);
  expect(first).toEqual(expect.arrayContaining(then));
  for (const [n, subject] of all.entries())
    await expectStoppedUnlessFetched(subject, tasks[n] as string, first.includes(tasks[n] as string));
  await work(all[0] as Subject);
});

test('access whose time ends between the fetch and the report is taken away again', async () => {
  const all = await subjects(PAIRS);
  for (const { app, user, manager } of all) {
    const access = { type: 'MODIFY_ACCESS', memberships: { team: ['blue'] }, end_time: inDays(7) };
    const { external_uuid } = await ok(
      service.call('POST', '/api/tickets/', { app, user, ...access }, manager),
    );
    await ok(
      service.call('POST', `/api/tickets/${external_uuid}/approve/`, { override: true, comment: 'Yes' }),
    );
  }
  const first = await fetched(nodes[1], all[0] as Subject);
  expect(first).toHaveLength(PAIRS);
  await setTimes(
    service.database.db,
    'access_grant',
    { starts_at: '8 days earlier', ends_at: '8 days earlier' },
    { org_id: orgId },
  );
  await setTimes(service.database.db, 'task', { execute_after: '8 days earlier' }, { org_id: orgId });
  await Promise.all([
    ...first.map((id) => report(nodes[1], all[0] as Subject, id)),
    fetched(nodes[0], all[0] as Subject),
  ]);
  await work(all[0] as Subject);
  for (const subject of all) expect(await stateOf(subject)).toMatchObject({ has: false, isGranted: false });
});
