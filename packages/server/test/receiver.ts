import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { onTestFinished } from 'vitest';
import type { Envelope } from './event-log.ts';

/** A request that a receiver got. */
export interface Received {
  id: string;
  headers: IncomingHttpHeaders;
  body: string;
  message: { type: string; timestamp: string; data: Envelope };
}

/** A receiver of webhooks: a real HTTP server. */
export interface Receiver {
  url: string;
  /** In the order of arrival. */
  received: Received[];
  /** Replies to requests from now on. By default with 200. */
  replyWith(listener: RequestListener): void;
  /** Throws unless the library accepts the signature with this secret. */
  verify(secret: string, received: Received): unknown;
}

const accept: RequestListener = (_, response) => response.end('ok');

/** Starts a receiver that ends with the test. */
export async function openReceiver(): Promise<Receiver> {
  const received: Received[] = [];
  let listener = accept;
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString();
    const id = String(request.headers['webhook-id']);
    received.push({ id, headers: request.headers, body, message: JSON.parse(body) });
    listener(request, response);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    received,
    replyWith: (next) => {
      listener = next;
    },
    verify: (secret, { body, headers }) =>
      new Webhook(secret).verify(body, headers as Record<string, string>),
  };
}
