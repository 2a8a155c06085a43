import { once } from 'node:events';
import { type ClientRequest, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { Database } from '#kit/database.ts';
import { openTestApp, type TestApp } from '../app.ts';
import { createTestDatabase } from '../database.ts';
import { remote } from '../remote.ts';
import { startService } from '../service.ts';
import { addSyncedApp } from '../sync.ts';
import { until } from '../until.ts';

const MEGABYTE = 1024 * 1024;

/** Accepts 20 requests and 4 MB of bodies at a time. */
let service: TestApp;
let url: string;
beforeAll(async () => {
  service = await openTestApp({ loadLimits: { requests: 20, waiting: 16, bodyBytes: 4 * MEGABYTE } });
  await service.app.http.listen({ port: 0, host: '127.0.0.1' });
  url = `http://127.0.0.1:${(service.app.http.server.address() as AddressInfo).port}`;
}, 120_000);
afterAll(() => service.close());

/** Uses all connections, so that no request can finish. Returns a function that gives them back. */
async function holdConnections({ db }: Database) {
  const gate = Promise.withResolvers<void>();
  const held = Array.from({ length: 20 }, () => db.connection().execute(() => gate.promise));
  return async () => {
    gate.resolve();
    await Promise.all(held);
  };
}

const load = () => service.app.http.load();
const untilLoad = (what: string, holds: (now: ReturnType<typeof load>) => boolean) =>
  until(what, load, holds, { everyMs: 5 });

test('refuses requests beyond the limit with 503 and Retry-After, and answers /healthz and /metrics', async () => {
  const release = await holdConnections(service.database);

  const waiting = Array.from({ length: 20 }, () => service.call('GET', '/api/v1/bridge/apps/'));
  await untilLoad('20 requests', ({ requests }) => requests === 20);
  const refused = await service.call('GET', '/api/v1/bridge/apps/');
  const stranger = await service.call('GET', '/api/users/', undefined, { key: null });
  const health = await service.app.http.inject('/healthz');
  const metrics = await service.app.http.inject('/metrics');
  await release();

  expect(refused).toMatchObject({
    status: 503,
    body: { detail: 'The server is busy. Try again in a moment.' },
    headers: { 'retry-after': expect.stringMatching(/^[123]$/) },
  });
  expect(stranger.status).toBe(503);
  expect(health.statusCode).toBe(200);
  expect(metrics.payload).toContain('gatehouse_http_requests_in_progress 20\n');
  expect(metrics.payload).toContain('gatehouse_http_requests_refused_total{limit="requests"} 2\n');
  for (const { status } of await Promise.all(waiting)) expect(status).toBe(200);
  expect(load().requests).toBe(0);
  expect((await service.call('GET', '/api/v1/bridge/apps/')).status).toBe(200);
});

test('a request counts until its work ends, even if its client has given up', async () => {
  const release = await holdConnections(service.database);

  const abort = new AbortController();
  const headers = { authorization: `Api-Key ${service.key}` };
  const given = fetch(`${url}/org/acme/api/v1/bridge/apps/`, { headers, signal: abort.signal }).catch(
    () => {},
  );
  await untilLoad('one request', ({ requests }) => requests === 1);
  abort.abort();
  await given;
  expect(load().requests).toBe(1);
  await release();

  await untilLoad('no request', ({ requests }) => requests === 0);
});

test('refuses bodies beyond the limit while they arrive, and forgets those that break off', async () => {
  const app = await addSyncedApp(service);
  const session = await app.start();
  const address = `${url}/org/acme/api/v1/bridge/apps/${app.id}/sync/${session}/person/`;
  const page = (id: string, bytes: number) => {
    const record = { id, email: `${id}@example.com`, first_name: '' };
    return JSON.stringify({ records: [{ ...record, attributes: { note: 'x'.repeat(bytes) } }] });
  };

  // Declaring a large body reserves nothing. Each of these has sent 1.5 MB.
  const slow = ['one', 'two'].map((id) => upload(address, service.key, page(id, 2 * MEGABYTE)));
  await Promise.all(slow.map(({ send }) => send(1.5 * MEGABYTE)));
  await untilLoad('3 MB of bodies', ({ bodyBytes }) => bodyBytes >= 3 * MEGABYTE);
  const declared = upload(address, service.key, page('three', 3 * MEGABYTE));
  await declared.send(1000);
  expect(load().bodyBytes).toBeLessThan(4 * MEGABYTE);

  // The reply arrives before the body is complete.
  await declared.send(1.5 * MEGABYTE);
  expect(await declared.reply).toMatchObject({ status: 503, retryAfter: expect.stringMatching(/^[123]$/) });
  expect(load().refused.bodyBytes).toBe(1);
  slow[1]?.request.destroy();
  await untilLoad('less than 2 MB of bodies', ({ bodyBytes }) => bodyBytes < 2 * MEGABYTE);
  const first = await slow[0]?.finish();

  expect(first?.status).toBeLessThan(500);
  await untilLoad('no body', ({ bodyBytes }) => bodyBytes === 0);
  expect(load().requests).toBe(0);
});

test('a slow upload blocks nobody', async () => {
  const address = `${url}/org/acme/api/v1/bridge/apps/`;
  const slow: Upload[] = [];
  // Until its body is read, a request counts: 25 of them in one moment would be too many.
  for (const count of [10, 10, 5]) {
    const more = Array.from({ length: count }, (_, i) =>
      upload(address, service.key, JSON.stringify({ name: `App ${slow.length + i}` })),
    );
    slow.push(...more);
    await Promise.all(more.map(({ send }) => send(5)));
    await untilLoad('the bodies', ({ bodyBytes }) => bodyBytes === slow.length * 5);
  }

  expect((await service.call('GET', '/api/v1/bridge/apps/')).status).toBe(200);
  // At the same time: after 10 seconds, a body of a few bytes is too slow. No more than the service accepts.
  for (const { request } of slow.slice(10)) request.destroy();
  for (const { status } of await Promise.all(slow.slice(0, 10).map(({ finish }) => finish())))
    expect(status).toBe(201);
  await untilLoad('no body', ({ bodyBytes }) => bodyBytes === 0);
});

test('no acknowledged page is lost when more pushers come than the service accepts', {
  timeout: 240_000,
}, async () => {
  const PUSHERS = 300;
  const RECORDS = 20;
  const { options, remove } = await createTestDatabase();
  onTestFinished(remove);
  const server = await startService({ database: options, environment: { GATEHOUSE_RATE_LIMITS: 'off' } });
  onTestFinished(() => server.kill());
  const app = await addSyncedApp(remote(server.url, server.key));
  const session = await app.start();
  const health: number[] = [];
  let pushing = true;
  const probing = (async () => {
    while (pushing) health.push((await fetch(`${server.url}/healthz`)).status);
  })();

  const replies = await Promise.all(
    Array.from({ length: PUSHERS }, async (_, pusher) => {
      const ids = Array.from({ length: RECORDS }, (_, i) => `p${pusher}-${i}`);
      const records = ids.map((id) => ({ id, email: `${id}@example.com` }));
      return { ids, ...(await app.push(session, 'person', records)) };
    }),
  );
  pushing = false;
  await probing;
  const view = await app.complete(session);

  const accepted = replies.filter(({ status }) => status === 200);
  const refused = replies.filter(({ status }) => status !== 200);
  expect(accepted.length).toBeGreaterThan(0);
  for (const { status, headers } of refused)
    expect([status, headers['retry-after']]).toEqual([503, expect.stringMatching(/^[123]$/)]);
  expect(new Set(health)).toEqual(new Set([200]));
  expect(view.counts.created).toBe(accepted.length * RECORDS);
});

interface Upload {
  request: ClientRequest;
  reply: Promise<UploadReply>;
  /** Sends the next bytes of the body. */
  send(bytes: number): Promise<void>;
  /** Sends the rest. Returns the reply. */
  finish(): Promise<UploadReply>;
}

interface UploadReply {
  status: number;
  retryAfter: string | undefined;
}

/** Sends a body in pieces. Its header declares the whole length. */
function upload(url: string, key: string, body: string): Upload {
  const bytes = Buffer.from(body);
  let sent = 0;
  const request = httpRequest(url, {
    method: url.endsWith('/apps/') ? 'POST' : 'PUT',
    headers: {
      authorization: `Api-Key ${key}`,
      'content-type': 'application/json',
      'content-length': bytes.length,
    },
  });
  request.on('error', () => {});
  const reply = once(request, 'response').then(([{ statusCode, headers }]) => ({
    status: statusCode as number,
    retryAfter: headers['retry-after'] as string | undefined,
  }));
  reply.catch(() => {});
  return {
    request,
    reply,
    send: (count) =>
      new Promise((resolve) => {
        request.write(bytes.subarray(sent, sent + count), () => resolve());
        sent += count;
      }),
    finish: () => {
      request.end(bytes.subarray(sent));
      return reply;
    },
  };
}
