import { afterAll, beforeAll, expect, test } from 'vitest';
import { newKey } from '#directory/access/key-format.ts';
import { openTestApp, type TestApp } from '#test/app.ts';
import { createLogger } from './logger.ts';

let lines: string[] = [];
const written = { write: (line: string) => void lines.push(line) };

let service: TestApp;
beforeAll(async () => {
  service = await openTestApp({ jobs: true, logger: createLogger('trace', written) });
});
afterAll(() => service.close());

test('logs one line per request with method, address, status and id', async () => {
  lines = [];

  const { headers } = await service.call('GET', '/api/accounts/?limit=1');

  await expect
    .poll(() => lines.map((line) => JSON.parse(line)))
    .toContainEqual(
      expect.objectContaining({
        msg: 'request',
        method: 'GET',
        url: '/org/acme/api/accounts/?limit=1',
        status: 200,
        ms: expect.any(Number),
        reqId: headers['x-request-id'],
      }),
    );
});

test('never logs a key or a password', async () => {
  lines = [];
  const secrets = [service.key, newKey(), 'correct horse battery staple'];

  const created = await service.call('POST', '/api/api-keys/', { name: 'Logged' });
  secrets.push(created.body.key);
  for (const key of secrets) {
    await service.call('GET', '/api/accounts/', undefined, { key });
    await service.call('POST', '/api/api-keys/', '{', { key });
    await service.call('POST', '/api/users/', { email: `${key}\0@x.example`, password: key });
    await service.call('POST', '/api/api-keys/', { name: `a\0${key}` });
    await service.call('GET', '/nothing/', undefined, { key, org: 'nobody' });
  }

  await expect.poll(() => lines.length).toBeGreaterThanOrEqual(5 * secrets.length);
  for (const secret of secrets) expect(lines.join('')).not.toContain(secret);
});

test('logs no parameters of a failed statement', () => {
  lines = [];
  const error = Object.assign(new Error('duplicate key'), {
    code: '23505',
    detail: 'Key (secret)=(swordfish) already exists.',
    parameters: ['swordfish'],
    query: "select 'swordfish'",
  });

  createLogger('info', written).error({ err: error }, 'failed');

  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    msg: 'failed',
    err: { name: 'Error', message: 'duplicate key', code: '23505', stack: expect.any(String) },
  });
  expect(lines[0]).not.toContain('swordfish');
});

test('logs addresses without codes, states, tokens and SAML responses', async () => {
  lines = [];
  const secret = 'swordfish';
  const query = ['code', 'state', 'token', 'SAMLResponse', 'RelayState']
    .map((name) => `${name}=${secret}`)
    .join('&');

  for (const path of ['/auth/sso/callback/idp', '/api/accounts/', '/auth%2Fsso/x', '/nothing/']) {
    await service.call('GET', `${path}?limit=1&${query}`);
    await service.call('GET', `${path}?${query.toLowerCase()}`);
  }
  createLogger('info', written).error(
    { err: new Error(`GET https://idp.example/?${query} failed`) },
    'failed',
  );

  await expect.poll(() => lines.length).toBeGreaterThanOrEqual(9);
  expect(lines.join('')).toContain('limit=1');
  expect(lines.join('')).not.toContain(secret);
});
