import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer, request, type Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { type AddressInfo, createServer as createPlainServer } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { makeCertificate } from '../../../test/certificates.ts';
import { openConnectorApp } from '../../../test/connectors.ts';
import { openProxy, type TestProxy } from '../../../test/proxy.ts';
import { readProxy } from '../../kit/http/outbound-proxy.ts';
import { openTunnel } from '../../kit/http/tunnel.ts';
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
async function tunnelTo(host: string, networks: string[] = []) {
  const settings = readProxy({ GATEHOUSE_PROXY: `http://127.0.0.1:${proxy.port}` });
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

test('a gateway forwards plain http that comes without a tunnel', async () => {
  const { url } = await tunnelTo(HOST);
  const ask = (address: string) =>
    new Promise<string>((resolve, reject) => {
      const authorization = `Basic ${Buffer.from(`${url.username}:${url.password}`).toString('base64')}`;
      const headers = { 'proxy-authorization': authorization };
      request({ host: url.hostname, port: url.port, path: address, headers }, (response) =>
        resolve(text(response)),
      )
        .on('error', reject)
        .end();
    });

  expect(await ask(`http://${HOST}/Users`)).toContain('"userName":"ada"');
  expect(await ask('http://10.1.2.3/')).toContain('which is not public');
});

test.each([
  'HTTP/1.1 099 Low\r\nContent-Length: 0\r\n\r\n',
  'HTTP/1.1 200 OK\r\nTrailer: X-Sum\r\nContent-Length: 0\r\n\r\n',
])('a gateway ends a request whose response it cannot pass on: %j', async (reply) => {
  const odd = createPlainServer((socket) => socket.on('error', () => undefined).end(reply));
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

test('hosts in GATEHOUSE_NO_PROXY are reached without the proxy', async () => {
  const run = await (await connect('http://app.direct.invalid')).run('test');

  expect(run.error).toContain('The name app.direct.invalid could not be resolved.');
  expect(proxy.asked).toEqual([]);
});
