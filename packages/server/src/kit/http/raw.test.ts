import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createApp } from '#app.ts';
import { openTestApp, type TestApp } from '#test/app.ts';
import { secrets } from '#test/secrets.ts';
import { createLogger } from '../logger.ts';

/** Requests as bytes on a socket, which HTTP clients would not send. */
let service: TestApp;
let port: number;
let key: string;
let appId: string;
beforeAll(async () => {
  service = await openTestApp({ own: true });
  key = service.key;
  appId = (await service.call('POST', '/api/v1/bridge/apps/', { name: 'App' })).body.id;
  await service.call('POST', '/api/users/', { email: 'ann@x.example' });
  port = await listen(service.app);
});
afterAll(() => service.close());

async function listen({ http }: TestApp['app']): Promise<number> {
  await http.listen({ port: 0, host: '127.0.0.1' });
  return (http.server.address() as AddressInfo).port;
}

const USERS = '/org/acme/api/users/?limit=1';
const authorized = () => `Authorization: Api-Key ${key}\r\nConnection: close\r\n`;

async function send(bytes: string | Buffer, to = port) {
  const socket = connect(to, '127.0.0.1');
  socket.setTimeout(5000, () => socket.destroy(new Error('No reply in time.')));
  await once(socket, 'connect');
  socket.write(bytes);
  const [head = '', ...rest] = (await text(socket)).split('\r\n\r\n');
  const body = rest.join('\r\n\r\n').replace(/^[\da-f]+\r\n([\s\S]*)\r\n0$/, '$1');
  const allow = /^allow: (.*)$/im.exec(head)?.[1];
  return { status: Number(head.split(' ')[1]), head, allow, body: body === '' ? null : JSON.parse(body) };
}

const DETAIL = { detail: expect.stringMatching(/^[A-Z].*\.$/) };

describe('the Host header', () => {
  test.each([
    ['with too high a port', 'Host: x:99999\r\n'],
    ['with a port that is not a number', 'Host: 127.0.0.1:notaport\r\n'],
    ['with a user', 'Host: a@b\r\n'],
    ['with a path', 'Host: a/b\r\n'],
    ['with spaces', 'Host: a b\r\n'],
    ['empty', 'Host: \r\n'],
    ['missing', ''],
    ['twice', 'Host: 127.0.0.1\r\nhost: 127.0.0.1\r\n'],
  ])('%s returns 400', async (_, host) => {
    for (const version of ['1.0', '1.1']) {
      expect(await send(`GET ${USERS} HTTP/${version}\r\n${host}${authorized()}\r\n`)).toMatchObject({
        status: 400,
        body: DETAIL,
      });
    }
  });

  test.each(['localhost', 'id.example.com:8443', '[::1]:80', '10.0.0.1'])('%s is valid', async (host) => {
    const answer = await send(`GET ${USERS} HTTP/1.1\r\nHost: ${host}\r\n${authorized()}\r\n`);

    expect(answer).toMatchObject({ status: 200 });
    expect(answer.body.next).toMatch(new RegExp(`^http://${RegExp.escape(host.replace(/:80$/, ''))}/org/`));
  });

  test('does not matter if the public address is configured, nor for the health check', async () => {
    const app = await createApp({
      database: service.database,
      secrets,
      logger: createLogger('silent'),
      publicUrl: 'https://id.example.com',
      trustProxy: false,
    });
    const other = await listen(app);

    for (const host of ['', 'Host: a@b\r\n']) {
      const answer = await send(`GET ${USERS} HTTP/1.0\r\n${host}${authorized()}\r\n`, other);
      expect(answer.body.next).toMatch(/^https:\/\/id\.example\.com\/org\//);
      expect(await send(`GET /healthz HTTP/1.0\r\n${host}\r\n`)).toMatchObject({ status: 200 });
    }
    await app.close();
  });
});

test('HTTP/1.1 without a Host header returns 400 at every address', async () => {
  expect(await send('GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n')).toMatchObject({
    status: 400,
    body: DETAIL,
  });
});

test('closes the connection of a client that sends no HTTP and never closes its side', async () => {
  const { server } = service.app.http;
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  onTestFinished(() => void socket.destroy());
  socket.on('error', () => {});
  await once(socket, 'connect');

  socket.write('garbage\r\n\r\n');

  expect(await text(socket)).toMatch(/^HTTP\/1\.1 400 /);
  const connections = () =>
    new Promise<number>((resolve, reject) =>
      server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
    );
  await expect.poll(connections, { timeout: 5000 }).toBe(0);
});

describe('a request that is too long', () => {
  test.each([
    ['address', 414, `GET /${'x'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`],
    ['address of a megabyte', 414, `GET /${'x'.repeat(1_000_000)} HTTP/1.1\r\nHost: x\r\n\r\n`],
    ['header', 431, `GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(100_000)}\r\n\r\n`],
    ['list of headers', 431, `GET / HTTP/1.1\r\nHost: x\r\n${'X: y\r\n'.repeat(20_000)}\r\n`],
  ])('%s returns %i', async (_, status, bytes) => {
    expect(await send(bytes)).toMatchObject({ status, body: DETAIL });
  });
});

describe('bodies', () => {
  const post = (path: string, headers: string, body: string | Buffer = '') =>
    send(
      Buffer.concat([
        Buffer.from(`POST /org/acme${path} HTTP/1.1\r\nHost: x\r\n${authorized()}${headers}\r\n`),
        Buffer.from(body),
      ]),
    );
  const chunked = 'Transfer-Encoding: chunked\r\n';

  test.each(['', 'Content-Type: application/json\r\n', 'Content-Type: text/plain\r\n'])(
    'accepts a chunked body that is empty, with the headers %j (D19)',
    async (type) => {
      const start = `/api/v1/bridge/apps/${appId}/sync/`;
      const { status, body } = await post(start, `${chunked}${type}`, '0\r\n\r\n');
      expect(status).toBe(201);
      const ended = await post(`${start}${body.sync_id}/abandon/`, `${chunked}${type}`, '0\r\n\r\n');
      expect(ended).toMatchObject({ status: 204 });
    },
  );

  test('rejects a chunked body of another type', async () => {
    const type = `${chunked}Content-Type: text/plain\r\n`;
    expect(await post(`/api/v1/bridge/apps/${appId}/sync/`, type, '2\r\n{}\r\n0\r\n\r\n')).toMatchObject({
      status: 415,
      body: DETAIL,
    });
  });

  test('rejects compressed bodies', async () => {
    const body = gzipSync('{"name":"x"}');
    const headers = `Content-Type: application/json\r\nContent-Encoding: gzip\r\nContent-Length: ${body.length}\r\n`;
    expect(await post('/api/v1/bridge/apps/', headers, body)).toMatchObject({ status: 415, body: DETAIL });
  });

  test('rejects text that is not UTF-8', async () => {
    const body = Buffer.from('{"name":"caf\xe9"}', 'latin1');
    const headers = `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n`;
    expect(await post('/api/v1/bridge/apps/', headers, body)).toMatchObject({ status: 400, body: DETAIL });
  });
});

test('replies to OPTIONS with the allowed methods', async () => {
  const options = (path: string) =>
    send(`OPTIONS /org/acme${path} HTTP/1.1\r\nHost: x\r\n${authorized()}\r\n`);

  expect(await options('/api/v1/bridge/apps/')).toMatchObject({
    status: 204,
    allow: 'GET, HEAD, OPTIONS, POST',
    body: null,
  });
  expect(await options(`/api/events/`)).toMatchObject({ status: 204, allow: 'GET, HEAD, OPTIONS' });
  expect(await options('/api/nothing/')).toMatchObject({ status: 404, body: DETAIL });
});
