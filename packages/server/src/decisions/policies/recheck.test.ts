// @module-tag engine

import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { eventsOf } from '#test/people.ts';
import { openPolicyTest, type PolicyTest } from '#test/policies.ts';

const DAY = 86_400;
const email = (name: string) => `${name}@acme.example`;
const one = (name: string) => `user.email == "${email(name)}"`;
const NAMES = [
  'mover',
  'ender',
  'leaver',
  'changed',
  'disabled',
  'deleted',
  'kept',
  'gone',
  'lacking',
  'twice',
  'discarded',
  'begun',
];

let service: PolicyTest;
beforeAll(async () => {
  const accounts = NAMES.map((name) => ({
    id: name,
    email: email(name),
    memberships: { team: [{ id: 'red' }] },
  }));
  service = await openPolicyTest(accounts);
  await service.call('PATCH', '/api/organization/', { people_guard: null });
});
afterAll(() => service.close());

afterEach(async () => {
  const { body } = await service.call('GET', '/api/policies/?limit=200');
  for (const { external_uuid: id } of body.results)
    await service.call('DELETE', `/api/policies/${id}/?cancel_tasks=true`);
});

const inFinance = { attributes: { department: 'Finance' } };
const person = (name: string) => service.person(email(name), inFinance);
const change = async (id: string, body: object) => {
  expect((await service.call('PATCH', `/api/users/${id}/`, body)).status).toBe(200);
  await service.settled();
};
const move = (id: string, department: string | null) => change(id, { attributes: { department } });
const leaving = (name: string) => `${one(name)} && user.attributes.department != "Finance"`;
/** A policy that revokes the access of those who leave Finance, after two weeks. */
const revoking = (name: string, more: object = {}) =>
  service.policy({
    trigger: 'user.updated',
    condition: leaving(name),
    effects: [{ do: 'revoke', app: service.appId, memberships: { team: ['red'] } }],
    delay: 'P14D',
    ...more,
  });
const statuses = async (id: string) => (await service.tasksOf(id)).map(({ status }) => status);
const fetch = async () => (await service.bridge('GET', '/tasks/?status=pending')).body.tasks;
const why = async (id: string) => (await service.tasksOf(id))[0]?.explanation?.happened;

test('keeps the access of somebody who has come back before the delay is over', async () => {
  const id = await person('mover');
  const policy = await revoking('mover');
  await move(id, 'Sales');
  await move(id, 'Finance');
  expect(await statuses(policy)).toEqual(['scheduled']);
  await service.passTime(14 * DAY);
  expect(await statuses(policy)).toEqual(['cancelled']);
  expect(await why(policy)).toContain('no longer calls for the task');
});

test('keeps the account of somebody whose last day was set by mistake', async () => {
  const id = await person('ender');
  const policy = await service.policy({
    trigger: 'daily',
    condition: `${one('ender')} && user.end_date != null && user.end_date < today`,
    effects: [{ do: 'delete', app: service.appId }],
    delay: 'P7D',
  });
  await change(id, { end_date: '2020-01-31' });
  await service.nextDay();
  await service.settled();
  await change(id, { end_date: null });
  await service.passTime(7 * DAY);
  expect(await statuses(policy)).toEqual(['cancelled']);
});

test('does not give a connector the suspension of a leaver who is active again', async () => {
  const id = await person('leaver');
  const policy = await service.policy({
    trigger: 'user.deactivated',
    condition: one('leaver'),
    effects: [{ do: 'suspend', app: 'all' }],
  });
  await service.call('POST', `/api/users/${id}/deactivate/`);
  await service.settled();
  expect(await statuses(policy)).toEqual(['pending']);
  await service.call('POST', `/api/users/${id}/reactivate/`);
  expect(await fetch()).toEqual([]);
  expect(await statuses(policy)).toEqual(['cancelled']);
});

test('a pending grant is checked again before a connector gets it', async () => {
  const policy = await service.policy({ condition: `user.attributes.department == "Finance"` });
  const id = await person('pending');
  await service.settled();
  expect(await statuses(policy)).toEqual(['pending']);
  await move(id, 'Sales');
  expect(await fetch()).toEqual([]);
  expect(await statuses(policy)).toEqual(['cancelled']);
});

test('a changed policy decides with its new condition', async () => {
  const id = await person('changed');
  const policy = await revoking('changed');
  await move(id, 'Sales');
  await service.call('PATCH', `/api/policies/${policy}/`, {
    condition: `${one('changed')} && user.attributes.department == "Legal"`,
  });
  await service.passTime(14 * DAY);
  expect(await statuses(policy)).toEqual(['cancelled']);
});

test.each(['disabled', 'deleted'])('a %s policy decides with its last condition', async (how) => {
  const id = await person(how);
  const first = await revoking(how);
  await move(id, 'Sales');
  if (how === 'disabled') await service.call('PATCH', `/api/policies/${first}/`, { enabled: false });
  else await service.call('DELETE', `/api/policies/${first}/`);
  await service.passTime(14 * DAY);
  expect(await statuses(first)).toEqual(['pending']);
  await move(id, 'Finance');
  expect(await fetch()).toEqual([]);
  expect(await statuses(first)).toEqual(['cancelled']);
});

test('without recheck, the decision of the first day stands', async () => {
  const id = await person('kept');
  const policy = await revoking('kept', { recheck: false });
  expect((await service.call('GET', `/api/policies/${policy}/`)).body).toMatchObject({ recheck: false });
  await move(id, 'Sales');
  await move(id, 'Finance');
  await service.passTime(14 * DAY);
  expect(await statuses(policy)).toEqual(['pending']);
  expect(await fetch()).toHaveLength(1);
});

test('a person who no longer exists changes nothing', async () => {
  const id = await person('gone');
  const policy = await revoking('gone');
  await move(id, 'Sales');
  expect((await service.call('DELETE', `/api/users/${id}/`)).status).toBe(204);
  await service.passTime(14 * DAY);
  expect(await statuses(policy)).toEqual(['pending']);
  expect(await fetch()).toHaveLength(1);
});

test('a removal waits for an administrator if the condition no longer decides, and is told', async () => {
  const id = await person('lacking');
  const policy = await revoking('lacking');
  await move(id, 'Sales');
  await move(id, null);
  await service.passTime(14 * DAY);
  const [task] = await service.tasksOf(policy);
  expect(task).toMatchObject({ status: 'scheduled', waits_for: 'undecided' });
  expect(task?.explanation?.happened).toContain('no longer decides');
  expect((await eventsOf(service, 'policy.undecided')).at(-1)?.payload).toMatchObject({
    policy_id: policy,
    count: 1,
    reasons: [{ field: 'user.attributes.department' }],
  });
  const held = await service.call('GET', `/api/apps/${service.appId}/held-tasks/`);
  expect(held.body.results).toMatchObject([{ external_uuid: task?.external_uuid }]);
  const confirmed = await service.call('POST', `/api/apps/${service.appId}/held-tasks/confirm/`);
  expect(confirmed).toMatchObject({ status: 200, body: { count: 1 } });
  expect(await statuses(policy)).toEqual(['pending']);
  expect((await fetch()).map((one: { action: string }) => one.action)).toEqual(['update_account']);
});

test('a grant is canceled if the condition no longer decides', async () => {
  const policy = await service.policy({
    condition: `user.attributes.department != "Sales"`,
    delay: 'P1D',
  });
  const id = await person('undecided');
  await service.settled();
  await move(id, null);
  await service.passTime(DAY);
  expect(await statuses(policy)).toEqual(['cancelled']);
  expect(await why(policy)).toContain('no longer decides');
});

test('an effect of the policy itself does not stop its next one', async () => {
  await person('begun');
  const policy = await service.policy({
    trigger: 'daily',
    condition: `${one('begun')} && "red" in account.memberships.team`,
    effects: [
      { do: 'revoke', app: service.appId, memberships: { team: ['red'] } },
      { do: 'suspend', app: service.appId },
    ],
  });
  await service.nextDay();
  await service.settled();
  const [first] = await fetch();
  await service.bridge('PATCH', `/tasks/${first.id}/status/`, { status: 'completed' });
  expect((await service.tasksOf(policy)).map(({ action, status }) => [action, status])).toEqual([
    ['update_account', 'completed'],
    ['suspend_account', 'pending'],
  ]);
  expect(await fetch()).toHaveLength(1);
});
