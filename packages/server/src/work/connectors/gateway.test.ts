import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openConnectorApp } from '../../../test/connectors.ts';
import { openProxy, type TestProxy } from '../../../test/proxy.ts';
import { readProxy } from '../../kit/http/outbound-proxy.ts';

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

test.each([
  ['a private address', 'http://10.1.2.3', '10.1.2.3 has the address 10.1.2.3, which is not public.'],
  ['the metadata of a cloud', 'http://169.254.169.254', 'which is not public'],
  ['this machine', 'http://127.0.0.1:1', 'which is not public'],
  ['a name of this machine', 'http://localhost:1', 'which is not public'],
])('a connector does not reach %s through the proxy', async (_, url, sentence) => {
  const run = await (await connect(url)).run('test');

  expect(run.state).toBe('failed');
  expect(JSON.stringify(run)).toContain(sentence);
  expect(proxy.asked).toEqual([]);
});

test('the test of a connector says why the proxy made no tunnel', async () => {
  const app = await connect(`http://${HOST}`);

  proxy.refuseWith = 407;
  const rejected = await app.run('test');
  proxy.refuseWith = 403;
  const forbidden = await app.run('test');
  proxy.refuseWith = 502;
  const unreached = await app.run('test');

  expect(rejected.error).toContain('The proxy in GATEHOUSE_PROXY rejected the user and the password (407).');
  expect(forbidden.error).toContain(`The proxy in GATEHOUSE_PROXY refused a connection to ${HOST}:80 (403).`);
  expect(unreached.error).toContain(`The proxy in GATEHOUSE_PROXY could not reach ${HOST}:80 (502).`);
  for (const run of [rejected, forbidden, unreached])
    expect(JSON.stringify(run)).not.toContain('s3cret-word');
});

test('hosts in GATEHOUSE_NO_PROXY are reached without the proxy', async () => {
  const run = await (await connect('http://app.direct.invalid')).run('test');

  expect(run.error).toContain('The name app.direct.invalid could not be resolved.');
  expect(proxy.asked).toEqual([]);
});
