// @module-tag engine

import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { within } from '#kit/database.ts';
import { sql } from '#kit/sql.ts';
import { addPersonWithKey } from '#test/people.ts';
import { openProvisioningTest, type ProvisioningTest } from '#test/provisioning.ts';
import { beginTaskChange } from '../history/change.ts';
import { grantMemberships, revokeAllMemberships, revokeMemberships } from './queries/effects.ts';
import { foldMemberCounts } from './queries/member-counts.ts';

let service: ProvisioningTest;
let call: ProvisioningTest['call'];
let resources: string;
beforeAll(async () => {
  service = await openProvisioningTest([
    {
      id: 'a',
      email: 'a@x.example',
      memberships: { team: [{ id: 'red' }] },
      assignments: { seat: [{ id: 'gold' }] },
    },
    { id: 'b', email: 'b@x.example', memberships: { team: [{ id: 'red' }, { id: 'blue' }] } },
    { id: 'c', email: 'c@x.example' },
  ]);
  call = service.call;
  resources = `/api/apps/${service.appId}/resources/`;
});
afterAll(() => service.close());

const list = async (query = '') => (await call('GET', `${resources}${query}`)).body;
const idOf = async (id: string) =>
  (await list()).results.find((one: { id: string }) => one.id === id).external_uuid;

test('lists groups and licenses by name, with their number of members', async () => {
  const { count, results } = await list();

  expect(count).toBe(3);
  expect(results).toMatchObject([
    { id: 'blue', slug: 'team', type: 'group', name: 'Blue', active: true, members: 1, max_count: null },
    { id: 'gold', slug: 'seat', type: 'license', name: 'Gold', active: true, members: 1, is_full: false },
    { id: 'red', slug: 'team', type: 'group', name: 'Red', active: true, members: 2 },
  ]);
});

test.each([
  ['?slug=team', ['blue', 'red']],
  ['?slug=nothing', []],
  ['?q=RE', ['red']],
  ['?active=false', []],
  ['?limit=1&offset=1', ['gold']],
])('%s finds %j', async (query, ids) => {
  const { results } = await list(query);

  expect(results.map(({ id }: { id: string }) => id)).toEqual(ids);
});

test('shows seats as pushed and lists missing entitlements separately', async () => {
  const other = await openProvisioningTest();
  const app = other.appId;
  const { sync_id } = (await other.bridge('POST', '/sync/')).body;
  const license = { id: 'pro', name: 'Pro', max_count: 5, used_count: 3, is_paid: true, is_unlimited: false };
  await other.bridge('PUT', `/sync/${sync_id}/seat/`, { records: [license] });
  await other.bridge('POST', `/sync/${sync_id}/complete/`);
  await expect
    .poll(async () => (await other.bridge('GET', `/sync/${sync_id}/`)).body.status, { timeout: 10_000 })
    .toBe('completed');

  const seats = (await other.call('GET', `/api/apps/${app}/resources/`)).body.results;
  const gone = (await other.call('GET', `/api/apps/${app}/resources/?active=false`)).body.results;

  expect(seats).toMatchObject([{ ...license, is_full: false }]);
  expect(gone.map(({ id }: { id: string }) => id)).toEqual(['blue', 'gold', 'red']);
  for (const [id, { external_uuid }] of [
    ['pro', seats[0]],
    ['blue', gone[0]],
  ]) {
    const one = await other.call('GET', `/api/apps/${app}/resources/?resource_id=${external_uuid}`);
    expect(one.body).toMatchObject({ count: 1, results: [{ id, external_uuid }] });
  }
  await other.close();
});

test('tells every role whether a license is full', async () => {
  const other = await openProvisioningTest();
  const path = `/api/apps/${other.appId}/resources/?slug=seat`;
  const { key } = await addPersonWithKey(other, 'member');
  const { sync_id } = (await other.bridge('POST', '/sync/')).body;
  const license = { id: 'pro', name: 'Pro', max_count: 5, used_count: 5 };
  await other.bridge('PUT', `/sync/${sync_id}/seat/`, { records: [license] });
  await other.bridge('POST', `/sync/${sync_id}/complete/`);
  const find = async (options = {}) => (await other.call('GET', path, undefined, options)).body.results;

  await expect.poll(async () => (await find())[0]?.is_full, { timeout: 10_000 }).toBe(true);
  expect(await find({ key })).toMatchObject([
    { id: 'pro', max_count: null, used_count: null, is_full: true },
  ]);
  await other.close();
});

test('lists the accounts that hold a group', async () => {
  const members = async (id: string, query = '') =>
    (await call('GET', `${resources}${await idOf(id)}/members/${query}`)).body;

  expect(await members('red')).toMatchObject({
    count: 2,
    results: [
      { email: 'a@x.example', status: 'ACTIVE', user: null, granted_at: expect.any(String) },
      { email: 'b@x.example' },
    ],
  });
  expect(await members('red', '?limit=1&offset=1')).toMatchObject({ results: [{ email: 'b@x.example' }] });
  expect(await call('GET', `${resources}${randomUUID()}/members/`)).toMatchObject({ status: 404 });
  expect(await call('GET', `${resources}red/members/`)).toMatchObject({ status: 404 });
});

test('the number of members is right after any changes, folded or not, also while others write and fold', async () => {
  const other = await openProvisioningTest(
    ['a', 'b', 'c'].map((id) => ({ id, email: `${id}@x.example`, memberships: { team: [{ id: 'red' }] } })),
  );
  const { db } = other.database;
  const idsOf = async (table: 'account' | 'entitlement') => {
    const { rows } = await sql<{ id: string }>`
      select id from ${sql.table(table)} where org_id = ${other.orgId} order by external_id`.execute(db);
    return rows.map(({ id }) => id);
  };
  const [accounts, entitlements] = [await idsOf('account'), await idsOf('entitlement')];
  const one = (list: string[]) => fc.constantFrom(...list);
  const some = fc.uniqueArray(one(entitlements), { minLength: 1 });
  const step = fc.oneof(
    fc.record({ do: fc.constant('grant' as const), account: one(accounts), some, fails: fc.boolean() }),
    fc.record({ do: fc.constant('revoke' as const), account: one(accounts), some, fails: fc.boolean() }),
    fc.record({ do: fc.constant('revoke all' as const), account: one(accounts), fails: fc.boolean() }),
    fc.constant({ do: 'fold' as const }),
  );
  const take = async (taken: typeof step extends fc.Arbitrary<infer T> ? T : never) => {
    if (taken.do === 'fold') return foldMemberCounts(db);
    await db
      .transaction()
      .execute(async (transaction) => {
        const tx = within(transaction, other.orgId);
        await sql`select from account where org_id = ${tx.orgId} and id = ${taken.account} for update`.execute(
          tx,
        );
        const change = await beginTaskChange(tx);
        if (taken.do === 'grant') await grantMemberships(tx, change, taken.account, taken.some);
        else if (taken.do === 'revoke') await revokeMemberships(tx, change, taken.account, taken.some);
        else await revokeAllMemberships(tx, change, taken.account);
        if (taken.fails) throw new Error('rolled back');
      })
      .catch((error: Error) => expect(error.message).toBe('rolled back'));
  };
  const shown = async () => {
    const { results } = (await other.call('GET', `/api/apps/${other.appId}/resources/`)).body;
    return results.map((found: { external_uuid: string; members: number }) => [
      found.external_uuid,
      found.members,
    ]);
  };
  const real = async () => {
    const { rows } = await sql<{ id: string; n: number }>`
      select e.id, count(m.account_id) as n from entitlement e
      left join membership m on m.org_id = ${other.orgId} and m.entitlement_id = e.id
      where e.org_id = ${other.orgId} group by e.id`.execute(db);
    return new Map(rows.map(({ id, n }) => [id, n]));
  };
  const expectRight = async () => expect(new Map(await shown())).toEqual(await real());

  await expectRight();
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 12 }), fc.boolean(), async (steps, together) => {
      if (together) await Promise.all(steps.map(take));
      else for (const next of steps) await take(next);
      await expectRight();
    }),
    { numRuns: 15 },
  );
  await foldMemberCounts(db);
  await expectRight();
  await other.close();
});
