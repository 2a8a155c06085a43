import { afterAll, beforeAll, expect, test } from 'vitest';
import { within } from '#kit/database.ts';
import { addPersonWithKey } from '#test/people.ts';
import { openReviewsTest, type ReviewsTest } from '#test/reviews.ts';
import { addSyncedApp } from '#test/sync.ts';
import { continueOpening } from './open.ts';

/** People whom the condition of a review's scope does not decide (D65). */
const email = (name: string) => `${name}@acme.example`;
const NAMES = ['without', 'it', 'sales'];

let service: ReviewsTest;
beforeAll(async () => {
  service = await openReviewsTest([], { own: true });
  for (const [name, attributes] of Object.entries({
    without: {},
    it: { department: 'IT' },
    sales: { department: 'Sales' },
  }))
    await service.call('POST', '/api/users/', { email: email(name), attributes });
  const records = NAMES.map((name) => ({ id: name, email: email(name) }));
  await service.sync([...records, { id: 'robot', username: 'robot' }]);
  // A second account of the same person.
  const other = await addSyncedApp(service);
  await other.sync({ bot: [{ id: 'without', email: email('without') }] });
});
afterAll(() => service.close());

const UNDECIDED = {
  count: 1,
  people: [{ email: email('without') }],
  reasons: [{ code: 'missing', field: 'user.attributes.department', count: 1 }],
};
const scope = (users: string) => ({ scope: { users, include: ['accounts'] } });
const campaign = async (users: string) =>
  (await service.call('POST', '/api/reviews/', { name: 'Outside IT', ...scope(users) })).body
    .external_uuid as string;

test('the preview and the cycle name the people whose accounts are left out', async () => {
  const id = await campaign('user.attributes.department != "IT"');
  const preview = await service.call('GET', `/api/reviews/${id}/preview/`);
  expect(preview.body).toMatchObject({ accounts: 1, items: 1, undecided: UNDECIDED });
  const { body: cycle } = await service.call('POST', `/api/reviews/${id}/start/`);
  expect(cycle).toMatchObject({ progress: { items: 1 }, undecided: UNDECIDED });
  const path = `/api/reviews/cycles/${cycle.external_uuid}/`;
  expect((await service.call('GET', path)).body).toMatchObject({ undecided: UNDECIDED });
});

test('without a condition, nobody is undecided', async () => {
  const cycle = await service.start();
  expect(cycle).toMatchObject({ undecided: { count: 0, people: [], reasons: [] } });
});

test('a review of which the condition decides nobody says so', async () => {
  const id = await campaign('user.attributes.departmnt == "Sales"');
  expect(await service.call('POST', `/api/reviews/${id}/start/`)).toMatchObject({
    status: 422,
    body: { detail: expect.stringContaining('user.attributes.departmnt has no value.') },
  });
});

test('members who review do not learn who is left out', async () => {
  const member = await addPersonWithKey(service, 'member', { email: email('reviewer') });
  const { body: review } = await service.call('POST', '/api/reviews/', {
    name: 'By a member',
    reviewer: [member.id],
    ...scope('user.attributes.department != "IT"'),
  });
  const { body: cycle } = await service.call('POST', `/api/reviews/${review.external_uuid}/start/`);
  const read = await service.call('GET', `/api/reviews/cycles/${cycle.external_uuid}/`, undefined, {
    key: member.key,
  });
  expect(read).toMatchObject({ status: 200, body: { undecided: null } });
});

test('somebody with accounts in two steps of an opening counts once', async () => {
  const robots = Array.from({ length: 2000 }, (_, n) => ({ id: `robot-${n}`, username: `robot-${n}` }));
  await (await addSyncedApp(service)).sync({ bot: robots });
  await (await addSyncedApp(service)).sync({ bot: [{ id: 'last', email: email('without') }] });
  const id = await campaign('user.attributes.department != "IT"');
  const { body: cycle } = await service.call('POST', `/api/reviews/${id}/start/`);
  expect(cycle).toMatchObject({ status: 'scheduled', opening: { accounts: 2000 }, undecided: UNDECIDED });
  await continueOpening(within(service.database.db, service.orgId), cycle.external_uuid);
  const read = await service.call('GET', `/api/reviews/cycles/${cycle.external_uuid}/`);
  expect(read.body).toMatchObject({ status: 'in_progress', undecided: UNDECIDED });
});
