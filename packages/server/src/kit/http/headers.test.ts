import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type TestApp } from '#test/app.ts';
import { fill, operationsOf } from '#test/operations.ts';

let service: TestApp;
beforeAll(async () => {
  service = await openTestApp({ own: true });
});
afterAll(() => service.close());

const PROTECTED = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'content-security-policy': expect.stringContaining("frame-ancestors 'none'"),
};

test('protects every response: of operations, errors, unknown addresses and the reference', async () => {
  for (const { method, path } of await operationsOf(service)) {
    const url = fill(path, () => '0199a000-0000-7000-8000-000000000001');
    for (const key of [service.key, null]) {
      const answer = await service.call(method, url, undefined, { key });
      expect(answer.headers, `${method} ${path}`).toMatchObject({
        ...PROTECTED,
        'cache-control': 'no-store',
      });
    }
  }
  for (const url of [
    '/',
    '/nothing',
    '/healthz',
    '/metrics',
    '/openapi.json',
    '/docs',
    '/docs/nothing',
    '/%ff',
  ]) {
    const answer = await service.app.http.inject({ url });
    expect(answer.headers, url).toMatchObject(PROTECTED);
    expect(answer.headers, url).not.toHaveProperty('strict-transport-security');
  }
  for (const url of ['/org/acme/nothing', '/org/acme/%ff', '/org/none/api/users/', '/org/acme/auth/']) {
    const answer = await service.app.http.inject({ url });
    expect(answer.headers, url).toMatchObject({ ...PROTECTED, 'cache-control': 'no-store' });
  }
});

test('protects the response to a request that is not valid HTTP', async () => {
  await service.app.http.listen({ port: 0, host: '127.0.0.1' });
  const socket = connect((service.app.http.server.address() as AddressInfo).port, '127.0.0.1');
  await once(socket, 'connect');
  socket.end('nonsense\r\n\r\n');

  const answer = await text(socket);

  for (const header of ['X-Content-Type-Options: nosniff', 'X-Frame-Options: DENY', "frame-ancestors 'none'"])
    expect(answer).toContain(header);
});

test('tells browsers to use TLS only, if the public URL is https', async () => {
  const secure = await openTestApp({ publicUrl: 'https://gatehouse.example.com' });
  for (const url of ['/healthz', '/nothing', '/%ff', '/org/acme/api/users/']) {
    const { headers } = await secure.app.http.inject({ url });
    expect(headers, url).toMatchObject({ 'strict-transport-security': 'max-age=31536000' });
  }
  await secure.close();
});
