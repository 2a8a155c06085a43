import { once } from 'node:events';
import { type ClientRequest, request as httpRequest } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test } from 'vitest';
import { openTestApp, type TestApp } from '../app.ts';
import { addOrganizationAs } from '../organization.ts';
import { addSyncedApp } from '../sync.ts';
import { until } from '../until.ts';

/** The harm that one caller can do to the others of a process, with and without a key. Limits are a sixteenth of the usual ones. */
const MB = 1024 * 1024;
const LIMITS = { requests: 20, waiting: 16, bodyBytes: 4 * MB };

let service: TestApp;
let port: number;
let otherKey: string;
const open = new Set<ClientRequest>();
beforeAll(async () => {
  service = await openTestApp({ loadLimits: LIMITS });
  await service.app.http.listen({ port: 0, host: '0.0.0.0' });
  port = (service.app.http.server.address() as AddressInfo).port;
  const names = { slug: 'other', name: 'Other', adminEmail: 'admin@other.example' };
  otherKey = await addOrganizationAs(service.database, names);
}, 120_000);
afterAll(() => service.close());
afterEach(async () => {
  for (const request of open) request.destroy();
  open.clear();
  await untilLoad('nothing', ({ requests, bodyBytes, waiting }) => requests + bodyBytes + waiting === 0);
});

const load = () => service.app.http.load();
const untilLoad = (what: string, holds: (now: ReturnType<typeof load>) => boolean) =>
  until(what, load, holds, { everyMs: 5 });

interface Sent {
  request: ClientRequest;
  reply: Promise<{ status: number; headers: Record<string, unknown>; body: string }>;
}

interface SendOptions {
  method?: string;
  key?: string | undefined;
  /** The whole length of the body, and how much of it is sent. */
  length?: number;
  bytes?: number;
  /** The address of the caller. Linux has the whole network 127.0.0.0/8. */
  from?: string;
}

/** Sends the beginning of a request over a connection of its own. */
function send(
  path: string,
  { method = 'POST', key, length = 0, bytes = 0, from = '127.0.0.1' }: SendOptions,
): Sent {
  const request = httpRequest({
    host: '127.0.0.1',
    port,
    path,
    method,
    agent: false,
    localAddress: from,
    headers: {
      ...(key === undefined ? {} : { authorization: `Api-Key ${key}` }),
      ...(length === 0 ? {} : { 'content-type': 'application/json', 'content-length': Math.floor(length) }),
    },
  });
  open.add(request);
  request.on('error', () => {});
  const reply = once(request, 'response').then(async ([response]) => {
    const body = Buffer.concat(await response.toArray()).toString();
    return { status: response.statusCode as number, headers: response.headers, body };
  });
  reply.catch(() => {});
  if (length === 0) request.end();
  else request.write(Buffer.alloc(Math.floor(bytes), ' '));
  return { request, reply };
}

const APPS = '/api/v1/bridge/apps/';
const SIGN_IN = '/auth/sign-in/';
const asOther = { key: () => otherKey, org: 'other' };
const createApp = () => service.call('POST', APPS, { name: 'x' }, { key: asOther.key(), org: asOther.org });

test('bodies that have not arrived take nothing from anybody', async () => {
  for (let n = 0; n < 200; n++) {
    const mine = n % 2 === 0;
    send(`/org/acme${mine ? APPS : SIGN_IN}`, {
      key: mine ? service.key : undefined,
      length: 256 * 1024,
      bytes: 1,
    });
  }
  // More of them at the same moment than the process identifies are refused.
  await untilLoad('the bodies', ({ bodyBytes, refused }) => bodyBytes + refused.requests === 200);

  expect(await createApp()).toMatchObject({ status: 201 });
  expect(await service.call('POST', APPS, { name: 'x' })).toMatchObject({ status: 201 });
});

test('unfinished pages of an organization end for those of another one', async () => {
  const app = await addSyncedApp(service);
  const page = `/org/acme${APPS}${app.id}/sync/${await app.start()}/person/`;
  const options = { method: 'PUT', key: service.key, length: 8 * MB };
  const pages = [1, 2].map(() => send(page, { ...options, bytes: 1.9 * MB }));
  await untilLoad('3.7 MB', ({ bodyBytes }) => bodyBytes >= 3.7 * MB);

  const other = send(`/org/other${APPS}`, { key: otherKey, length: 900_000, bytes: 800_000 });
  const ended = await Promise.race(pages.map(({ reply }) => reply));
  other.request.end(JSON.stringify({ name: 'x' }).padStart(100_000));

  expect(ended).toMatchObject({ status: 503, headers: { 'retry-after': expect.stringMatching(/^[123]$/) } });
  expect(await other.reply).toMatchObject({ status: 201 });
});

test('bodies without a key count for their address, and never for an organization', async () => {
  const large = (from: string, bytes: number) =>
    send(`/org/acme${SIGN_IN}`, { length: 0.9 * MB, bytes, from });
  expect(await large('127.0.0.2', 300 * 1024).reply).toMatchObject({ status: 503 });
  for (let n = 3; n < 7; n++) large(`127.0.0.${n}`, 250 * 1024);
  await untilLoad('a megabyte', ({ bodyBytes }) => bodyBytes >= 4 * 250 * 1024);

  const late = large('127.0.0.9', 100 * 1024);
  await untilLoad('an ended body', ({ refused }) => refused.bodyBytes >= 2);
  expect(load().bodyBytes).toBeLessThanOrEqual(MB);
  expect(await createApp()).toMatchObject({ status: 201 });
  expect(await Promise.race([late.reply, Promise.resolve('open')])).toBe('open');
});

test('requests of strangers leave the places of organizations, whatever organization they name', async () => {
  const gate = Promise.withResolvers<void>();
  const { db } = service.database;
  const held = Array.from({ length: 20 }, () => db.connection().execute(() => gate.promise));
  const strangers = Array.from({ length: 40 }, (_, n) =>
    send(`/org/invented${n}/api/users/`, { method: 'GET', key: `invalid-${n}`, from: '127.0.0.2' }),
  );
  const refused = await Promise.race(strangers.map(({ reply }) => reply));
  await untilLoad('20 requests', ({ requests }) => requests === 20);

  const own = send(`/org/acme${APPS}`, { method: 'GET', key: service.key });
  await untilLoad('one request more', ({ requests }) => requests === 21);
  gate.resolve();
  await Promise.all(held);

  expect(refused).toMatchObject({ status: 503 });
  expect(await own.reply).toMatchObject({ status: 200 });
});

test('a receiver that never replies holds up the requests that wait for it, and no other', async () => {
  const sockets = new Set<{ destroy(): void }>();
  const receiver = createServer((socket) => void sockets.add(socket.on('error', () => {})));
  receiver.listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    receiver.close();
  });
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
  const { body: webhook } = await service.call('POST', '/api/webhooks/', { name: 'Hangs', url });
  const path = `/org/${service.org}/api/webhooks/${webhook.id}/test/`;

  const tests = Array.from({ length: 12 }, () => send(path, { key: service.key }));
  const refused = await Promise.race(tests.map(({ reply }) => reply));
  await untilLoad('two waiting requests', ({ waiting }) => waiting === 2);

  expect(refused).toMatchObject({
    status: 503,
    headers: { 'retry-after': expect.any(String) },
    body: expect.stringContaining('waiting for other systems'),
  });
  for (let n = 0; n < 25; n++) expect(await service.call('GET', APPS)).toMatchObject({ status: 200 });
  for (const socket of sockets) socket.destroy();
});
