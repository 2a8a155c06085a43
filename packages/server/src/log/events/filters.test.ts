// @module-tag engine
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { type Envelope, openTestLog } from '#test/event-log.ts';
import { CATALOGS, CATEGORIES, SEVERITIES } from './catalog.ts';
import { type Filters, selectionOf } from './filters.ts';
import type { NewEvent } from './record.ts';

const { record, read, close } = await openTestLog();
afterAll(close);

const uuid = (n: number) => `0199a000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const IPS = ['192.0.2.1', '2001:db8::1', '::ffff:198.51.100.7'];
const HOURS = [0, 0.0001, 0.01, 0.5, 3, 30, 300, 3000];
const PERSON = { user_id: uuid(1), email: 'a@example.com' };
const APP = { app_id: uuid(2), app_name: 'Payroll' };

/** Events of ten types, two of them of the second catalog, with all kinds of actors, subjects, addresses and delays, in a fixed random order. */
function eventAt(index: number, start: number): NewEvent {
  const actor =
    index % 5 === 0
      ? { type: 'system' as const, uuid: null }
      : { type: 'user' as const, uuid: uuid(index % 3) };
  const ip = index % 4 === 0 ? {} : { ip: IPS[index % IPS.length] };
  const hours = index % 2 === 0 ? undefined : HOURS[(index * 7) % HOURS.length];
  const common = {
    actor: { ...actor, ...ip },
    ...(hours === undefined ? {} : { occurredAt: new Date(start - hours * 3_600_000) }),
  };
  const byApi = { type: 'api' as const, uuid: null };
  const person = { type: 'platform_user' as const, uuid: uuid(10 + (index % 4)) };
  const app = { type: 'app' as const, uuid: uuid(20 + (index % 2)) };
  const sync = { ...APP, sync_id: uuid(30 + (Math.floor(index / 18) % 3)) };
  const held = { accounts: 1, memberships: 0 };
  const ofSync = { ...common, subject: app, source: byApi };
  if (index % 18 === 5) return { ...ofSync, type: 'app.sync.started', payload: sync };
  if (index % 18 === 17) return { ...ofSync, type: 'removal_guard.approved', payload: { ...sync, held } };
  switch ((index * 5) % 8) {
    case 7:
      return {
        ...common,
        type: 'policy.deleted',
        subject: { type: 'system', uuid: uuid(20 + (index % 2)) },
        source: byApi,
        payload: { policy_id: uuid(20), name: 'Leavers' },
      };
    case 0:
      return { ...common, type: 'user.created', subject: person, source: byApi, payload: PERSON };
    case 1:
      return { ...common, type: 'user.deactivated', subject: person, source: byApi, payload: PERSON };
    case 2:
      return { ...common, type: 'app.created', subject: app, source: byApi, payload: APP };
    case 3:
      return { ...common, type: 'app.connected', subject: app, source: byApi, payload: APP };
    case 4:
      return { ...common, type: 'session.logout', subject: person, source: byApi, payload: PERSON };
    case 5:
      return {
        ...common,
        type: 'session.login.failed',
        subject: person,
        source: byApi,
        payload: { identifier: 'a', reason: 'no' },
      };
    default:
      return {
        ...common,
        type: 'warp.login.attempted',
        subject: app,
        source: byApi,
        payload: { ...APP, method: 'api' },
      };
  }
}

const start = Date.now();
for (let batch = 0; batch < 12; batch++) {
  await record(...Array.from({ length: 25 }, (_, index) => eventAt(batch * 25 + index, start)));
}
const all = await drain({ catalog: 'all' });

async function drain(filters: Filters, limit = 200): Promise<Envelope[]> {
  const found: Envelope[] = [];
  let page = await read({ ...filters, limit });
  while (page.events.length > 0) {
    found.push(...page.events);
    page = await read({ cursor: page.nextCursor, limit });
  }
  return found;
}

/** The filters of protocol 4.11, applied to envelopes. */
function wants(filters: Filters, event: Envelope): boolean {
  const time = (text: string) => Date.parse(text);
  const namesTypes = filters.event_type ?? filters.event_type_prefix ?? filters.category ?? filters.sync_uuid;
  const catalog = filters.catalog ?? (namesTypes === undefined ? 'contract' : 'all');
  return (
    (catalog === 'all' || (catalog === 'configuration') === (event.category === 'configuration')) &&
    (filters.event_type === undefined || event.event_type === filters.event_type) &&
    (filters.event_type_prefix === undefined || event.event_type.startsWith(filters.event_type_prefix)) &&
    (filters.category === undefined || event.category === filters.category) &&
    (filters.severity === undefined || filters.severity.split(',').includes(event.severity)) &&
    (filters.occurred_at__gte === undefined || time(event.occurred_at) >= time(filters.occurred_at__gte)) &&
    (filters.occurred_at__lte === undefined || time(event.occurred_at) <= time(filters.occurred_at__lte)) &&
    (filters.actor_uuid === undefined || event.actor.uuid === filters.actor_uuid) &&
    (filters.subject_uuid === undefined || event.subject.uuid === filters.subject_uuid) &&
    (filters.actor_ip === undefined || event.actor.ip === filters.actor_ip) &&
    (filters.sync_uuid === undefined ||
      (/^(app\.sync|removal_guard|sync)\./.test(event.event_type) &&
        event.payload.sync_id === filters.sync_uuid))
  );
}

/** Times between those of the events, in whole seconds: a Date has no microseconds, unlike an envelope. */
const time = fc.constantFrom(
  ...HOURS.map((hours) => new Date(start - hours * 3_600_000 - 450).toISOString()),
  '2000-01-01',
  '2099-01-01T00:00:00Z',
);
const anyFilters = fc.record(
  {
    catalog: fc.constantFrom(...CATALOGS),
    event_type: fc.constantFrom('user.created', 'app.created', 'task.failed', 'policy.deleted'),
    event_type_prefix: fc.constantFrom('user.', 'app.', 'policy.', 'session.login.', 'nothing.', '.'),
    category: fc.constantFrom(...CATEGORIES),
    severity: fc.subarray([...SEVERITIES], { minLength: 1 }).map((list) => list.join(',')),
    occurred_at__gte: time,
    occurred_at__lte: time,
    actor_uuid: fc.constantFrom(uuid(0), uuid(1), uuid(99)),
    subject_uuid: fc.constantFrom(uuid(10), uuid(11), uuid(20), uuid(99)),
    actor_ip: fc.constantFrom('192.0.2.1', '2001:db8::1', '198.51.100.7', 'nowhere'),
    sync_uuid: fc.constantFrom(uuid(30), uuid(31), uuid(99)),
  },
  { requiredKeys: [] },
) as fc.Arbitrary<Filters>;

test('returns all 300 events of both catalogs', () => {
  expect(all).toHaveLength(300);
});

test('returns the same events as the reference for any combination of filters', async () => {
  await fc.assert(
    fc.asyncProperty(anyFilters, fc.integer({ min: 1, max: 200 }), async (filters, limit) => {
      const expected = all.filter((event) => wants(filters, event));

      expect(await drain(filters, limit)).toEqual(expected);
    }),
    { numRuns: 150 },
  );
});

test('returns the same events as the reference for each filter', async () => {
  const each: Filters[] = [
    {},
    { catalog: 'configuration' },
    { catalog: 'all', severity: 'info' },
    { event_type: 'user.created' },
    { event_type: 'policy.deleted' },
    { event_type_prefix: 'app.' },
    { category: 'authentication' },
    { severity: 'high,low' },
    { occurred_at__gte: new Date(start - 1_000_000).toISOString() },
    { occurred_at__lte: new Date(start - 1_000_000).toISOString() },
    { actor_uuid: uuid(1) },
    { subject_uuid: uuid(11) },
    { actor_ip: '198.51.100.7' },
    { sync_uuid: uuid(31) },
  ];
  for (const filters of each) {
    const found = await drain(filters, 7);

    expect(found.length, JSON.stringify(filters)).toBeGreaterThan(0);
    expect(found, JSON.stringify(filters)).toEqual(all.filter((event) => wants(filters, event)));
  }
});

test('previous_cursor keeps its filters', async () => {
  const first = await read({ category: 'application' });
  await record(eventAt(0, start), eventAt(2, start));

  const newer = await read({ cursor: first.previousCursor });

  expect(newer.events.map(({ event_type }) => event_type)).toEqual(['app.created']);
});

describe('equivalent spellings of a value', () => {
  test.each([
    [{ actor_ip: '2001:DB8:0:0::1' }, { actor_ip: '2001:db8::1' }],
    [{ actor_ip: '::ffff:192.0.2.1' }, { actor_ip: '192.0.2.1' }],
    [{ severity: 'low, high,low' }, { severity: 'high,low' }],
    [{ actor_uuid: uuid(1).toUpperCase() }, { actor_uuid: uuid(1) }],
    [{ sync_uuid: uuid(31).toUpperCase() }, { sync_uuid: uuid(31) }],
    [{ occurred_at__gte: '2026-01-01T02:00:00+02:00' }, { occurred_at__gte: '2026-01-01' }],
    [{ occurred_at__gte: '2026-01-01T02:00:00 02:00' }, { occurred_at__gte: '2026-01-01T00:00:00Z' }],
  ])('%o is %o', async (one, other) => {
    const found = await drain(one);

    expect(found.length).toBeGreaterThan(0);
    expect(found).toEqual(await drain(other));
  });
});

describe('rejects invalid values (D38)', () => {
  test.each<[Filters, RegExp]>([
    [{ event_type: 'user.exploded' }, /event_type/],
    [{ event_type: '' }, /event_type/],
    [{ event_type: 'toString' }, /event_type/],
    [{ event_type_prefix: 'user' }, /must end with a dot/],
    [{ category: 'tasks' }, /category/],
    [{ severity: 'critical,huge' }, /severity/],
    [{ severity: '' }, /severity/],
    [{ occurred_at__gte: 'yesterday' }, /occurred_at__gte/],
    [{ occurred_at__lte: '2026-02-30T25:00:00Z' }, /occurred_at__lte/],
    [{ actor_uuid: 'me' }, /actor_uuid/],
    [{ subject_uuid: '0199a000' }, /subject_uuid/],
    [{ sync_uuid: 'all' }, /sync_uuid/],
  ])('%o', (filters, message) => {
    expect(() => selectionOf(filters)).toThrow(message);
  });
});
