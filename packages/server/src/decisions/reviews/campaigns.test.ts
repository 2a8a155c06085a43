import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addOrganization } from '../../../test/people.ts';
import { openReviewsTest, type ReviewsTest } from '../../../test/reviews.ts';

let service: ReviewsTest;
let foreign: Awaited<ReturnType<typeof addOrganization>>;

beforeAll(async () => {
  service = await openReviewsTest([{ id: 'a', email: 'a@acme.example' }], { jobs: true });
  foreign = await addOrganization(service);
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
])('returns 400 for %s', async (_what, body, detail) => {
  const answer = await service.call('POST', '/api/reviews/', body);
  expect(answer.status).toBe(400);
  expect(answer.body.detail).toContain(detail);
});

test('returns 404 for unknown apps and people and those of another organization', async () => {
  const theirs = (await foreign('POST', '/api/v1/bridge/apps/', { name: 'Theirs' })).body.id;
  const stranger = (await foreign('POST', '/api/users/', { email: 's@other.example' })).body.external_uuid;
  for (const settings of [
    { scope: { apps: [theirs] } },
    { scope: { apps: [service.appId, randomUUID()] } },
    { reviewer: [stranger] },
    { fallback_reviewers: [stranger] },
  ]) {
    expect((await service.call('POST', '/api/reviews/', { name: 'x', ...settings })).status).toBe(404);
  }
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

test('hides campaigns and cycles from another organization', async () => {
  const cycle = await service.start();
  const [item] = await service.items(cycle);
  const campaign = `/api/reviews/${cycle.campaign.external_uuid}/`;
  const address = `/api/reviews/cycles/${cycle.external_uuid}/`;
  for (const [method, path, body] of [
    ['GET', campaign],
    ['PATCH', campaign, { due_days: 'x' }],
    ['DELETE', campaign],
    ['POST', `${campaign}start/`],
    ['GET', `${campaign}cycles/`],
    ['GET', address],
    ['GET', `${address}items/`],
    ['POST', `${address}decisions/`, { items: 'x' }],
    ['GET', `${address}evidence/`],
  ] as const) {
    expect((await foreign(method, path, body)).status).toBe(404);
  }
  expect((await foreign('GET', '/api/reviews/')).body.count).toBe(0);
  expect((await foreign('GET', '/api/reviews/cycles/')).body.count).toBe(0);

  await foreign('POST', '/api/v1/bridge/apps/', { name: 'Theirs' });
  const theirs = (await foreign('POST', '/api/reviews/', { name: 'Theirs' })).body.external_uuid;
  expect((await foreign('POST', `/api/reviews/${theirs}/start/`)).status).toBe(422);
  const decided = await service.decide(cycle, [item], 'keep');
  expect(decided.status).toBe(200);
});

test('lets administrators manage and auditors read, and rejects members', async () => {
  const id = await service.campaign();
  const auditor = { key: (await service.keyOf('auditor@acme.example', 'auditor')).key };
  const member = { key: (await service.keyOf('member@acme.example')).key };
  const calls = [
    ['GET', '/api/reviews/', 200, 403],
    ['GET', `/api/reviews/${id}/`, 200, 403],
    ['GET', `/api/reviews/${id}/cycles/`, 200, 403],
    ['POST', '/api/reviews/', 403, 403],
    ['PATCH', `/api/reviews/${id}/`, 403, 403],
    ['POST', `/api/reviews/${id}/start/`, 403, 403],
    ['DELETE', `/api/reviews/${id}/`, 403, 403],
  ] as const;
  for (const [method, path, asAuditor, asMember] of calls) {
    expect((await service.call(method, path, undefined, auditor)).status).toBe(asAuditor);
    expect((await service.call(method, path, undefined, member)).status).toBe(asMember);
  }
});

test('rejects a key for listed apps', async () => {
  const body = { name: 'listed', scopes: ['govern'], apps: [service.appId], expires_at: null };
  const { key } = (await service.call('POST', '/api/api-keys/', body)).body;
  expect((await service.call('GET', '/api/reviews/', undefined, { key })).status).toBe(403);
  expect((await service.call('GET', '/api/reviews/cycles/', undefined, { key })).status).toBe(403);
});
