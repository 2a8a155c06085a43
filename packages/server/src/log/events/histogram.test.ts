// @module-tag engine

import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { within } from '#kit/database.ts';
import { openTestApp, type TestApp } from '#test/app.ts';
import { named, namedChange, openTestLog } from '#test/event-log.ts';
import { addOrganization, organizationOf } from '#test/people.ts';
import { eventHistogram } from './histogram.ts';

let service: TestApp;
let call: TestApp['call'];
beforeAll(async () => {
  service = await openTestApp();
  call = service.call;
  await organizationOf(service);
  for (const name of ['One', 'Two', 'Three']) await call('POST', '/api/v1/bridge/apps/', { name });
});
afterAll(() => service.close());

interface Histogram {
  seconds: number;
  more: boolean;
  buckets: { from: string; count: number }[];
}
const histogram = async (query: Record<string, string>): Promise<Histogram> => {
  const { status, body } = await call('GET', `/api/events/histogram/?${new URLSearchParams(query)}`);
  expect(status).toBe(200);
  return body;
};
const total = ({ buckets }: { buckets: { count: number }[] }) =>
  buckets.reduce((sum, { count }) => sum + count, 0);

test('counts as many events as the log lists, by the minute at first', async () => {
  const listed = async () => (await call('GET', '/api/events/?catalog=all&limit=200')).body.results.length;
  // The first use of a key is recorded after its response.
  await expect.poll(async () => total(await histogram({ catalog: 'all' })) - (await listed())).toBe(0);
  expect(await histogram({ catalog: 'all' })).toMatchObject({
    // The database is as old as the run of the tests.
    seconds: expect.toBeOneOf([60, 300]),
    more: false,
  });
  expect(total(await histogram({ event_type: 'app.created' }))).toBe(3);
  expect(total(await histogram({ event_type: 'app.connected' }))).toBe(0);
});

test('covers the range with at most 60 intervals of equal length', async () => {
  const { seconds, buckets } = await histogram({
    catalog: 'all',
    occurred_at__gte: '2026-01-01T00:00:00Z',
    occurred_at__lte: '2026-03-01T12:30:00Z',
  });
  expect(seconds).toBe(86_400);
  expect(buckets).toHaveLength(60);
  const times = buckets.map(({ from }) => Date.parse(from) / 1000);
  for (const [index, time] of times.entries()) {
    expect(time % seconds).toBe(0);
    if (index > 0) expect(time).toBe((times[index - 1] ?? 0) + seconds);
  }
  expect(times[0]).toBeLessThanOrEqual(Date.parse('2026-01-01T00:00:00Z') / 1000);
});

test('ends a range in the future now', async () => {
  const { buckets, seconds } = await histogram({ catalog: 'all', occurred_at__lte: '9999-12-31T23:59:59Z' });
  expect(buckets.length).toBeGreaterThan(0);
  expect(Date.parse(buckets.at(-1)?.from ?? '')).toBeLessThanOrEqual(Date.now());
  expect(seconds).toBe(60);
  const future = { occurred_at__gte: '9998-01-01T00:00:00Z', occurred_at__lte: '9999-12-31T23:59:59Z' };
  expect((await histogram({ catalog: 'all', ...future })).buckets).toEqual([]);
});

test('is empty for a range that ends before it begins', async () => {
  const range = { occurred_at__gte: '2026-03-01T00:00:00Z', occurred_at__lte: '2026-01-01T00:00:00Z' };
  expect((await histogram({ catalog: 'all', ...range })).buckets).toEqual([]);
});

test('rejects an unknown type', async () => {
  expect((await call('GET', '/api/events/histogram/?event_type=nothing')).status).toBe(400);
});

test('counts nothing of another organization', async () => {
  const other = await addOrganization(service);
  const mine = total(await histogram({ event_type: 'app.created' }));
  const { body } = await other('GET', '/api/events/histogram/?event_type=app.created');
  expect(total(body)).toBe(0);
  expect(mine).toBe(3);
});

test('counts the events of a range that were recorded after it', async () => {
  const { orgId, database, record, close } = await openTestLog();
  onTestFinished(close);
  const ago = (hours: number) => new Date(Date.now() - hours * 3_600_000);
  const lags = [0.0001, 0.01, 0.5, 3, 30, 50];
  for (const hours of lags) await record({ ...named(`${hours}`), occurredAt: ago(hours) });
  await record(named('now'), { ...namedChange('late'), occurredAt: ago(3) });
  const count = async (from: number, to: number, filters = {}) => {
    const range = { occurred_at__gte: ago(from).toISOString(), occurred_at__lte: ago(to).toISOString() };
    return total(await eventHistogram(within(database.db, orgId), { ...range, ...filters }));
  };
  for (const hours of lags.slice(1)) expect(await count(hours * 1.1, hours * 0.9), `${hours}`).toBe(1);
  expect(await count(60, 0)).toBe(lags.length + 1);
  expect(await count(60, 1)).toBe(3);
  expect(await count(60, 1, { catalog: 'all' })).toBe(4);
  expect(await count(60, 1, { event_type: 'user.created' })).toBe(3);
  expect(await count(60, 1, { event_type: 'policy.deleted' })).toBe(1);
});

test('stops counting in each catalog by itself', async () => {
  const { orgId, database, record, close } = await openTestLog();
  onTestFinished(close);
  await record(named('1'), named('2'), namedChange('3'), namedChange('4'));
  const counted = (limit: number) => eventHistogram(within(database.db, orgId), { catalog: 'all' }, limit);
  expect((await counted(3)).more).toBe(false);
  expect((await counted(2)).more).toBe(true);
});
