import { afterAll, beforeAll, expect, test } from 'vitest';
import { addPersonWithKey } from '#test/people.ts';
import { inDays, type Somebody } from '#test/requests.ts';
import { openReviewsTest, type ReviewsTest } from '#test/reviews.ts';

let service: ReviewsTest;
let rita: Somebody;
let dora: Somebody;
/** An administrator whose access is reviewed. */
let ada: Somebody;
beforeAll(async () => {
  service = await openReviewsTest(
    ['ada', 'bert'].map((name) => ({ id: name, email: `${name}@acme.example` })),
  );
  [rita, dora] = [await addPersonWithKey(service, 'member'), await addPersonWithKey(service, 'member')];
  ada = await addPersonWithKey(service, 'admin', { email: 'ada@acme.example' });
});
afterAll(() => service.close());

const started = () => service.start({ reviewer: [rita.id], scope: { include: ['accounts'] } });
const REFUSED = { status: 403, body: { detail: expect.stringContaining('in the last 30 days') } };

test('whoever has the access does not decide in the name of a reviewer whose sign-in they reset', async () => {
  const cycle = await started();
  const [ofAda, ofBert] = await service.items(cycle);
  const change = { email: `moved-${rita.email}` };
  expect((await service.call('PATCH', `/api/users/${rita.id}/`, change, { key: ada.key })).status).toBe(200);

  expect(await service.decide(cycle, [ofAda, ofBert], 'keep', { key: rita.key })).toMatchObject(REFUSED);
  expect(await service.decide(cycle, [ofBert], 'keep', { key: rita.key })).toMatchObject({ status: 200 });
  expect(await service.decide(cycle, [ofAda], 'revoke', { key: rita.key })).toMatchObject({ status: 200 });
});

test('nor with a deputy whom they chose', async () => {
  const cycle = await started();
  const [ofAda] = await service.items(cycle);
  const absence = { deputy: dora.id, starts_at: inDays(-1), ends_at: inDays(1) };
  const away = await service.call('POST', `/api/users/${rita.id}/absences/`, absence, { key: ada.key });
  expect(away.status).toBe(201);

  expect(await service.decide(cycle, [ofAda], 'keep', { key: dora.key })).toMatchObject({ status: 403 });
  expect(await service.decide(cycle, [ofAda], 'revoke', { key: dora.key })).toMatchObject({ status: 200 });
});
