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
  return body.results as {
    kind: string;
    name: string;
    about: string;
    status: string | null;
    leaver: boolean;
  }[];
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

test('finds words in any order, each in its own field', async () => {
  const namesOf = async (q: string) => (await find(q)).map(({ name }) => name);
  expect(await namesOf('lee  ann')).toEqual(['Ann Lee', 'Hanna Lee']);
  expect(await namesOf('l ann@')).toEqual(['Ann Lee']);
  expect(await namesOf('ports annual')).toEqual(['Annual reports']);
  expect(await namesOf('lee annual')).toEqual([]);
  expect(await namesOf('ann % lee')).toEqual([]);
  expect(await namesOf('a b c d e f g h i j k lee')).toEqual([]);
});

test('says what is deactivated, has left, is archived or was deleted, and lists whole names first', async () => {
  const { body: app } = await call('POST', '/api/v1/bridge/apps/', { name: 'Vault' });
  const base = `/api/v1/bridge/apps/${app.id}`;
  for (const [slug, type] of [
    ['person', 'account'],
    ['team', 'group'],
  ])
    await call('POST', `${base}/resource-types/`, { slug, name: slug, type });
  const sync = async (team: object[]) => {
    const { sync_id } = (await call('POST', `${base}/sync/`)).body;
    await call('PUT', `${base}/sync/${sync_id}/team/`, { records: team });
    const records = [{ id: 'v', email: 'vera@vault.example' }];
    await call('PUT', `${base}/sync/${sync_id}/person/`, { records });
    await call('POST', `${base}/sync/${sync_id}/complete/`);
    await expect
      .poll(async () => (await call('GET', `${base}/sync/${sync_id}/`)).body.status, { timeout: 30_000 })
      .toBe('completed');
  };
  await sync([
    { id: '1', name: 'A vault of keys' },
    { id: '2', name: 'Vault keys' },
  ]);
  await sync([{ id: '1', name: 'A vault of keys' }]);
  const person = { email: 'vera@vault.example', first_name: 'Vera', last_name: 'Vault' };
  const { external_uuid: vera } = (await call('POST', '/api/users/', person)).body;
  const { external_uuid: victor } = (
    await call('POST', '/api/users/', { ...person, email: 'victor@vault.example', first_name: 'Victor' })
  ).body;
  for (const id of [vera, victor]) await call('POST', `/api/users/${id}/deactivate/`);
  const { body: old } = await call('POST', '/api/v1/bridge/apps/', { name: 'Vault of old' });
  await call('DELETE', `/api/apps/${old.id}/`);

  expect(await find('vault')).toMatchObject([
    { kind: 'person', name: 'Vera Vault', status: 'deactivated', leaver: true },
    { kind: 'person', name: 'Victor Vault', status: 'deactivated', leaver: false },
    { kind: 'account', name: 'vera@vault.example' },
    { kind: 'app', name: 'Vault', status: null },
    { kind: 'app', name: 'Vault of old', status: 'archived' },
    { kind: 'resource', name: 'Vault keys', status: 'deleted' },
    { kind: 'resource', name: 'A vault of keys', status: null },
  ]);
  expect((await find('keys vault')).map(({ name }) => name)).toEqual(['A vault of keys', 'Vault keys']);

  const { key } = (await call('POST', '/api/api-keys/', { name: 'No read of leavers', scopes: ['govern'] }))
    .body;
  const { results } = (await call('GET', '/api/find/?q=vera', undefined, { key })).body;
  expect(results).toMatchObject([{ name: 'Vera Vault', leaver: false }]);
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
