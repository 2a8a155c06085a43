import { createServer as createSecureServer, type Server } from 'node:https';
import { type AddressInfo, createServer } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { type Certificate, makeCertificate, trust } from '#test/certificates.ts';
import { openProxy, type TestProxy } from '#test/proxy.ts';
import { readProxy, usesProxy } from '../../../../protocol/src/net/outbound-proxy.ts';
import { permitAddresses } from './addresses.ts';
import { checkDestination, outboundReason, useOutboundProxy, withOutbound } from './outbound.ts';

const HOST = 'hooks.example.invalid';
let certificate: Certificate;
let receiver: Server;
let receiverPort: number;
let proxy: TestProxy;

beforeAll(async () => {
  certificate = makeCertificate(`DNS:${HOST},DNS:localhost,DNS:proxy.invalid`);
  trust(certificate);
  receiver = createSecureServer(certificate, (request, response) =>
    response.end(`to ${request.headers.host}`),
  );
  await new Promise<void>((done) => receiver.listen(0, '127.0.0.1', done));
  receiverPort = (receiver.address() as AddressInfo).port;
});
afterAll(() => receiver.close());
beforeEach(async () => {
  proxy = await openProxy();
  proxy.routes.set(`${HOST}:443`, receiverPort);
  use({});
});
afterEach(async () => {
  useOutboundProxy(undefined);
  permitAddresses([]);
  receiver.closeAllConnections();
  await proxy.close();
});

/** Uses the proxy on this machine. */
function use({ credentials = '', bypass = '', port = proxy.port }) {
  const address = `http://${credentials}127.0.0.1:${port}`;
  useOutboundProxy(readProxy({ GATEHOUSE_PROXY: address, GATEHOUSE_NO_PROXY: bypass }));
}

const get = (url: string, deadlineMs?: number) =>
  withOutbound({ allowLoopback: false, ...(deadlineMs && { deadlineMs }) }, async () =>
    (await fetch(url)).text(),
  );

const reasonOf = (url: string) => get(url).then(() => undefined, outboundReason);

test('sends requests for names that do not resolve here through the proxy', async () => {
  use({ credentials: 'gatehouse:p%40ss@' });

  expect(await get(`https://${HOST}/`)).toBe(`to ${HOST}`);
  expect(proxy.asked).toEqual([`${HOST}:443`]);
  expect(proxy.credentials).toEqual([`Basic ${Buffer.from('gatehouse:p@ss').toString('base64')}`]);
});

test('sends requests for public addresses through the proxy', async () => {
  proxy.routes.set('8.8.8.8:443', receiverPort);

  expect(await reasonOf('https://8.8.8.8/')).toContain('the certificate of 8.8.8.8'.replace('the', 'The'));
  expect(proxy.asked).toEqual(['8.8.8.8:443']);
});

test.each([
  ['a private address', 'https://10.1.2.3/', 'is not public'],
  ['the metadata of a cloud', 'https://169.254.169.254/', 'is not public'],
  ['a private IPv6 address', 'https://[fd00::1]/', 'is not public'],
  ['this machine', 'https://127.0.0.1/', 'is not public'],
  ['a name that resolves to this machine', 'https://localhost/', 'is not public'],
  ['plain http to a name that nobody checked', `http://${HOST}/`, 'does not use https'],
])('refuses %s as without a proxy, and asks the proxy for nothing', async (_, url, reason) => {
  expect(await reasonOf(url)).toContain(reason);
  await expect(checkDestination(new URL(url), false)).rejects.toThrow(reason);
  expect(proxy.asked).toEqual([]);
});

test('sends requests for permitted private addresses through the proxy, unless they bypass it', async () => {
  permitAddresses(['127.0.0.2', '10.0.0.0/8']);
  proxy.routes.set('10.1.2.3:443', receiverPort);

  expect(await reasonOf('https://10.1.2.3/')).toContain(
    'The certificate of 10.1.2.3 was issued for another name',
  );
  use({ bypass: '10.0.0.0/8,127.0.0.0/8' });
  expect(await reasonOf(`https://127.0.0.2:${receiverPort}/`)).toMatch(
    /127\.0\.0\.2.* refused the connection/,
  );
  expect(proxy.asked).toEqual(['10.1.2.3:443']);
});

test.each<[string, number | 'nothing', string, string]>([
  ['demands credentials', 407, '', 'The proxy in GATEHOUSE_PROXY demands a user and a password (407).'],
  [
    'rejects the password',
    407,
    'a:s3cret@',
    'The proxy in GATEHOUSE_PROXY rejected the user and the password (407).',
  ],
  [
    'rejects it in the way of tinyproxy',
    401,
    'a:s3cret@',
    'The proxy in GATEHOUSE_PROXY rejected the user and the password (401).',
  ],
  [
    'forbids the host',
    403,
    'a:s3cret@',
    `The proxy in GATEHOUSE_PROXY refused a connection to ${HOST}:443 (403).`,
  ],
  ['finds no way', 502, 'a:s3cret@', `The proxy in GATEHOUSE_PROXY could not reach ${HOST}:443 (502).`],
  ['hangs up', 'nothing', 'a:s3cret@', 'The proxy in GATEHOUSE_PROXY closed the connection without a reply.'],
])('says why a proxy that %s makes no tunnel', async (_, status, credentials, sentence) => {
  proxy.refuseWith = status;
  use({ credentials });

  const reason = await reasonOf(`https://${HOST}/`);

  expect(reason).toContain(sentence);
  expect(reason).not.toContain('s3cret');
  expect(proxy.asked).toHaveLength(1);
});

test('says that the proxy cannot be reached', async () => {
  const gone = createServer().listen(0, '127.0.0.1');
  await new Promise((done) => gone.once('listening', done));
  const { port } = gone.address() as AddressInfo;
  await new Promise((done) => gone.close(done));
  use({ port });
  expect(await reasonOf(`https://${HOST}/`)).toBe(
    'The proxy in GATEHOUSE_PROXY refused the connection. Check the port, and whether the service is running.',
  );

  useOutboundProxy(readProxy({ GATEHOUSE_PROXY: 'http://u:s3cret@no-proxy.invalid:3128' }));
  expect(await reasonOf(`https://${HOST}/`)).toMatch(
    /^The name of the proxy in GATEHOUSE_PROXY could not be resolved\. /,
  );
});

test('gives up a proxy that never replies when the deadline has passed', async () => {
  const silent = createServer(() => undefined).listen(0, '127.0.0.1');
  onTestFinished(() => void silent.close());
  await new Promise((done) => silent.once('listening', done));
  use({ port: (silent.address() as AddressInfo).port });

  await expect(get(`https://${HOST}/`, 100)).rejects.toMatchObject({ name: 'TimeoutError' });
});

test('speaks TLS to a proxy with an https address, and checks its certificate', async () => {
  const secure = createSecureServer(certificate);
  secure.on('connect', (_, socket) => socket.end('HTTP/1.1 403 Forbidden\r\n\r\n'));
  await new Promise<void>((done) => secure.listen(0, '127.0.0.1', done));
  onTestFinished(() => void secure.close());
  const { port } = secure.address() as AddressInfo;

  useOutboundProxy(readProxy({ GATEHOUSE_PROXY: `https://localhost:${port}` }));
  expect(await reasonOf(`https://${HOST}/`)).toContain('refused a connection');
  useOutboundProxy(readProxy({ GATEHOUSE_PROXY: `https://127.0.0.1:${port}` }));
  expect(await reasonOf(`https://${HOST}/`)).toContain(
    'The certificate of the proxy in GATEHOUSE_PROXY was issued for another name',
  );
});

test.each([
  ['app.internal', 'https://app.internal', true],
  ['app.internal', 'https://APP.internal.:8443', true],
  ['app.internal', 'https://www.app.internal', true],
  ['app.internal', 'https://myapp.internal', false],
  ['.app.internal', 'https://app.internal', true],
  ['*.app.internal', 'https://app.internal', false],
  ['*.app.internal', 'https://a.b.app.internal', true],
  ['app.internal:8443', 'https://app.internal:8443', true],
  ['app.internal:8443', 'https://app.internal', false],
  ['app.internal:443', 'https://app.internal', true],
  ['a.example, b.example  c.example', 'https://c.example', true],
  ['10.0.0.0/8', 'https://10.200.0.1', true],
  ['10.0.0.0/8', 'https://11.0.0.1', false],
  ['10.0.0.1:80', 'http://10.0.0.1', true],
  ['fd00::/8', 'https://[fd12::1]', true],
  ['[fd00::1]:8443', 'https://[fd00::1]:8443', true],
  ['[fd00::1]:8443', 'https://[fd00::1]', false],
  ['bücher.example', 'https://bücher.example', true],
  ['*', 'https://anything.example', true],
  ['', 'https://anything.example', false],
  ['', 'http://localhost:8080', true],
  ['', 'http://127.0.0.1:8080', true],
  ['', 'http://[::1]:8080', true],
])('with GATEHOUSE_NO_PROXY=%j, %s bypasses the proxy: %s', (bypass, address, isBypassed) => {
  const settings = readProxy({ GATEHOUSE_PROXY: 'http://proxy.example', GATEHOUSE_NO_PROXY: bypass });
  if (settings === undefined) throw new Error('There is no proxy.');
  const { hostname, port, protocol } = new URL(address);

  expect(!usesProxy(settings, hostname, Number(port) || (protocol === 'https:' ? 443 : 80))).toBe(isBypassed);
});

test.each([
  ['proxy.example:3128'],
  ['socks5://proxy.example'],
  ['http://'],
  ['http://user:s3cret%@proxy.example'],
  ['http://proxy.example/s3cret'],
  ['http://proxy.example?s3cret'],
])('refuses the proxy %s with a sentence that does not repeat it', (address) => {
  expect(() => readProxy({ GATEHOUSE_PROXY: address })).toThrow(
    'GATEHOUSE_PROXY must be the address of an HTTP proxy',
  );
  expect(() => readProxy({ GATEHOUSE_PROXY: address })).not.toThrow('s3cret');
});

test.each([
  'http://app.internal',
  'a/b',
  '10.0.0.0/33',
  'app:99999',
  'app:0',
  '*app',
  '..',
  '[fd00::1',
  '10.0.0',
])('refuses %s in GATEHOUSE_NO_PROXY, also without a proxy', (entry) => {
  expect(() => readProxy({ GATEHOUSE_NO_PROXY: `app.internal,${entry}` })).toThrow(
    `"${entry}" is none of them`,
  );
});
