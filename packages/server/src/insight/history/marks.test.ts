// @module-tag engine
import { afterAll, beforeAll, expect, test } from 'vitest';
import { closeCycle } from '#decisions/reviews/deciding/close.ts';
import { within } from '#kit/database.ts';
import { openReviewsTest, type ReviewsTest } from '#test/reviews.ts';

let service: ReviewsTest;
let ann: { id: string; key: string };
beforeAll(async () => {
  const red = { team: [{ id: 'red' }] };
  service = await openReviewsTest([{ id: 'bob', email: 'bob@acme.example', memberships: red }]);
  ann = await service.keyOf('ann@acme.example');
  await service.sync([
    { id: 'ann', email: 'ann@acme.example', memberships: red },
    { id: 'bob', email: 'bob@acme.example', status: 'suspended', memberships: red },
  ]);
  await service.sync([{ id: 'ann', email: 'ann@acme.example' }]);
});
afterAll(() => service.close());

/** The sums of the days. */
async function marks(query = '', key?: string) {
  const { status, body } = await service.call(
    'GET',
    `/api/history/marks/?${query}`,
    undefined,
    key ? { key } : {},
  );
  if (status !== 200) return [status, body.detail];
  const sums = { syncs: 0, began: 0, ended: 0, reviews: 0 };
  for (const day of body.results)
    for (const name of Object.keys(sums) as (keyof typeof sums)[]) sums[name] += day[name];
  return sums;
}
const ofRed = () => `app=${service.appId}&slug=team&resource=red`;

test('counts syncs, and access that came after the first sync or went', async () => {
  // Ann and her group came. Her group went, and Bob with his; a status that changes is neither.
  expect(await marks(`app=${service.appId}`)).toEqual({ syncs: 3, began: 2, ended: 3, reviews: 0 });
  expect(await marks()).toEqual({ syncs: 3, began: 2, ended: 3, reviews: 0 });
  expect(await marks(`user=${ann.id}`)).toEqual({ syncs: 3, began: 2, ended: 1, reviews: 0 });
  expect(await marks(ofRed())).toEqual({ syncs: 3, began: 1, ended: 2, reviews: 0 });
});

test('leaves out days outside of the range', async () => {
  const none = { syncs: 0, began: 0, ended: 0, reviews: 0 };
  expect(await marks('from=2001-01-01T00:00:00Z&to=2002-01-01T00:00:00Z')).toEqual(none);
  expect(await marks('from=2002-01-01T00:00:00Z&to=2001-01-01T00:00:00Z')).toEqual([
    400,
    'to is before from. Swap them.',
  ]);
});

test('shows members the marks of their own access only, without reviews', async () => {
  expect(await marks('', ann.key)).toEqual({ syncs: 3, began: 2, ended: 1, reviews: 0 });
  expect(await marks(`app=${service.appId}`, ann.key)).toEqual([
    403,
    'A member can only see the history of their own accounts.',
  ]);
});

test('counts the days in a time zone, and rejects an unknown one', async () => {
  const days = async (zone: string) =>
    (await service.call('GET', `/api/history/marks/?time_zone=${zone}`)).body.results.map(
      ({ day }: { day: string }) => day,
    );
  const [utc] = await days('UTC');
  const east = await days('Pacific/Kiritimati');
  const west = await days('Pacific/Pago_Pago');
  expect(east[0] > west[0], `${east} ${utc} ${west}`).toBe(true);
  expect(await marks('time_zone=Middle/Earth')).toEqual([
    400,
    '"Middle/Earth" is not a time zone (time_zone). Use an IANA name such as Europe/Berlin.',
  ]);
});

test('counts a completed review on the pages of what it was about', async () => {
  await service.sync([{ id: 'ann', email: 'ann@acme.example', memberships: { team: [{ id: 'red' }] } }]);
  const cycle = await service.start();
  expect(await marks(ofRed())).toMatchObject({ reviews: 0 });
  const items = await service.items(cycle);
  await service.decide(cycle, items, 'keep');
  await service.makeDue();
  await closeCycle(within(service.database.db, service.orgId), cycle.external_uuid);
  const account = items[0].account.external_uuid ?? items[0].account.id;
  for (const query of ['', ofRed(), `user=${ann.id}`, `account=${account}`, `app=${service.appId}`])
    expect(await marks(query), query).toMatchObject({ reviews: 1 });
  expect(await marks('', ann.key)).toMatchObject({ reviews: 0 });
});
