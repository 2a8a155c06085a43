import { afterEach, beforeEach, expect, test } from 'vitest';
import { openReviewsTest, type ReviewsTest } from '#test/reviews.ts';

let service: ReviewsTest;
let bob: { id: string; key: string };

const email = (name: string) => `${name}@together.example`;

beforeEach(async () => {
  service = await openReviewsTest([
    {
      id: 'ann',
      email: email('ann'),
      memberships: { team: [{ id: 'blue' }, { id: 'red' }] },
      assignments: { seat: [{ id: 'gold' }] },
    },
  ]);
  bob = await service.keyOf(email('bob'));
  await service.call('POST', '/api/users/', { email: email('ann'), manager: bob.id });
});
afterEach(() => service.close());

/** Starts a cycle with ann's items: her account, gold, blue, red. */
const startOfAnn = (settings: object = {}) =>
  service.start({ scope: { users: `user.email == '${email('ann')}'` }, ...settings });

const together = (cycle: { external_uuid: string }, items: { id: string }[], more: object = {}) =>
  service.call('POST', `/api/reviews/cycles/${cycle.external_uuid}/decisions/`, {
    items: items.map(({ id }) => id),
    decision: 'keep',
    comment: 'Fits the work of the team',
    without_deviations: true,
    ...more,
  });
/** Revokes red of ann in another cycle first, so that it deviates. */
async function startWithDeviation() {
  const earlier = await startOfAnn({ name: 'Earlier' });
  const red = (await service.items(earlier)).at(-1);
  await service.decide(earlier, [red], 'revoke');
  return startOfAnn();
}

test('items without deviations are kept together with the reason', async () => {
  const cycle = await startWithDeviation();
  const items = await service.items(cycle);
  const plain = items.slice(0, -1);
  expect(await together(cycle, plain)).toMatchObject({ status: 200, body: { progress: { kept: 3 } } });
  const kept = await service.items(cycle, 'decision=keep');
  expect(kept.map(({ comment }) => comment)).toEqual(Array(3).fill('Fits the work of the team'));
  // The same step again, as after a lost response.
  expect((await together(cycle, plain)).status).toBe(200);
  expect((await service.items(cycle, 'decision=keep'))[0].earlier).toEqual([]);
});

test('items without deviations are refused together with one that deviates, and nothing is decided', async () => {
  const cycle = await startWithDeviation();
  expect(await together(cycle, await service.items(cycle))).toMatchObject({
    status: 409,
    body: { code: 'items_deviate', detail: expect.stringContaining('deviate now: 1.') },
  });
  expect(await service.items(cycle, 'decision=none')).toHaveLength(4);
});

test('items without deviations are refused if somebody else has decided one of them', async () => {
  const cycle = await startOfAnn();
  const items = await service.items(cycle);
  await service.decide(cycle, items.slice(0, 1), 'keep', { key: bob.key });
  expect(await together(cycle, items)).toMatchObject({
    status: 409,
    body: { code: 'items_decided_since' },
  });
  expect(await service.items(cycle, 'decision=none')).toHaveLength(3);
});

test('items without deviations do not replace a revocation of the same reviewer in the same words', async () => {
  const cycle = await startOfAnn();
  const items = await service.items(cycle);
  await service.decide(cycle, [items[0]], 'revoke', { comment: 'Fits the work of the team' });
  expect(await together(cycle, items)).toMatchObject({ status: 409, body: { code: 'items_decided_since' } });
  expect(await service.items(cycle, 'decision=revoke')).toHaveLength(1);
});

test('items without deviations need a reason, and are only kept', async () => {
  const cycle = await startOfAnn();
  const items = await service.items(cycle);
  for (const comment of [null, ' '])
    expect(await together(cycle, items, { comment })).toMatchObject({
      status: 400,
      body: { detail: expect.stringMatching(/^comment: /) },
    });
  for (const decision of ['revoke', null])
    expect(await together(cycle, items, { decision })).toMatchObject({
      status: 400,
      body: { detail: expect.stringMatching(/^without_deviations: /) },
    });
});

test('items without deviations cannot be kept by the person who has the access, nor by somebody who does not review them', async () => {
  const cycle = await startOfAnn();
  const items = await service.items(cycle);
  const annKey = await service.keyOf(email('ann'));
  const eve = await service.keyOf(email('eve'));
  for (const { key } of [annKey, eve]) {
    const { status } = await service.call(
      'POST',
      `/api/reviews/cycles/${cycle.external_uuid}/decisions/`,
      { items: items.map(({ id }) => id), decision: 'keep', comment: 'Mine', without_deviations: true },
      { key },
    );
    expect(status).toBe(403);
  }
});
