import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { silent, unreported } from '@gatehouse/connector';
import { parseText } from '@gatehouse/connector/declarative';
import { afterEach, expect, test } from 'vitest';
import { connectorFrom, definitionSchema } from './index.ts';

const cleanups: (() => void)[] = [];
afterEach(() => {
  for (const cleanup of cleanups.splice(0)) cleanup();
});

const definition = `name: app
base_url: \${URL}
groups:
  department: { name: Departments, list: { values: [] }, record: { id: item, name: item } }
accounts:
  user:
    name: Users
    list: { get: /users }
    joins:
      locked: { get: /users, query: { status: locked }, key: item.id }
      department: { get: /departments, key: item.code, for: item.department }
    record:
      id: item.id
      status: 'joined.locked == null ? "active" : "suspended"'
      attributes: '{"department": joined.department}'
    read: { get: '/users/{{ account.id }}' }
    memberships:
      department: 'joined.department == null ? [] : [joined.department.name]'
`;

const ada = { id: 1, department: 'a' };
const bob = { id: 2, department: 'gone' };
const eve = { id: 3 };
const sales = { code: 'a', name: 'Sales' };
const replies: Record<string, unknown> = {
  '/users': [ada, bob, eve],
  '/users/2': bob,
  '/users?status=locked': [{ id: 2 }],
  '/departments': [sales, { code: 'a', name: 'An older name' }],
};

async function open(changes: Record<string, unknown> = {}, text = definition) {
  const all = { ...replies, ...changes };
  const server = createServer(({ url = '' }, response) => {
    response.writeHead(url in all ? 200 : 404).end(JSON.stringify(all[url]));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  cleanups.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const connector = connectorFrom(parseText(text, 'app.yml', definitionSchema), { pause: 1, env: {} });
  const { signal } = new AbortController();
  const URL = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const system = await connector.connect({ URL }, { signal, log: silent });
  const { user } = connector.accounts;
  if (!user?.get) throw new Error('the definition has no account type');
  const list = async () => {
    const skipped: string[] = [];
    const skip = (id: string, why: string) => void skipped.push(`${id}: ${why}`);
    const records: unknown[] = [];
    const context = { from: undefined, signal, log: silent, skip, ...unreported };
    for await (const record of user.list(system, context)) records.push(record);
    return { records, skipped };
  };
  return { list, get: (id: string) => user.get?.(system, id) };
}

test('joins the items of other lists to accounts by their keys', async () => {
  const { list, get } = await open();
  const locked = { id: '2', status: 'suspended', memberships: { department: [] } };
  expect((await list()).records).toMatchObject([
    { id: '1', status: 'active', memberships: { department: [{ id: 'Sales' }] } },
    locked,
    { id: '3', status: 'active', memberships: { department: [] } },
  ]);
  expect(await get('2')).toMatchObject(locked);
});

test('the first of several items with the same key counts', async () => {
  const text = definition.replace(
    'joined.department}',
    'joined.department == null ? "" : joined.department.name}',
  );
  const { records } = await (await open({}, text)).list();
  expect(records[0]).toMatchObject({ attributes: { department: 'Sales' } });
});

test('fails if a join cannot be read, instead of listing accounts without it', async () => {
  await expect((await open({ '/departments': undefined })).list()).rejects.toThrow();
  await expect((await open({ '/departments': [{ name: 'Sales' }] })).list()).rejects.toThrow(
    'the key of department is empty',
  );
  await expect((await open({ '/users?status=locked': [{ id: [] }] })).list()).rejects.toThrow(
    'the key of locked is a list, but must be text',
  );
});

test('reports an account whose key is not text', async () => {
  const { skipped } = await (await open({ '/users': [{ id: 1, department: {} }] })).list();
  expect(skipped).toEqual(['number 1: department is a map, but must be text']);
});

test.each([
  ['joined.locked ==', 'joined.loked ==', '14:15: the join loked does not exist'],
  ['[joined.department.name]', '[joined.dep.name]', '18:54: the join dep does not exist'],
  ['key: item.code', 'key: item.cod e', '11:54: found e'],
  ['for: item.department', 'for: items', '11:61: the variable items does not exist'],
  ['item.id\n      status', 'joined.locked.id\n      status', 'the variable joined does not exist'],
  [', key: item.id', '', '10:15: accounts.user.joins.locked lacks "key"'],
])('names line and column of a mistake (%s)', (right, wrong, message) => {
  const text = definition.replace(right, wrong);
  const load = () => connectorFrom(parseText(text, 'app.yml', definitionSchema), { env: {} });
  expect(load).toThrow(message);
});
