import { afterAll, beforeAll, expect, test } from 'vitest';
import { addPersonWithKey, addPersonWithRole } from '#test/people.ts';
import { inDays, type Somebody } from '#test/requests.ts';
import { openReviewsTest, type ReviewsTest } from '#test/reviews.ts';

let service: ReviewsTest;
let rita: Somebody;
let dora: Somebody;
let admin: Somebody;
beforeAll(async () => {
  service = await openReviewsTest(
    ['ada', 'bert'].map((name) => ({ id: name, email: `${name}@acme.example` })),
  );
  const somebody = (name: string) => addPersonWithKey(service, 'member', { email: `${name}@acme.example` });
  [rita, dora] = [await somebody('rita'), await somebody('dora')];
  admin = await addPersonWithKey(service, 'admin', { email: 'root@acme.example' });
});
afterAll(() => service.close());

type Cycle = { external_uuid: string };
const started = (): Promise<Cycle> =>
  service.start({ reviewer: [rita.id], scope: { include: ['accounts'] }, cooling_off_hours: 24 });
const search = ({ external_uuid }: Cycle, q: string, { key }: { key: string }) =>
  service.call('GET', `/api/reviews/cycles/${external_uuid}/items/reassign/candidates/?q=${q}`, undefined, {
    key,
  });

test('finds people who can review, and returns their id, name and email', async () => {
  const cycle = await started();
  await service.call('PATCH', `/api/users/${dora.id}/`, { first_name: 'Dora', last_name: 'Deputy' });
  await addPersonWithRole(service, 'watcher@acme.example', 'auditor');

  expect(await search(cycle, 'dep', rita)).toMatchObject({ status: 200 });
  expect((await search(cycle, 'dep', rita)).body).toEqual({
    results: [{ external_uuid: dora.id, name: 'Dora Deputy', email: dora.email }],
  });
  for (const q of ['d', '', 'watcher', 'rita'])
    expect((await search(cycle, q, rita)).body, q).toEqual({ results: [] });
  expect((await search(cycle, 'rita', admin)).body.results).toMatchObject([{ external_uuid: rita.id }]);
});

test('is for administrators and people with undecided items', async () => {
  const cycle = await started();
  const [first, ...others] = await service.items(cycle);
  expect(await search(cycle, 'dora', dora)).toMatchObject({ status: 403 });
  expect(await search(cycle, 'dora', await addPersonWithKey(service, 'auditor'))).toMatchObject({
    status: 403,
  });

  const absence = { deputy: dora.id, starts_at: inDays(-1), ends_at: inDays(1) };
  const { body } = await service.call('POST', `/api/users/${rita.id}/absences/`, absence);
  expect(await search(cycle, 'root', dora)).toMatchObject({ status: 200 });
  await service.call('DELETE', `/api/users/${rita.id}/absences/${body.external_uuid}/`);

  await service.decide(cycle, others, 'keep', { key: rita.key });
  expect(await search(cycle, 'dora', rita)).toMatchObject({ status: 200 });
  await service.decide(cycle, [first], 'keep', { key: rita.key });
  expect(await search(cycle, 'dora', rita)).toMatchObject({
    status: 403,
    body: { detail: 'You have no undecided items in this cycle.' },
  });
  expect(await search(cycle, 'dora', admin)).toMatchObject({ status: 200 });
});
