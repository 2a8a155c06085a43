import { afterAll, beforeAll, expect, test } from 'vitest';
import { reassignMissedItems } from '#decisions/reviews/reviewers/reassign.ts';
import { openReviewsTest, type ReviewsTest } from '#test/reviews.ts';

const email = (n: number) => `p${n}@acme.example`;

let service: ReviewsTest;
let reviewers: string[];
beforeAll(async () => {
  service = await openReviewsTest([
    { id: 'ann', email: 'ann@acme.example', memberships: { team: [{ id: 'red' }] } },
  ]);
  reviewers = [];
  for (let n = 0; n < 8; n++) {
    const { body } = await service.call('POST', '/api/users/', { email: email(n) });
    reviewers.push(body.external_uuid);
  }
});
afterAll(() => service.close());

test('review items of somebody who left stay with them until the hold is decided', async () => {
  const [first = ''] = reviewers;
  const fallback = (await service.keyOf('fallback@acme.example')).id;
  const cycle = await service.start({
    reviewer: [first],
    fallback_reviewers: [fallback],
  });
  const reviewersOf = async () => (await service.items(cycle)).map(({ reviewer }) => reviewer.external_uuid);
  expect(await reviewersOf()).toEqual([first, first]);
  const rows = reviewers.slice(0, 6).map((_, n) => `${email(n)},deactivated`);
  const { status } = await service.call('POST', '/api/users/import/', `email,status\n${rows.join('\n')}`, {
    headers: { 'content-type': 'text/csv' },
  });
  expect(status).toBe(200);
  const [hold] = (await service.call('GET', '/api/holds/')).body.results;
  expect(hold).toMatchObject({ status: 'open', client: { type: 'import' } });
  await reassignMissedItems(service.database.db);
  expect(await reviewersOf()).toEqual([first, first]);
  await service.call('POST', `/api/holds/${hold.external_uuid}/confirm/`);
  await reassignMissedItems(service.database.db);
  expect(await reviewersOf()).toEqual([fallback, fallback]);
});
