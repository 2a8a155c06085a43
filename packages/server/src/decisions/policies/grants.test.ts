// @module-tag engine

import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { sql } from '#kit/sql.ts';
import { openPolicyTest, type PolicyTest } from '#test/policies.ts';

const email = (name: string) => `${name}@acme.example`;
const one = (name: string) => `user.email == "${email(name)}"`;
const inTeam = (name: string, ...teams: string[]) => ({
  id: name,
  email: email(name),
  memberships: { team: teams.map((id) => ({ id })) },
});
const NAMES = [
  'found',
  'given',
  'revoked',
  'again',
  'regranted',
  'returned',
  'one',
  'other',
  'deleted',
  'passed',
];
const KNOWN = NAMES.map((name) => inTeam(name, 'red'));

let service: PolicyTest;
beforeAll(async () => {
  service = await openPolicyTest(KNOWN);
  await service.call('PATCH', '/api/organization/', { people_guard: null });
});
afterAll(() => service.close());

afterEach(async () => {
  const { body } = await service.call('GET', '/api/policies/?limit=200');
  for (const { external_uuid: id } of body.results)
    await service.call('DELETE', `/api/policies/${id}/?cancel_tasks=true`);
});

const inFinance = { attributes: { department: 'Finance' } };
const granting = (name: string, more: object = {}) =>
  service.policy({
    name: 'Finance',
    trigger: 'daily',
    condition: `${one(name)} && user.attributes.department == "Finance"`,
    effects: [{ do: 'grant', app: service.appId, memberships: { team: ['red'] } }],
    ...more,
  });
const run = async () => {
  await service.nextDay();
  await service.settled();
};
const grantsOf = async (policy: string) => {
  const { rows } = await sql<{
    entitlement: string | null;
    brought: boolean;
    over_found: boolean;
    ended: boolean;
  }>`
    select e.external_id as entitlement, g.brought, g.over_found, g.ended_at is not null as ended
    from access_grant g left join entitlement e on e.org_id = g.org_id and e.id = g.entitlement_id
    where g.source_id = ${policy} order by g.recorded_at`.execute(service.database.db);
  return rows;
};
/** Somebody removes the group by hand, and the connector does it. */
const revoke = async (name: string) => {
  const { external_uuid: account } = await service.accountByEmail(email(name));
  const { status, body } = await service.call('POST', '/api/tasks/', {
    ...{ app: service.appId, action: 'update_account', account },
    changes: { team: { removed: ['red'] } },
  });
  expect({ status, body }).toMatchObject({ status: 201 });
  const id = body.external_uuid;
  await service.bridge('GET', '/tasks/?status=pending');
  await service.bridge('PATCH', `/tasks/${id}/status/`, { status: 'completed' });
};
const preview = async (id: string) => (await service.call('POST', `/api/policies/${id}/preview/`)).body;

test('begins a grant on found access without a task, once', async () => {
  await service.person(email('found'), inFinance);
  const policy = await granting('found');
  for (let day = 0; day < 3; day++) await run();
  expect(await service.tasksOf(policy)).toEqual([]);
  expect(await grantsOf(policy)).toEqual([
    { entitlement: 'red', brought: false, over_found: true, ended: false },
  ]);
});

test('begins a grant on the account if the effect names nothing', async () => {
  await service.person(email('given'), inFinance);
  const policy = await granting('given', { effects: [{ do: 'grant', app: service.appId }] });
  await run();
  expect(await grantsOf(policy)).toMatchObject([{ entitlement: null, brought: false }]);
});

test('a policy does not give again what a person revoked, and says so', async () => {
  const user = await service.person(email('revoked'), inFinance);
  const policy = await granting('revoked');
  await run();
  await revoke('revoked');
  expect(await grantsOf(policy)).toMatchObject([{ entitlement: 'red', ended: true }]);
  await run();
  expect(await service.tasksOf(policy)).toEqual([]);
  expect(await preview(policy)).toMatchObject({
    count: 0,
    missing: {
      count: 1,
      entries: [
        {
          user: { external_uuid: user },
          slug: 'team',
          resource: { id: 'red', name: 'Red' },
          reason: 'revoked',
          decision: { kind: 'manual' },
        },
      ],
    },
  });
  const { body: plan } = await service.call('POST', `/api/policies/${policy}/plans/`);
  await expect
    .poll(async () => (await service.call('GET', `/api/policies/${policy}/plans/${plan.plan_id}/`)).body)
    .toMatchObject({ status: 'completed', count: 0, missing: { count: 1 } });
});

test('a policy creates no account whose groups a person has all taken away', async () => {
  await service.person(email('deleted'), inFinance);
  const policy = await granting('deleted');
  await run();
  const { external_uuid: account } = await service.accountByEmail(email('deleted'));
  const { body } = await service.call('POST', '/api/tasks/', {
    ...{ app: service.appId, action: 'delete_account', account },
  });
  await service.bridge('GET', '/tasks/?status=pending');
  await service.bridge('PATCH', `/tasks/${body.external_uuid}/status/`, { status: 'completed' });
  await run();
  expect(await service.tasksOf(policy)).toEqual([]);
  expect(await preview(policy)).toMatchObject({ count: 0, missing: { count: 1 } });
});

test('a policy gives again when its condition was false and is true again', async () => {
  const user = await service.person(email('again'), inFinance);
  const policy = await granting('again');
  await run();
  await revoke('again');
  await service.call('PATCH', `/api/users/${user}/`, { attributes: { department: 'Sales' } });
  await run();
  await service.call('PATCH', `/api/users/${user}/`, inFinance);
  await run();
  expect(await service.tasksOf(policy)).toMatchObject([{ action: 'update_account', status: 'pending' }]);
});

test('a policy gives again what somebody has granted since', async () => {
  await service.person(email('regranted'), inFinance);
  const policy = await granting('regranted');
  await run();
  await revoke('regranted');
  const { external_uuid: account } = await service.accountByEmail(email('regranted'));
  const { status } = await service.call('POST', '/api/tasks/', {
    ...{ app: service.appId, action: 'update_account', account },
    changes: { team: { added: ['red'] } },
  });
  expect(status).toBe(201);
  await run();
  expect((await grantsOf(policy)).map(({ ended }) => ended)).toEqual([true, false]);
  expect(await preview(policy)).toMatchObject({ missing: { count: 0 } });
});

test('a policy gives again to somebody who left and returned', async () => {
  const user = await service.person(email('returned'), inFinance);
  const policy = await granting('returned');
  await run();
  await revoke('returned');
  await service.call('POST', `/api/users/${user}/deactivate/`);
  await service.call('POST', `/api/users/${user}/reactivate/`);
  await run();
  expect(await service.tasksOf(policy)).toMatchObject([{ action: 'update_account', status: 'pending' }]);
});

test('an account that passes to another person is that of the other for policies', async () => {
  const [first, second] = [
    await service.person(email('passed'), inFinance),
    await service.person(email('next'), inFinance),
  ];
  const policy = await service.policy({
    ...{
      trigger: 'daily',
      condition: `user != null && user.email in ["${email('passed')}", "${email('next')}"]`,
    },
    effects: [{ do: 'grant', app: service.appId, memberships: { team: ['red'] } }],
  });
  await service.call('PATCH', `/api/policies/${policy}/`, { condition: one('passed') });
  await run();
  const { external_uuid: account } = await service.accountByEmail(email('passed'));
  const grants = async () =>
    (await service.call('GET', `/api/grants/?account=${account}`)).body.results.map(
      ({ for_user }: { for_user: string }) => for_user,
    );
  expect(await grants()).toEqual([first]);
  await service.call('PATCH', `/api/accounts/${account}/`, { user: second });
  await service.call('PATCH', `/api/policies/${policy}/`, { condition: one('next') });
  await run();
  expect(await grants()).toEqual([second, first]);

  // Taken away from one, it is given to the other.
  await revoke('passed');
  await run();
  expect(await preview(policy)).toMatchObject({ count: 0, missing: { count: 1 } });
  await service.call('PATCH', `/api/accounts/${account}/`, { user: first });
  await service.call('PATCH', `/api/policies/${policy}/`, { condition: one('passed') });
  await run();
  expect(await service.tasksOf(policy)).toMatchObject([{ action: 'update_account', status: 'pending' }]);
});

test('previews and the form name policies that would undo each other, and the people', async () => {
  const user = await service.person(email('one'), inFinance);
  await service.person(email('other'), inFinance);
  const gives = await granting('one');
  const takes = await granting('one', {
    name: 'Cleanup',
    condition: 'user.attributes.department == "Finance"',
    effects: [{ do: 'revoke', app: service.appId }],
  });
  const elsewhere = await granting('other', {
    effects: [{ do: 'grant', app: service.appId, memberships: { team: ['blue'] } }],
    condition: 'user.attributes.department == "Legal"',
  });
  const people = [{ external_uuid: user, email: email('one') }];
  const undone = (policy: string, name: string) => [
    { policy: { external_uuid: policy, name }, count: 1, people },
  ];
  expect((await preview(gives)).contradicts).toMatchObject(undone(takes, 'Cleanup'));
  expect((await preview(takes)).contradicts).toMatchObject(undone(gives, 'Finance'));
  expect((await preview(elsewhere)).contradicts).toEqual([]);
  const { body } = await service.call('POST', '/api/policies/matches/', {
    condition: one('one'),
    effects: [{ do: 'grant', app: service.appId, memberships: { team: ['red'] } }],
    policy: gives,
  });
  expect(body).toMatchObject({ count: 1, contradicts: undone(takes, 'Cleanup') });
});
