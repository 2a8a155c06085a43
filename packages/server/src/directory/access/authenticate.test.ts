import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createApp } from '#app.ts';
import { createLogger } from '#kit/logger.ts';
import { type CallOptions, ORIGIN, openTestApp, type TestApp } from '#test/app.ts';
import { fill, type Operation, operationsOf } from '#test/operations.ts';
import { addOrganization } from '#test/people.ts';
import { secrets } from '#test/secrets.ts';
import { signInAsOwner } from '#test/sign-in.ts';
import { setTimes } from '#test/time.ts';
import { newKey } from './key-format.ts';

let service: TestApp;
let call: TestApp['call'];
let operations: Operation[];
let appId: string;
/** A key with these scopes, for these apps. */
const addKey = async (scopes: string[], apps: string[] | null = null): Promise<{ id: string; key: string }> =>
  (await call('POST', '/api/api-keys/', { name: 'of a test', scopes, apps })).body;

beforeAll(async () => {
  service = await openTestApp({ own: true });
  call = service.call;
  operations = await operationsOf(service);
  appId = (await call('POST', '/api/v1/bridge/apps/', { name: 'Payroll' })).body.id;
});
afterAll(() => service.close());

/** The parts of a response that a caller can compare. */
const visible = ({ status, headers, body }: Awaited<ReturnType<TestApp['call']>>) => {
  const { date, 'x-request-id': id, ...others } = headers;
  return { status, headers: others, body };
};

const UNAUTHENTICATED = {
  status: 401,
  headers: { 'www-authenticate': 'Api-Key' },
  body: { detail: 'Missing or invalid API key.' },
};

describe('a caller without a live key', () => {
  const authorization = (value: string): CallOptions => ({ key: null, headers: { authorization: value } });
  const typingError = (key: string) => key.slice(0, -1) + (key.endsWith('x') ? 'y' : 'x');
  const ways: [string, () => CallOptions | Promise<CallOptions>][] = [
    ['no key', () => ({ key: null })],
    ['an empty header', () => authorization('')],
    ['the scheme alone', () => authorization('Api-Key')],
    ['a key without its scheme', () => authorization(service.key)],
    ['another scheme', () => authorization(`Bearer ${service.key}`)],
    ['two keys', () => authorization(`Api-Key ${service.key} ${service.key}`)],
    ['an overlong key', () => ({ key: 'x'.repeat(8_000) })],
    ['a mistyped key', () => ({ key: typingError(service.key) })],
    ['an unknown well-formed key', () => ({ key: newKey() })],
    ['an unknown key in another format', () => ({ key: 'a-key-of-the-environment-with-32-characters' })],
    [
      'a revoked key',
      async () => {
        const { id, key } = await addKey(['bridge', 'read', 'govern', 'events']);
        await call('DELETE', `/api/api-keys/${id}/`);
        return { key };
      },
    ],
    [
      'an expired key',
      async () => {
        const { id, key } = await addKey(['bridge', 'read', 'govern', 'events']);
        await setTimes(service, 'api_key', { expires_at: '1 second ago' }, { id });
        return { key };
      },
    ],
  ];

  test.each(ways)('gets the same response with %s', async (_, way) => {
    const expected = visible(await call('GET', '/api/accounts/', undefined, { key: null }));

    expect(expected).toMatchObject(UNAUTHENTICATED);
    expect(visible(await call('GET', '/api/accounts/', undefined, await way()))).toEqual(expected);
  });

  test('gets 401 at every address, known or not, before any other check', async () => {
    const asked = [
      ...operations,
      { method: 'GET', path: '/api/nothing/' },
      { method: 'GET', path: '/' },
      { method: 'DELETE', path: '/api/accounts/' },
    ];
    for (const { method, path } of asked) {
      for (const org of ['acme', 'nobody']) {
        for (const key of [null, newKey()]) {
          const answer = await call(
            method,
            fill(path, () => 'not-a-uuid'),
            method === 'GET' ? undefined : '{',
            {
              key,
              org,
            },
          );
          expect(answer, `${method} ${org} ${path}`).toMatchObject(UNAUTHENTICATED);
        }
      }
    }
  });

  test.each([
    ['in another case', 'api-key'],
    ['with more spaces', 'Api-Key   '],
  ])('may write the scheme %s', async (_, scheme) => {
    const headers = { authorization: `${scheme} ${service.key}` };

    expect(await call('GET', '/api/accounts/', undefined, { key: null, headers })).toMatchObject({
      status: 200,
    });
  });

  test('loses access immediately when its key is revoked, also for pushes', async () => {
    const { id, key } = await addKey(['bridge']);
    const bridge = `/api/v1/bridge/apps/${appId}`;
    await call('POST', `${bridge}/resource-types/`, { slug: 'user', name: 'Users', type: 'account' });
    const { sync_id } = (await call('POST', `${bridge}/sync/`, undefined, { key })).body;
    const push = () => call('PUT', `${bridge}/sync/${sync_id}/user/`, { records: [] }, { key });
    const before = await push();

    await call('DELETE', `/api/api-keys/${id}/`);

    expect(before).toMatchObject({ status: 200 });
    expect(visible(await push())).toMatchObject(UNAUTHENTICATED);
    expect(await call('GET', `${bridge}/`, undefined, { key })).toMatchObject(UNAUTHENTICATED);
  });
});

describe('a live key', () => {
  test('gets 404 under every other slug (D6)', async () => {
    await addOrganization(service, 'elsewhere');
    const asked = [...operations, { method: 'GET', path: '/api/nothing/' }, { method: 'GET', path: '/' }];
    for (const { method, path } of asked) {
      for (const org of ['elsewhere', 'nobody']) {
        const answer = await call(
          method,
          fill(path, () => appId),
          undefined,
          { org },
        );
        expect(answer, `${method} /org/${org}${path}`).toMatchObject({
          status: 404,
          body: { detail: expect.any(String) },
        });
      }
    }
  });

  test.each(['ACME', 'acme%20', 'acme%00', '%F0%9F%98%80'])('gets 404 under the slug %s', async (org) => {
    expect(await call('GET', '/api/accounts/', undefined, { org })).toMatchObject({
      status: 404,
    });
  });

  test('gets 404 at an unknown address', async () => {
    for (const path of ['/api/nothing/', '/', '', '/api', '/api/v1/bridge/', '/api/accounts/x/y/']) {
      expect(await call('GET', path), path).toMatchObject({
        status: 404,
        body: { detail: expect.any(String) },
      });
    }
  });

  test('gets 404 for unknown ids before 400 for any body (D6)', async () => {
    const bodies: [string, string, string][] = [
      ['no JSON', '{', 'application/json'],
      ['no object', '[]', 'application/json'],
      ['no fields', '{}', 'application/json'],
      ['no JSON type', 'a=b', 'application/x-www-form-urlencoded'],
    ];
    const named = operations.filter(
      ({ path, takesBody, needsSession }) => takesBody && !needsSession && path.includes('{'),
    );
    expect(named.length).toBeGreaterThan(5);
    for (const { method, path } of named) {
      for (const id of [randomUUID(), 'not-a-uuid', '%00']) {
        for (const [what, body, type] of bodies) {
          const headers = { 'content-type': type };
          const answer = await call(
            method,
            fill(path, () => id),
            body,
            { headers },
          );
          expect(answer.status, `${method} ${path} with ${id} and ${what}`).toBe(404);
        }
      }
    }
    const tooMuch = JSON.stringify('x'.repeat(1_100_000));
    const unknownApp = `/api/v1/bridge/apps/${randomUUID()}/resource-types/`;
    expect(await call('POST', unknownApp, tooMuch)).toMatchObject({ status: 404 });
  });

  test('gets 404 for a malformed id (D3)', async () => {
    for (const { method, path } of operations.filter(
      ({ path, needsSession }) => !needsSession && path.includes('{'),
    )) {
      for (const id of ['1', 'not-a-uuid', `${appId}0`, `{${appId}}`, '%00', '%F0%9F%98%80', '..%2F..']) {
        const answer = await call(
          method,
          fill(path, () => id),
        );
        expect(answer, `${method} ${path} with ${id}`).toMatchObject({
          status: 404,
          body: { detail: expect.any(String) },
        });
      }
    }
  });

  test('limited to listed apps gets 403 for another app before the body is read (D7)', async () => {
    const listed = (await call('POST', '/api/v1/bridge/apps/', { name: 'Listed' })).body.id;
    const { key } = await addKey(['bridge', 'events', 'read', 'govern'], [listed]);
    for (const { method, path } of operations.filter((operation) => operation.path.includes('{app_id}'))) {
      const valueFor = (app: string) => (name: string) => (name === 'app_id' ? app : randomUUID());
      const body = method === 'GET' ? undefined : '{';
      const label = `${method} ${path}`;
      const isForAllApps =
        /\/(held-tasks\/|approve\/|reject\/|revert\/)/.test(path) ||
        (method === 'PUT' && /\/fulfillment\//.test(path));
      const unknown = isForAllApps ? 403 : 404;
      expect((await call(method, fill(path, valueFor(appId)), body, { key })).status, label).toBe(403);
      expect((await call(method, fill(path, valueFor(randomUUID())), body, { key })).status, label).toBe(
        unknown,
      );
    }
  });
});

test('serves every address with and without a trailing slash, without a redirect (D2)', async () => {
  // The addresses of SCIM end without a slash (RFC 7644).
  const reads = operations.filter(({ method, path }) => method === 'GET' && !path.startsWith('/scim/'));
  for (const { method, path } of reads) {
    const address = fill(path, (name) => (name === 'app_id' ? appId : randomUUID()));
    const [slashed, bare] = [await call(method, address), await call(method, address.slice(0, -1))];
    expect([200, 403, 404], path).toContain(slashed.status);
    expect(bare.status, path).toBe(slashed.status);
  }
  expect(await call('POST', '/api/v1/bridge/apps', { name: 'Bare' })).toMatchObject({ status: 201 });
  expect(await call('PUT', '/api/v1/bridge/apps', {})).toMatchObject({ status: 405 });
});

test('an address that sends invalid session cookies is refused after 300 in a minute', async () => {
  const limited = await createApp({
    database: service.database,
    secrets,
    logger: createLogger('silent'),
    publicUrl: undefined,
    trustProxy: false,
    rateLimits: { events: 60, read: 300 },
  });
  const browser = await signInAsOwner(service);
  const cookieOf = ([name, value]: [string, string]) => `${name}=${value}`;
  const get = (cookie: string) =>
    limited.http.inject({
      url: '/org/acme/api/me/',
      remoteAddress: '2001:db8:1::1',
      headers: { cookie, origin: ORIGIN, host: new URL(ORIGIN).host },
    });
  const valid = [...browser.cookies].map(cookieOf).join('; ');
  const invalid = [...browser.cookies.keys()].map((name) => `${name}=invalid`).join('; ');

  for (let i = 0; i < 300; i++) await get(invalid);
  const [refused, signedIn] = [await get(invalid), await get(valid)];
  await limited.close();

  expect(refused.statusCode).toBe(429);
  expect(signedIn.statusCode).toBe(200);
});

describe('an address that sends invalid keys', () => {
  test('is refused after 100 in a minute, while valid keys still work from there', async () => {
    const limited = await createApp({
      database: service.database,
      secrets,
      logger: createLogger('silent'),
      publicUrl: undefined,
      trustProxy: false,
      rateLimits: { events: 60, read: 300 },
    });
    const get = (key: string | null, remoteAddress = '2001:db8::1') =>
      limited.http.inject({
        url: '/org/acme/api/accounts/',
        remoteAddress,
        headers: key === null ? {} : { authorization: `Api-Key ${key}` },
      });

    const first = await get(newKey());
    for (let i = 1; i < 100; i++) await get(newKey());
    const [refused, neighbor, missing, elsewhere, valid] = [
      await get(newKey()),
      await get(newKey(), '2001:db8::2'),
      await get(null),
      await get(newKey(), '2001:db8:0:1::1'),
      await get(service.key),
    ];
    await limited.close();

    expect(first.statusCode).toBe(401);
    expect(first.headers).not.toHaveProperty('ratelimit');
    expect(refused.statusCode).toBe(429);
    expect(refused.headers).toMatchObject({ 'retry-after': expect.any(String) });
    expect([neighbor, missing, elsewhere, valid].map(({ statusCode }) => statusCode)).toEqual([
      429, 401, 401, 200,
    ]);
  });
});
