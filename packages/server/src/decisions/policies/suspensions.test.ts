// @module-tag engine
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { openPolicyTest, type PolicyTest } from '#test/policies.ts';
import { setTimes } from '#test/time.ts';

const NAMES = [
  ...['misuse', 'reviewed', 'asleep', 'leaver', 'quick', 'late', 'dormant', 'delayed', 'given'],
  ...['away', 'unused', 'ending', 'dialog'],
];
const synced = (id: string, more = {}) => ({ id, email: `${id}@acme.example`, ...more });
const recordsWith = (changes: Record<string, object> = {}) =>
  NAMES.map((name) => synced(name, { ...(name === 'asleep' && { status: 'suspended' }), ...changes[name] }));

let service: PolicyTest;
beforeAll(async () => {
  service = await openPolicyTest(recordsWith());
  await service.call('PATCH', '/api/organization/', { people_guard: null });
});
afterAll(() => service.close());

afterEach(async () => {
  const { body } = await service.call('GET', '/api/policies/?limit=200');
  for (const { external_uuid: id } of body.results) await service.call('DELETE', `/api/policies/${id}/`);
});

const email = (name: string) => `${name}@acme.example`;
const among = (...names: string[]) => `user.email in ${JSON.stringify(names.map(email))}`;
const act = async (user: string, action: string) => {
  const answer = await service.call('POST', `/api/users/${user}/${action}/`);
  expect(answer.status).toBe(200);
  return answer.body;
};
const leaving = (...names: string[]) =>
  service.policy({
    trigger: 'user.deactivated',
    condition: among(...names),
    effects: [{ do: 'suspend', app: 'all' }],
  });
const returning = (...names: string[]) =>
  service.policy({
    trigger: 'user.reactivated',
    condition: among(...names),
    effects: [{ do: 'unsuspend', app: 'all' }],
  });
const idOf = async (name: string) => (await service.accountByEmail(email(name))).external_uuid;
const suspensionsOf = async (name: string, more = '') =>
  (await service.call('GET', `/api/suspensions/?account=${await idOf(name)}${more}`)).body.results;
const manually = async (name: string, action: string, reason: string | null = null) => {
  const account = await idOf(name);
  const { body } = await service.call('POST', '/api/tasks/', { app: service.appId, action, account, reason });
  return body.external_uuid as string;
};
/** The connector fetches all tasks and completes them. */
const carryOut = async () => {
  const { tasks } = (await service.bridge('GET', '/tasks/?status=pending')).body;
  for (const { id } of tasks) await service.bridge('PATCH', `/tasks/${id}/status/`, { status: 'completed' });
  return tasks.length as number;
};

test('a return ends only what was decided because the person left', async () => {
  const people = ['misuse', 'asleep', 'leaver'];
  const users: string[] = [];
  for (const name of people) users.push(await service.person(email(name)));
  await manually('misuse', 'suspend_account', 'misuse');
  await carryOut();
  const leaves = await leaving(...people);
  const returns = await returning(...people);
  for (const user of users) await act(user, 'deactivate');
  await service.settled();
  expect(await service.tasksOf(leaves)).toMatchObject([{ app_user: { email: email('leaver') } }]);
  expect(await carryOut()).toBe(1);
  expect(await suspensionsOf('misuse')).toMatchObject([
    { source: { kind: 'policy', external_uuid: leaves }, leaving: true },
    { source: { kind: 'manual', label: 'misuse' }, leaving: false, reason: 'misuse' },
  ]);
  expect(await suspensionsOf('asleep')).toMatchObject([
    { source: { kind: 'policy' }, leaving: true },
    { source: { kind: 'app', label: '' }, decided_by: null },
  ]);

  for (const user of users) await act(user, 'reactivate');
  await service.settled();
  expect(await service.tasksOf(returns)).toMatchObject([{ app_user: { email: email('leaver') } }]);
  await carryOut();
  expect(await service.accountByEmail(email('leaver'))).toMatchObject({ status: 'ACTIVE' });
  expect(await suspensionsOf('leaver')).toEqual([]);
  expect(await suspensionsOf('misuse')).toMatchObject([{ source: { kind: 'manual' } }]);
  expect(await suspensionsOf('asleep')).toMatchObject([{ source: { kind: 'app' } }]);
  expect(await suspensionsOf('misuse', '&status=ended')).toMatchObject([
    { leaving: true, ended_by: { kind: 'policy', external_uuid: returns } },
  ]);
});

test('a pending task of a leaver is canceled when the person is back before a connector fetches it', async () => {
  const user = await service.person(email('quick'));
  const id = await leaving('quick');
  await act(user, 'deactivate');
  await service.settled();
  expect(await service.tasksOf(id)).toMatchObject([{ status: 'pending' }]);
  expect(await suspensionsOf('quick')).toMatchObject([{ leaving: true, ended_at: null }]);
  await act(user, 'reactivate');
  // No policy has read the return yet.
  expect((await service.bridge('GET', '/tasks/?status=pending')).body.tasks).toEqual([]);
  expect(await service.tasksOf(id)).toMatchObject([{ status: 'cancelled' }]);
  expect(await suspensionsOf('quick')).toEqual([]);
});

test('a return alone leaves what a connector has fetched', async () => {
  const user = await service.person(email('late'));
  const id = await leaving('late');
  await act(user, 'deactivate');
  await service.settled();
  const { tasks } = (await service.bridge('GET', '/tasks/?status=pending')).body;
  expect(tasks).toHaveLength(1);
  await act(user, 'reactivate');
  await service.settled();
  await service.bridge('PATCH', `/tasks/${tasks[0].id}/status/`, { status: 'completed' });
  expect(await service.tasksOf(id)).toMatchObject([{ status: 'completed' }]);
  expect(await suspensionsOf('late')).toMatchObject([{ source: { kind: 'policy' }, leaving: true }]);
});

test('access of any decision is not given to somebody who has left', async () => {
  const user = await service.person(email('given'));
  const { body } = await service.call('POST', '/api/tasks/', {
    app: service.appId,
    action: 'update_account',
    account: await idOf('given'),
    changes: { team: { added: ['blue'] } },
  });
  expect(body.status).toBe('pending');
  await act(user, 'deactivate');
  expect((await service.bridge('GET', '/tasks/?status=pending')).body.tasks).toEqual([]);
  expect((await service.call('GET', `/api/tasks/${body.external_uuid}/`)).body).toMatchObject({
    status: 'cancelled',
    explanation: { happened: expect.stringContaining('no longer active') },
  });
});

test('another policy ends no suspension that a person decided', async () => {
  const user = await service.person(email('dormant'));
  const suspends = await service.policy({
    trigger: 'user.updated',
    condition: `${among('dormant')} && user.last_name == "Asleep"`,
    effects: [{ do: 'suspend', app: 'all' }],
  });
  const wakes = await service.policy({
    trigger: 'user.updated',
    condition: `${among('dormant')} && user.last_name == "Awake"`,
    effects: [{ do: 'unsuspend', app: 'all' }],
  });
  const rename = async (last_name: string) => {
    await service.call('PATCH', `/api/users/${user}/`, { last_name });
    await service.settled();
  };
  await rename('Asleep');
  await carryOut();
  expect(await suspensionsOf('dormant')).toMatchObject([
    { source: { external_uuid: suspends }, leaving: false },
  ]);
  await rename('Awake');
  expect(await service.tasksOf(wakes)).toMatchObject([{ action: 'unsuspend_account', status: 'pending' }]);
  await carryOut();

  await manually('dormant', 'suspend_account', 'asked for it');
  await carryOut();
  await rename('Asleep');
  await rename('Awake');
  expect(await service.tasksOf(wakes)).toHaveLength(1);
  expect(await suspensionsOf('dormant')).toMatchObject([{ source: { kind: 'manual' } }]);
});

test('a delayed policy unsuspends nothing that was suspended otherwise by then', async () => {
  const user = await service.person(email('delayed'));
  await leaving('delayed');
  const returns = await service.policy({
    trigger: 'user.reactivated',
    condition: among('delayed'),
    effects: [{ do: 'unsuspend', app: 'all' }],
    delay: 'P1D',
  });
  await act(user, 'deactivate');
  await service.settled();
  await carryOut();
  await act(user, 'reactivate');
  await service.settled();
  expect(await service.tasksOf(returns)).toMatchObject([{ status: 'scheduled' }]);
  await manually('delayed', 'suspend_account', 'misuse');
  await carryOut();
  await service.passTime(86_400);
  expect(await service.tasksOf(returns)).toMatchObject([
    { status: 'cancelled', explanation: { happened: expect.stringContaining('Another decision suspends') } },
  ]);
  expect(await suspensionsOf('delayed')).toMatchObject([{ source: { kind: 'manual' } }]);
});

test('a policy for people who are back from leave ends only what leave suspended', async () => {
  const users = { away: await service.person(email('away')), unused: await service.person(email('unused')) };
  const unused = await service.policy({
    trigger: 'user.updated',
    condition: among('unused'),
    effects: [{ do: 'suspend', app: service.appId }],
  });
  await service.call('PATCH', `/api/users/${users.unused}/`, { last_name: 'Unused' });
  // Somebody granted it by hand, which other policies do not undo.
  await service.call('POST', '/api/tasks/', {
    ...{ app: service.appId, action: 'update_account', account: await idOf('away') },
    changes: { team: { added: ['blue'] } },
  });
  await service.settled();
  await carryOut();
  await service.policy({ trigger: 'user.on_leave', effects: [{ do: 'suspend', app: 'all' }] });
  const back = await service.policy({ trigger: 'user.back', effects: [{ do: 'unsuspend', app: 'all' }] });
  const starts_at = new Date(Date.now() - 60_000).toISOString();
  const leaves: string[] = [];
  for (const user of Object.values(users)) {
    const { body } = await service.call('POST', `/api/users/${user}/absences/`, { kind: 'leave', starts_at });
    leaves.push(body.external_uuid);
  }
  await service.app.tick();
  await service.settled();
  await carryOut();
  await setTimes(service, 'absence', { ends_at: '1 second ago' }, { id: leaves });
  await service.app.tick();
  await service.settled();

  expect(await service.tasksOf(back)).toMatchObject([
    { action: 'unsuspend_account', app_user: { email: email('away') } },
  ]);
  expect(await suspensionsOf('away')).toEqual([]);
  expect(await suspensionsOf('unused')).toMatchObject([
    { source: { kind: 'policy', external_uuid: unused } },
  ]);
});

test('a suspension by hand because somebody left is withdrawn when they return', async () => {
  const user = await service.person(email('dialog'));
  await act(user, 'deactivate');
  await carryOut();
  await service.call('POST', '/api/tasks/', {
    ...{ app: service.appId, action: 'suspend_account', account: await idOf('dialog'), leaving: true },
  });
  expect(await suspensionsOf('dialog')).toMatchObject([{ source: { kind: 'manual' }, leaving: true }]);
  expect((await act(user, 'reactivate')).still_suspended).toEqual([]);
  expect((await service.bridge('GET', '/tasks/?status=pending')).body.tasks).toEqual([]);
  expect(await suspensionsOf('dialog')).toEqual([]);
});

test('a suspension some days before the last one is about leaving', async () => {
  const user = await service.person(email('ending'));
  const id = await service.policy({
    ...{ trigger: 'user.ends', offset_days: -3, condition: among('ending') },
    effects: [{ do: 'suspend', app: 'all' }],
  });
  const end_date = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
  await service.call('PATCH', `/api/users/${user}/`, { end_date });
  await service.settled();
  expect(await suspensionsOf('ending')).toMatchObject([{ source: { external_uuid: id }, leaving: true }]);
});
