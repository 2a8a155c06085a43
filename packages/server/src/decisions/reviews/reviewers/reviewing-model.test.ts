import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type OrgTx, transaction, within } from '#kit/database.ts';
import { many, run } from '#kit/sql.ts';
import { addPersonWithKey, organizationOf } from '#test/people.ts';
import { openReviewsTest, type ReviewsTest } from '#test/reviews.ts';
import { escalate } from './queries/escalate.ts';
import { findReviewingPerson, isReviewedBy } from './queries/reviewing.ts';
import { reviewersWaitedFor } from './queries/waiting.ts';

/** People are numbers. The first two are administrators, and the last has the access. */
const PEOPLE = 6;
const person = fc.nat(PEOPLE - 1);
const some = fc.uniqueArray(person, { maxLength: 3 });
const HOLDER = PEOPLE - 1;

const worlds = fc.record({
  reviewers: some.map((ids) => ids.filter((one) => one !== HOLDER)),
  fallback: some,
  deputies: fc.array(fc.option(person, { freq: 2 }), { minLength: PEOPLE, maxLength: PEOPLE }),
  managers: fc.array(fc.option(person), { minLength: PEOPLE, maxLength: PEOPLE }),
  inactive: fc.uniqueArray(fc.integer({ min: 1, max: PEOPLE - 1 }), { maxLength: 2 }),
  levels: fc.subarray([1, 2] as const),
});
type World = typeof worlds extends fc.Arbitrary<infer T> ? T : never;

let service: ReviewsTest;
let ids: string[];
let cycleId: string;
beforeAll(async () => {
  service = await openReviewsTest([{ id: 'ada', email: 'ada@acme.example' }]);
  const { ownerId } = await organizationOf(service);
  ids = [ownerId, (await addPersonWithKey(service, 'admin')).id];
  for (let i = 2; i < HOLDER; i++) ids.push((await addPersonWithKey(service, 'member')).id);
  ids.push((await addPersonWithKey(service, 'member', { email: 'ada@acme.example' })).id);
  const cycle = await service.start({ reviewer: [ids[2]], scope: { include: ['accounts'] } });
  cycleId = cycle.external_uuid;
});
afterAll(() => service.close());

const idsOf = (people: number[]) => people.map((one) => ids[one] as string);

async function arrange(tx: OrgTx, world: World): Promise<void> {
  await run(tx)`
    update review_item set reviewers = ${idsOf(world.reviewers)}::uuid[], user_id = ${ids[HOLDER]}
    where org_id = ${tx.orgId} and cycle_id = ${cycleId}`;
  await run(tx)`
    update review_cycle
    set settings = settings || jsonb_build_object('fallback_reviewers', ${JSON.stringify(idsOf(world.fallback))}::jsonb)
    where org_id = ${tx.orgId} and id = ${cycleId}`;
  for (const [one, manager] of world.managers.entries())
    await run(tx)`
      update platform_user set manager_id = ${manager === null ? null : ids[manager]},
        status = ${world.inactive.includes(one) ? 'deactivated' : 'active'}
      where org_id = ${tx.orgId} and id = ${ids[one]}`;
  for (const [one, deputy] of world.deputies.entries())
    if (deputy !== null && deputy !== one)
      await run(tx)`
        insert into absence (org_id, user_id, deputy_id, starts_at, ends_at, created_by)
        values (${tx.orgId}, ${ids[one]}, ${ids[deputy]}, '2020-01-01', '2099-01-01', ${ids[one]})`;
}

class Rollback extends Error {}

/** Returns the people who are waited for, and those who see the item among theirs. */
async function found(world: World): Promise<{ waited: number[]; reviewing: number[] }> {
  let result = { waited: [] as number[], reviewing: [] as number[] };
  await transaction(within(service.database.db, service.orgId), async (tx) => {
    await arrange(tx, world);
    const items = await many<{ id: string }>(tx)`
      select id from review_item where org_id = ${tx.orgId} and cycle_id = ${cycleId}`;
    for (const level of world.levels)
      await escalate(
        tx,
        cycleId,
        items.map(({ id }) => id),
        level,
      );
    const waited = (await reviewersWaitedFor(tx, cycleId)).map(({ userId }) => ids.indexOf(userId));
    const reviewing: number[] = [];
    for (const [one, id] of ids.entries()) {
      const reviewer = await findReviewingPerson(tx, id, one < 2);
      const own = await many(tx)`
        select from review_item i where i.org_id = ${tx.orgId} and i.cycle_id = ${cycleId} and ${isReviewedBy(tx, reviewer)}`;
      if (own.length > 0) reviewing.push(one);
    }
    result = { waited: [...new Set(waited)].sort(), reviewing };
    throw new Rollback();
  }).catch((error: unknown) => {
    if (!(error instanceof Rollback)) throw error;
  });
  return result;
}

const check = (numRuns: number) =>
  fc.assert(
    fc.asyncProperty(worlds, async (world) => {
      const { waited, reviewing } = await found(world);
      const isActive = (one: number) => !world.inactive.includes(one);
      expect(waited.filter(isActive)).toEqual(reviewing.filter(isActive));
      expect(waited).not.toContain(HOLDER);
      // Administrators come last: while an active one is not away, an item of others always has somebody.
      if (isActive(0) && world.deputies[0] === null && !world.reviewers.some((one) => !isActive(one)))
        expect(waited.filter(isActive)).not.toEqual([]);
    }),
    { numRuns },
  );

test(
  'those who are waited for see their items, and nobody else does',
  { tags: ['engine'], timeout: 120_000 },
  () => check(40),
);

test('the same in many worlds', { tags: ['long'], timeout: 300_000 }, () => check(400));
