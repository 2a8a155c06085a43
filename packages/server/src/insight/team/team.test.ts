import { afterEach, beforeEach, expect, test } from 'vitest';
import { addOrganization, addPersonWithKey } from '#test/people.ts';
import type { Somebody } from '#test/requests.ts';
import { openReviewsTest, type ReviewsTest } from '#test/reviews.ts';

let service: ReviewsTest;
let boss: Somebody;
let ada: Somebody;
let bert: Somebody;
let stranger: Somebody;
beforeEach(async () => {
  const memberships = { team: [{ id: 'red' }] };
  service = await openReviewsTest([
    { id: 'ada', email: 'ada.l@acme.example', memberships, last_sign_in_at: '2026-01-02T03:04:05Z' },
  ]);
  const somebody = (name: string) => addPersonWithKey(service, 'member', { email: `${name}@acme.example` });
  [boss, ada, bert] = [await somebody('boss'), await somebody('ada.l'), await somebody('bert')];
  stranger = await somebody('stranger');
  for (const { id } of [ada, bert]) await service.call('PATCH', `/api/users/${id}/`, { manager: boss.id });
});
afterEach(() => service.close());

const team = (by: { key: string }, query = '') => service.call('GET', `/api/my-team/${query}`, undefined, by);

test('lists the direct reports with their access', async () => {
  const { status, body } = await team(boss);

  expect(status).toBe(200);
  expect(body).toMatchObject({
    count: 2,
    results: [
      {
        external_uuid: ada.id,
        status: 'active',
        access: { accounts: 1, groups: 1, licenses: 0, last_sign_in_at: '2026-01-02T03:04:05.000Z' },
        requests: [],
        reviews: [],
      },
      { external_uuid: bert.id, access: { accounts: 0, groups: 0, licenses: 0, last_sign_in_at: null } },
    ],
  });
  expect((await team(boss, '?q=BERT')).body.results).toMatchObject([{ external_uuid: bert.id }]);
  expect((await team(boss, '?limit=1&offset=1')).body).toMatchObject({
    count: 2,
    results: [{ external_uuid: bert.id }],
  });
});

test('shows what a report has, requests, and has to be reviewed for', async () => {
  const { body: ticket } = await service.call(
    'POST',
    '/api/tickets/',
    { app: service.appId, user: ada.id, type: 'MODIFY_ACCESS', memberships: { team: ['blue'] } },
    ada,
  );
  await service.call('PATCH', `/api/apps/${service.appId}/`, { approval_steps: [{ approvers: 'manager' }] });
  const { body: decidable } = await service.call(
    'POST',
    '/api/tickets/',
    { app: service.appId, user: ada.id, type: 'MODIFY_ACCESS', assignments: { seat: ['gold'] } },
    ada,
  );
  const cycle = await service.start({ reviewer: 'manager', scope: { include: ['accounts'] } });

  const { status, body } = await team(boss, `${ada.id}/`);
  expect(status).toBe(200);
  expect(body).toMatchObject({
    email: ada.email,
    accounts: [{ app: { external_uuid: service.appId }, memberships: { team: [{ id: 'red' }] } }],
    requests: [
      { external_uuid: ticket.external_uuid, to_decide: false, is_own: false },
      { external_uuid: decidable.external_uuid, to_decide: true, is_own: false },
    ],
    reviews: [{ external_uuid: cycle.external_uuid, undecided: 1, to_decide: 1 }],
  });
});

test('returns 404 for everybody who does not report to the caller, whatever the role', async () => {
  const unknown = '0199a000-0000-7000-8000-000000000001';
  const admin = await addPersonWithKey(service, 'admin');
  for (const [by, id] of [
    [stranger, ada.id],
    [boss, stranger.id],
    [boss, boss.id],
    [ada, boss.id],
    [ada, bert.id],
    [admin, ada.id],
    [boss, unknown],
  ] as const) {
    const answer = await team(by, `${id}/`);
    expect(answer).toMatchObject({ status: 404, body: { detail: expect.any(String) } });
    expect(JSON.stringify(answer.body)).not.toContain('@acme.example');
  }
  expect((await team(stranger)).body).toMatchObject({ count: 0, results: [] });
  expect((await team(admin)).body.results).toEqual([]);
});

test('follows the manager: a former one sees nothing, and reports of reports are not reports', async () => {
  const other = await addPersonWithKey(service, 'member');
  await service.call('PATCH', `/api/users/${bert.id}/`, { manager: ada.id });
  expect((await team(boss)).body.results).toMatchObject([{ external_uuid: ada.id }]);
  expect((await team(boss, `${bert.id}/`)).status).toBe(404);
  await service.call('PATCH', `/api/users/${bert.id}/`, { manager: other.id });
  expect((await team(other, `${bert.id}/`)).status).toBe(200);
});

test('tells the caller whether anybody reports to them', async () => {
  const me = async (by: { key: string }) => (await service.call('GET', '/api/me/', undefined, by)).body;
  expect(await me(boss)).toMatchObject({ has_reports: true });
  expect(await me(stranger)).toMatchObject({ has_reports: false });
});

test('shows nothing of another organization', async () => {
  const call = await addOrganization(service);
  expect((await call('GET', '/api/my-team/')).body.results).toEqual([]);
  expect((await call('GET', `/api/my-team/${ada.id}/`)).status).toBe(404);
});
