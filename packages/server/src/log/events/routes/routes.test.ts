import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { transaction, within } from '#kit/database.ts';
import { sql } from '#kit/sql.ts';
import { openTestApp } from '#test/app.ts';
import { type Envelope, named, namedChange } from '#test/event-log.ts';
import { organizationOf } from '#test/people.ts';
import { setTimes } from '#test/time.ts';
import { EVENT_TYPES } from '../catalog.ts';
import { recordEvents } from '../record.ts';

const service = await openTestApp();
const { call, database, close } = service;
afterAll(close);
const { orgId } = await organizationOf(service);
const record = (...names: string[]) =>
  transaction(within(database.db, orgId), (tx) =>
    recordEvents(
      tx,
      names.map((name) => named(name)),
    ),
  );

async function usesBy(agent: string) {
  const { rows } = await sql`
    select from event where event_type = 'api_key.used' and body::jsonb -> 'actor' ->> 'user_agent' = ${agent}`.execute(
    database.db,
  );
  return rows;
}

const newKey = async (request: object) =>
  (await call('POST', '/api/api-keys/', { name: 'another', ...request })).body;

describe('GET /api/events/', () => {
  test('returns both cursors as strings and complete envelopes', async () => {
    await record('seen');

    const { status, headers, body } = await call('GET', '/api/events/?event_type=user.created');

    expect(status).toBe(200);
    expect(headers['content-type']).toBe('application/json; charset=utf-8');
    expect(body).toEqual({
      next_cursor: expect.stringMatching(/^[A-Za-z0-9_-]+$/),
      previous_cursor: expect.stringMatching(/^[A-Za-z0-9_-]+$/),
      results: expect.arrayContaining([
        expect.objectContaining({ event_type: 'user.created', event_version: 1 }),
      ]),
    });
  });

  test('F: a poll loop on a quiet organization is empty from its third poll on', async () => {
    const agent = { headers: { 'user-agent': 'a fresh poller' } };
    const counts: number[] = [];
    let cursor = '';
    for (let poll = 0; poll < 8; poll++) {
      const { body } = await call('GET', `/api/events/?limit=200&cursor=${cursor}`, undefined, agent);
      cursor = body.next_cursor;
      counts.push(body.results.length);
      // The use of the key is recorded asynchronously, long before a real poller asks again.
      await expect.poll(async () => (await usesBy('a fresh poller')).length).toBe(1);
    }

    expect(counts.slice(2)).toEqual([0, 0, 0, 0, 0, 0]);
    expect(await usesBy('a fresh poller')).toHaveLength(1);
  });

  test.each([
    ['limit=0', 'Input should be greater than or equal to 1 (limit)'],
    ['limit=ten', 'Input should be a valid integer (limit)'],
    ['limit=2.5', 'Input should be a valid integer (limit)'],
    ['cursor=AAAA', 'The cursor is damaged or belongs to another organization (cursor).'],
    ['event_type=user.exploded', "The event type 'user.exploded' does not exist (event_type)."],
    ['event_type_prefix=user', 'The prefix must end with a dot (event_type_prefix).'],
    [
      'category=all',
      'Input should be one of: authentication, authorization, application, task, user_lifecycle, configuration (category)',
    ],
    ['catalog=both', 'Input should be one of: contract, configuration, all (catalog)'],
    ['severity=low,none', 'Input should be one of: critical, high, medium, low, info (severity)'],
    ['occurred_at__gte=soon', 'Input should be a valid date-time (occurred_at__gte)'],
    ['actor_uuid=me', 'Input should be a valid UUID (actor_uuid)'],
  ])('?%s is 400', async (query, detail) => {
    const { status, body } = await call('GET', `/api/events/?${query}`);

    expect([status, body.detail]).toEqual([400, detail]);
  });

  test('ignores unknown parameters and clamps a limit above 200', async () => {
    expect((await call('GET', '/api/events/?page=3&limit=100000')).status).toBe(200);
  });

  test('works without the trailing slash', async () => {
    expect((await call('GET', '/api/events?limit=1')).status).toBe(200);
  });
});

describe('access to events', () => {
  test('returns 401 for a revoked key immediately, before any other error (D6)', async () => {
    const { id, key } = await newKey({ scopes: ['events'] });
    const before = await call('GET', '/api/events/', undefined, { key });
    await call('DELETE', `/api/api-keys/${id}/`);

    const answers: number[] = [];
    for (const path of ['', '?limit=0', '?cursor=AAAA', `${randomUUID()}/`, 'not-a-uuid/']) {
      answers.push((await call('GET', `/api/events/${path}`, undefined, { key })).status);
    }

    expect(before.status).toBe(200);
    expect(answers).toEqual([401, 401, 401, 401, 401]);
  });

  test('returns 401 for an expired key', async () => {
    const { id, key } = await newKey({
      scopes: ['events'],
      expires_at: new Date(Date.now() + 86_400_000).toISOString(),
    });
    await call('GET', '/api/events/', undefined, { key });
    await setTimes(database.db, 'api_key', { expires_at: '1 second ago' }, { id });

    expect((await call('GET', '/api/events/', undefined, { key })).status).toBe(401);
  });
});

describe('GET /api/events/<external_uuid>/', () => {
  test('returns the event as the list does', async () => {
    await record('one');
    const { body } = await call('GET', '/api/events/?limit=1&event_type=user.created');
    const event = body.results[0] as Envelope;

    const found = await call('GET', `/api/events/${event.event_id}/`);

    expect(found).toMatchObject({ status: 200, body: event });
  });

  test.each([randomUUID(), 'not-a-uuid'])('returns 404 for %s', async (id) => {
    expect((await call('GET', `/api/events/${id}/`)).status).toBe(404);
  });
});

describe('?catalog= (D43)', () => {
  const typesAt = async (query: string) =>
    (await call('GET', `/api/events/?${query}`)).body.results.map(
      ({ event_type }: Envelope) => event_type,
    ) as string[];
  const subject = randomUUID();
  const about = `subject_uuid=${subject}`;
  beforeAll(() =>
    transaction(within(database.db, orgId), (tx) =>
      recordEvents(tx, [named('a', subject), namedChange('b', subject), named('c', subject)]),
    ),
  );

  test.each([
    ['', ['user.created', 'user.created']],
    ['catalog=contract', ['user.created', 'user.created']],
    ['catalog=configuration', ['policy.deleted']],
    ['catalog=all', ['user.created', 'policy.deleted', 'user.created']],
    ['severity=info', ['user.created', 'user.created']],
    ['severity=info&catalog=all', ['user.created', 'policy.deleted', 'user.created']],
    ['event_type=policy.deleted', ['policy.deleted']],
    ['event_type_prefix=policy.', ['policy.deleted']],
    ['category=configuration', ['policy.deleted']],
    ['category=user_lifecycle', ['user.created', 'user.created']],
    ['event_type=policy.deleted&catalog=contract', []],
  ])('?%s', async (query, types) => {
    expect(await typesAt(`${about}&${query}`)).toEqual(types);
  });

  test('the cursor keeps the choice', async () => {
    const first = await call('GET', `/api/events/?${about}&catalog=all&limit=1`);
    const next = await call('GET', `/api/events/?cursor=${first.body.next_cursor}&limit=1`);

    expect(first.body.results[0].event_type).toBe('user.created');
    expect(next.body.results[0].event_type).toBe('policy.deleted');
  });

  test('GET /api/events/<external_uuid>/ finds an event of either catalog', async () => {
    const { body } = await call('GET', `/api/events/?${about}&catalog=configuration`);
    const event = body.results[0];

    expect(await call('GET', `/api/events/${event.event_id}/`)).toMatchObject({ status: 200, body: event });
  });
});

test('GET /api/event-types/ returns both catalogs', async () => {
  const { status, body } = await call('GET', '/api/event-types/');

  expect(status).toBe(200);
  expect(body.results.map(({ event_type }: { event_type: string }) => event_type)).toEqual(EVENT_TYPES);
  expect(new Set(body.results.map((one: { catalog: string }) => one.catalog))).toEqual(
    new Set(['contract', 'configuration']),
  );
  expect(body.results[3]).toMatchObject({
    catalog: 'contract',
    event_type: 'session.ip_blocked',
    event_version: 1,
    category: 'authentication',
    severity: 'critical',
    description: 'IP blocked after repeated failed logins',
    payload_schema: { type: 'object', required: expect.arrayContaining(['ip', 'failures']) },
  });
});

test('the log contains the creation of keys and apps', async () => {
  const created = await call('POST', '/api/v1/bridge/apps/', { name: 'Payroll' });

  const { body } = await call('GET', `/api/events/?subject_uuid=${created.body.id}`);

  expect(body.results).toMatchObject([
    {
      event_type: 'app.created',
      subject: { type: 'app' },
      payload: { app_name: 'Payroll', clone_from: null },
    },
  ]);
});
