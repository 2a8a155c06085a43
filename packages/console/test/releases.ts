import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A load balancer before a server of this release and one of another release, which lacks its files. */
export interface Balancer {
  url: string;
  /** Returns whether the server that gets this request lacks the file. */
  lacks: (file: string) => boolean;
  close(): Promise<void>;
}

/** Opens a balancer that passes requests on to the server at `url`. */
export async function openBalancer(url: string): Promise<Balancer> {
  const { hostname, port } = new URL(url);
  const balancer: Balancer = { url: '', lacks: () => false, close: async () => {} };
  const server = createServer((asked, reply) => {
    const { url: path = '/', method, headers } = asked;
    if (path.startsWith('/assets/') && balancer.lacks(path)) {
      reply.writeHead(404, { 'content-type': 'application/json', 'cache-control': 'no-store' });
      reply.end('{"detail":"Nothing exists at this address."}');
      return;
    }
    const passed = request({ hostname, port, path, method, headers }, (answer) => {
      reply.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(reply);
    });
    passed.on('error', () => reply.destroy());
    asked.pipe(passed);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  balancer.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  balancer.close = async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  };
  return balancer;
}
