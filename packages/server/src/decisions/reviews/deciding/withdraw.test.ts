import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { eventsOf } from '#test/people.ts';
import { openReviewsTest, type ReviewsTest } from '#test/reviews.ts';

let service: ReviewsTest;
const email = 'ann@acme.example';
const memberships = { team: [{ id: 'blue' }, { id: 'red' }] };
beforeAll(async () => {
  service = await openReviewsTest([{ id: 'ann', email, memberships }]);
});
afterAll(() => service.close());
beforeEach(() => service.news());

/** Starts a cycle with ann's account and two groups. */
const start = (settings = {}) => service.start({ cooling_off_hours: 48, ...settings });
type Cycle = { external_uuid: string };
const withdraw = (cycle: Cycle, items: { id: string }[], key = service.key) =>
  service.call(
    'POST',
    `/api/reviews/cycles/${cycle.external_uuid}/decisions/`,
    { items: items.map(({ id }) => id), decision: null, comment: 'ignored' },
    { key },
  );
const tasksOf = async (status: string) =>
  (await service.call('GET', `/api/tasks/?status=${status}&limit=200`)).body.results;

test('makes items undecided again, cancels their task and keeps the decision as evidence', async () => {
  const cycle = await start();
  const [, blue, red] = await service.items(cycle);
  await service.decide(cycle, [blue, red], 'revoke', { comment: 'Moved on' });
  expect(await tasksOf('scheduled')).toHaveLength(1);

  expect(await withdraw(cycle, [red])).toMatchObject({
    status: 200,
    body: { status: 'in_progress', progress: { decided: 1, undecided: 2, kept: 0, revoked: 1 } },
  });
  // The other item of the task keeps its revocation.
  expect(await tasksOf('scheduled')).toMatchObject([
    { changes: { team: { removed: [{ id: blue.resource.id }] } } },
  ]);
  expect((await service.items(cycle)).find(({ id }) => id === red.id)).toMatchObject({
    decision: null,
    comment: null,
    decided_by: null,
    decided_at: null,
    task: null,
    earlier: [{ decision: 'revoke', comment: 'Moved on' }],
  });
  expect(await service.items(cycle, 'decision=none')).toHaveLength(2);
  const withdrawn = await eventsOf(service, 'review.decision_withdrawn');
  expect(withdrawn.find(({ payload }) => payload.item_id === red.id)).toMatchObject({
    actor: { uuid: service.adminId },
    payload: { item_id: red.id, previous_decision: 'revoke' },
  });
  await withdraw(cycle, [blue]);
  expect(await tasksOf('scheduled')).toEqual([]);
});

test('undoes only the decisions of the caller if asked to', async () => {
  const cycle = await start();
  const [account, blue, red] = await service.items(cycle);
  const admin = await service.keyOf('second@acme.example', 'admin');
  const undo = (items: { id: string }[], decision: string | null = null) =>
    service.call('POST', `/api/reviews/cycles/${cycle.external_uuid}/decisions/`, {
      ...{ items: items.map(({ id }) => id), decision },
      only_own: true,
    });
  await service.decide(cycle, [blue, red], 'keep');
  await service.decide(cycle, [red], 'revoke', { key: admin.key });

  expect(await undo([blue, red])).toMatchObject({
    status: 409,
    body: { detail: expect.stringContaining('Somebody else has decided 1 of these items since.') },
  });
  expect((await service.items(cycle)).map(({ decision }) => decision)).toEqual([null, 'keep', 'revoke']);
  expect((await undo([blue, account])).status).toBe(200);
  expect((await undo([blue])).status).toBe(200);
  expect((await undo([blue], 'keep')).status).toBe(409);
  expect((await service.items(cycle)).map(({ decision }) => decision)).toEqual([null, null, 'revoke']);
  expect((await withdraw(cycle, [red])).status).toBe(200);
});

test('changes nothing for undecided items', async () => {
  const cycle = await start();
  const items = await service.items(cycle);
  const before = await eventsOf(service, 'review.decision_withdrawn');
  expect(await withdraw(cycle, items)).toMatchObject({ status: 200, body: { progress: { undecided: 3 } } });
  expect(await eventsOf(service, 'review.decision_withdrawn')).toEqual(before);
});

test('refuses in a completed cycle, after the cooling-off, and for items that others review', async () => {
  const cycle = await start();
  const items = await service.items(cycle);
  const stranger = await service.keyOf('stranger@acme.example');
  await service.decide(cycle, items.slice(0, 1), 'keep');
  expect((await withdraw(cycle, items, stranger.key)).status).toBe(403);
  await service.decide(cycle, items, 'keep');
  expect(await withdraw(cycle, items)).toMatchObject({ status: 409 });

  const final = await start({ cooling_off_hours: 0 });
  const [item] = await service.items(final);
  await service.decide(final, [item], 'revoke');
  expect(await withdraw(final, [item])).toMatchObject({
    status: 409,
    body: { detail: expect.stringMatching(/can no longer be changed/) },
  });
});
