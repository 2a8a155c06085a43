import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '#kit/sql.ts';
import { openReviewsTest, type ReviewsTest } from '#test/reviews.ts';

let service: ReviewsTest;

beforeAll(async () => {
  service = await openReviewsTest([{ id: 'a', email: 'a@acme.example' }], { jobs: true });
});
afterAll(() => service.close());

test('creates a campaign with defaults from a name', async () => {
  const { status, body } = await service.call('POST', '/api/reviews/', { name: 'Everything' });
  expect(status).toBe(201);
  expect(body).toMatchObject({
    name: 'Everything',
    scope: { apps: null, users: null, include: ['accounts', 'memberships', 'assignments'] },
    reviewer: 'manager',
    fallback_reviewers: null,
    frequency: 'once',
    starts_at: null,
    due_days: 14,
    on_no_response: 'keep',
    revoke_account_by: 'delete',
    cooling_off_hours: 24,
    next_opens_at: null,
  });
  expect((await service.call('GET', `/api/reviews/${body.external_uuid}/`)).body).toEqual(body);
});

test.each([
  ['no name', {}, 'Field required (name)'],
  ['an unknown reviewer', { name: 'x', reviewer: 'boss' }, 'reviewer'],
  ['nothing included', { name: 'x', scope: { include: [] } }, 'at least 1 item'],
  ['a condition that does not parse', { name: 'x', scope: { users: 'user.email ==' } }, 'line 1, column 12'],
  ['a condition over an unknown field', { name: 'x', scope: { users: 'user.departmnt == ""' } }, 'departmnt'],
  ['a condition that is not boolean', { name: 'x', scope: { users: 'user.email' } }, 'true or false'],
  ['a condition over accounts', { name: 'x', scope: { users: 'account.id == ""' } }, 'variable account'],
  ['a recurring campaign without a start', { name: 'x', frequency: 'monthly' }, 'needs starts_at'],
  ['a date that does not exist', { name: 'x', starts_at: '2026-02-31' }, 'starts_at'],
  ['a start in the year 1', { name: 'x', starts_at: '0001-01-01T00:00:00Z' }, 'starts_at must not be'],
  [
    'a start in the past',
    { name: 'x', frequency: 'monthly', starts_at: '2020-01-31' },
    'starts_at must not be',
  ],
])('returns 400 for %s', async (_what, body, detail) => {
  const answer = await service.call('POST', '/api/reviews/', body);
  expect(answer.status).toBe(400);
  expect(answer.body.detail).toContain(detail);
});

test('keeps a start that has passed, and refuses another one in the past', async () => {
  const id = await service.campaign({ frequency: 'monthly', starts_at: '2999-01-31' });
  const past = '2020-01-31T00:00:00.000Z';
  await sql`
    update review_campaign set settings = jsonb_set(settings, '{starts_at}', ${JSON.stringify(past)}::jsonb)
    where id = ${id}`.execute(service.database.db);
  const change = (body: object) => service.call('PATCH', `/api/reviews/${id}/`, body);

  expect(await change({ name: 'x', starts_at: past })).toMatchObject({
    status: 200,
    body: { starts_at: past },
  });
  expect(await change({ starts_at: '2020-02-29' })).toMatchObject({ status: 400 });
});

test('schedules a waiting cycle for starts_at and moves it with changes', async () => {
  const id = await service.campaign({ frequency: 'quarterly', starts_at: '2999-01-31T08:00:00+02:00' });
  const address = `/api/reviews/${id}/`;
  expect((await service.call('GET', address)).body.next_opens_at).toBe('2999-01-31T06:00:00.000Z');
  const cycles = async () => (await service.call('GET', `${address}cycles/`)).body.results;
  expect(await cycles()).toMatchObject([{ status: 'scheduled', opens_at: '2999-01-31T06:00:00.000Z' }]);

  const moved = await service.call('PATCH', address, { name: 'Moved', starts_at: '2999-06-01' });
  expect(moved.body).toMatchObject({
    name: 'Moved',
    next_opens_at: '2999-06-01T00:00:00.000Z',
    due_days: 14,
  });
  expect(await cycles()).toHaveLength(1);
  await service.call('PATCH', address, { frequency: 'once', starts_at: null });
  expect(await cycles()).toEqual([]);
});

test('keeps the cycles of a deleted campaign', async () => {
  const cycle = await service.start({ frequency: 'monthly', starts_at: '2999-01-01' });
  const address = `/api/reviews/${cycle.campaign.external_uuid}/`;
  expect((await service.call('DELETE', address)).status).toBe(204);
  expect((await service.call('GET', address)).status).toBe(404);
  expect((await service.call('POST', `${address}start/`)).status).toBe(404);
  const known = await service.call('GET', `/api/reviews/cycles/${cycle.external_uuid}/`);
  expect(known.body).toMatchObject({ status: 'in_progress', campaign: { name: 'Quarterly' } });
  const { rows } = await sql`
    select from review_cycle where begun_at is null and campaign_id = ${cycle.campaign.external_uuid}`.execute(
    service.database.db,
  );
  expect(rows).toEqual([]);
});

test('lists campaigns in pages, newest first', async () => {
  const id = await service.campaign({ name: 'Newest' });
  const { body } = await service.call('GET', '/api/reviews/?limit=1');
  expect(body.results).toMatchObject([{ external_uuid: id, name: 'Newest' }]);
  expect(body.next).toContain('offset=1');
  expect(body.count).toBeGreaterThan(1);
});
