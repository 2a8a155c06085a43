// @module-tag engine
import { afterAll, expect, test } from 'vitest';
import { DomainError } from '#kit/errors.ts';
import { named, namesOf, newOrganization, openTestLog } from '#test/event-log.ts';
import { openBatcher, openEventBatcher } from './batch.ts';

const log = await openTestLog();
afterAll(log.close);

interface Logged {
  message: string;
}
const keepLogged = () => {
  const logged: Logged[] = [];
  return { logged, error: (_fields: unknown, message?: string) => logged.push({ message: message ?? '' }) };
};
const loggerOf = (kept: ReturnType<typeof keepLogged>) => ({ error: kept.error as never });

test('records events together in the order in which they were added', async () => {
  const kept = keepLogged();
  const events = openEventBatcher(log.database.db, loggerOf(kept));
  for (let index = 0; index < 120; index++) events.add(log.orgId, named(String(index)));

  await events.flush();

  const { events: found } = await log.read({ limit: 200 });
  expect(namesOf(found)).toEqual(Array.from({ length: 120 }, (_, index) => String(119 - index)));
  expect(kept.logged).toEqual([]);
});

test('writes events without a flush', async () => {
  const org = await newOrganization(log.database);
  openEventBatcher(log.database.db, loggerOf(keepLogged())).add(org, named('alone'));

  await expect.poll(async () => namesOf((await log.read({}, org)).events)).toEqual(['alone']);
});

test('sets occurred_at to the time at which an event was added', async () => {
  const org = await newOrganization(log.database);
  const events = openEventBatcher(log.database.db, loggerOf(keepLogged()));
  const before = Date.now();
  events.add(org, named('timed'));
  const after = Date.now();
  await events.flush();

  const occurred = Date.parse((await log.read({}, org)).events[0]?.occurred_at ?? '');

  expect(occurred).toBeGreaterThanOrEqual(before);
  expect(occurred).toBeLessThanOrEqual(after);
});

test('writes the events of each organization separately, with one writer at a time', async () => {
  const written: [string, number[]][] = [];
  let writing = 0;
  const batcher = openBatcher<number>({
    logger: loggerOf(keepLogged()),
    write: async (org, items) => {
      if (org === 'a') expect(++writing).toBe(1);
      await new Promise((done) => setTimeout(done, 5));
      if (org === 'a') writing--;
      written.push([org, items]);
    },
  });
  for (let index = 0; index < 50; index++) {
    batcher.add(index % 2 === 0 ? 'a' : 'b', index);
    if (index % 10 === 0) await new Promise((done) => setTimeout(done, 3));
  }

  await batcher.flush();

  const of = (org: string) => written.filter(([one]) => one === org).flatMap(([, items]) => items);
  expect(of('a')).toEqual(Array.from({ length: 25 }, (_, index) => index * 2));
  expect(of('b')).toEqual(Array.from({ length: 25 }, (_, index) => index * 2 + 1));
});

test('retries while the database is unavailable and loses nothing', async () => {
  let failures = 5;
  const written: number[] = [];
  const batcher = openBatcher<number>({
    logger: loggerOf(keepLogged()),
    pauseMs: 1,
    write: async (_org, items) => {
      if (failures-- > 0) throw Object.assign(new Error('gone'), { code: 'ECONNREFUSED' });
      written.push(...items);
    },
  });
  batcher.add('a', 1);
  batcher.add('a', 2);

  await expect.poll(() => written).toEqual([1, 2]);
});

test('gives up after other errors, logs the loss and continues', async () => {
  const kept = keepLogged();
  const written: number[] = [];
  const batcher = openBatcher<number>({
    logger: loggerOf(kept),
    pauseMs: 1,
    write: async (_org, items) => {
      if (items.includes(13)) throw new DomainError('conflict', 'never');
      written.push(...items);
    },
  });
  batcher.add('a', 13);
  await expect.poll(() => kept.logged).toEqual([{ message: 'events could not be recorded' }]);
  batcher.add('a', 14);
  await batcher.flush();

  expect(written).toEqual([14]);
});
