import pino from 'pino';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { createHttp } from '#kit/http/server.ts';
import type { Principal } from '#kit/identity.ts';
import { sql } from '#kit/sql.ts';
import { openTestDatabase } from '#test/database.ts';
import { deleteIdleRecords, type Limits, limitRequests } from './limits.ts';

const { database, close } = await openTestDatabase();
const { db } = database;
afterAll(close);
afterEach(() => sql`delete from rate_window`.execute(db));

const PRINCIPAL: Principal = {
  orgId: '0199a000-0000-7000-8000-000000000001',
  orgSlug: 'acme',
  keyId: '0199a000-0000-7000-8000-000000000002',
  sessionId: null,
  userId: '0199a000-0000-7000-8000-000000000003',
  role: 'owner',
  scopes: new Set(['events', 'read']),
  apps: 'all',
};

/** A node: a server whose routes do nothing after the limit. */
function openNode(limits: Limits, principal: Partial<Principal> | null = {}) {
  const http = createHttp({ logger: pino({ level: 'silent' }), trustProxy: false });
  const { admit, admitUnauthenticated } = limitRequests(database, limits);
  http.decorateRequest('principal');
  http.addHook('onRequest', async (request, reply) => {
    if (principal !== null) request.principal = { ...PRINCIPAL, ...principal };
    if (request.headers.authorization !== undefined) await admitUnauthenticated(request, reply);
    await admit(request, reply);
  });
  for (const path of [
    '/api/events/',
    '/api/events/:id/',
    '/api/event-types/',
    '/api/accounts/',
    '/api/v1/bridge/apps/',
  ]) {
    http.get(`/org/:org${path}`, { config: { access: 'public' } }, async () => ({}));
  }
  return async (path: string, ip = '192.0.2.1') => {
    const answer = await http.inject({ url: `/org/acme${path}`, remoteAddress: ip });
    return { status: answer.statusCode, headers: answer.headers, body: answer.json() };
  };
}

/** Moves the past requests back in time by `seconds`. */
const elapse = (seconds: number) =>
  sql`update rate_window set passed = array(select at - ${seconds} * interval '1 second' from unnest(passed) at)`.execute(
    db,
  );

test('admits exactly the limit across two nodes under concurrent requests', async () => {
  const nodes = [openNode({ events: 60, read: 300 }), openNode({ events: 60, read: 300 })];

  const answers = await Promise.all(
    Array.from({ length: 100 }, (_, index) => nodes[index % 2]?.('/api/events/')),
  );

  expect(answers.filter((answer) => answer?.status === 200)).toHaveLength(60);
  expect(answers.filter((answer) => answer?.status === 429)).toHaveLength(40);
});

test('slides the window: each request leaves it after a minute', async () => {
  const call = openNode({ events: 3, read: null });
  await call('/api/events/');
  await elapse(30);
  await call('/api/events/');
  await call('/api/events/');
  const full = (await call('/api/events/')).status;
  // Another node, since this one refuses from memory until the oldest request could leave.
  const other = openNode({ events: 3, read: null });
  await elapse(31);

  const later = [await other('/api/events/'), await other('/api/events/')];

  expect(full).toBe(429);
  expect(later.map(({ status }) => status)).toEqual([200, 429]);
});

test('says how long to wait (protocol 7.6)', async () => {
  const call = openNode({ events: 1, read: null });
  await call('/api/events/');
  await elapse(20);

  const refused = await call('/api/events/');

  const wait = Number(refused.headers['retry-after']);
  expect(refused.status).toBe(429);
  expect(wait).toBeGreaterThan(0);
  expect(wait).toBeLessThanOrEqual(40);
  expect(refused.body).toEqual({
    detail: `Request was throttled. Expected available in ${wait} seconds.`,
    code: 'request_throttled',
    values: { wait },
  });
  expect(refused.headers).toMatchObject({
    'ratelimit-policy': '"events";q=1;w=60',
    ratelimit: `"events";r=0;t=${wait}`,
  });
});

test('says how many requests are left', async () => {
  const call = openNode({ events: 60, read: 300 });
  await call('/api/events/');

  expect((await call('/api/events/')).headers).toMatchObject({
    'ratelimit-policy': '"events";q=60;w=60, "read";q=300;w=60',
    // A test ends after 30 seconds.
    ratelimit: expect.stringMatching(/^"events";r=58;t=(60|[345]\d), "read";r=298;t=(60|[345]\d)$/),
  });
});

test('neither counts a refused request nor asks the database about it', async () => {
  const call = openNode({ events: 2, read: 300 });
  await call('/api/events/');
  await call('/api/events/');
  await call('/api/events/');
  await sql`delete from rate_window`.execute(db);

  const refused = await call('/api/events/');

  const { rows } = await sql`select from rate_window`.execute(db);
  expect(refused.status).toBe(429);
  expect(rows).toEqual([]);
});

describe('windows', () => {
  const passes = async (call: ReturnType<typeof openNode>, path: string, ip?: string) =>
    (await call(path, ip)).status === 200;

  test('limit events per key, from all addresses, for the list and for single events', async () => {
    const call = openNode({ events: 2, read: 300 });

    expect(await passes(call, '/api/events/', '192.0.2.1')).toBe(true);
    expect(await passes(call, '/api/events/x/', '192.0.2.2')).toBe(true);
    expect(await passes(call, '/api/events', '192.0.2.3')).toBe(false);
    expect(await passes(call, '/api/accounts/', '192.0.2.3')).toBe(true);
    expect(await passes(openNode({ events: 2, read: 300 }, { keyId: 'another' }), '/api/events/')).toBe(true);
  });

  test('limit reads per address, for all keys and all routes except the bridge', async () => {
    const call = openNode({ events: 60, read: 2 });
    const another = openNode({ events: 60, read: 2 }, { keyId: 'another' });

    expect(await passes(call, '/api/accounts/')).toBe(true);
    expect(await passes(another, '/api/event-types/', '::ffff:192.0.2.1')).toBe(true);
    expect(await passes(call, '/api/events/')).toBe(false);
    expect(await passes(call, '/api/v1/bridge/apps/')).toBe(true);
    expect(await passes(call, '/api/accounts/', '192.0.2.2')).toBe(true);
  });

  test('count all addresses of an IPv6 /64 network as one', async () => {
    const call = openNode({ events: 60, read: 2 });

    expect(await passes(call, '/api/accounts/', '2001:db8:1:2::1')).toBe(true);
    expect(await passes(call, '/api/accounts/', '2001:db8:1:2:ffff::2')).toBe(true);
    expect(await passes(call, '/api/accounts/', '2001:0db8:1:2:3:4:5:6')).toBe(false);
    expect(await passes(call, '/api/accounts/', '2001:db8:1:3::1')).toBe(true);
  });

  test('do not count a request that another window refuses', async () => {
    const call = openNode({ events: 1, read: 3 });
    await call('/api/events/');
    await call('/api/events/');
    await call('/api/events/');

    expect(await passes(call, '/api/accounts/')).toBe(true);
    expect(await passes(call, '/api/accounts/')).toBe(true);
    expect(await passes(call, '/api/accounts/')).toBe(false);
  });

  test('limit sign-in per address', async () => {
    const call = openNode({ events: null, read: 2 }, null);
    await call('/api/accounts/');
    await call('/api/accounts/');

    expect(await call('/api/accounts/')).toMatchObject({
      status: 429,
      headers: { 'ratelimit-policy': '"sign-in";q=2;w=60' },
    });
  });

  test('limit each session separately', async () => {
    const call = openNode(
      { events: 1, read: 1 },
      { keyId: null, sessionId: '0199a000-0000-7000-8000-000000000004' },
    );
    await call('/api/accounts/');

    expect((await call('/api/events/')).headers).toMatchObject({
      'ratelimit-policy': '"session";q=600;w=60',
    });
  });

  test('count unknown addresses as reads', async () => {
    const call = openNode({ events: 60, read: 1 });
    await call('/api/accounts/');

    expect((await call('/api/nothing/')).status).toBe(429);
  });
});

test('neither counts nor sets headers when switched off', async () => {
  const call = openNode({ events: null, read: null });

  const answer = await call('/api/events/');

  expect(answer.status).toBe(200);
  expect(answer.headers).not.toHaveProperty('ratelimit');
});

test('deletes idle windows and no others', async () => {
  const call = openNode({ events: 60, read: 300 });
  await call('/api/events/', '192.0.2.1');
  await elapse(61);
  await call('/api/events/', '192.0.2.2');

  await deleteIdleRecords(db);

  const { rows } = await sql<{ id: string }>`select id from rate_window order by id`.execute(db);
  expect(rows.map(({ id }) => id)).toEqual([`events ${PRINCIPAL.keyId}`, 'read 192.0.2.2']);
});
