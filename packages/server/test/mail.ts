import type { AddressInfo, Socket } from 'node:net';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import type { MailSettings } from '#insight/notifications/email/mailer.ts';

export interface ReceivedMail {
  /** The recipients of the envelope. */
  to: string[];
  /** The message as received. */
  raw: string;
  mail: Email;
}

/** A real SMTP server that keeps what it receives. */
export interface MailReceiver {
  settings: MailSettings;
  received: ReceivedMail[];
  /** Returns what an address has received, oldest first. */
  to(address: string): ReceivedMail[];
  /** Refuses these recipients with a status, such as 550. */
  refuse(address: string, status: number): void;
  /** Drops the connection when an email for this address arrives, as some servers without SMTPUTF8 do. */
  dropAt(address: string): void;
  /** Takes emails, but drops the connection before it confirms them, this many times. */
  loseAnswers(times: number): void;
  /** Stops listening, and starts again on the same port. */
  stop(): Promise<void>;
  start(): Promise<void>;
  close(): Promise<void>;
}

export async function openMailReceiver(): Promise<MailReceiver> {
  const received: ReceivedMail[] = [];
  const refused = new Map<string, number>();
  const dropped = new Set<string>();
  let lost = 0;
  let port = 0;
  let server: SMTPServer | undefined;
  const start = async () => {
    const made = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS', 'AUTH'],
      logger: false,
      closeTimeout: 100,
      onRcptTo: ({ address }, { id }, done) => {
        if (dropped.has(address)) {
          // The types do not have the sockets.
          const connections = made.connections as unknown as Set<{ id: string; _socket: Socket }>;
          for (const one of connections) if (one.id === id) one._socket.destroy();
          return;
        }
        const status = refused.get(address);
        if (status === undefined) return done();
        done(Object.assign(new Error('No such mailbox'), { responseCode: status }));
      },
      onData: (stream, session, done) => {
        const chunks: Buffer[] = [];
        stream.on('data', (chunk: Buffer) => chunks.push(chunk));
        stream.on('end', async () => {
          const raw = Buffer.concat(chunks).toString();
          const to = session.envelope.rcptTo.map(({ address }) => address);
          received.push({ to, raw, mail: await PostalMime.parse(raw) });
          if (lost === 0) return done();
          lost--;
          done(Object.assign(new Error('Connection lost'), { responseCode: 421 }));
        });
      },
    });
    made.on('error', () => {});
    await new Promise<void>((resolve) => made.listen(port, '127.0.0.1', resolve));
    port = (made.server.address() as AddressInfo).port;
    server = made;
  };
  const stop = async () => {
    const stopping = server;
    server = undefined;
    if (stopping !== undefined) await new Promise<void>((resolve) => stopping.close(resolve));
  };
  await start();
  return {
    settings: { url: `smtp://127.0.0.1:${port}`, from: 'Gatehouse <gatehouse@acme.example>' },
    received,
    to: (address) => received.filter(({ to }) => to.includes(address)),
    refuse: (address, status) => refused.set(address, status),
    dropAt: (address) => dropped.add(address),
    loseAnswers: (times) => {
      lost = times;
    },
    stop,
    start,
    close: stop,
  };
}
