import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { type Resource, resources, type Scim } from './client.ts';
import { createUser } from './tasks.ts';
import { readUser } from './users.ts';

const cleanups: (() => void)[] = [];
afterEach(() => {
  for (const cleanup of cleanups.splice(0)) cleanup();
});

type Reply = { status?: number; headers?: Record<string, string>; body: unknown };

/** A SCIM server that returns scripted responses. */
async function serverThat(answer: (url: URL, nth: number) => Reply): Promise<Scim> {
  let nth = 0;
  const server = createServer((request, response) => {
    const { status = 200, headers = {}, body } = answer(new URL(request.url ?? '', 'http://x'), ++nth);
    response
      .writeHead(status, { 'content-type': 'application/scim+json', ...headers })
      .end(JSON.stringify(body));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  cleanups.push(() => void server.close());
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    token: 't',
    deliverTo: undefined,
  };
}

async function ids(scim: Scim): Promise<string[]> {
  const found: string[] = [];
  for await (const { id } of resources(scim, 'Users')) found.push(id);
  return found;
}

const users = (from: number, to: number): Resource[] =>
  Array.from({ length: to - from }, (_, n) => ({ id: `u${from + n}` }));
const page = (url: URL, total: number, size: number) => {
  const startIndex = Number(url.searchParams.get('startIndex'));
  return {
    totalResults: total,
    startIndex,
    Resources: users(startIndex - 1, Math.min(total, startIndex - 1 + size)),
  };
};

describe('a list', () => {
  test('reads pages smaller than requested', async () => {
    expect(await ids(await serverThat((url) => ({ body: page(url, 25, 10) })))).toHaveLength(25);
  });

  test('waits when throttled', async () => {
    const throttled = { status: 429, headers: { 'retry-after': '1' }, body: {} };
    expect(
      await ids(await serverThat((url, nth) => (nth === 2 ? throttled : { body: page(url, 25, 20) }))),
    ).toHaveLength(25);
  });

  test.each<[string, (url: URL, nth: number) => unknown, RegExp]>([
    [
      'ends early',
      (url, nth) => (nth < 3 ? page(url, 30, 10) : { totalResults: 30, Resources: [] }),
      /returned only 20 of 30 Users/,
    ],
    ['changes while it is read', (url, nth) => page(url, nth < 3 ? 30 : 29, 10), /went from 30 to 29/],
    [
      'ignores startIndex',
      () => ({ totalResults: 30, startIndex: 1, Resources: users(0, 10) }),
      /ignores startIndex/,
    ],
    ['has no total', () => ({ Resources: [] }), /no totalResults/],
  ])('throws for a list that %s', async (_, body, message) => {
    const scim = await serverThat((url, nth) => ({ body: body(url, nth) }));
    await expect(ids(scim)).rejects.toThrow(message);
  });
});

test.each([
  [false, 'suspended'],
  ['False', 'suspended'],
  [true, 'active'],
  [undefined, 'active'],
])('reads active: %j as %s', async (active, status) => {
  const empty = { totalResults: 0, Resources: [] };
  const scim = await serverThat((url) => ({
    body: url.pathname.startsWith('/Users') ? { id: 'u1', userName: 'x', active } : empty,
  }));
  expect(await readUser(scim, 'u1')).toMatchObject({ id: 'u1', status });
});

test.each<[string, Reply, string]>([
  ['has no ServiceProviderConfig', { status: 404, body: {} }, 'string'],
  ['does not mention password changes', { body: {} }, 'string'],
  ['supports no password changes', { body: { changePassword: { supported: false } } }, 'undefined'],
])('a server that %s', async (_, about, password) => {
  const scim = await serverThat(({ pathname }) =>
    pathname === '/ServiceProviderConfig' ? about : { status: 201, body: { id: 'u1' } },
  );
  const created = await createUser({ ...scim, deliverTo: 'cat' }, { id: 'ours', username: 'x' }, {});
  expect(created.id).toBe('u1');
  expect(typeof created.password).toBe(password);
});
