import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import type { TrustProxy } from './proxies.ts';
import { limitSockets } from './sockets.ts';

const MOST = 5;

async function open(trustProxy: TrustProxy) {
  const server: Server = createServer((_request, response) => response.end('ok'));
  limitSockets(server, trustProxy, MOST);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const sockets: Socket[] = [];
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  /** Opens a connection that sends nothing. */
  const half = async () => {
    const socket = connect(port, '127.0.0.1');
    sockets.push(socket);
    await once(socket, 'connect');
    return socket;
  };
  /** Whether a request on a new connection gets a reply. */
  const isServed = async () => {
    const socket = await half();
    socket.on('error', () => undefined);
    socket.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    let reply = '';
    socket.setEncoding('utf8').on('data', (text) => {
      reply += text;
    });
    await once(socket, 'close');
    return reply.includes('200 OK');
  };
  return { half, isServed };
}

test('closes connections of an address that has too many, and takes new ones when it has fewer', async () => {
  const { half, isServed } = await open(false);
  const first = await half();
  for (let n = 1; n < MOST; n++) await half();

  expect(await isServed()).toBe(false);
  first.destroy();
  await expect.poll(isServed).toBe(true);
});

test('leaves the connections of a trusted proxy to the proxy', async () => {
  const { half, isServed } = await open(1);
  for (let n = 0; n < 3 * MOST; n++) await half();

  expect(await isServed()).toBe(true);
});
