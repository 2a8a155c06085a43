import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '#kit/sql.ts';
import { scan } from '#test/notifications.ts';
import { eventsOf } from '#test/people.ts';
import { inDays } from '#test/requests.ts';
import { openReviewsTest, type ReviewsTest } from '#test/reviews.ts';

let service: ReviewsTest;
beforeAll(async () => {
  service = await openReviewsTest([{ id: 'ann', email: 'ann@acme.example' }]);
});
afterAll(() => service.close());

let number = 0;
const person = () => service.keyOf(`reviewer-${++number}@acme.example`);
const start = (reviewer: string[], settings = {}) =>
  service.start({ scope: { apps: [service.appId], include: ['accounts'] }, reviewer, ...settings });
const remind = (cycle: { external_uuid: string }, id: string, key = service.key) =>
  service.call('POST', `/api/reviews/cycles/${cycle.external_uuid}/reviewers/${id}/remind/`, undefined, {
    key,
  });
const reviewers = async (cycle: { external_uuid: string }) =>
  (await service.call('GET', `/api/reviews/cycles/${cycle.external_uuid}/reviewers/`)).body.results;

/** Returns who got a reminder of a cycle, with its kind. */
async function told({ external_uuid }: { external_uuid: string }) {
  const { rows } = await sql<{ kind: string; user_id: string }>`
    select kind, user_id from notification
    where org_id = ${service.orgId} and about_id = ${external_uuid} and kind <> 'review_assigned'
    order by id`.execute(service.database.db);
  return rows;
}

test('notifies the reviewer, records an event and lists when it was', async () => {
  const { id } = await person();
  const cycle = await start([id], { due_days: 30 });
  expect(await reviewers(cycle)).toMatchObject([{ reviewer: { external_uuid: id }, reminded_at: null }]);

  const { status, body } = await remind(cycle, id);
  expect({ status, body }).toEqual({ status: 200, body: { reminded_at: expect.any(String), items: 1 } });
  expect((await reviewers(cycle))[0].reminded_at).not.toBeNull();
  const reminded = await eventsOf(service, 'review.reminded');
  expect(reminded.find(({ payload }) => payload.cycle_id === cycle.external_uuid)).toMatchObject({
    actor: { uuid: service.adminId },
    payload: { cycle_id: cycle.external_uuid, user_id: id, items: 1 },
  });
  await expect
    .poll(() => told(cycle), { timeout: 20_000 })
    .toEqual([{ kind: 'review_reminder', user_id: id }]);
});

test('sends one reminder an hour, also if two administrators ask at the same time', async () => {
  const { id } = await person();
  const cycle = await start([id]);
  const answers = await Promise.all([remind(cycle, id), remind(cycle, id)]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  expect(answers.find(({ status }) => status === 409)?.body.detail).toMatch(
    /was reminded less than an hour ago. You can send the next reminder at \d{4}-/,
  );
  const other = await start([id]);
  expect((await remind(other, id)).status).toBe(200);
});

test('reminds the deputy of an absent reviewer', async () => {
  const [absent, deputy] = [await person(), await person()];
  const cycle = await start([absent.id], { due_days: 30 });
  const absence = { deputy: deputy.id, starts_at: inDays(-1), ends_at: inDays(1) };
  expect((await service.call('POST', `/api/users/${absent.id}/absences/`, absence)).status).toBe(201);
  expect((await remind(cycle, absent.id)).status).toBe(200);
  await scan(service);
  await expect
    .poll(() => told(cycle), { timeout: 20_000 })
    .toContainEqual({ kind: 'review_reminder', user_id: deputy.id });
});

test('uses the kind of an urgent notification if the review is due soon', async () => {
  const { id } = await person();
  const cycle = await start([id], { due_days: 3 });
  await remind(cycle, id);
  await expect
    .poll(() => told(cycle), { timeout: 20_000 })
    .toContainEqual({ kind: 'review_due', user_id: id });
});

test('refuses without open items, in a closed cycle, for unknown people and for others than administrators', async () => {
  const [reviewer, other] = [await person(), await person()];
  const cycle = await start([reviewer.id]);
  expect(await remind(cycle, other.id)).toMatchObject({
    status: 409,
    body: { detail: expect.stringMatching(/has no undecided items in this cycle/) },
  });
  expect((await remind(cycle, cycle.external_uuid)).status).toBe(404);
  expect((await remind({ external_uuid: other.id }, reviewer.id)).status).toBe(404);
  expect((await remind(cycle, reviewer.id, reviewer.key)).status).toBe(403);
  const auditor = await service.keyOf('auditor@acme.example', 'auditor');
  expect((await remind(cycle, reviewer.id, auditor.key)).status).toBe(403);

  await service.decide(cycle, await service.items(cycle), 'keep');
  expect(await remind(cycle, reviewer.id)).toMatchObject({ status: 409 });
});
