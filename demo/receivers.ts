import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import PostalMime from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import { Webhook } from 'standardwebhooks';

export interface Mail {
  to: string;
  subject: string;
  text: string;
}

/** A mail server that accepts everything and keeps it. */
export interface Mailbox {
  received: Mail[];
  close(): Promise<void>;
}

/** Listens on `port` of this machine. */
export async function openMailbox(port: number): Promise<Mailbox> {
  const received: Mail[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData: (stream, session, done) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', async () => {
        const { subject = '', text = '' } = await PostalMime.parse(Buffer.concat(chunks));
        for (const { address } of session.envelope.rcptTo) received.push({ to: address, subject, text });
        done();
      });
    },
  });
  server.listen(port, '127.0.0.1');
  await once(server.server, 'listening');
  return { received, close: () => new Promise((resolve) => void server.close(() => resolve())) };
}

export interface Message {
  id: string;
  type: string;
}

/** A receiver of webhooks that verifies what it gets, with the library of Standard Webhooks. */
export interface Inlet {
  url: string;
  /** The secret that the service returned when the webhook was added. */
  trust(secret: string): void;
  received: Message[];
  /** The number of requests whose signature was wrong. */
  refused(): number;
  close(): Promise<void>;
}

export async function openInlet(): Promise<Inlet> {
  const received: Message[] = [];
  let webhook: Webhook | undefined;
  let refused = 0;
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    try {
      if (webhook === undefined) throw new Error('No secret is known yet.');
      const headers = request.headers as Record<string, string>;
      const { type } = webhook.verify(Buffer.concat(chunks).toString(), headers) as { type: string };
      received.push({ id: String(headers['webhook-id']), type });
      response.writeHead(204).end();
    } catch {
      refused++;
      response.writeHead(400).end();
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/gatehouse`,
    trust: (secret) => {
      webhook = new Webhook(secret);
    },
    received,
    refused: () => refused,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
