// @module-tag engine

import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '#kit/database/open.ts';
import { type Db, within } from '#kit/database.ts';
import { createLogger } from '#kit/logger.ts';
import { sql } from '#kit/sql.ts';
import { openTestApp } from '#test/app.ts';
import { furnish } from '#test/furnish.ts';
import { openProvisioningTest, type ProvisioningTest } from '#test/provisioning.ts';
import { signInOwner } from '#test/sign-in.ts';
import { setTimes } from '#test/time.ts';
import { promoteDue, promotionLoop } from './promote.ts';

const NAMES = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
const pushed = NAMES.map((id) => ({ id, email: `${id}@acme.example` }));

let service: ProvisioningTest;
beforeAll(async () => {
  service = await openProvisioningTest(pushed);
});
afterAll(() => service.close());

const inAnHour = () => new Date(Date.now() + 3_600_000);
async function schedule(name: string) {
  const { external_uuid } = await service.accountByEmail(`${name}@acme.example`);
  const common = {
    appId: service.appId,
    taskType: 'POLICY',
    createdBy: null,
    accountId: external_uuid,
  } as const;
  const [task] = await service.create({ ...common, action: 'reset_password', executeAfter: inAnHour() });
  return task?.id ?? '';
}
/** Lets the clock jump ahead, and leaves the rest to the nodes. */
const jump = (seconds: number) =>
  setTimes(service, 'task', { execute_after: `${seconds} seconds earlier` }, { status: 'scheduled' });
const stored = async (ids: string[]) => {
  const { rows } = await sql<{ status: string }>`
    select status from task where id = any(${ids}::uuid[]) order by number`.execute(service.database.db);
  return rows.map(({ status }) => status);
};

test('due tasks become pending without a reader', async () => {
  const ids = [await schedule('a'), await schedule('b')];
  await jump(3_500);
  expect(await stored(ids)).toEqual(['scheduled', 'scheduled']);
  await jump(100);
  await expect.poll(() => stored(ids)).toEqual(['pending', 'pending']);
});

test('two nodes promote each due task once', async () => {
  const names = ['c', 'd', 'e', 'f'];
  const ids: string[] = [];
  for (const name of names) ids.push(await schedule(name), await schedule(name));
  await service.news();
  const { database, orgId, appId } = service;
  const other = database.engine === 'postgres' ? await openDatabase(service.options) : undefined;
  await jump(3_600);
  const promote = (db: Db) => promotionLoop(db, createLogger('silent')).tick();
  await Promise.all([
    promote(database.db),
    promote(other?.db ?? database.db),
    promoteDue(within(database.db, orgId), appId),
  ]);
  await other?.close();
  expect(await stored(ids)).toEqual(names.flatMap(() => ['pending', 'scheduled']));
  expect(await service.news()).toEqual(names.map(() => 'task.dispatch_blocked'));
});

test('a clock that jumps back delays scheduled tasks and keeps pending ones', async () => {
  const first = await schedule('g');
  await service.passTime(3_600);
  const second = await schedule('h');
  await service.passTime(-86_400);
  expect(await stored([first, second])).toEqual(['pending', 'scheduled']);
  await service.passTime(86_400 + 3_600);
  expect(await stored([first, second])).toEqual(['pending', 'pending']);
});

test('a due task reads as pending, and reading does not change it', async () => {
  const idle = await openTestApp();
  onTestFinished(idle.close);
  const owner = await signInOwner(idle);
  const byKey: typeof owner.call = (...request) => idle.call(...request);
  const { app_id } = await furnish(byKey, owner.call, 'due-task', { jobs: false });
  const user = (await idle.call('POST', '/api/users/', { email: 'due@acme.example' })).body.external_uuid;
  const wanted = { app: app_id, user, action: 'create_account', execute_after: inAnHour().toISOString() };
  const id = (await idle.call('POST', '/api/tasks/', wanted)).body.external_uuid;
  const { db } = idle.database;
  await setTimes(db, 'task', { execute_after: 'now' }, { id });
  const row = async () => (await sql`select * from task where id = ${id}`.execute(db)).rows;
  const before = await row();
  const listed = async (status: string) =>
    (await idle.call('GET', `/api/tasks/?status=${status}&limit=200`)).body.results.some(
      (task: { external_uuid: string }) => task.external_uuid === id,
    );
  const bridge = `/api/v1/bridge/apps/${app_id}/tasks/`;
  const ofBridge = async (call: typeof owner.call) =>
    (await call('GET', `${bridge}?status=pending`)).body.tasks.map((task: { id: string }) => task.id);

  expect((await idle.call('GET', `/api/tasks/${id}/`)).body.status).toBe('pending');
  expect((await idle.call('GET', `${bridge}${id}/`)).body.status).toBe('pending');
  expect([await listed('pending'), await listed('scheduled')]).toEqual([true, false]);
  expect(await ofBridge(owner.call)).toContain(id);
  expect(await row()).toEqual(before);

  expect(await ofBridge(byKey)).toContain(id);
  expect(await row()).toMatchObject([{ status: 'pending', dispatched_at: expect.any(Date) }]);
});
