// @module-tag engine
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventsOf } from '#test/people.ts';
import { openPolicyTest, type PolicyTest } from '#test/policies.ts';
import { addKept, type KeptAccess, NOTHING_KEPT } from './kept.ts';

/** Policies that revoke access which something else gives (D68). */

let service: PolicyTest;
const through = (id: string) => ({ slug: 'team', id });
const account = (name: string, teams: object[], seats: object[]) => ({
  ...{ id: name, email: `${name}@acme.example` },
  ...{ memberships: { team: teams }, assignments: { seat: seats } },
});
beforeAll(async () => {
  service = await openPolicyTest([
    account(
      'ann',
      [{ id: 'red' }, { id: 'blue', via: through('red') }],
      [{ id: 'gold', via: through('red') }],
    ),
    account('bob', [], [{ id: 'gold' }]),
  ]);
  await service.settled();
});
afterAll(() => service.close());

const revoking = (effect: object) =>
  service.policy({
    ...{ name: 'No seats', trigger: 'daily' },
    effects: [{ do: 'revoke', app: service.appId, ...effect }],
  });

test('leave it, record why, and revoke the rest', async () => {
  for (const name of ['ann', 'bob']) await service.person(`${name}@acme.example`);
  const policy = await revoking({ assignments: { seat: ['gold'] } });
  await service.nextDay();
  await service.settled();

  expect(await service.tasksOf(policy)).toMatchObject([
    { app_user: { email: 'bob@acme.example' }, changes: { seat: { removed: [{ id: 'gold' }] } } },
  ]);
  const kept = await eventsOf(service, 'policy.access_kept');
  expect(kept).toMatchObject([
    {
      source: { type: 'schedule', uuid: policy },
      payload: {
        name: 'No seats',
        count: 1,
        kept: [{ email: 'ann@acme.example', resource: 'Gold', via: { id: 'red' } }],
      },
    },
  ]);
  await service.nextDay();
  await service.settled();
  expect(await eventsOf(service, 'policy.access_kept')).toHaveLength(1);
  await service.call('PATCH', `/api/policies/${policy}/`, { enabled: false });
});

test('of which a policy that grants it begins no grant', async () => {
  const policy = await service.policy({
    ...{ name: 'Blue', trigger: 'daily' },
    effects: [{ do: 'grant', app: service.appId, memberships: { team: ['red', 'blue'] } }],
    condition: "user.email == 'ann@acme.example'",
  });
  await service.nextDay();
  await service.settled();
  const { body } = await service.call('GET', `/api/grants/?kind=policy&app=${service.appId}`);
  expect(body.results).toMatchObject([{ resource: 'red', source: { external_uuid: policy } }]);
  expect(await service.tasksOf(policy)).toEqual([]);
  await service.call('PATCH', `/api/policies/${policy}/`, { enabled: false });
});

test('remove the source if the policy revokes it as well', async () => {
  const policy = await revoking({ memberships: { team: ['red', 'blue'] }, assignments: { seat: ['gold'] } });
  await service.nextDay();
  await service.settled();
  const ofAnn = (await service.tasksOf(policy)).filter(({ app_user }) => app_user.email.startsWith('ann'));
  expect(ofAnn).toMatchObject([{ changes: { team: { removed: [{ id: 'red' }] } } }]);
  expect(ofAnn[0]?.changes).not.toHaveProperty('seat');
});

test('keep no more of it in memory than the event shows', () => {
  const one = { account_id: '', email: '', app_name: '', resource: '', via: {} as KeptAccess['via'] };
  const first = addKept(NOTHING_KEPT, [one]);
  const all = addKept(
    first,
    Array.from({ length: 30 }, () => one),
  );
  expect([first.count, all.count, all.kept.length]).toEqual([1, 31, 20]);
  expect(addKept(all, [one])).toMatchObject({ count: 32, kept: all.kept });
});
