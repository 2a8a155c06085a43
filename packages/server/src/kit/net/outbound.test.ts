import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { isPublic, permitAddresses } from './addresses.ts';
import { OutboundRefusal, permitLoopback, servesOnlyThisMachine, withOutbound } from './outbound.ts';

async function serve(respond: RequestListener): Promise<string> {
  const server = createServer(respond);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

const within = <T>(work: () => Promise<T>, deadlineMs?: number) =>
  withOutbound({ allowLoopback: true, ...(deadlineMs === undefined ? {} : { deadlineMs }) }, work);

test('returns a response with its status, headers and body', async () => {
  const url = await serve((_, response) => response.writeHead(201, { 'x-kind': 'test' }).end('{"a":1}'));

  const response = await within(() => fetch(url));

  expect(response.status).toBe(201);
  expect(response.headers.get('x-kind')).toBe('test');
  expect(await response.json()).toEqual({ a: 1 });
});

test('stops reading an endless body', async () => {
  let sent = 0;
  const url = await serve((_, response) => {
    const chunk = Buffer.alloc(64 * 1024);
    const more = () => {
      while (!response.destroyed && response.write(chunk)) sent += chunk.length;
    };
    response.on('drain', more).on('error', () => undefined);
    more();
  });

  await expect(within(() => fetch(url))).rejects.toBeInstanceOf(OutboundRefusal);
  expect(sent).toBeLessThan(32 * 1024 * 1024);
});

test('counts the bytes of a compressed body after decompression', async () => {
  const bomb = gzipSync(Buffer.alloc(50 * 1024 * 1024));
  const url = await serve((_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb));

  await expect(within(() => fetch(url))).rejects.toBeInstanceOf(OutboundRefusal);
});

test('gives up when the deadline for headers or body has passed', async () => {
  const silent = await serve(() => undefined);
  await expect(within(() => fetch(silent), 100)).rejects.toMatchObject({ name: 'TimeoutError' });

  const slow = await serve((_, response) => response.writeHead(200).write('x'));
  await expect(within(() => fetch(slow), 100)).rejects.toMatchObject({ name: 'TimeoutError' });
});

test('shares one deadline between the requests of an operation', async () => {
  const url = await serve((_, response) => response.end('ok'));

  const work = async () => {
    await fetch(url);
    await new Promise((done) => setTimeout(done, 150));
    return fetch(url);
  };

  await expect(within(work, 100)).rejects.toMatchObject({ name: 'TimeoutError' });
});

test('does not follow redirects', async () => {
  let requests = 0;
  const url = await serve((_, response) => {
    requests += 1;
    response.writeHead(302, { location: '/elsewhere' }).end();
  });

  expect((await within(() => fetch(url))).status).toBe(302);
  expect(requests).toBe(1);
});

test('refuses addresses without https, except on this machine while developing', async () => {
  const url = await serve((_, response) => response.end('ok'));

  await expect(withOutbound({ allowLoopback: false }, () => fetch(url))).rejects.toThrow('is not public');
  await expect(within(() => fetch('http://8.8.8.8/'))).rejects.toThrow('does not use https');
});

test('refuses plain http to this machine if the server is for other machines, whatever the Host header says', async () => {
  const url = await serve((_, response) => response.end('ok'));
  onTestFinished(() => permitLoopback(true));

  permitLoopback(false);

  await expect(within(() => fetch(url))).rejects.toThrow('is not public');
});

test.each([
  ['loopback', '127.0.0.1'],
  ['loopback in another spelling', '0x7f.1'],
  ['loopback as one number', '2130706433'],
  ['loopback in IPv6', '[::1]'],
  ['unspecified', '0.0.0.0'],
  ['unspecified in IPv6', '[::]'],
  ['private', '10.0.0.1'],
  ['private', '172.16.0.1'],
  ['private', '192.168.0.1'],
  ['unique local', '[fd00:ec2::254]'],
  ['link-local, with the metadata of clouds', '169.254.169.254'],
  ['link-local in IPv6', '[fe80::1]'],
  ['site-local', '[fec0::1]'],
  ['metadata of Azure', '168.63.129.16'],
  ['carrier-grade NAT', '100.64.0.1'],
  ['multicast', '224.0.0.1'],
  ['multicast in IPv6', '[ff02::1]'],
  ['broadcast', '255.255.255.255'],
  ['reserved', '240.0.0.1'],
  ['benchmarking', '198.18.0.1'],
  ['IPv4 mapped', '[::ffff:10.0.0.1]'],
  ['IPv4 compatible', '[::127.0.0.1]'],
  ['NAT64', '[64:ff9b::10.0.0.1]'],
  ['local NAT64', '[64:ff9b:1::1]'],
  ['6to4', '[2002:a00:1::]'],
  ['Teredo', '[2001::1]'],
])('refuses to connect to a %s address (%s)', async (_, host) => {
  const work = () => withOutbound({ allowLoopback: false }, () => fetch(`https://${host}/`));

  await expect(work()).rejects.toBeInstanceOf(OutboundRefusal);
});

test('tells public addresses from others', () => {
  for (const address of ['8.8.8.8', '172.15.0.1', '172.32.0.1', '100.63.255.255', '2606:4700::1111'])
    expect(isPublic(address), address).toBe(true);
});

test('refuses a name that resolves to a private address', async () => {
  const url = await serve((_, response) => response.end('ok'));
  const { port } = new URL(url);

  for (const protocol of ['http', 'https'])
    await expect(
      withOutbound({ allowLoopback: false }, () => fetch(`${protocol}://localhost:${port}/`)),
    ).rejects.toThrow('is not public');
});

test('reaches this machine by its name while developing', async () => {
  const url = await serve((_, response) => response.end('ok'));

  const response = await within(() => fetch(url.replace('127.0.0.1', 'localhost')));

  expect(await response.text()).toBe('ok');
});

test('reaches the addresses that the operator allows, also by plain http, and no others', async () => {
  const url = await serve((_, response) => response.end('ok'));
  onTestFinished(() => permitAddresses([]));
  const strict = (address: string) => withOutbound({ allowLoopback: false }, () => fetch(address));

  permitAddresses(['127.0.0.1', 'fd00::/8']);
  expect(await (await strict(url)).text()).toBe('ok');

  permitAddresses(['127.0.1.0/24']);
  await expect(strict(url.replace('127.0.0.1', '127.0.0.2'))).rejects.toThrow('is not public');
});

test('sends the method, the headers and the body of a request', async () => {
  const url = await serve(async (request, response) => {
    const chunks = await request.toArray();
    const { 'content-type': type, 'x-kind': kind } = request.headers;
    response.end(`${request.method} ${type} ${kind} ${Buffer.concat(chunks)}`);
  });

  const init = { method: 'PUT', headers: { 'x-kind': 'test' }, body: new URLSearchParams({ a: '1' }) };
  const expected = 'PUT application/x-www-form-urlencoded;charset=UTF-8 test a=1';

  expect(await (await within(() => fetch(url, init))).text()).toBe(expected);
  expect(await (await within(() => fetch(new Request(url, init)))).text()).toBe(expected);
});

test('keeps the start of a body where an operation asks for no more', async () => {
  const endless = await serve((_, response) => {
    const more = () => {
      while (!response.destroyed && response.write('x'.repeat(64 * 1024)));
    };
    response.on('drain', more).on('error', () => undefined);
    more();
  });
  const torn = await serve((_, response) => {
    response.writeHead(200, { 'content-length': 100 }).write('begun', () => response.destroy());
  });
  const start = (url: string) => withOutbound({ allowLoopback: true, cutBodiesAt: 10 }, () => fetch(url));

  expect(await (await start(endless)).text()).toBe('xxxxxxxxxx');
  const response = await start(torn);
  expect(response.status).toBe(200);
  expect(await response.text()).toBe('begun');
});

test.each([
  ['http://localhost:8000', '0.0.0.0', false, true],
  ['https://id.example.com', '127.0.0.1', false, false],
  [undefined, '127.0.0.1', false, true],
  [undefined, '::1', false, true],
  [undefined, '0.0.0.0', false, false],
  [undefined, '127.0.0.1', 1, false],
  [undefined, '127.0.0.1', ['127.0.0.1'], false],
  ['http://localhost:8000', '127.0.0.1', 1, false],
] as const)(
  'with the public address %s, the host %s and the proxies %j, only this machine reaches the server: %s',
  (publicUrl, host, proxies, isOnly) => {
    const trustProxy = typeof proxies === 'object' ? [...proxies] : proxies;
    expect(servesOnlyThisMachine({ publicUrl, host, trustProxy })).toBe(isOnly);
  },
);

test('shows no body of an internal address, not even of one that the operator permits', async () => {
  const url = await serve((_, response) => response.end('internal'));
  const start = () =>
    withOutbound({ allowLoopback: true, cutBodiesAt: 100 }, async () => (await fetch(url)).text());
  onTestFinished(() => {
    permitLoopback(true);
    permitAddresses([]);
  });

  expect(await start()).toBe('internal');
  permitLoopback(false);
  permitAddresses(['127.0.0.1']);
  expect(await start()).toBe('');
});
