// @module-tag long
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import PostalMime from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import { Webhook } from 'standardwebhooks';
import { expect, inject, test } from 'vitest';
import { freePort } from '../../../connector/src/conformance/port.ts';
import { createTestDatabase } from '../database.ts';
import { type Service, type ServiceOptions, startService } from '../service.ts';

/**
 * Runs two servers on one database, with requests that need decisions, and kills one of them at intervals. The receivers of
 * emails and webhooks fail at times, and lose some of their answers. Each event must arrive once, and be repeated only if the answer was
 * lost, with the same id. SOAK_SECONDS and SOAK_KILL_SECONDS set the duration and the interval.
 */
const SECONDS = Number(process.env.SOAK_SECONDS ?? 40);
const KILL_SECONDS = Number(process.env.SOAK_KILL_SECONDS ?? 8);
const DRAIN_SECONDS = 180;
/** An answer counts as lost if a server died within this time after it was sent. */
const IN_FLIGHT_MS = 2000;

interface Receipt {
  id: string;
  at: number;
  /** The connection was closed instead of an answer. */
  lost: boolean;
  about: string;
}

interface Receiver {
  address: string;
  receipts: Receipt[];
  close(): Promise<void>;
}

async function openMailServer(): Promise<Receiver> {
  const receipts: Receipt[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onMailFrom: (_address, _session, done) =>
      randomInt(40) === 0 ? done(Object.assign(new Error('Try again'), { responseCode: 451 })) : done(),
    onData: (stream, session, done) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', async () => {
        const { messageId = '', text = '' } = await PostalMime.parse(Buffer.concat(chunks));
        const lost = randomInt(20) === 0;
        const to = session.envelope.rcptTo.map(({ address }) => address).join();
        receipts.push({ id: messageId, at: performance.now(), lost, about: `${to}\n${text}` });
        if (lost) stream.destroy(new Error('lost'));
        if (lost) closeAll(server, session.id);
        else done();
      });
    },
  });
  server.on('error', () => {});
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  const { port } = server.server.address() as AddressInfo;
  return {
    address: `smtp://127.0.0.1:${port}`,
    receipts,
    close: () => new Promise((resolve) => void server.close(() => resolve())),
  };
}

/** Closes the connection of a session without an answer. */
function closeAll(server: SMTPServer, id: string) {
  const { connections } = server as unknown as {
    connections: Set<{ id: string; _socket: { destroy(): void } }>;
  };
  for (const connection of connections) if (connection.id === id) connection._socket.destroy();
}

async function openWebhookServer(): Promise<Receiver & { trust(secret: string): void; invalid(): number }> {
  const receipts: Receipt[] = [];
  let webhook: Webhook | undefined;
  let invalid = 0;
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    try {
      webhook?.verify(Buffer.concat(chunks).toString(), request.headers as Record<string, string>);
    } catch {
      invalid++;
    }
    if (randomInt(150) === 0) {
      response.writeHead(500).end();
      return;
    }
    const lost = randomInt(150) === 0;
    receipts.push({ id: String(request.headers['webhook-id']), at: performance.now(), lost, about: '' });
    if (lost) request.socket.destroy();
    else response.writeHead(204).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    address: `http://127.0.0.1:${port}/`,
    receipts,
    trust: (secret) => {
      webhook = new Webhook(secret);
    },
    invalid: () => invalid,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

type Call = <T = Record<string, unknown>>(method: string, path: string, body?: unknown) => Promise<T>;

/** Calls a server that is alive. Repeats reads only: the caller cannot know whether a failed write took effect. */
const callAny =
  (services: Service[]): Call =>
  async (method, path, body) => {
    for (let attempt = 1; ; attempt++) {
      const service = services[randomInt(services.length)] as Service;
      const response = await fetch(`${service.url}/org/acme${path}`, {
        method,
        headers: { authorization: `Api-Key ${service.key}`, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }).catch(() => undefined);
      if (response?.ok) return (await response.json()) as never;
      if (method !== 'GET' || attempt === 100)
        throw new Error(`${method} ${path}: ${response?.status} ${await response?.text()}`);
      await sleep(200);
    }
  };

/** Returns the ids that arrived again although no answer was lost. */
function unexplained(receipts: Receipt[], kills: number[]): string[] {
  const last = new Map<string, Receipt>();
  const found: string[] = [];
  for (const receipt of receipts) {
    const before = last.get(receipt.id);
    last.set(receipt.id, receipt);
    if (before === undefined || before.lost) continue;
    if (!kills.some((at) => at >= before.at - IN_FLIGHT_MS && at <= before.at + IN_FLIGHT_MS))
      found.push(receipt.id);
  }
  return found;
}

async function readLog(call: Call): Promise<string[]> {
  const ids: string[] = [];
  let query = 'catalog=all&limit=200';
  for (;;) {
    const page = await call<{ results: { event_id: string }[]; next_cursor: string }>(
      'GET',
      `/api/events/?${query}`,
    );
    if (page.results.length === 0) return ids;
    ids.push(...page.results.map(({ event_id }) => event_id));
    query = `limit=200&cursor=${encodeURIComponent(page.next_cursor)}`;
  }
}

test.runIf(inject('prepared').engine === 'postgres')(
  'loses and doubles no notification and no webhook while servers are killed',
  async () => {
    const { options, remove } = await createTestDatabase();
    const mail = await openMailServer();
    const hook = await openWebhookServer();
    const environment = {
      GATEHOUSE_RATE_LIMITS: 'off',
      GATEHOUSE_SMTP_URL: mail.address,
      GATEHOUSE_MAIL_FROM: 'gatehouse@acme.example',
      GATEHOUSE_ALLOW_PRIVATE_ADDRESSES: '127.0.0.1',
    };
    const start: ServiceOptions = { database: options, environment };
    const first = await startService({ ...start, port: await freePort() });
    const services = [first, await startService({ ...start, port: await freePort(), key: first.key })];
    const call = callAny(services);
    const kills: number[] = [];
    try {
      const { secret } = await call<{ secret: string }>('POST', '/api/webhooks/', {
        name: 'Soak',
        url: hook.address,
        filters: { catalog: 'all' },
      });
      hook.trust(secret);
      const app = await call<{ id: string }>('POST', '/api/v1/bridge/apps/', { name: 'Soak' });
      await call('PATCH', `/api/apps/${app.id}/`, { approval_steps: [{ approvers: 'manager' }] });
      const since = new Set(await readLog(call));
      const end = performance.now() + SECONDS * 1000;
      const labels: { label: string; approver: string }[] = [];
      // A busy machine takes longer for some requests.
      const isOver = () => performance.now() > end && labels.length > 10;

      const request = async (name: string, approver: string) => {
        const boss = await call<{ external_uuid: string }>('POST', '/api/users/', { email: approver });
        const person = await call<{ external_uuid: string }>('POST', '/api/users/', {
          email: `${name}@acme.example`,
          manager: boss.external_uuid,
        });
        const wanted = { app: app.id, user: person.external_uuid, type: 'NEW_ACCESS' };
        return (await call<{ label: string }>('POST', '/api/tickets/', wanted)).label;
      };
      const work = async (worker: number) => {
        for (let turn = 0; !isOver(); turn++) {
          const name = `w${worker}t${turn}r${randomInt(1e9)}`;
          const approver = `boss.${name}@acme.example`;
          const label = await request(name, approver).catch(() => undefined);
          if (label !== undefined) labels.push({ label, approver });
          await sleep(randomInt(1500));
        }
      };
      const kill = async () => {
        for (let turn = 0; !isOver(); turn++) {
          await sleep(KILL_SECONDS * 1000);
          const index = turn % services.length;
          const victim = services[index] as Service;
          await victim.kill();
          kills.push(performance.now());
          services[index] = await startService({ ...start, port: await freePort(), key: first.key });
        }
      };
      await Promise.all([kill(), ...[0, 1, 2].map(work)]);

      const emailsOf = ({ label, approver }: (typeof labels)[number]) =>
        new Set(
          mail.receipts
            .filter(({ about }) => about.startsWith(approver) && new RegExp(`${label}\\b`).test(about))
            .map(({ id }) => id),
        ).size;
      const missing = async () => {
        const events = (await readLog(call)).filter((id) => !since.has(id));
        const received = new Set(hook.receipts.map(({ id }) => id));
        return {
          events: events.filter((id) => !received.has(id)).length,
          emails: labels.filter((one) => emailsOf(one) === 0).length,
        };
      };
      await expect
        .poll(missing, { timeout: DRAIN_SECONDS * 1000, interval: 1000 })
        .toEqual({ events: 0, emails: 0 });
      expect(labels.filter((one) => emailsOf(one) !== 1)).toEqual([]);
      expect(unexplained(hook.receipts, kills)).toEqual([]);
      expect(unexplained(mail.receipts, kills)).toEqual([]);
      expect(hook.invalid()).toBe(0);
      process.stdout.write(
        `${labels.length} requests, ${kills.length} kills: ${hook.receipts.length} webhook deliveries of ${new Set(hook.receipts.map(({ id }) => id)).size} events, ${mail.receipts.length} emails with ${new Set(mail.receipts.map(({ id }) => id)).size} ids\n`,
      );
    } finally {
      await Promise.all(services.map((service) => service.stop()));
      await Promise.all([mail.close(), hook.close()]);
      await remove();
    }
  },
  (SECONDS + DRAIN_SECONDS + 300) * 1000,
);
