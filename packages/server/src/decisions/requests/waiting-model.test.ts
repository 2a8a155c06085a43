// @module-tag long

import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Tx, transaction, within } from '#kit/database.ts';
import { sql } from '#kit/sql.ts';
import { addPersonWithKey, organizationOf } from '#test/people.ts';
import { openRequestsTest, type RequestsTest } from '#test/requests.ts';
import { approversWaitedFor } from './waiting.ts';

/** People are numbers. The first two are administrators. */
const PEOPLE = 7;
const person = fc.nat(PEOPLE - 1);
const some = fc.uniqueArray(person, { maxLength: 3 });

interface World {
  approvers: 'manager' | 'app_owner' | number[];
  fallback: number[];
  requester: number;
  creator: number;
  beneficiary: number;
  owner: number;
  managers: (number | null)[];
  deputies: (number | null)[];
  inactive: number[];
  auditors: number[];
  level: number;
}

const worlds: fc.Arbitrary<World> = fc.record({
  approvers: fc.oneof(fc.constant('manager' as const), fc.constant('app_owner' as const), some),
  fallback: some,
  requester: person,
  creator: person,
  beneficiary: person,
  owner: person,
  managers: fc.array(fc.option(person), { minLength: PEOPLE, maxLength: PEOPLE }),
  deputies: fc.array(fc.option(person, { freq: 1 }), { minLength: PEOPLE, maxLength: PEOPLE }),
  inactive: some,
  auditors: fc.uniqueArray(fc.integer({ min: 2, max: PEOPLE - 1 }), { maxLength: 2 }),
  level: fc.constantFrom(0, 1, 2),
});

/** Returns the people who may decide, by the rules of docs/requests.md. */
function expected(world: World): number[] {
  const excluded = [world.requester, world.creator, world.beneficiary];
  const isAble = (one: number) => !world.inactive.includes(one) && !world.auditors.includes(one);
  const isEligible = (one: number) => isAble(one) && !excluded.includes(one);
  const awayFor = (one: number) => (world.deputies[one] === one ? null : (world.deputies[one] ?? null));
  const deputyOf = (absent: number): number | null => {
    let [current, last] = [absent, null as number | null];
    for (let i = 0; i < 3 && awayFor(current) !== null; i++) {
      current = awayFor(current) as number;
      if (!isEligible(current)) return null;
      last = current;
    }
    return awayFor(current) === null ? last : null;
  };
  const named = { manager: [world.managers[world.beneficiary] ?? null], app_owner: [world.owner] };
  const ranks = [
    typeof world.approvers === 'string' ? named[world.approvers] : world.approvers,
    world.fallback,
    [0, 1],
  ].map((rank) => rank.filter((one): one is number => one !== null && isEligible(one)));
  const isPresent = (one: number) => awayFor(one) === null || deputyOf(one) !== null;
  const present = ranks.flatMap((rank, i) => (rank.some(isPresent) ? [i] : []));
  const [first = 2, next] = present;
  const deciding = ranks.flatMap((rank, i) =>
    i <= first || (world.level === 2 && i === next) ? rank.map((one) => ({ one, i })) : [],
  );
  const withDeputy = (one: number) => [one, deputyOf(one)];
  const all = deciding.flatMap(({ one, i }) => {
    const boss = world.managers[one] ?? null;
    const escalates = world.level >= 1 && i < 2 && boss !== null && isEligible(boss);
    return [...withDeputy(one), ...(escalates ? withDeputy(boss) : [])];
  });
  return [...new Set(all.filter((one) => one !== null))].sort();
}

let service: RequestsTest;
let ticketId: string;
let ids: string[];
beforeAll(async () => {
  service = await openRequestsTest();
  const { ownerId } = await organizationOf(service);
  const others = [(await addPersonWithKey(service, 'admin')).id];
  for (let i = 2; i < PEOPLE; i++) others.push((await addPersonWithKey(service, 'member')).id);
  ids = [ownerId, ...others];
  ticketId = (await service.ask({ user: service.ada.id })).body.external_uuid;
});
afterAll(() => service.close());

const idsOf = (people: number[]) => people.map((one) => ids[one] as string);

async function arrange(tx: Tx, world: World): Promise<void> {
  const { orgId } = service;
  const approvers = typeof world.approvers === 'string' ? world.approvers : idsOf(world.approvers);
  await sql`
    update ticket set steps = ${JSON.stringify([{ approvers, require: 'any' }])}::jsonb,
      fallback_approvers = ${idsOf(world.fallback)}::uuid[], requester_id = ${ids[world.requester]},
      created_by = ${ids[world.creator]}, user_id = ${ids[world.beneficiary]}, escalation_step = 0,
      escalation_level = ${world.level}
    where org_id = ${orgId} and id = ${ticketId}`.execute(tx);
  await sql`update app set owner_id = ${ids[world.owner]} where org_id = ${orgId} and id = ${service.appId}`.execute(
    tx,
  );
  for (const [one, manager] of world.managers.entries())
    await sql`
      update platform_user set manager_id = ${manager === null ? null : ids[manager]},
        status = ${world.inactive.includes(one) ? 'deactivated' : 'active'},
        role = case when ${world.auditors.includes(one)}::boolean then 'auditor' else role end
      where org_id = ${orgId} and id = ${ids[one]}`.execute(tx);
  for (const [one, deputy] of world.deputies.entries())
    if (deputy !== null && deputy !== one)
      await sql`
        insert into absence (org_id, user_id, deputy_id, starts_at, ends_at, created_by)
        values (${orgId}, ${ids[one]}, ${ids[deputy]}, '2020-01-01', '2099-01-01', ${ids[one]})`.execute(tx);
}

class Rollback extends Error {}

async function waitedFor(world: World): Promise<number[]> {
  let found: number[] = [];
  await transaction(within(service.database.db, service.orgId), async (tx) => {
    await arrange(tx.db, world);
    found = (await approversWaitedFor(tx, ticketId)).map(({ userId }) => ids.indexOf(userId));
    throw new Rollback();
  }).catch((error: unknown) => {
    if (!(error instanceof Rollback)) throw error;
  });
  return found.sort();
}

test('the people who are waited for follow the rules, and are never the requester or the beneficiary', async () => {
  await fc.assert(
    fc.asyncProperty(worlds, async (world) => {
      const found = await waitedFor(world);
      for (const one of [world.requester, world.creator, world.beneficiary, ...world.inactive])
        expect(found).not.toContain(one);
      expect(found).toEqual(expected(world));
    }),
    { numRuns: 400 },
  );
}, 300_000);
