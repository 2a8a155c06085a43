import { createServer, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import type { Duplex } from 'node:stream';

export interface TestProxy {
  port: number;
  /** The hosts and ports to which clients asked for tunnels. */
  asked: string[];
  /** The value of Proxy-Authorization of each. */
  credentials: (string | undefined)[];
  /** Leads to these ports of this machine. Other hosts get 502. */
  routes: Map<string, number>;
  /** Replies with this status, or hangs up. */
  refuseWith: number | 'nothing' | undefined;
  close(): Promise<void>;
}

/** A proxy on this machine that makes tunnels, with name servers of its own: `routes`. */
export async function openProxy(): Promise<TestProxy> {
  const server = createServer();
  const open = new Set<Duplex>();
  server.on('connect', ({ url = '', headers }: IncomingMessage, socket: Duplex) => {
    open.add(socket.on('error', () => undefined).on('close', () => open.delete(socket)));
    proxy.asked.push(url);
    proxy.credentials.push(headers['proxy-authorization']);
    const port = proxy.routes.get(url);
    if (proxy.refuseWith === 'nothing') socket.destroy();
    else if (proxy.refuseWith !== undefined || port === undefined)
      socket.end(`HTTP/1.1 ${proxy.refuseWith ?? 502} Refused\r\ncontent-length: 0\r\n\r\n`);
    else {
      const other = connect(port, '127.0.0.1').on('error', () => socket.destroy());
      socket.on('close', () => other.destroy());
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      socket.pipe(other).pipe(socket);
    }
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const proxy: TestProxy = {
    port: (server.address() as AddressInfo).port,
    asked: [],
    credentials: [],
    routes: new Map(),
    refuseWith: undefined,
    close: async () => {
      for (const socket of open) socket.destroy();
      await new Promise((done) => server.close(done));
    },
  };
  return proxy;
}
