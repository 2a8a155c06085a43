import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, request } from 'node:http';
import { createServer as createSecureServer, type Server } from 'node:https';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { REASON_HEADER, writeReason } from '../../protocol/src/net/tunnel.ts';
import { agentFor, isProxied, useProxy } from './agents.ts';
import { createHttp } from './http.ts';
import { silent } from './progress.ts';

const HOST = 'gatehouse.example.invalid';
let service: Server;
let asked: { target: string; credentials: string | undefined }[] = [];
let refuseWith: number | undefined;
/** Headers of the refusal. */
let refusal = '';
const open = new Set<Duplex>();
const proxy = createServer((_, response) => response.end('by absolute address'));
proxy.on('connect', ({ url = '', headers }: IncomingMessage, socket: Duplex) => {
  open.add(socket.on('error', () => undefined));
  asked.push({ target: url, credentials: headers['proxy-authorization'] });
  if (refuseWith !== undefined) {
    socket.end(`HTTP/1.1 ${refuseWith} No\r\n${refusal}\r\n`);
    return;
  }
  const other = connect((service.address() as AddressInfo).port, '127.0.0.1');
  socket.write('HTTP/1.1 200 OK\r\n\r\n');
  socket.pipe(other.on('error', () => socket.destroy())).pipe(socket);
});
const portOf = (server: { address(): unknown }) => (server.address() as AddressInfo).port;
const listen = (server: Server | typeof proxy) =>
  new Promise<void>((done) => server.listen(0, '127.0.0.1', done));

beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-agents-'));
  const made = [
    'req',
    '-x509',
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:P-256',
    '-nodes',
    '-days',
    '2',
  ];
  const named = ['-subj', '/CN=agents', '-addext', `subjectAltName=DNS:${HOST}`];
  execFileSync('openssl', [...made, ...named, '-keyout', 'key.pem', '-out', 'cert.pem'], {
    cwd: folder,
    stdio: 'pipe',
  });
  const [key, cert] = ['key.pem', 'cert.pem'].map((name) => readFileSync(join(folder, name), 'utf8'));
  rmSync(folder, { recursive: true });
  setDefaultCACertificates([...getCACertificates('default'), cert ?? '']);
  service = createSecureServer({ key, cert }, (incoming, response) =>
    response.end(JSON.stringify({ path: incoming.url, host: incoming.headers.host })),
  );
  await listen(service);
  await listen(proxy);
});
afterEach(() => {
  useProxy({});
  asked = [];
  refuseWith = undefined;
  refusal = '';
});
afterAll(() => {
  for (const socket of open) socket.destroy();
  service.closeAllConnections();
  service.close();
  proxy.closeAllConnections();
  proxy.close();
});

const env = (bypass = '') => ({
  GATEHOUSE_PROXY: `http://run:s3cret@127.0.0.1:${portOf(proxy)}`,
  GATEHOUSE_NO_PROXY: bypass,
});
const http = () =>
  createHttp({
    url: `https://${HOST}/org/acme`,
    key: 'key',
    log: silent,
    signal: new AbortController().signal,
    pause: 1,
  });

test('reaches Gatehouse through the proxy, and keeps the connection', async () => {
  useProxy(env());

  expect((await http()('GET', '/api/a')).body).toEqual({ path: '/org/acme/api/a', host: HOST });
  expect((await http()('GET', '/api/b')).body).toEqual({ path: '/org/acme/api/b', host: HOST });
  const credentials = `Basic ${Buffer.from('run:s3cret').toString('base64')}`;
  expect(asked).toEqual([{ target: `${HOST}:443`, credentials }]);
});

test('sends what a connector fetches through the proxy as well', async () => {
  useProxy(env());

  const response = await fetch(`https://${HOST}/users`);

  expect(await response.json()).toEqual({ path: '/users', host: HOST });
  expect(asked).toMatchObject([{ target: `${HOST}:443` }]);
});

test('makes a tunnel for plain http, too', async () => {
  useProxy(env());
  refuseWith = 403;

  const url = new URL('http://app.example.invalid:8080/');
  const failed = new Promise((done) =>
    request(url, { agent: agentFor(url) })
      .once('error', done)
      .end(),
  );

  expect(await failed).toMatchObject({
    message: expect.stringContaining('refused a connection to app.example.invalid:8080 (403)'),
  });
});

test('does not repeat a request that the proxy refuses, and does not show its password', async () => {
  // Other settings than before, whose connections are still open.
  useProxy(env('other.invalid'));
  refuseWith = 407;

  const failure = await http()('GET', '/api/a').catch((error: Error) => error.message);

  expect(failure).toContain('The proxy in GATEHOUSE_PROXY rejected the user and the password (407).');
  expect(failure).not.toContain('s3cret');
  expect(asked).toHaveLength(1);
});

test('shows the reason of the gateway on a server', async () => {
  useProxy(env('third.invalid'));
  refuseWith = 403;
  refusal = `${REASON_HEADER}: ${writeReason('10.1.2.3 is not public – ask the operator.')}\r\n`;

  await expect(http()('GET', '/api/a')).rejects.toThrow('10.1.2.3 is not public – ask the operator.');
});

test('reaches hosts in GATEHOUSE_NO_PROXY and this machine directly', async () => {
  useProxy(env('.example.invalid,10.0.0.0/8'));

  await expect(fetch(`https://${HOST}/`)).rejects.toThrow('fetch failed');
  await expect(fetch(`https://localhost:${portOf(service)}/`)).rejects.toThrow('fetch failed');
  expect(
    [`https://${HOST}`, 'https://10.1.2.3', 'http://localhost', 'https://8.8.8.8'].map((url) =>
      isProxied(new URL(url)),
    ),
  ).toEqual([false, false, false, true]);
  expect(asked).toEqual([]);
});

test.each([
  [{ GATEHOUSE_PROXY: 'proxy:3128' }, 'GATEHOUSE_PROXY must be'],
  [{ GATEHOUSE_NO_PROXY: 'http://app' }, 'GATEHOUSE_NO_PROXY must be'],
])('refuses invalid settings %j', (settings, message) => {
  expect(() => useProxy(settings)).toThrow(message);
});
