import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer, request, type Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { type AddressInfo, createServer as createSocketServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { sql } from '#kit/sql.ts';
import { makeCertificate } from '#test/certificates.ts';
import { openConnectorApp } from '#test/connectors.ts';
import { openProxy, type TestProxy } from '#test/proxy.ts';
import { readProxy } from '../../../../protocol/src/net/outbound-proxy.ts';
import { openTunnel } from '../../../../protocol/src/net/tunnel.ts';
import { openGateway } from './gateway.ts';

const HOST = 'app.example.invalid';
let application: Server;
let proxy: TestProxy;
let runner: Awaited<ReturnType<typeof openConnectorApp>>;
const pids: number[] = [];
const environments: string[] = [];

beforeAll(async () => {
  application = createServer(({ url = '' }, response) => {
    const Resources = url.startsWith('/Users') ? [{ id: 'u1', userName: 'ada' }] : [];
    response.writeHead(200, { 'content-type': 'application/scim+json' });
    response.end(JSON.stringify({ totalResults: Resources.length, startIndex: 1, Resources }));
  });
  await new Promise<void>((done) => application.listen(0, '127.0.0.1', done));
  proxy = await openProxy();
  const settings = readProxy({
    GATEHOUSE_PROXY: `http://gatehouse:s3cret-word@127.0.0.1:${proxy.port}`,
    GATEHOUSE_NO_PROXY: '.direct.invalid,10.0.0.0/8',
  });
  const onStart = (pid: number) => {
    pids.push(pid);
    void readFile(`/proc/${pid}/environ`, 'utf8').then((text) => environments.push(text));
  };
  runner = await openConnectorApp({ onStart }, [], settings);
});
afterAll(async () => {
  await runner.close();
  await proxy.close();
  application.closeAllConnections();
  application.close();
});
beforeEach(() => {
  proxy.asked.length = 0;
  proxy.refuseWith = undefined;
  proxy.routes.clear();
  proxy.routes.set(`${HOST}:80`, (application.address() as AddressInfo).port);
});

const connect = (url: string) =>
  runner.connect({ type: 'scim', settings: { url }, secrets: { token: 'token' } });

test('a sync reaches its app through the proxy, whose password the process does not have', async () => {
  const app = await connect(`http://${HOST}`);

  const run = await app.run('sync');

  expect(run).toMatchObject({ state: 'succeeded', error: null });
  expect(await app.accounts()).toBe(1);
  expect(new Set(proxy.asked)).toEqual(new Set([`${HOST}:80`]));
  expect(proxy.credentials[0]).toBe(`Basic ${Buffer.from('gatehouse:s3cret-word').toString('base64')}`);
  expect(environments.join()).toContain('GATEHOUSE_PROXY=http://run:');
  expect(environments.join()).not.toContain('s3cret-word');
  expect(environments.join()).not.toContain(String(proxy.port));
});

/** Asks a gateway for a tunnel, as the process of a run does. */
async function tunnelTo(host: string, networks: string[] = [], port = proxy.port) {
  const settings = readProxy({ GATEHOUSE_PROXY: `http://127.0.0.1:${port}` });
  if (settings === undefined) throw new Error('There is no proxy.');
  const gateway = openGateway(settings);
  onTestFinished(() => gateway.close());
  const pass = await gateway.admit(networks);
  const { GATEHOUSE_PROXY = '', GATEHOUSE_GATEWAY = '' } = pass.env;
  const url = new URL(GATEHOUSE_PROXY);
  url.hostname = new URL(GATEHOUSE_GATEWAY).hostname;
  const own = readProxy({ GATEHOUSE_PROXY: url.href });
  if (own === undefined) throw new Error('There is no gateway.');
  return { pass, url, open: () => openTunnel(own, host, 80) };
}

test.each([
  '10.1.2.3',
  '169.254.169.254',
  '127.0.0.1',
  'localhost',
  '[::1]',
  '[fd00::1]',
  '[::ffff:10.0.0.1]',
])('a connector does not reach %s through the proxy', async (host) => {
  const { open } = await tunnelTo(host);

  await expect(open()).rejects.toThrow('which is not public');
  expect(proxy.asked).toEqual([]);
});

test('a connector reaches the networks of its organization through the proxy, and those of no other', async () => {
  proxy.routes.set('10.1.2.3:80', (application.address() as AddressInfo).port);

  (await (await tunnelTo('10.1.2.3', ['10.1.0.0/16'])).open()).destroy();
  await expect((await tunnelTo('10.1.2.3', ['10.2.0.0/16'])).open()).rejects.toThrow('which is not public');
  expect(proxy.asked).toEqual(['10.1.2.3:80']);
});

test('a gateway serves nobody without a pass, and ends the connections of a run with it', async () => {
  const { open, pass } = await tunnelTo(HOST);
  const socket = await open();
  const closed = once(socket, 'close');

  pass.end();

  await closed;
  await expect(open()).rejects.toThrow('The run of the connector has ended.');
});

test('a gateway ends a connection that is made only after the run has ended', async () => {
  const asked = Promise.withResolvers<Socket>();
  const slow = createSocketServer((socket) => socket.once('data', () => asked.resolve(socket)));
  await new Promise<void>((done) => slow.listen(0, '127.0.0.1', done));
  onTestFinished(() => void slow.close());
  const { open, pass } = await tunnelTo(HOST, [], (slow.address() as AddressInfo).port);
  const opening = open().catch((error: Error) => error.message);
  const socket = await asked.promise;
  const closed = once(socket.resume(), 'close');

  pass.end();
  socket.write('HTTP/1.1 200 OK\r\n\r\n');

  await closed;
  expect(await opening).toBe('The run of the connector has ended.');
});

test('a run has at most 64 connections, with those that are being made, and a tunnel is one', async () => {
  const { open } = await tunnelTo(HOST);

  const opened = await Promise.allSettled(Array.from({ length: 70 }, open));

  const sockets = opened.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  expect(sockets).toHaveLength(64);
  await expect(open()).rejects.toThrow('A connector can have 64 connections at the same time.');
  expect(proxy.asked).toHaveLength(64);
  sockets[0]?.destroy();
  await expect.poll(() => open().then(() => 'opened', String)).toBe('opened');
});

test('a connection that cannot be made does not count', async () => {
  const { open } = await tunnelTo(HOST);
  proxy.refuseWith = 503;
  await Promise.allSettled(Array.from({ length: 64 }, open));

  proxy.refuseWith = undefined;

  (await open()).destroy();
});

/** Sends a request for an http address to a gateway. */
const askThrough = ({ hostname, port, username, password }: URL, address: string) =>
  new Promise<string>((resolve, reject) => {
    const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
    const headers = { 'proxy-authorization': authorization };
    request({ host: hostname, port, path: address, headers }, (response) => resolve(text(response)))
      .on('error', reject)
      .end();
  });

test('a gateway forwards plain http that comes without a tunnel', async () => {
  const { url } = await tunnelTo(HOST);

  expect(await askThrough(url, `http://${HOST}/Users`)).toContain('"userName":"ada"');
  expect(await askThrough(url, 'http://10.1.2.3/')).toContain('which is not public');
});

test('a gateway cuts off a response that the other side has cut off', async () => {
  const broken = createSocketServer((socket) => {
    socket.once('data', () => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n0123456789');
      setTimeout(() => socket.destroy(), 50);
    });
  });
  await new Promise<void>((done) => broken.listen(0, '127.0.0.1', done));
  onTestFinished(() => void broken.close());
  proxy.routes.set(`${HOST}:80`, (broken.address() as AddressInfo).port);
  const { url } = await tunnelTo(HOST);

  await expect(askThrough(url, `http://${HOST}/Users`)).rejects.toThrow('aborted');
});

test.each([
  'HTTP/1.1 099 Low\r\nContent-Length: 0\r\n\r\n',
  'HTTP/1.1 200 OK\r\nTrailer: X-Sum\r\nContent-Length: 0\r\n\r\n',
])('a gateway ends a request whose response it cannot pass on: %j', async (reply) => {
  const odd = createSocketServer((socket) => socket.on('error', () => undefined).end(reply));
  await new Promise<void>((done) => odd.listen(0, '127.0.0.1', done));
  onTestFinished(() => void odd.close());
  proxy.routes.set(`${HOST}:80`, (odd.address() as AddressInfo).port);
  const { url } = await tunnelTo(HOST);

  const asked = request({
    host: url.hostname,
    port: url.port,
    path: `http://${HOST}/Users`,
    headers: {
      host: HOST,
      'proxy-authorization': `Basic ${Buffer.from(`${url.username}:${url.password}`).toString('base64')}`,
    },
  });
  asked.end();

  await expect(once(asked, 'response')).rejects.toMatchObject({ code: 'ECONNRESET' });
});

test('the test of a connector says why the proxy made no tunnel', async () => {
  const app = await connect(`http://${HOST}`);

  proxy.refuseWith = 407;
  const run = await app.run('test');

  expect(run.error).toContain('The proxy in GATEHOUSE_PROXY rejected the user and the password (407).');
  expect(JSON.stringify(run)).not.toContain('s3cret-word');
});

test('a connector trusts the authorities in NODE_EXTRA_CA_CERTS, such as that of a proxy that opens TLS', async () => {
  const certificate = makeCertificate(`DNS:${HOST}`);
  const secure = createSecureServer(certificate, (_, response) =>
    response.end('{"totalResults":0,"startIndex":1,"Resources":[]}'),
  );
  await new Promise<void>((done) => secure.listen(0, '127.0.0.1', done));
  onTestFinished(() => void secure.close());
  proxy.routes.set(`${HOST}:443`, (secure.address() as AddressInfo).port);
  const app = await connect(`https://${HOST}`);
  const unknown = await app.run('test');
  const file = join(runner.folder, 'authorities.pem');
  await writeFile(file, certificate.cert, { mode: 0o644 });
  vi.stubEnv('NODE_EXTRA_CA_CERTS', file);
  onTestFinished(() => void vi.unstubAllEnvs());

  const trusted = await app.run('test');

  expect(unknown.error).toContain(`The certificate of ${HOST} is not signed by a trusted authority`);
  expect(trusted).toMatchObject({ state: 'succeeded', error: null });
});

test('a run that gets no key leaves no pass', async () => {
  const end = vi.fn();
  const admit = async () => {
    // The next step of the run, making its key, fails.
    await sql`alter table connector_run add constraint no_keys check (key_id is null) not valid`.execute(
      own.service.database.db,
    );
    return { env: {}, token: 'token', end };
  };
  const own = await openConnectorApp({ gateway: { admit, close: () => undefined } });
  onTestFinished(own.close);
  const settings = { url: `http://${HOST}` };
  const app = await own.connect({ type: 'scim', settings, secrets: { token: 'token' } });

  const run = await app.run('test');

  expect(run).toMatchObject({
    state: 'failed',
    error: expect.stringContaining('could not carry out the run'),
  });
  expect(end).toHaveBeenCalledOnce();
});

test('hosts in GATEHOUSE_NO_PROXY are reached without the proxy', async () => {
  const run = await (await connect('http://app.direct.invalid')).run('test');

  expect(run.error).toContain('The name app.direct.invalid could not be resolved.');
  expect(proxy.asked).toEqual([]);
});
