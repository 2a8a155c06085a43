import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type TestApp } from '#test/app.ts';
import { addOrganization, organizationOf } from '#test/people.ts';

let service: TestApp;
let call: TestApp['call'];
beforeAll(async () => {
  service = await openTestApp({ jobs: true });
  call = service.call;
  await organizationOf(service);
  for (const [email, first_name] of [
    ['hanna@example.com', 'Hanna'],
    ['ann@example.com', 'Ann'],
    ['bob@example.com', 'Bob'],
  ])
    expect((await call('POST', '/api/users/', { email, first_name, last_name: 'Lee' })).status).toBe(201);
  await call('POST', '/api/v1/bridge/apps/', { name: 'Annual reports' });
});
afterAll(() => service.close());

const find = async (q: string) => {
  const { status, body } = await call('GET', `/api/find/?${new URLSearchParams({ q })}`);
  expect(status).toBe(200);
  return body.results as { kind: string; name: string; about: string }[];
};

test('finds records of several kinds, those that begin with the text first', async () => {
  expect((await find('ANN')).map(({ kind, name, about }) => [kind, name, about])).toEqual([
    ['person', 'Ann Lee', 'ann@example.com'],
    ['person', 'Hanna Lee', 'hanna@example.com'],
    ['app', 'Annual reports', ''],
  ]);
});

test('finds two characters where a word begins', async () => {
  expect((await find('AN')).map(({ name }) => name)).toEqual(['Ann Lee', 'Annual reports']);
  expect((await find('le')).map(({ name }) => name)).toEqual(['Ann Lee', 'Bob Lee', 'Hanna Lee']);
  expect((await find('re')).map(({ name }) => name)).toEqual(['Annual reports']);
  expect(await find('nn')).toEqual([]);
  expect(await find('@e')).toEqual([]);
});

test('finds accounts and requests only for keys with the scope read', async () => {
  const { body: app } = await call('POST', '/api/v1/bridge/apps/', { name: 'Payroll' });
  const base = `/api/v1/bridge/apps/${app.id}`;
  await call('POST', `${base}/resource-types/`, { slug: 'person', name: 'People', type: 'account' });
  const { sync_id } = (await call('POST', `${base}/sync/`)).body;
  const records = [{ id: 'zoe', email: 'zoe@example.com' }];
  await call('PUT', `${base}/sync/${sync_id}/person/`, { records });
  await call('POST', `${base}/sync/${sync_id}/complete/`);
  const kindsOf = async (q: string) => (await find(q)).map(({ kind }) => kind);
  await expect.poll(() => kindsOf('zoe'), { timeout: 30_000 }).toEqual(['account']);
  const { results } = (await call('GET', '/api/users/?q=bob')).body;
  const ticket = { app: app.id, user: results[0].external_uuid, type: 'NEW_ACCESS' };
  const { label } = (await call('POST', '/api/tickets/', ticket)).body;
  const number = /REQ-\d+/.exec(label)?.[0] ?? '';
  expect(await kindsOf(number)).toEqual(['request']);

  const scopes = ['govern'];
  const { key } = (await call('POST', '/api/api-keys/', { name: 'No read', scopes })).body;
  const found = async (q: string) =>
    (await call('GET', `/api/find/?${new URLSearchParams({ q })}`, undefined, { key })).body.results;
  expect(await found('zoe')).toEqual([]);
  expect(await found(number)).toEqual([]);
  expect(await found('bob')).toMatchObject([{ kind: 'person' }]);
});

test('takes the text literally, and finds nothing by one character', async () => {
  expect(await find('%%')).toEqual([]);
  expect(await find('a')).toEqual([]);
  expect(await find("b' or true --")).toEqual([]);
});

test('finds a request by its number', async () => {
  expect(await find('REQ-999')).toEqual([]);
});

test('finds nothing of another organization', async () => {
  const other = await addOrganization(service);
  expect((await other('GET', '/api/find/?q=ann')).body.results).toEqual([]);
});

test('finds nothing without a text', async () => {
  expect(await call('GET', '/api/find/')).toMatchObject({ status: 200, body: { results: [] } });
});
