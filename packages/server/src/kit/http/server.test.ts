import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { Type } from 'typebox';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { openTestApp, type TestApp } from '#test/app.ts';
import { fill, type Operation, operationsOf } from '#test/operations.ts';
import { createLogger } from '../logger.ts';
import { createHttp } from './server.ts';

let service: TestApp;
let operations: Operation[];
beforeAll(async () => {
  service = await openTestApp({ own: true });
  operations = await operationsOf(service);
});
afterAll(() => service.close());

const DETAIL = { detail: expect.stringMatching(/^[^<]+$/), code: expect.any(String) };
const UNKNOWN = '0199a000-0000-7000-8000-000000000001';
const addressOf = (path: string) => fill(path, () => UNKNOWN);
const APPS = '/api/v1/bridge/apps/';

describe('errors are JSON (D5)', () => {
  test('returns 405 with the allowed methods for another method', async () => {
    const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];
    const paths = Map.groupBy(operations, ({ path }) => path);
    for (const [path, at] of paths) {
      const has = new Set(at.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method])));
      for (const method of methods.filter((one) => !has.has(one))) {
        const answer = await service.call(method, addressOf(path));
        // Addresses can match several routes: /api/policies/settings/ is also /api/policies/{policy_id}/.
        // Some take a session only, which comes first.
        expect([403, 404, 405], `${method} ${path}`).toContain(answer.status);
        if (answer.status === 405)
          expect(String(answer.headers.allow).split(', ')).toEqual(
            expect.arrayContaining([...has, 'OPTIONS']),
          );
        if (method !== 'HEAD') expect(answer.body, `${method} ${path}`).toMatchObject(DETAIL);
      }
    }
    expect(await service.call('DELETE', APPS)).toMatchObject({
      status: 405,
      headers: { allow: 'GET, HEAD, OPTIONS, POST' },
      body: { detail: 'Method DELETE is not allowed at this address.' },
    });
  });

  test.each<[string, number, unknown, Record<string, string>]>([
    ['no JSON', 400, '{"name":', {}],
    ['text behind the JSON', 400, '{"name":"x"} x', {}],
    ['a list', 400, '[]', {}],
    ['null', 400, 'null', {}],
    ['nothing', 400, '', {}],
    ['JSON too deep', 400, '['.repeat(400_000), {}],
    ['JSON nested 100 levels deep', 201, `{"name":"[[","x":${'['.repeat(99)}${']'.repeat(99)}}`, {}],
    ['JSON nested 101 levels deep', 400, `{"name":"deep","x":${'['.repeat(100)}${']'.repeat(100)}}`, {}],
    ['brackets in text', 201, JSON.stringify({ name: `\\"${'['.repeat(200)}` }), {}],
    ['JSON with 20,000 values', 201, `{"name":"many","x":[${'1,'.repeat(19_995)}1]}`, {}],
    ['JSON with more values', 400, `{"name":"many","x":[${'1,'.repeat(20_005)}1]}`, {}],
    ['a type that is not JSON', 415, 'name=x', { 'content-type': 'application/x-www-form-urlencoded' }],
    ['a multipart type', 415, 'x', { 'content-type': 'multipart/form-data; boundary=x' }],
    ['a type that is none', 415, '{}', { 'content-type': 'json' }],
    ['JSON with half a surrogate pair', 400, '{"name":"\\ud83d"}', {}],
    ['JSON with half a surrogate pair in a field’s name', 400, '{"name":"x","\\uDE00":1}', {}],
    ['JSON with an escaped surrogate pair', 201, '{"name":"\\ud83d\\ude00"}', {}],
    ['JSON with a charset', 201, '{"name":"x"}', { 'content-type': 'application/json; charset=utf-8' }],
    ['more than a megabyte', 413, `{"name":"${'x'.repeat(1024 * 1024)}"}`, {}],
    ['almost a megabyte', 400, `{"name":"${'x'.repeat(1024 * 1024 - 100)}"}`, {}],
    ['JSON with __proto__', 201, '{"name":"x","__proto__":{"polluted":true}}', {}],
  ])('%s as the body returns %i', async (_, status, body, headers) => {
    const answer = await service.call('POST', APPS, body, { headers });

    expect(answer.status).toBe(status);
    if (status !== 201) expect(answer.body).toMatchObject(DETAIL);
    expect(String(answer.headers['content-type'])).toContain('application/json');
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  test.each([
    '/org/acme/api/accounts/%',
    '/org/acme/api/accounts/%zz/',
    '/org/acme/api/accounts/%ff/',
    '/org/%/api/accounts/',
    '/%2e%2e/org',
    '//org//acme//api/accounts/',
    '/org',
    '/favicon.ico',
    `/org/acme/${'x'.repeat(5000)}`,
    `/org/acme/api/accounts/${'1'.repeat(200)}/`,
  ])('returns JSON for the address %s', async (url) => {
    const answer = await service.app.http.inject({
      url,
      headers: { authorization: `Api-Key ${service.key}` },
    });

    expect([400, 404]).toContain(answer.statusCode);
    expect(answer.json()).toMatchObject(DETAIL);
  });

  test('returns 500 for an unexpected error and reveals only the request id', async () => {
    const lines: string[] = [];
    const http = createHttp({
      logger: createLogger('info', { write: (line) => void lines.push(line) }),
      trustProxy: false,
    });
    http.get('/boom', { config: { access: 'public' } }, async () => {
      throw new Error('the password is swordfish');
    });

    const answer = await http.inject('/boom');

    expect(answer.statusCode).toBe(500);
    expect(answer.json()).toEqual({
      code: 'server_error',
      detail: 'Server error. Search the server log for the X-Request-Id of this response.',
    });
    expect(lines.map((line) => JSON.parse(line))).toContainEqual(
      expect.objectContaining({ reqId: answer.headers['x-request-id'], msg: 'unhandled error' }),
    );
  });

  test.each([
    ['not HTTP', 'hello\r\n\r\n'],
    ['two lengths', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nxx'],
  ])('returns 400 for %s', async (_, bytes) => {
    const http = createHttp({ logger: createLogger('silent'), trustProxy: false });
    await http.listen({ port: 0, host: '127.0.0.1' });
    onTestFinished(() => http.close());
    const socket = connect((http.server.address() as AddressInfo).port, '127.0.0.1');
    await once(socket, 'connect');

    socket.end(bytes);

    const [head, body] = (await text(socket)).split('\r\n\r\n');
    expect(head).toMatch(/^HTTP\/1.1 400 /);
    expect(head).toContain('Content-Type: application/json');
    expect(JSON.parse(body ?? '')).toMatchObject(DETAIL);
  });
});

test('returns the same headers for HEAD as for GET, without a body', async () => {
  const gets = operations.filter(({ method }) => method === 'GET');
  for (const { path } of gets) {
    const get = await service.call('GET', addressOf(path));
    const head = await service.call('HEAD', addressOf(path));
    expect(head.status, path).toBe(get.status);
    expect(head.body || null, path).toBeNull();
  }
  for (const url of ['/healthz', '/readyz', '/metrics', '/openapi.json', '/docs/']) {
    const head = await service.app.http.inject({ method: 'HEAD', url });
    expect([head.statusCode, head.payload], url).toEqual([200, '']);
  }
});

test.each([{}, { 'content-type': 'application/json' }, { 'content-type': 'text/plain' }])(
  'accepts a POST without a body with any content type (D19): %o',
  async (headers) => {
    const app = (await service.call('POST', APPS, { name: 'x' })).body.id;

    expect(await service.call('POST', `${APPS}${app}/sync/`, undefined, { headers })).toMatchObject({
      status: 201,
    });
  },
);

test('gives every response its own id and ignores the caller’s', async () => {
  const ids: unknown[] = [];
  for (let i = 0; i < 3; i++) {
    const { headers } = await service.call('GET', APPS, undefined, { headers: { 'x-request-id': 'mine' } });
    ids.push(headers['x-request-id']);
  }

  expect(new Set(ids).size).toBe(3);
  expect(ids).not.toContain('mine');
});

test('rejects a route that does not declare who may call it', () => {
  const http = createHttp({ logger: createLogger('silent'), trustProxy: false });

  expect(() => http.get('/open', async () => 'x')).toThrow(
    'Route GET /open does not declare who may call it. Set config.access.',
  );
});

test('lowers the case of ids in an address, but not of slugs (D3)', async () => {
  const http = createHttp({ logger: createLogger('silent'), trustProxy: false });
  const access = 'public' as const;
  http.get('/:org/:app_id/:slug', { config: { access } }, async ({ params }) => params as object);
  const id = 'ABCDEF00-0000-7000-8000-00000000000A';

  expect((await http.inject(`/${id}/${id}/${id}`)).json()).toEqual({
    org: id,
    app_id: id.toLowerCase(),
    slug: id,
  });
});

test('prints no warnings at startup', async () => {
  const warnings: Error[] = [];
  const listen = (warning: Error) => void warnings.push(warning);
  process.on('warning', listen);
  onTestFinished(() => void process.off('warning', listen));
  const http = createHttp({ logger: createLogger('silent'), trustProxy: false });
  http.get(
    '/',
    {
      config: { access: 'public' },
      schema: { querystring: Type.Object({ a: Type.Optional(Type.String()) }) },
    },
    async () => ({}),
  );

  await http.ready();
  await new Promise(setImmediate);

  expect(warnings).toEqual([]);
});
