// @module-tag engine
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inDays, openRequestsTest, type RequestsTest } from '#test/requests.ts';

/** Grants and suspensions whose tasks do not happen, or overtake each other (D73). */

const NAMES = [
  'asked',
  'twice',
  'undone',
  'kept',
  'deleted',
  'failed',
  'late',
  'later',
  'waits',
  'asleep',
  'over',
];
const record = (name: string, ...teams: string[]) => ({
  ...{ id: name, email: `${name}@acme.example` },
  memberships: { team: teams.map((id) => ({ id })) },
});

let service: RequestsTest;
const people = new Map<string, string>();
beforeAll(async () => {
  service = await openRequestsTest();
  for (const name of [...NAMES, 'never', 'slept', 'stays'])
    people.set(name, await service.addUser(`${name}@acme.example`));
  await service.sync(NAMES.map((name) => record(name, ...(name === 'asked' ? ['red'] : []))));
});
afterAll(() => service.close());

const accountOf = async (name: string) =>
  (await service.accountByEmail(`${name}@acme.example`)).external_uuid;
async function task(name: string, action: string, more: object = {}): Promise<string> {
  const asked = { app: service.appId, action, account: await accountOf(name), reason: action, ...more };
  const { status, body } = await service.call('POST', '/api/tasks/', asked);
  expect([status, body.detail]).toEqual([201, undefined]);
  return body.external_uuid;
}
const change = (name: string, changes: { added?: string[]; removed?: string[] }) =>
  task(name, 'update_account', { changes: { team: changes } });
const cancel = (id: string) => service.call('POST', `/api/tasks/${id}/cancel/`);
const grants = async (name: string, status = 'active') =>
  (await service.call('GET', `/api/grants/?account=${await accountOf(name)}&status=${status}`)).body.results;
const open = async (name: string) =>
  (await service.call('GET', `/api/tasks/?account=${await accountOf(name)}&limit=50`)).body.results.filter(
    ({ status }: { status: string }) => status === 'pending' || status === 'scheduled',
  );
const request = (name: string, more: object) =>
  service.approved({
    user: people.get(name),
    type: 'MODIFY_ACCESS',
    memberships: { team: ['blue'] },
    ...more,
  });

test('a request gives again what a task is about to take away', async () => {
  await change('asked', { removed: ['red'] });
  await request('asked', { memberships: { team: ['red'] } });
  expect(await open('asked')).toMatchObject([
    { status: 'scheduled', changes: { team: { added: [{ id: 'red' }] } } },
    { status: 'pending', changes: { team: { removed: [{ id: 'red' }] } } },
  ]);
});

test('a canceled task ends only its own grant', async () => {
  const first = await change('twice', { added: ['blue'] });
  await cancel(await change('twice', { added: ['red', 'blue'] }));
  expect(await grants('twice')).toMatchObject([{ resource: 'blue', source: { external_uuid: first } }]);
});

test('what a canceled removal has ended begins again, with its end', async () => {
  const end = inDays(5);
  await request('undone', { end_time: end });
  await service.work();
  const removal = await change('undone', { removed: ['blue'] });
  expect(await grants('undone')).toEqual([]);
  await cancel(removal);
  expect(await grants('undone')).toMatchObject([
    { source: { kind: 'request' }, ends_at: new Date(end).toISOString(), brought: true },
  ]);
  expect(await open('undone')).toMatchObject([{ status: 'scheduled', execute_after: expect.any(String) }]);
});

test('whoever cancels an end grants the access', async () => {
  await request('kept', { end_time: inDays(5) });
  await service.work();
  const [end] = await open('kept');
  await cancel(end.external_uuid);
  expect(await open('kept')).toEqual([]);
  expect(await grants('kept')).toMatchObject([
    {
      source: { kind: 'manual', external_uuid: end.external_uuid },
      decided_by: service.adminId,
      ends_at: null,
    },
    { source: { kind: 'request' } },
  ]);
});

test.each(['deleted', 'failed'])('what a deletion has preempted is put back: %s', async (name) => {
  await request(name, { end_time: inDays(5) });
  await service.work();
  // The connector has this one, so that the suspension waits.
  const earlier = await task(name, 'reset_password');
  await service.bridge('GET', '/tasks/?status=pending');
  await task(name, 'suspend_account');
  const deletion = await task(name, 'delete_account');
  await service.bridge('PATCH', `/tasks/${earlier}/status/`, { status: 'completed' });
  expect(await open(name)).toMatchObject([{ action: 'delete_account', status: 'pending' }]);
  const error = { code: 'INTERNAL_ERROR', message: 'No luck' };
  if (name === 'deleted') await cancel(deletion);
  else await service.bridge('PATCH', `/tasks/${deletion}/status/`, { status: 'failed', error });
  const tasks = (await open(name)).map(({ action }: { action: string }) => action);
  expect(tasks.toSorted()).toEqual(['suspend_account', 'update_account']);
});

test('a deletion that preempts the creation ends the grants of the account', async () => {
  await service.approved({
    user: people.get('never'),
    start_time: inDays(2),
    memberships: { team: ['blue'] },
  });
  expect(await grants('never', 'scheduled')).toHaveLength(2);
  const [creation] = await open('never');
  await task('never', 'delete_account', { reason: 'Not needed' });
  expect(creation.action).toBe('create_account');
  expect(await grants('never', 'scheduled')).toEqual([]);
  expect(await grants('never', 'ended')).toMatchObject([
    { ended_by: { kind: 'manual', label: 'Not needed' } },
    { ended_by: { kind: 'manual', label: 'Not needed' } },
  ]);
});

test('a suspension that is decided while the account is created stays', async () => {
  await service.approved({ user: people.get('slept') });
  await task('slept', 'suspend_account');
  await service.work();
  const { results } = (await service.call('GET', `/api/suspensions/?account=${await accountOf('slept')}`))
    .body;
  expect(results).toMatchObject([{ source: { kind: 'manual' } }]);
});

test('a canceled unsuspension behind a suspension leaves the suspension in force', async () => {
  await task('waits', 'suspend_account', { reason: 'misuse' });
  const unsuspends = await task('waits', 'unsuspend_account');
  const suspensions = async () =>
    (await service.call('GET', `/api/suspensions/?account=${await accountOf('waits')}`)).body.results;
  expect(await suspensions()).toEqual([]);
  await cancel(unsuspends);
  expect(await suspensions()).toMatchObject([{ reason: 'misuse', ended_at: null }]);
});

test('a sync that finds an account suspended which a task unsuspends leaves the decision in force', async () => {
  const unsuspends = await task('asleep', 'unsuspend_account');
  const suspensions = async (status: string) =>
    (await service.call('GET', `/api/suspensions/?account=${await accountOf('asleep')}&status=${status}`))
      .body.results;
  const suspended = { status: 'suspended' };
  await service.sync(
    NAMES.map((name) => ({
      ...record(name, ...(name === 'asked' ? ['red'] : [])),
      ...(name === 'asleep' && suspended),
    })),
  );
  expect(await suspensions('active')).toEqual([]);
  expect(await suspensions('ended')).toMatchObject([
    { source: { kind: 'app' }, ended_by: { kind: 'manual', external_uuid: unsuspends } },
  ]);
  await cancel(unsuspends);
  expect(await suspensions('active')).toMatchObject([{ source: { kind: 'app' }, ended_at: null }]);
});

test('a task gives nothing that a later decision took away before its turn', async () => {
  await request('later', { start_time: inDays(2), memberships: { team: ['blue', 'red'] } });
  await change('later', { removed: ['blue'] });
  await service.work();
  await service.passTime(3 * 86_400);
  expect(await open('later')).toMatchObject([
    { status: 'pending', changes: { team: { added: [{ id: 'red' }], removed: [] } } },
  ]);
});

test('a task gives nothing whose time is over before a connector fetches it', async () => {
  await request('over', { end_time: inDays(5) });
  await service.passTime(6 * 86_400);
  await service.bridge('GET', '/tasks/?status=pending');
  expect(await open('over')).toMatchObject([{ changes: { team: { added: [], removed: [{ id: 'blue' }] } } }]);
  const path = `/api/tasks/?account=${await accountOf('over')}&status=cancelled`;
  expect((await service.call('GET', path)).body.results).toMatchObject([
    {
      changes: { team: { added: [{ id: 'blue' }] } },
      explanation: { happened: 'The task was canceled: The time for "Blue" is over.' },
    },
  ]);
});

test('a creation leaves out what is over, if somebody decided that the account stays', async () => {
  await service.approved({ user: people.get('stays'), end_time: inDays(5), memberships: { team: ['blue'] } });
  const end = (await open('stays')).find(({ action }: { action: string }) => action === 'delete_account');
  expect((await cancel(end.external_uuid)).status).toBe(200);
  await service.passTime(6 * 86_400);
  const { tasks } = (await service.bridge('GET', '/tasks/?status=pending')).body;
  expect(tasks.filter(({ action }: { action: string }) => action === 'create_account')).toMatchObject([
    { payload: { memberships: {} } },
  ]);
});

test('access that a sync shows after 30 days without it is found', async () => {
  await request('late', {});
  await service.work();
  await change('late', { removed: ['blue'] });
  await service.work();
  const all = (...teams: string[]) =>
    service.sync(NAMES.map((name) => record(name, ...(name === 'late' ? teams : []))));
  await all();
  await service.passTime(31 * 86_400);
  const account = await accountOf('late');
  await all('blue');
  expect((await service.call('GET', `/api/accounts/${account}/`)).body.memberships.team).toMatchObject([
    { id: 'blue', found: true, grants: [] },
  ]);
  expect(await open('late')).toEqual([]);
});
