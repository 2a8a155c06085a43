// @module-tag engine
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '#kit/sql.ts';
import { eventsOf } from '#test/people.ts';
import { openReviewsTest, type ReviewsTest } from '#test/reviews.ts';

/** Undecided items follow the links of their accounts (D76). */

let service: ReviewsTest;
let rita: { id: string };
let rosa: { id: string };
/** Reviews what the others cannot. */
let finn: { id: string };
const others = [{ id: 'other', email: 'other@else.example' }];
beforeAll(async () => {
  service = await openReviewsTest();
  rita = await service.keyOf('rita@acme.example');
  rosa = await service.keyOf('rosa@acme.example');
  finn = await service.keyOf('finn@acme.example');
});
afterAll(() => service.close());

const started = ({ id }: { id: string }) =>
  service.start({ reviewer: [id], fallback_reviewers: [finn.id], scope: { include: ['accounts'] } });
const itemOf = async (cycle: { external_uuid: string }, account: string) =>
  (await service.items(cycle)).find((item) => item.account.external_uuid === account);
const accountOf = async (id: string) => {
  const { body } = await service.call('GET', `/api/accounts/?app=${service.appId}&limit=100`);
  return body.results.find(({ external_id }: { external_id: string }) => external_id === id).external_uuid;
};
const nowOf = ({ id }: { id: string }) => ({
  user: { external_uuid: id },
  reviewers: [{ external_uuid: finn.id }],
});

test('an item goes to another reviewer when a sync makes the account theirs', async () => {
  const record = { id: 'moves', email: 'nobody@else.example' };
  await service.sync([...others, record]);
  const account = await accountOf('moves');
  const cycle = await started(rita);
  expect(await itemOf(cycle, account)).toMatchObject({ user: null, reviewers: [{ external_uuid: rita.id }] });

  await service.sync([...others, { ...record, email: 'rita@acme.example' }]);
  expect(await itemOf(cycle, account)).toMatchObject(nowOf(rita));
  expect((await eventsOf(service, 'review.reassigned')).at(-1)).toMatchObject({
    source: { type: 'sync' },
    payload: { account_id: account },
  });
});

test('an item goes to another reviewer when its record is that of an account of theirs', async () => {
  const task = { app: service.appId, action: 'create_account', user: rosa.id };
  const { body } = await service.call('POST', '/api/tasks/', task);
  await service.sync([...others, { id: 'record', email: 'record@else.example' }]);
  const cycle = await started(rosa);
  const { id } = await itemOf(cycle, await accountOf('record'));

  const report = { status: 'completed', result: { account: { id: 'record' } } };
  const reported = await service.bridge('PATCH', `/tasks/${body.external_uuid}/status/`, report);
  expect(reported.status).toBe(200);
  expect((await service.items(cycle)).find((item) => item.id === id)).toMatchObject(nowOf(rosa));
});

test('a sync looks only for items of accounts whose link it changed', async () => {
  await service.sync(others);
  const cycle = await started(rita);
  const account = await accountOf('other');
  await sql`
    update review_item set user_id = ${finn.id}, user_email = 'finn@acme.example', user_name = ''
    where org_id = ${service.orgId} and cycle_id = ${cycle.external_uuid} and account_id = ${account}`.execute(
    service.database.db,
  );

  await service.sync(others);
  expect(await itemOf(cycle, account)).toMatchObject({ user: { external_uuid: finn.id } });
});
