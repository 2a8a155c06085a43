import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { within } from '#kit/database.ts';
import { createLogger } from '#kit/logger.ts';
import { sql } from '#kit/sql.ts';
import { addPersonWithKey, eventsOf } from '#test/people.ts';
import { inDays, type Somebody } from '#test/requests.ts';
import { openReviewsTest, type ReviewsTest } from '#test/reviews.ts';
import { setTimes } from '#test/time.ts';
import { escalateItems } from '../reviewers/escalate.ts';
import { findReviewingPerson, isReviewedBy } from '../reviewers/queries/reviewing.ts';
import { reviewersWaitedFor } from './waiting.ts';

const silent = createLogger('silent');
let service: ReviewsTest;
let rita: Somebody;
let dora: Somebody;
let finn: Somebody;
let boss: Somebody;
let admin: Somebody;
/** The person whose access is reviewed. */
let ada: Somebody;
beforeAll(async () => {
  const records = ['ada', 'bert'].map((name) => ({ id: name, email: `${name}@acme.example` }));
  service = await openReviewsTest(records);
  const somebody = (name: string) => addPersonWithKey(service, 'member', { email: `${name}@acme.example` });
  [rita, dora, finn] = [await somebody('rita'), await somebody('dora'), await somebody('finn')];
  [boss, ada] = [await somebody('boss'), await somebody('ada')];
  admin = await addPersonWithKey(service, 'admin');
  await service.call('PATCH', `/api/users/${rita.id}/`, { manager: boss.id });
});
afterAll(() => service.close());
beforeEach(async () => {
  const { db } = service.database;
  await sql`delete from absence where org_id = ${service.orgId}`.execute(db);
});

const away = async (person: { id: string }, deputy: { id: string }) => {
  const body = { deputy: deputy.id, starts_at: inDays(-1), ends_at: inDays(1) };
  expect(await service.call('POST', `/api/users/${person.id}/absences/`, body)).toMatchObject({
    status: 201,
  });
};
const started = (more = {}) =>
  service.start({
    ...{ reviewer: [rita.id], fallback_reviewers: [finn.id], scope: { include: ['accounts'] } },
    ...more,
  });
// biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of a body.
const mine = async (cycle: any, { key }: Somebody): Promise<any[]> => {
  const path = `/api/reviews/cycles/${cycle.external_uuid}/items/?mine=true`;
  return (await service.call('GET', path, undefined, { key })).body.results ?? [];
};
const emails = (items: { account: { email: string } }[]) => items.map(({ account }) => account.email).sort();
const waitedFor = (cycle: { external_uuid: string }) =>
  reviewersWaitedFor(within(service.database.db, service.orgId), cycle.external_uuid);
const BOTH = ['ada@acme.example', 'bert@acme.example'];
const ref = ({ id, email }: Somebody) => ({ external_uuid: id, email });

describe('while a reviewer is away', () => {
  test('the deputy reviews, and the decision and the evidence say on whose behalf', async () => {
    const cycle = await started();
    expect(await mine(cycle, dora)).toEqual([]);
    await away(rita, dora);
    const items = await mine(cycle, dora);
    expect(emails(items)).toEqual(BOTH);
    expect(items[0].deputies).toEqual([{ ...ref(dora), on_behalf_of: ref(rita) }]);
    expect(emails(await mine(cycle, rita))).toEqual(BOTH);
    expect(await waitedFor(cycle)).toEqual(
      expect.arrayContaining([
        { userId: rita.id, onBehalfOf: null, items: 2 },
        { userId: dora.id, onBehalfOf: rita.id, items: 2 },
      ]),
    );
    expect(await service.decide(cycle, items, 'keep', { key: dora.key })).toMatchObject({ status: 200 });
    expect((await service.items(cycle))[0]).toMatchObject({
      ...{ decided_by: ref(dora), on_behalf_of: [ref(rita)], deputies: [] },
    });
    const csv = await service.call('GET', `/api/reviews/cycles/${cycle.external_uuid}/evidence/?format=csv`);
    expect(csv.body).toContain('on_behalf_of');
    expect(csv.body).toContain(rita.email);
    const events = await eventsOf(service, 'review.decided');
    expect(events.at(-1)?.payload).toMatchObject({ on_behalf_of: [rita.id] });
  });

  test('a deputy does not review their own access; the fallback does', async () => {
    const cycle = await started();
    await away(rita, ada);
    expect(emails(await mine(cycle, ada))).toEqual(['bert@acme.example']);
    const [item] = await mine(cycle, finn);
    expect(item.account.email).toBe('ada@acme.example');
    expect(await service.decide(cycle, [item], 'keep', { key: ada.key })).toMatchObject({ status: 403 });
    expect(await waitedFor(cycle)).toEqual(
      expect.arrayContaining([
        { userId: rita.id, onBehalfOf: null, items: 2 },
        { userId: ada.id, onBehalfOf: rita.id, items: 1 },
        { userId: finn.id, onBehalfOf: rita.id, items: 1 },
      ]),
    );
    expect(await service.decide(cycle, [item], 'keep', { key: finn.key })).toMatchObject({ status: 200 });
  });

  test('the person whose access is reviewed does not choose the deputy', async () => {
    const cycle = await started();
    await away(rita, ada);
    await away(ada, dora);
    expect(emails(await mine(cycle, dora))).toEqual(['bert@acme.example']);
  });

  test('the fallback sees and can change what they decided, and no other decisions', async () => {
    const cycle = await started();
    await away(rita, finn);
    await away(finn, rita);
    await away(dora, ada);
    const [first, second] = await mine(cycle, admin);
    const decide = (item: { id: string }, by: Somebody, decision: 'keep' | 'revoke' = 'keep') =>
      service.decide(cycle, [item], decision, { key: by.key });
    expect(await decide(first, finn)).toMatchObject({ status: 200 });
    expect(await decide(second, rita)).toMatchObject({ status: 200 });
    expect(await mine(cycle, finn)).toMatchObject([{ id: first.id }]);
    expect(await decide(first, finn, 'revoke')).toMatchObject({ status: 200 });
    expect(await decide(second, finn)).toMatchObject({ status: 403 });
  });

  test('lists still use the index of reviewers', async ({ skip }) => {
    skip(inject('prepared').engine === 'citus', 'A cluster explains the query of a shard elsewhere.');
    const { db } = service.database;
    const plan = (person: Somebody) =>
      db.transaction().execute(async (tx) => {
        await sql`set local enable_seqscan = off`.execute(tx);
        const reviewer = await findReviewingPerson(within(tx, service.orgId), person.id, false);
        const { rows } = await sql<{ 'QUERY PLAN': string }>`
          explain select from review_item i where ${isReviewedBy(service, reviewer)}`.execute(tx);
        return rows.map((row) => row['QUERY PLAN']).join('\n');
      });
    await started();
    await away(dora, ada);
    await away(rita, finn);
    await away(finn, rita);
    for (const person of [finn, admin, boss])
      expect(await plan(person)).toMatch(/Bitmap Index Scan on review_item_reviewers/);
  });

  test('administrators review if the fallback is away, too', async () => {
    const cycle = await started();
    await away(rita, finn);
    await away(finn, rita);
    expect(emails(await mine(cycle, admin))).toEqual(BOTH);
  });
});

describe('items that wait too long', () => {
  const wait = async (cycle: { external_uuid: string }, days: number) => {
    await setTimes(service, 'review_cycle', { opened_at: `${days} days ago` }, { id: cycle.external_uuid });
    const { db } = service.database;
    await Promise.all([escalateItems(db, silent), escalateItems(db, silent)]);
  };
  const escalations = async (cycle: { external_uuid: string }) =>
    (await eventsOf(service, 'review.escalated')).filter(
      ({ payload }) => payload.cycle_id === cycle.external_uuid,
    );

  test("go to the reviewer's manager, and then to the fallback reviewers, once each", async () => {
    const cycle = await started({ escalate_after_working_days: 5, due_days: 90 });
    await wait(cycle, 1);
    expect(await escalations(cycle)).toEqual([]);
    await wait(cycle, 10);
    expect(emails(await mine(cycle, boss))).toEqual(BOTH);
    expect(await mine(cycle, finn)).toEqual([]);
    expect(await escalations(cycle)).toHaveLength(2);
    await wait(cycle, 20);
    expect(emails(await mine(cycle, finn))).toEqual(BOTH);
    expect(await escalations(cycle)).toHaveLength(4);
    expect((await escalations(cycle)).at(-1)?.payload).toMatchObject({
      ...{ from: [rita.id, boss.id], to: [rita.id, boss.id, finn.id] },
    });
    const items = await service.items(cycle);
    expect(items[0].escalated_to).toEqual([ref(boss), ref(finn)]);
    await service.decide(cycle, items, 'keep', { key: boss.key });
    expect((await service.items(cycle))[0]).toMatchObject({
      decided_by: ref(boss),
      on_behalf_of: [ref(rita)],
    });
  });

  test('go to administrators if there is no fallback reviewer', async () => {
    const cycle = await started({
      fallback_reviewers: null,
      escalate_after_working_days: 5,
      due_days: 90,
    });
    await wait(cycle, 20);
    expect(emails(await mine(cycle, admin))).toEqual(BOTH);
    const [item] = await service.items(cycle);
    expect(item.escalated_to).toEqual(expect.arrayContaining([ref(boss), ref(admin)]));
  });

  test('are escalated even if the escalation of another cycle fails, which is logged', async () => {
    const { db } = service.database;
    const overdue = { escalate_after_working_days: 1, due_days: 90 };
    const [broken, cycle] = [await started(overdue), await started(overdue)];
    const opened = async (id: string, fallback: string) =>
      sql`
        update review_cycle set opened_at = now() - interval '9 days',
          settings = settings || jsonb_build_object('fallback_reviewers', jsonb_build_array(${fallback}::text))
        where org_id = ${service.orgId} and id = ${id}`.execute(db);
    await opened(broken.external_uuid, 'nobody');
    await opened(cycle.external_uuid, finn.id);
    const logged: unknown[] = [];
    await escalateItems(db, { error: ((entry: unknown) => logged.push(entry)) as never });
    await opened(broken.external_uuid, finn.id);
    expect(await escalations(cycle)).not.toEqual([]);
    expect(logged).toMatchObject([{ orgId: service.orgId, cycle: broken.external_uuid }]);
  });

  test('never go to the person whose access is reviewed', async () => {
    await service.call('PATCH', `/api/users/${rita.id}/`, { manager: ada.id });
    const cycle = await started({ escalate_after_working_days: 1, due_days: 90 });
    await wait(cycle, 9);
    expect(emails(await mine(cycle, ada))).toEqual(['bert@acme.example']);
    await service.call('PATCH', `/api/users/${rita.id}/`, { manager: boss.id });
  });
});

test('people who are named by decisions cannot be deleted, and others leave undecided items', async () => {
  const person = async (name: string) => {
    const { body } = await service.call('POST', '/api/users/', { email: `${name}@acme.example` });
    return { id: body.external_uuid as string };
  };
  const remove = ({ id }: { id: string }) => service.call('DELETE', `/api/users/${id}/`);
  const { db } = service.database;
  const [absent, above, gone] = [await person('absent'), await person('above'), await person('gone')];
  await away(absent, dora);
  const cycle = await started({ reviewer: [absent.id, rita.id] });
  const [first, second] = await service.items(cycle);
  await sql`
    update review_item set escalated_to = array[${above.id}, ${gone.id}]::uuid[]
    where org_id = ${service.orgId} and cycle_id = ${cycle.external_uuid}`.execute(db);
  const escalatedTo = async () => {
    const { rows } = await sql<{ ids: string[] | null }>`
      select escalated_to::text[] as ids from review_item
      where org_id = ${service.orgId} and cycle_id = ${cycle.external_uuid}`.execute(db);
    return rows.map(({ ids }) => ids);
  };

  expect(await remove(gone)).toMatchObject({ status: 204 });
  expect(await escalatedTo()).toEqual([[above.id], [above.id]]);
  await service.decide(cycle, [first], 'keep', { key: dora.key });
  for (const named of [absent, above])
    expect(await remove(named)).toMatchObject({
      ...{ status: 409, body: { detail: expect.stringContaining('name this person') } },
    });
  await sql`
    update review_item set decision = null, decided_at = null, decided_by = null, on_behalf_of = null
    where org_id = ${service.orgId} and cycle_id = ${cycle.external_uuid}`.execute(db);
  expect(await remove(above)).toMatchObject({ status: 204 });
  expect(await escalatedTo()).toEqual([null, null]);
  expect(await service.decide(cycle, [second], 'keep', { key: rita.key })).toMatchObject({ status: 200 });
});

describe('reassigning items', () => {
  const reassign = (
    cycle: { external_uuid: string },
    items: { id: string }[],
    to: { id: string },
    { key }: Somebody,
  ) =>
    service.call(
      'POST',
      `/api/reviews/cycles/${cycle.external_uuid}/items/reassign/`,
      { items: items.map(({ id }) => id), to: [to.id], reason: 'Knows the team' },
      { key },
    );

  test('hands them to another person, with the reason', async () => {
    const cycle = await started({ reviewer: [rita.id, finn.id] });
    const items = await mine(cycle, rita);
    expect(await reassign(cycle, items, dora, boss)).toMatchObject({ status: 403 });
    expect(await reassign(cycle, items, dora, rita)).toMatchObject({ status: 200, body: { reassigned: 2 } });
    expect((await service.items(cycle))[0].reviewers).toEqual([ref(dora), ref(finn)]);
    expect((await eventsOf(service, 'review.reassigned')).at(-1)?.payload).toMatchObject({
      ...{ from: [rita.id, finn.id], to: [dora.id, finn.id], reason: 'Knows the team' },
    });
    expect(await reassign(cycle, items, boss, admin)).toMatchObject({ status: 200 });
    expect((await service.items(cycle))[0].reviewers).toEqual([ref(boss)]);
  });

  test('keeps absent reviewers of an item for whom the caller does not decide', async () => {
    const cycle = await started({ reviewer: [rita.id, dora.id] });
    await away(rita, ada);
    await away(ada, dora);
    const items = await mine(cycle, dora);
    expect(await reassign(cycle, items, boss, dora)).toMatchObject({ status: 200, body: { reassigned: 2 } });
    const reviewers = (await service.items(cycle)).map(
      // biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of a body.
      (item: any) => [item.account.email, item.reviewers.map(({ email }: { email: string }) => email)],
    );
    expect(Object.fromEntries(reviewers)).toEqual({
      'ada@acme.example': [boss.email, rita.email],
      'bert@acme.example': [boss.email],
    });
  });

  test('is refused for decided items, and to people who cannot review', async () => {
    const cycle = await started();
    const items = await service.items(cycle);
    const auditor = await addPersonWithKey(service, 'auditor');
    expect(await reassign(cycle, items, ada, admin)).toMatchObject({ status: 409 });
    expect(await reassign(cycle, items, auditor, admin)).toMatchObject({ status: 409 });
    expect(await reassign(cycle, items, { id: service.appId }, admin)).toMatchObject({ status: 404 });
    await service.decide(cycle, items.slice(0, 1), 'keep');
    expect(await reassign(cycle, items, dora, admin)).toMatchObject({ status: 409 });
  });
});
