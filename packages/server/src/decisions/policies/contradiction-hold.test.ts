// @module-tag engine

import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { eventsOf } from '#test/people.ts';
import { openPolicyTest, type PolicyTest } from '#test/policies.ts';
import { setTimes } from '#test/time.ts';

/** Two policies that undo each other for the same person (D77, case G5). */
const DAY = 86_400;
const email = (name: string) => `${name}@acme.example`;
const NAMES = [
  ...['flips', 'reversed', 'leaver', 'away', 'mover', 'other', 'delayed', 'canceled', 'confirmed', 'kept'],
  ...['changed', 'disabled', 'deleted', 'groups', 'first', 'second', 'week', 'asleep', 'merged', 'survivor'],
];
const recordsOf = (red: ReadonlySet<string>) =>
  ['nobody', ...NAMES].map((name) => ({
    ...{ id: name, email: email(name), username: name },
    memberships: { team: red.has(name) ? [{ id: 'red' }] : [] },
  }));

let service: PolicyTest;
beforeAll(async () => {
  service = await openPolicyTest(recordsOf(new Set()));
  await service.call('PATCH', '/api/organization/', { people_guard: null });
});
afterAll(() => service.close());

afterEach(async () => {
  const { body } = await service.call('GET', '/api/policies/?limit=200');
  for (const { external_uuid: id } of body.results)
    await service.call('DELETE', `/api/policies/${id}/?cancel_tasks=true`);
  await service.settled();
});

const ofPerson = (...names: string[]) => `user != null && user.email in ${JSON.stringify(names.map(email))}`;
const team = (kind: string, ...teams: string[]) => ({
  effects: [{ do: kind, app: service.appId, memberships: { team: teams } }],
});
const daily = (name: string, condition: string, more: object) =>
  service.policy({ name, trigger: 'daily', condition, ...more });
const person = (name: string, more: object = {}) => service.person(email(name), more);
/** A daily policy that grants the group, and one that revokes it. */
const contradict = async (condition: string, more: { grants?: object; revokes?: object } = {}) => ({
  grants: await daily('Grants', condition, { ...team('grant', 'red'), ...more.grants }),
  revokes: await daily('Revokes', condition, { ...team('revoke', 'red'), ...more.revokes }),
});

/** The connector carries out what waits. */
const carryOut = async () => {
  const { tasks } = (await service.bridge('GET', '/tasks/?status=pending')).body;
  for (const { id } of tasks)
    expect((await service.bridge('PATCH', `/tasks/${id}/status/`, { status: 'completed' })).status).toBe(200);
};
const run = async () => {
  await service.settled();
  await carryOut();
};
const day = async (days = 1) => {
  for (let n = 0; n < days; n++) {
    await service.passTime(DAY);
    await service.nextDay();
    await run();
  }
};
const change = async (id: string, body: object) => {
  expect((await service.call('PATCH', `/api/users/${id}/`, body)).status).toBe(200);
  await run();
};
const act = async (id: string, action: string) => {
  expect((await service.call('POST', `/api/users/${id}/${action}/`)).status).toBe(200);
  await run();
};
const read = async (id: string) => (await service.call('GET', `/api/policies/${id}/`)).body;
const pending = async (id: string) => (await read(id)).pending_confirmation;
const contradicts = (...ids: string[]) => ({
  status: 'held',
  contradicts: ids.map((external_uuid) => ({ external_uuid })),
});
const tasks = async (...ids: string[]) =>
  (await Promise.all(ids.map((id) => service.tasksOf(id)))).flat().length;
const hasRed = async (name: string) =>
  ((await service.accountByEmail(email(name))).memberships.team ?? []).some(({ id }) => id === 'red');

test('holds both policies at the second undo, and tells the authors once', async () => {
  await person('flips');
  const { grants, revokes } = await contradict(ofPerson('flips'));
  await day(3);
  expect(await pending(grants)).toMatchObject({ ...contradicts(revokes), count: 1, because: null });
  expect(await pending(revokes)).toMatchObject({ ...contradicts(grants), because: null });
  const made = await tasks(grants, revokes);
  expect(made).toBe(2);
  await day(4);
  expect(await tasks(grants, revokes)).toBe(made);
  const told = (await eventsOf(service, 'policy.held')).map(({ payload }) => payload);
  expect(told).toMatchObject([
    { policy_id: grants, count: 1, contradicts: [{ external_uuid: revokes, name: 'Revokes' }] },
    { policy_id: revokes, count: 0, contradicts: [{ external_uuid: grants, name: 'Grants' }] },
  ]);
});

test('holds suspensions that another policy ends', async () => {
  await person('asleep');
  const effect = (kind: string) => ({ effects: [{ do: kind, app: service.appId }] });
  const suspends = await daily('Suspends', ofPerson('asleep'), effect('suspend'));
  const ends = await daily('Ends', ofPerson('asleep'), effect('unsuspend'));
  await day(6);
  expect(await tasks(suspends, ends)).toBe(2);
  expect(await pending(suspends)).toMatchObject(contradicts(ends));
  expect(await pending(ends)).toMatchObject(contradicts(suspends));
});

test('leaving, returning and moving are changes', async () => {
  const inFinance = { attributes: { department: 'Finance', phone: '1' } };
  const leaver = await person('leaver');
  const mover = await person('mover', inFinance);
  const among = ofPerson('leaver', 'mover');
  const isOut = `user.status == "deactivated" || (has(user.attributes.department) && user.attributes.department != "Finance")`;
  const grants = await daily('Grants', `${among} && !(${isOut})`, team('grant', 'red'));
  const revokes = await daily('Revokes', `${among} && (${isOut})`, team('revoke', 'red'));
  await day();
  for (let n = 0; n < 3; n++) {
    await act(leaver, 'deactivate');
    await change(mover, { attributes: { department: 'Sales' } });
    await day();
    expect([await hasRed('leaver'), await hasRed('mover')]).toEqual([false, false]);
    await act(leaver, 'reactivate');
    await change(mover, { attributes: { department: 'Finance' } });
    await day();
    expect([await hasRed('leaver'), await hasRed('mover')]).toEqual([true, true]);
  }
  expect([await pending(grants), await pending(revokes)]).toEqual([null, null]);
});

test('a change that neither condition reads does not count', async () => {
  const id = await person('other', { attributes: { team: 'a', phone: '0' } });
  const { grants } = await contradict(`${ofPerson('other')} && user.attributes.team == "a"`);
  for (let n = 0; n < 3; n++) {
    await change(id, { attributes: { phone: String(n + 1) } });
    await day();
  }
  expect(await pending(grants)).not.toBeNull();
});

test.each([
  ['the one that revokes', { revokes: { delay: 'P2D' } }],
  ['the one that grants', { grants: { delay: 'P2D' } }],
  ['both', { grants: { delay: 'P2D' }, revokes: { delay: 'P2D' } }],
])('holds policies of which %s has a delay', async (_, more) => {
  await service.call('POST', '/api/users/', { email: email('delayed') });
  const { grants, revokes } = await contradict(ofPerson('delayed'), more);
  await day(12);
  expect(await pending(grants)).toMatchObject(contradicts(revokes));
  expect(await pending(revokes)).toMatchObject(contradicts(grants));
  expect(await tasks(grants, revokes)).toBeLessThanOrEqual(4);
});

test('a removal that did not happen does not count', async () => {
  const id = await person('canceled');
  const one = ofPerson('canceled');
  const grants = await daily('Grants', `${one} && user.status == "active"`, team('grant', 'red'));
  const revokes = await service.policy({
    ...{ name: 'Leavers', trigger: 'user.deactivated', condition: one, delay: 'P1D' },
    ...team('revoke', 'red'),
  });
  await day();
  for (let n = 0; n < 3; n++) {
    await act(id, 'deactivate');
    await act(id, 'reactivate');
  }
  await act(id, 'deactivate');
  await day(2);
  expect([await pending(grants), await pending(revokes)]).toEqual([null, null]);
  expect(await hasRed('canceled')).toBe(false);
});

test('a second undo after more than seven days does not count', async () => {
  await person('week');
  const { grants, revokes } = await contradict(ofPerson('week'));
  await day(2);
  await setTimes(service, 'policy_undo', { at: '8 days earlier' });
  await setTimes(service, 'access_grant', { ended_at: '8 days earlier' });
  await day();
  expect([await pending(grants), await pending(revokes)]).toEqual([null, null]);
});

test('a confirmation carries out the actions and drops those of the other policy', async () => {
  await person('confirmed');
  const { grants, revokes } = await contradict(ofPerson('confirmed'));
  await day(3);
  expect(await service.call('POST', `/api/policies/${grants}/discard/`)).toMatchObject({
    status: 409,
    body: { code: 'policy_still_held' },
  });
  await service.call('POST', `/api/policies/${grants}/confirm/`);
  expect(await pending(revokes)).toBeNull();
  await run();
  expect(await hasRed('confirmed')).toBe(true);
  expect(await pending(grants)).toBeNull();
  await day();
  expect(await hasRed('confirmed')).toBe(true);
  expect(await pending(revokes)).toMatchObject(contradicts(grants));
});

test.each([
  ['changed', (id: string) => service.call('PATCH', `/api/policies/${id}/`, { condition: 'false' })],
  ['disabled', (id: string) => service.call('PATCH', `/api/policies/${id}/`, { enabled: false })],
  ['deleted', (id: string) => service.call('DELETE', `/api/policies/${id}/`)],
])('a policy that is %s lets the other one act again', async (name, end) => {
  await person(name);
  const { grants, revokes } = await contradict(ofPerson(name));
  await day(3);
  expect(await pending(grants)).not.toBeNull();
  await end(revokes);
  await run();
  expect(await pending(grants)).toBeNull();
  expect(await hasRed(name)).toBe(true);
  await day(3);
  expect(await hasRed(name)).toBe(true);
  expect(await pending(grants)).toBeNull();
});

test('another name keeps the hold', async () => {
  await person('kept');
  const { grants, revokes } = await contradict(ofPerson('kept'));
  await day(3);
  await service.call('PATCH', `/api/policies/${grants}/`, { name: 'Another' });
  expect(await pending(revokes)).toMatchObject({ contradicts: [{ name: 'Another' }] });
});

test('two groups that are undone in one run count once', async () => {
  await person('groups');
  const more = { grants: team('grant', 'red', 'blue'), revokes: team('revoke', 'red', 'blue') };
  const { grants, revokes } = await contradict(ofPerson('groups'), more);
  await day(2);
  expect([await pending(grants), await pending(revokes)]).toEqual([null, null]);
  expect(await hasRed('groups')).toBe(false);
});

test('holds nobody else', async () => {
  await person('first');
  await person('second');
  const grants = await daily('Grants', ofPerson('first', 'second'), team('grant', 'red'));
  const revokes = await daily('Revokes', ofPerson('first'), team('revoke', 'red'));
  await day(4);
  expect(await pending(grants)).toMatchObject({ ...contradicts(revokes), count: 1 });
  expect([await hasRed('first'), await hasRed('second')]).toEqual([false, true]);
});

test('holds accounts of nobody', async () => {
  const condition = 'account != null && account.username == "nobody"';
  const effect = (kind: string) => ({ effects: [{ do: kind, app: service.appId }] });
  const suspends = await daily('Suspends', condition, effect('suspend'));
  const ends = await daily('Ends', condition, effect('unsuspend'));
  await day(6);
  expect(await tasks(suspends, ends)).toBe(2);
  expect(await pending(suspends)).toMatchObject(contradicts(ends));
});

test('the person who remains after a merge is counted again', async () => {
  const [from, into] = [await person('merged'), await person('survivor')];
  const { grants, revokes } = await contradict(ofPerson('merged', 'survivor'));
  await day(3);
  const made = await tasks(grants, revokes);
  const merge = await service.call('POST', `/api/users/${into}/merge/`, { from });
  expect(merge).toMatchObject({ status: 200 });
  await day(4);
  expect(await pending(grants)).toMatchObject(contradicts(revokes));
  expect((await tasks(grants, revokes)) - made).toBeLessThanOrEqual(2);
});
