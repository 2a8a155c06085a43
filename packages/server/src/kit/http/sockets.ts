import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { networkOf } from '../ip.ts';
import type { TrustProxy } from './proxies.ts';

/** Connections of one address, or of one /64 network of IPv6. */
const MOST_OF_ADDRESS = 512;
/** All connections of this process. Each costs memory, also one that never sends a request. */
const MOST_IN_ALL = 8192;
/** A client sends the headers of a request within this time, or is disconnected. */
const HEADERS_MS = 20_000;

/**
 * Bounds the connections of a server, so that no client can hold them all. Connections of one address are not bounded behind a trusted
 * proxy, which passes on the requests of everybody and has bounds of its own.
 */
export function limitSockets(server: Server, trustProxy: TrustProxy, mostOfAddress = MOST_OF_ADDRESS) {
  server.maxConnections = MOST_IN_ALL;
  server.headersTimeout = HEADERS_MS;
  if (trustProxy !== false) return;
  const open = new Map<string, number>();
  server.on('connection', (socket: Socket) => {
    const network = networkOf(socket.remoteAddress ?? '');
    const count = (open.get(network) ?? 0) + 1;
    open.set(network, count);
    socket.once('close', () => {
      const left = (open.get(network) ?? 1) - 1;
      if (left === 0) open.delete(network);
      else open.set(network, left);
    });
    if (count > mostOfAddress) socket.destroy();
  });
}
