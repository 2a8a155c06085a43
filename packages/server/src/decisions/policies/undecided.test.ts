import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { eventsOf } from '#test/people.ts';
import { openPolicyTest, type PolicyTest } from '#test/policies.ts';

const email = (name: string) => `${name}@acme.example`;
const inRed = { memberships: { team: [{ id: 'red' }] } };
const NAMES = ['without', 'number', 'low', 'high'];

let service: PolicyTest;
const ids: Record<string, string> = {};
beforeAll(async () => {
  service = await openPolicyTest(NAMES.map((name) => ({ id: name, email: email(name), ...inRed })));
  for (const [name, attributes] of Object.entries({
    without: {},
    number: { clearance: 3 },
    low: { clearance: 'low' },
    high: { clearance: 'high' },
  }))
    ids[name] = await service.person(email(name), { attributes });
  await service.settled();
});
afterAll(() => service.close());

afterEach(async () => {
  const { body } = await service.call('GET', '/api/policies/?limit=200');
  for (const { external_uuid: id } of body.results)
    await service.call('DELETE', `/api/policies/${id}/?cancel_tasks=true`);
});

const AMONG = `user.email in [${NAMES.map((name) => `"${email(name)}"`).join(', ')}]`;
const CONDITION = `${AMONG} && user.attributes.clearance != "high"`;
const UNDECIDED = {
  count: 2,
  reasons: [
    {
      code: 'missing',
      field: 'user.attributes.clearance',
      count: 1,
      message: 'user.attributes.clearance has no value.',
    },
    {
      code: 'type',
      field: 'user.attributes.clearance',
      count: 1,
      message: 'user.attributes.clearance has a value of another type.',
    },
  ],
};
const people = (...names: string[]) =>
  names.map((name) => ({ external_uuid: ids[name], email: email(name) }));
const revoking = (more: object = {}) =>
  service.policy({
    trigger: 'daily',
    condition: CONDITION,
    effects: [{ do: 'revoke', app: service.appId }],
    ...more,
  });
const read = async (id: string) => (await service.call('GET', `/api/policies/${id}/`)).body;
const told = async () =>
  (await eventsOf(service, 'policy.undecided')).map(({ payload }) => [payload.policy_id, payload.count]);

test('the people whom a condition matches come with those whom it does not decide', async () => {
  const { status, body } = await service.call('POST', '/api/policies/matches/', { condition: CONDITION });
  expect({ status, body }).toMatchObject({
    status: 200,
    body: { count: 1, people: [{ email: email('low') }], undecided: UNDECIDED },
  });
  expect(body.undecided.people).toMatchObject(people('without', 'number'));
});

test('a misspelled attribute is undecided for everybody', async () => {
  const { body } = await service.call('POST', '/api/policies/matches/', {
    condition: 'user.attributes.clearence == "high"',
  });
  expect(body).toMatchObject({ count: 0, undecided: { count: body.of } });
  expect(body.undecided.reasons).toMatchObject([
    { code: 'missing', field: 'user.attributes.clearence', count: body.of },
  ]);
});

test('somebody who matches in one app is not undecided because of another', async () => {
  const { body: other } = await service.call('POST', '/api/v1/bridge/apps/', { name: 'Zulip' });
  const app = `app.name == "Zulip" || user.attributes.clearance == "high"`;
  const { body } = await service.call('POST', '/api/policies/matches/', {
    condition: `${AMONG} && (${app})`,
    apps: [service.appId, other.id],
  });
  expect(body).toMatchObject({ count: 4, undecided: { count: 0, people: [], reasons: [] } });
});

test('a condition on accounts is false for people without an account, and not undecided', async () => {
  await service.person('nobody@acme.example');
  const { body } = await service.call('POST', '/api/policies/matches/', {
    condition: 'user.email == "nobody@acme.example" && account.status != "SUSPENDED"',
  });
  expect(body).toMatchObject({ count: 0, undecided: { count: 0 } });
});

test('the preview and the plan of a policy have the people whom it does not decide', async () => {
  const id = await revoking();
  const preview = await service.call('POST', `/api/policies/${id}/preview/`);
  expect(preview.body).toMatchObject({ count: 1, undecided: UNDECIDED });
  const { body: plan } = await service.call('POST', `/api/policies/${id}/plans/`);
  expect(plan).toMatchObject({ status: 'running', undecided: null });
  await expect
    .poll(async () => (await service.call('GET', `/api/policies/${id}/plans/${plan.plan_id}/`)).body)
    .toMatchObject({ status: 'completed', count: 1, undecided: UNDECIDED });
});

test('a run that takes access away keeps and tells whom it left out, the same people only once', async () => {
  const id = await revoking();
  expect(await read(id)).toMatchObject({ undecided: null });
  await service.nextDay();
  await service.settled();
  expect(await read(id)).toMatchObject({ last_fired_count: 1, undecided: UNDECIDED });
  expect((await read(id)).undecided.people).toMatchObject(people('without', 'number'));
  expect(await told()).toEqual([[id, 2]]);
  await service.nextDay();
  await service.settled();
  expect(await told()).toEqual([[id, 2]]);

  await service.call('PATCH', `/api/users/${ids.without}/`, { attributes: { clearance: 'high' } });
  await service.nextDay();
  await service.settled();
  expect(await told()).toEqual([
    [id, 2],
    [id, 1],
  ]);
  await service.call('PATCH', `/api/users/${ids.without}/`, { attributes: { clearance: null } });
});

test('a run for an event has those whom it concerned', async () => {
  const id = await revoking({ trigger: 'user.deactivated', condition: 'user.attributes.level == 1' });
  await service.call('POST', `/api/users/${ids.low}/deactivate/`);
  await service.settled();
  expect(await service.tasksOf(id)).toEqual([]);
  expect((await read(id)).undecided).toMatchObject({ count: 1, people: people('low') });
  await service.call('POST', `/api/users/${ids.low}/reactivate/`);
});

test('a policy that takes nothing away tells nobody', async () => {
  const before = await told();
  const id = await revoking({ effects: [{ do: 'unsuspend', app: service.appId }] });
  await service.nextDay();
  await service.settled();
  expect(await told()).toEqual(before);
  expect(await read(id)).toMatchObject({ undecided: null });
});
