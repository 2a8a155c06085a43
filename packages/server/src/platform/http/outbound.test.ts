import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
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

  await expect(withOutbound({ allowLoopback: false }, () => fetch(url))).rejects.toThrow(
    'does not use https',
  );
  await expect(within(() => fetch('http://idp.example/'))).rejects.toThrow('does not use https');
});

test('refuses plain http to this machine if the server is for other machines, whatever the Host header says', async () => {
  const url = await serve((_, response) => response.end('ok'));
  onTestFinished(() => permitLoopback(true));

  permitLoopback(false);

  await expect(within(() => fetch(url))).rejects.toThrow('does not use https');
});

test.each([
  ['http://localhost:8000', '0.0.0.0', true],
  ['https://id.example.com', '127.0.0.1', false],
  [undefined, '127.0.0.1', true],
  [undefined, '::1', true],
  [undefined, '0.0.0.0', false],
])(
  'with the public address %s and the host %s, only this machine reaches the server: %s',
  (url, host, isOnly) => {
    expect(servesOnlyThisMachine(url, host)).toBe(isOnly);
  },
);
