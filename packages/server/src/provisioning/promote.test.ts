import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openProvisioningTest, type ProvisioningTest } from '../../test/provisioning.ts';
import { openDatabase } from '../platform/database/open.ts';
import { promoteDue } from './promote.ts';

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
const stored = async (ids: string[]) => {
  const { rows } = await sql<{ status: string }>`
    select status from task where id = any(${ids}::uuid[]) order by number`.execute(service.database.db);
  return rows.map(({ status }) => status);
};

test('due tasks become pending without a reader', async () => {
  const ids = [await schedule('a'), await schedule('b')];
  await service.passTime(3_500);
  expect(await stored(ids)).toEqual(['scheduled', 'scheduled']);
  await service.passTime(100);
  await expect.poll(() => stored(ids)).toEqual(['pending', 'pending']);
});

test('two nodes promote each due task once', async () => {
  const names = ['c', 'd', 'e', 'f'];
  const ids: string[] = [];
  for (const name of names) ids.push(await schedule(name), await schedule(name));
  await service.news();
  const { database } = service;
  const other = database.engine === 'postgres' ? await openDatabase(service.options) : undefined;
  await service.passTime(3_600);
  await Promise.all([promoteDue(database.db), promoteDue(other?.db ?? database.db), promoteDue(database.db)]);
  await other?.close();
  expect(await stored(ids)).toEqual(names.flatMap(() => ['pending', 'scheduled']));
  expect(await service.news()).toEqual(names.map(() => 'task.dispatch_blocked'));
});

test('a clock that jumps back delays scheduled tasks and keeps pending ones', async () => {
  const first = await schedule('g');
  await service.passTime(3_600);
  await promoteDue(service.database.db);
  const second = await schedule('h');
  await service.passTime(-86_400);
  await promoteDue(service.database.db);
  expect(await stored([first, second])).toEqual(['pending', 'scheduled']);
  await service.passTime(86_400 + 3_600);
  await promoteDue(service.database.db);
  expect(await stored([first, second])).toEqual(['pending', 'pending']);
});
