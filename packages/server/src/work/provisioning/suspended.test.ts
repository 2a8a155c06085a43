// @module-tag engine
import { afterAll, beforeAll, expect, test } from 'vitest';
import { momentBetween } from '#test/moments.ts';
import { openProvisioningTest, type ProvisioningTest } from '#test/provisioning.ts';

const NAMES = [
  'byhand',
  'canceled',
  'held',
  'found',
  'woken',
  'failed',
  'both',
  'behind',
  'gone',
  'put',
  'known',
];
/** So many that no task is held (D78). */
const OTHERS = Array.from({ length: 40 }, (_, i) => `other-${i}`);
const synced = (id: string, more = {}) => ({ id, email: `${id}@acme.example`, ...more });
const recordsWith = (changes: Record<string, object> = {}) =>
  [...NAMES, ...OTHERS].map((name) => synced(name, changes[name]));

let service: ProvisioningTest;
beforeAll(async () => {
  service = await openProvisioningTest(recordsWith());
});
afterAll(() => service.close());

const accountOf = async (name: string) =>
  (await service.accountByEmail(`${name}@acme.example`)).external_uuid;
const suspensionsOf = async (name: string, more = '') =>
  (await service.call('GET', `/api/suspensions/?account=${await accountOf(name)}${more}`)).body.results;
const task = async (name: string, action: string, more: object = {}) => {
  const body = { app: service.appId, action, account: await accountOf(name), ...more };
  return (await service.call('POST', '/api/tasks/', body)).body.external_uuid as string;
};
const report = (id: string, status: 'completed' | 'failed') =>
  service.bridge('PATCH', `/tasks/${id}/status/`, {
    status,
    ...(status === 'failed' && { error: { code: 'UNKNOWN', message: 'No.' } }),
  });

test('a suspension begins with the turn of its task, and ends by hand', async () => {
  const id = await task('byhand', 'suspend_account', { reason: 'misuse' });
  expect(await suspensionsOf('byhand')).toMatchObject([
    {
      source: { kind: 'manual', external_uuid: id, label: 'misuse' },
      decided_by: { external_uuid: service.adminId },
      reason: 'misuse',
      leaving: false,
      app: service.appId,
      ended_at: null,
      ended_by: null,
    },
  ]);
  await report(id, 'completed');
  const [found] = await suspensionsOf('byhand');
  expect((await service.call('GET', `/api/suspensions/${found.external_uuid}/`)).body).toEqual(found);
  expect((await service.call('GET', `/api/accounts/${await accountOf('byhand')}/`)).body).toMatchObject({
    suspensions: [{ external_uuid: found.external_uuid, kind: 'manual', label: 'misuse', leaving: false }],
  });
  const before = await momentBetween(service.database.db);
  const unsuspended = await task('byhand', 'unsuspend_account', { reason: 'mistake' });
  expect(await suspensionsOf('byhand')).toEqual([]);
  expect(await suspensionsOf('byhand', '&status=ended')).toMatchObject([
    { ended_by: { kind: 'manual', external_uuid: unsuspended, label: 'mistake' } },
  ]);
  expect(await suspensionsOf('byhand', `&as_of=${before}`)).toMatchObject([{ reason: 'misuse' }]);
  expect(await suspensionsOf('byhand', `&as_of=${before}&known_at=${before}`)).toMatchObject([
    { ended_at: null, ended_by: null },
  ]);
});

test('a suspension that is scheduled begins when it is due', async () => {
  const executeAfter = new Date(Date.now() + 86_400_000).toISOString();
  await task('held', 'suspend_account', { execute_after: executeAfter });
  expect(await suspensionsOf('held')).toEqual([]);
  await service.passTime(90_000);
  expect(await suspensionsOf('held')).toMatchObject([{ source: { kind: 'manual' } }]);
});

test('a canceled task suspends nothing, or puts back what it was to end', async () => {
  const id = await task('canceled', 'suspend_account', { reason: 'wrong one' });
  await service.call('POST', `/api/tasks/${id}/cancel/`);
  expect(await suspensionsOf('canceled')).toEqual([]);
  expect(await suspensionsOf('canceled', '&status=ended')).toMatchObject([{ ended_by: { kind: 'manual' } }]);

  await report(await task('put', 'suspend_account', { reason: 'misuse' }), 'completed');
  const wrong = await task('put', 'unsuspend_account');
  expect(await suspensionsOf('put')).toEqual([]);
  await service.call('POST', `/api/tasks/${wrong}/cancel/`);
  expect(await suspensionsOf('put')).toMatchObject([{ source: { kind: 'manual' }, reason: 'misuse' }]);
});

test('a failed task leaves the suspension in force', async () => {
  await report(await task('failed', 'suspend_account'), 'failed');
  expect(await suspensionsOf('failed')).toMatchObject([{ ended_at: null }]);
  await service.sync(recordsWith());
  expect(await suspensionsOf('failed')).toMatchObject([{ ended_at: null }]);
});

test('syncs begin and end suspensions', async () => {
  await report(await task('woken', 'suspend_account', { reason: 'misuse' }), 'completed');
  const asleep = { found: { status: 'suspended' }, woken: { status: 'suspended' } };
  await service.sync(recordsWith(asleep));
  expect(await suspensionsOf('found')).toMatchObject([{ source: { kind: 'app' }, decided_by: null }]);
  expect(await suspensionsOf('woken')).toMatchObject([{ source: { kind: 'manual' } }]);
  await service.sync(recordsWith({ found: { status: 'suspended', last_name: 'Renamed' } }));
  expect(await suspensionsOf('found')).toHaveLength(1);
  expect(await suspensionsOf('woken')).toEqual([]);
  expect(await suspensionsOf('woken', '&status=ended')).toMatchObject([
    { ended_by: { kind: 'app', external_uuid: expect.any(String) } },
  ]);
});

test('a deletion ends the suspensions', async () => {
  await report(await task('gone', 'suspend_account'), 'completed');
  const account = await accountOf('gone');
  await report(await task('gone', 'delete_account', { reason: 'left' }), 'completed');
  const { results } = (await service.call('GET', `/api/suspensions/?account=${account}&status=ended`)).body;
  expect(results).toMatchObject([{ ended_by: { kind: 'manual', label: 'left' } }]);
});

test('a decision to suspend waits behind one to unsuspend that is under way, and is carried out', async () => {
  await report(await task('behind', 'suspend_account', { reason: 'first' }), 'completed');
  const over = await task('behind', 'unsuspend_account', { reason: 'over' });
  const again = await task('behind', 'suspend_account', { reason: 'again' });
  await report(over, 'completed');
  await report(again, 'completed');
  expect((await service.accountByEmail('behind@acme.example')).status).toBe('SUSPENDED');
  expect(await suspensionsOf('behind')).toMatchObject([{ reason: 'again' }]);
});

test('two administrators who suspend and unsuspend at the same time leave one state', async () => {
  await report(await task('both', 'suspend_account', { reason: 'first' }), 'completed');
  await Promise.all([
    task('both', 'unsuspend_account', { reason: 'over' }),
    task('both', 'suspend_account', { reason: 'second' }),
  ]);
  for (;;) {
    const { tasks } = (await service.bridge('GET', '/tasks/?status=pending')).body;
    const own = tasks.filter(({ action }: { action: string }) => action.endsWith('suspend_account'));
    const mine = own.filter(
      ({ payload }: { payload: { account: { id: string } } }) => payload.account.id === 'both',
    );
    if (mine.length === 0) break;
    for (const { id } of mine) await report(id, 'completed');
  }
  const { status } = await service.accountByEmail('both@acme.example');
  const inForce = await suspensionsOf('both');
  expect({ status, inForce }).toEqual({
    status: inForce.length > 0 ? 'SUSPENDED' : 'ACTIVE',
    inForce,
  });
});
