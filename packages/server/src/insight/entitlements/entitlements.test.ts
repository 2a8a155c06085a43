import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { momentBetween } from '#test/moments.ts';
import { addOrganization, addPersonWithKey } from '#test/people.ts';
import { openReviewsTest, type ReviewsTest } from '#test/reviews.ts';
import { until } from '#test/until.ts';

const ago = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
const ACCOUNTS = [
  {
    ...{ id: 'a', email: 'ann@x.example', last_sign_in_at: ago(1) },
    ...{ memberships: { team: [{ id: 'red' }] }, assignments: { seat: [{ id: 'gold' }] } },
  },
  {
    ...{ id: 'b', email: 'bob@x.example', last_sign_in_at: ago(200) },
    memberships: { team: [{ id: 'red' }, { id: 'blue' }] },
  },
];

let service: ReviewsTest;
let call: ReviewsTest['call'];
/** An app that does not say when accounts are used. */
let other: string;
beforeAll(async () => {
  service = await openReviewsTest([]);
  call = service.call;
  const team = [
    { id: 'red', name: 'Red', risk: 'high' },
    { id: 'blue', name: 'Blue', risk: 'low' },
  ];
  const { external_uuid: bob } = await ok('POST', '/api/users/', { email: 'bob@x.example' });
  await service.sync(ACCOUNTS, { team });
  await ok('POST', `/api/users/${bob}/deactivate/`);
  other = (await ok('POST', '/api/v1/bridge/apps/', { name: 'Archive' })).id;
  const base = `/api/v1/bridge/apps/${other}`;
  for (const [slug, type] of [
    ['person', 'account'],
    ['room', 'group'],
  ])
    await ok('POST', `${base}/resource-types/`, { slug, name: slug, type });
  const { sync_id } = await ok('POST', `${base}/sync/`);
  await ok('PUT', `${base}/sync/${sync_id}/room/`, { records: [{ id: 'cellar', name: 'Cellar' }] });
  await ok('PUT', `${base}/sync/${sync_id}/person/`, {
    records: [{ id: 'c', email: 'c@x.example', memberships: { room: [{ id: 'cellar' }] } }],
  });
  await ok('POST', `${base}/sync/${sync_id}/complete/`);
  await until(
    'the sync to complete',
    async () => (await ok('GET', `${base}/sync/${sync_id}/`)).status,
    (status) => status === 'completed',
  );
});
afterAll(() => service.close());

const ok = async (method: string, path: string, body?: unknown, by = {}) => {
  const answer = await service.call(method, path, body, by);
  expect(answer.status, `${method} ${path} ${JSON.stringify(answer.body)}`).toBeLessThan(300);
  return answer.body;
};
type Listed = { id: string; external_uuid: string };
const list = (query = '', by = {}) => ok('GET', `/api/resources/${query}`, undefined, by);
const ids = async (query: string, by = {}) => (await list(query, by)).results.map(({ id }: Listed) => id);
const one = async (id: string) => (await list(`?id=${id}`)).results[0];

test('lists groups and licenses of all apps with leavers, use and reviews', async () => {
  const { count, results } = await list();

  expect(count).toBe(4);
  expect(results).toMatchObject([
    { id: 'blue', app: { name: 'Payroll' }, members: 1, leavers: 1, unused: 1, reviewed_at: null },
    { id: 'cellar', app: { name: 'Archive' }, members: 1, leavers: 0, unused: null, reviewed_at: null },
    { id: 'gold', type: 'license', members: 1, leavers: 0, unused: 0, is_full: false },
    { id: 'red', risk: 'high', members: 2, leavers: 1, unused: 1 },
  ]);
});

test.each([
  ['?sort=-name', ['red', 'gold', 'cellar', 'blue']],
  ['?sort=app', ['cellar', 'blue', 'gold', 'red']],
  ['?sort=-members', ['red', 'blue', 'cellar', 'gold']],
  ['?sort=-risk', ['red', 'blue', 'cellar', 'gold']],
  ['?sort=risk', ['blue', 'red', 'cellar', 'gold']],
  ['?q=RE', ['red']],
  ['?type=license', ['gold']],
  ['?slug=room&id=cellar', ['cellar']],
  ['?risk=high', ['red']],
  ['?without_owner=true', ['blue', 'cellar', 'gold', 'red']],
  ['?of_leavers=true', ['blue', 'red']],
  ['?not_used_for_days=90', ['blue', 'red']],
  ['?not_used_for_days=300', []],
  ['?requestable=true', ['blue', 'cellar', 'gold', 'red']],
  ['?active=false', []],
  ['?limit=1&offset=1', ['cellar']],
])('%s finds %j', async (query, expected) => {
  expect(await ids(query)).toEqual(expected);
});

test('the catalog offers nothing of a disconnected app', async () => {
  await ok('POST', `/api/apps/${other}/disconnect/`);

  expect(await ids(`?app=${other}`)).toEqual(['cellar']);
  expect(await ids('?requestable=true')).toEqual(['blue', 'gold', 'red']);
  await ok('POST', `/api/apps/${other}/reconnect/`);
});

test('gets one, and says 404 for others and 403 to a key for other apps', async () => {
  const red = await one('red');
  const { key } = await ok('POST', '/api/api-keys/', { name: 'One app', scopes: ['read'], apps: [other] });

  expect(await ok('GET', `/api/resources/${red.external_uuid}/`)).toEqual(red);
  expect(await call('GET', `/api/resources/${randomUUID()}/`)).toMatchObject({ status: 404 });
  expect(await call('GET', '/api/resources/red/')).toMatchObject({ status: 404 });
  expect(await ids('', { key })).toEqual(['cellar']);
  for (const path of [`/api/resources/${red.external_uuid}/`, `/api/resources/?app=${service.appId}`])
    expect(await call('GET', path, undefined, { key })).toMatchObject({ status: 403 });
});

test('shows nothing to members and to other organizations', async () => {
  const { key } = await addPersonWithKey(service, 'member');
  const stranger = await addOrganization(service);
  const { external_uuid } = await one('red');

  expect(await call('GET', '/api/resources/', undefined, { key })).toMatchObject({ status: 403 });
  expect((await stranger('GET', '/api/resources/')).body).toMatchObject({ count: 0 });
  expect(await stranger('GET', `/api/resources/${external_uuid}/`)).toMatchObject({ status: 404 });
});

test('the accounts of a group have their person and last use, and can be those of leavers or unused ones', async () => {
  const { external_uuid } = await one('red');
  const members = async (query = '') =>
    (await ok('GET', `/api/apps/${service.appId}/resources/${external_uuid}/members/${query}`)).results;

  expect(await members()).toMatchObject([
    { email: 'ann@x.example', person: null, last_sign_in_at: expect.any(String) },
    { email: 'bob@x.example', person: { email: 'bob@x.example' } },
  ]);
  for (const query of ['?of_leavers=true', '?not_used_for_days=90'])
    expect(await members(query)).toMatchObject([{ email: 'bob@x.example' }]);
  expect(await members('?not_used_for_days=300')).toEqual([]);
});

test('lists what existed at an earlier time, without what has no history', async () => {
  const before = await momentBetween(service.database.db);
  const now = `as_of=${before}`;

  expect(await list(`?${now}&type=group`)).toMatchObject({
    count: 3,
    coverage: expect.any(Array),
    results: [
      { id: 'blue', members: 1, leavers: null, unused: null, certainty: 'possible' },
      { id: 'cellar', app: { name: 'Archive' } },
      { id: 'red', members: 2 },
    ],
  });
  expect(await ids(`?${now}&app=${other}`)).toEqual(['cellar']);
  expect(await ids(`?${now}&slug=team&id=red`)).toEqual(['red']);
  for (const query of ['risk=high', 'of_leavers=true', 'sort=app', 'active=false'])
    expect(await call('GET', `/api/resources/?${now}&${query}`)).toMatchObject({ status: 400 });
});

test('shows the owner that a record names in its field owner', async () => {
  const { external_uuid: olga } = await ok('POST', '/api/users/', { email: 'olga@x.example' });
  await service.sync(ACCOUNTS, {
    team: [
      { id: 'red', name: 'Red', risk: 'high', owner: 'Olga@x.example' },
      { id: 'blue', name: 'Blue', risk: 'low', owner_email: 'olga@x.example' },
    ],
  });

  expect(await one('red')).toMatchObject({ owner_email: 'Olga@x.example', owner: { external_uuid: olga } });
  expect(await ids(`?owner=${olga}`)).toEqual(['red']);
  expect(await ids('?without_owner=true')).toEqual(['blue', 'cellar', 'gold']);
});
