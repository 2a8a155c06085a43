// @module-tag engine
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventsOf } from '#test/people.ts';
import { addSyncedApp, openSyncTest, type SyncedApp, type SyncTest } from '#test/sync.ts';

/** Whether an account signs in with a second factor: true, false or unknown. It gives no access (D54). */
let service: SyncTest;
beforeAll(async () => {
  service = await openSyncTest();
});
afterAll(() => service.close());

const bot = (id: string, more: object = {}) => ({ id, username: id, ...more });
const push = (app: SyncedApp, ...given: unknown[]) =>
  app.sync({ bot: given.map((mfa_enabled, n) => bot(`m${n}`, { mfa_enabled })) });

async function found(app: SyncedApp, query = ''): Promise<unknown[][]> {
  const { body, status } = await service.call('GET', `/api/accounts/?app=${app.id}${query}`);
  expect(status, JSON.stringify(body)).toBe(200);
  expect(body.count).toBe(body.results.length);
  return body.results.map(({ external_id, mfa_enabled }: Record<string, unknown>) => [
    external_id,
    mfa_enabled,
  ]);
}

test('is true, false, or null if the app does not say', async () => {
  const app = await addSyncedApp(service);
  await push(app, true, false, null, undefined, '');

  expect(await found(app)).toEqual([
    ['m0', true],
    ['m1', false],
    ['m2', null],
    ['m3', null],
    ['m4', null],
  ]);
  const { body } = await service.call('GET', `/api/accounts/?app=${app.id}&mfa=false`);
  const path = `/api/accounts/${body.results[0].external_uuid}/`;
  expect((await service.call('GET', path)).body).toMatchObject({ mfa_enabled: false });
});

test.each([
  ['true', ['m0']],
  ['false', ['m1']],
  ['unknown', ['m2', 'm3']],
])('the list has the accounts with mfa=%s', async (mfa, ids) => {
  const app = await addSyncedApp(service);
  await push(app, true, false, null, undefined);

  expect((await found(app, `&mfa=${mfa}`)).map(([id]) => id)).toEqual(ids);
  expect((await found(app, `&mfa=${mfa}&search=m&sort=last_sign_in`)).map(([id]) => id)).toEqual(ids);
});

test('a change of it alone does not change access, and leaves no event', async () => {
  const app = await addSyncedApp(service);
  await push(app, true, false, true);
  const events = (await eventsOf(service, 'account')).length;

  const session = await push(app, false, undefined, true);

  expect((await app.view(session)).counts).toMatchObject({ created: 0, updated: 0, removed: 0 });
  expect((await eventsOf(service, 'account')).length).toBe(events);
  expect(await found(app)).toEqual([
    ['m0', false],
    ['m1', null],
    ['m2', true],
  ]);
});

test.each(['yes', 1, ['true']])('refuses %j', async (mfa_enabled) => {
  const app = await addSyncedApp(service);
  const session = await app.start();

  const { status, body } = await app.push(session, 'bot', [bot('wrong', { mfa_enabled })]);

  expect([status, body.errors?.[0]?.path]).toEqual([400, 'records[0].mfa_enabled']);
});

test('it has no history', async () => {
  const at = new Date().toISOString();
  const { status, body } = await service.call('GET', `/api/accounts/?as_of=${at}&mfa=true`);

  expect([status, body.detail]).toEqual([400, expect.stringContaining('mfa cannot be combined with as_of')]);
});
