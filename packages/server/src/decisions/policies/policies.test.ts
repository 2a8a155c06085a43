import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPolicyTest, type PolicyTest } from '#test/policies.ts';

let service: PolicyTest;
beforeAll(async () => {
  service = await openPolicyTest([{ id: 'a', email: 'a@acme.example' }]);
});
afterAll(() => service.close());

const grant = () => ({ do: 'grant', app: service.appId });
const draft = (more: object = {}) => ({
  name: 'Draft',
  trigger: 'user.created',
  condition: 'user.email.endsWith("@nobody.example")',
  effects: [grant()],
  ...more,
});
const post = (more: object, path = '/api/policies/') => service.call('POST', path, draft(more));

test('returns a policy as written and changes only the named fields', async () => {
  const made = await post({ delay: 'P1M', effects: [{ ...grant(), memberships: { team: ['red'] } }] });
  expect(made).toMatchObject({
    status: 201,
    body: {
      name: 'Draft',
      trigger: 'user.created',
      effects: [{ do: 'grant', app: service.appId, memberships: { team: ['red'] }, assignments: {} }],
      delay: 'P1M',
      enabled: true,
      pending_confirmation: null,
      last_fired_at: null,
      created_by: service.adminId,
    },
  });
  const address = `/api/policies/${made.body.external_uuid}/`;
  const changed = await service.call('PATCH', address, { name: 'Better', delay: null, enabled: false });
  expect(changed).toMatchObject({ status: 200, body: { name: 'Better', delay: null, enabled: false } });
  expect(changed.body.effects).toEqual(made.body.effects);
  expect((await service.call('GET', address)).body).toEqual(changed.body);
  const listed = (await service.call('GET', '/api/policies/?enabled=false&trigger=user.created')).body;
  expect(listed.results).toEqual([changed.body]);
  expect((await service.call('DELETE', address)).status).toBe(204);
  expect((await service.call('GET', address)).status).toBe(404);
  expect((await service.call('DELETE', address)).status).toBe(404);
});

test.each([
  [{ condition: 'user.email ==' }, 400, 'line 1, column 12'],
  [{ condition: 'nobody.email == ""' }, 400, 'line 1, column 1: the variable nobody does not exist'],
  [{ condition: '' }, 400, 'The condition is'],
  [{ condition: undefined }, 400, 'Field required (condition)'],
  [{ name: '' }, 400, 'at least 1 character (name)'],
  [{ trigger: 'user.deleted' }, 400, '(trigger)'],
  [{ effects: [] }, 400, 'at least 1 item (effects)'],
  [{ effects: [{ do: 'grant', app: 'everything' }] }, 400, 'valid UUID (effects[0].app)'],
  [{ effects: [{ do: 'destroy', app: 'all' }] }, 400, '(effects[0].do)'],
  [{ effects: [{ do: 'suspend', app: 'all', memberships: { team: ['red'] } }] }, 400, 'grant and revoke'],
  [{ effects: [{ do: 'grant', app: 'all', memberships: { team: ['red'] } }] }, 400, 'one app'],
  [
    {
      effects: [
        { do: 'suspend', app: 'all' },
        { do: 'unsuspend', app: 'all' },
      ],
    },
    400,
    'contradict',
  ],
  [{ effects: [{ do: 'grant', app: randomUUID() }] }, 404, 'App not found.'],
  ...['30 days', 'P', 'PT', '-P1D', 'P-1D', 'P1.5D', 'P1DT', 'p1d', 'P1D ', '30'].map(
    (delay) => [{ delay }, 400, 'ISO 8601 duration'] as [object, number, string],
  ),
])('with %o returns %i', async (more, status, detail) => {
  const reply = await post(more);
  expect({ status: reply.status, detail: reply.body.detail }).toEqual({
    status,
    detail: expect.stringContaining(detail),
  });
});

test.each(['P30D', 'P1Y2M10DT2H30M', 'PT36H', 'P2W', 'PT0.5S', 'P0D'])(
  'accepts the delay %s',
  async (delay) => {
    const { status, body } = await post({ delay });
    expect({ status, delay: body.delay }).toEqual({ status: 201, delay });
  },
);

test.each([
  [{ memberships: { teem: ['red'] } }],
  [{ memberships: { team: ['green'] } }],
  [{ memberships: { seat: ['gold'] } }],
  [{ assignments: { team: ['red'] } }],
])('returns 422 for an effect on %o', async (names) => {
  expect((await post({ effects: [{ ...grant(), ...names }] })).status).toBe(422);
});

test('rejects a grant in an app without an account type', async () => {
  const { body } = await service.call('POST', '/api/v1/bridge/apps/', { name: 'Bare' });
  expect((await post({ effects: [{ do: 'grant', app: body.id }] })).status).toBe(422);
  expect((await post({ effects: [{ do: 'suspend', app: body.id }] })).status).toBe(201);
});

test('validates a change like a new policy and keeps the policy if it is invalid', async () => {
  const id = await service.policy(draft());
  const address = `/api/policies/${id}/`;
  const before = (await service.call('GET', address)).body;
  for (const [change, status] of [
    [{ condition: '1 +' }, 400],
    [{ delay: 'soon' }, 400],
    [{ name: null }, 400],
    [{ effects: [{ do: 'grant', app: randomUUID() }] }, 404],
    [{ effects: [{ ...grant(), memberships: { team: ['green'] } }] }, 422],
  ] as const) {
    expect((await service.call('PATCH', address, change)).status).toBe(status);
  }
  expect((await service.call('GET', address)).body).toEqual(before);
});

test('keeps the tasks of a deleted policy, or cancels the open ones on request', async () => {
  const email = 'joiner@acme.example';
  const stays = await service.policy({ condition: `user.email == "${email}"` });
  const goes = await service.policy({
    trigger: 'user.updated',
    condition: `user.email == "${email}"`,
    effects: [{ do: 'delete', app: 'all' }],
    delay: 'P1D',
  });
  const user = await service.person(email);
  await service.settled();
  await service.call('PATCH', `/api/users/${user}/`, { last_name: 'Er' });
  await service.settled();
  await service.call('DELETE', `/api/policies/${stays}/`);
  await service.call('DELETE', `/api/policies/${goes}/?cancel_tasks=true`);
  expect(await service.tasksOf(stays)).toMatchObject([{ status: 'pending' }]);
  expect(await service.tasksOf(goes)).toMatchObject([
    {
      status: 'cancelled',
      explanation: { happened: expect.stringContaining('The policy "Test" was deleted.') },
    },
  ]);
});

test.each([0, -1, 1.5, '5', null])('rejects the limit %j', async (task_limit) => {
  expect((await service.call('PATCH', '/api/policies/settings/', { task_limit })).status).toBe(400);
});

test('ignores an archived app in a preview', async () => {
  const { id: app } = (await service.call('POST', '/api/v1/bridge/apps/', { name: 'Old' })).body;
  await service.call('POST', `/api/v1/bridge/apps/${app}/resource-types/`, {
    slug: 'user',
    name: 'Users',
    type: 'account',
  });
  const id = await service.policy({ condition: 'true', effects: [{ do: 'grant', app }], enabled: false });
  const preview = async () => (await service.call('POST', `/api/policies/${id}/preview/`)).body.count;
  expect(await preview()).toBeGreaterThan(0);
  expect((await service.call('DELETE', `/api/apps/${app}/`)).status).toBe(204);
  expect(await preview()).toBe(0);
  expect((await service.call('PATCH', `/api/policies/${id}/`, { enabled: true })).status).toBe(200);
});

test('checks a condition for a policy and for a review without storing it', async () => {
  const check = (body: object) => service.call('POST', '/api/policies/check/', body);
  const before = (await service.call('GET', '/api/policies/')).body.count;

  expect(await check({ condition: 'app.name == "x" && today > "2026"' })).toMatchObject({
    status: 200,
    body: { ok: true },
  });
  expect(await check({ condition: 'user.email == ""', of: 'review' })).toMatchObject({ status: 200 });
  expect(await check({ condition: 'true &&\n app.nam ==' })).toMatchObject({
    status: 400,
    body: { detail: expect.stringContaining('line 2, column') },
  });
  expect(await check({ condition: 'app.name == "x"', of: 'review' })).toMatchObject({
    status: 400,
    body: { detail: expect.stringContaining('the variable app does not exist') },
  });
  expect((await service.call('GET', '/api/policies/')).body.count).toBe(before);
});
