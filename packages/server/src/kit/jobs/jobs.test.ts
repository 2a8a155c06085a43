// @module-tag engine
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { openTestDatabase } from '#test/database.ts';
import { transaction } from '../database/transaction.ts';
import { createLogger } from '../logger.ts';
import { type Attempt, openJobs } from './jobs.ts';
import { hasSenderFinished, lockAsSender } from './queries/jobs.ts';

interface Data {
  name: string;
  failures?: number;
  orgId?: string;
}

const { database, close } = await openTestDatabase();
const { db } = database;
const jobs = openJobs(database, createLogger('silent'));
/** The runs so far: the name of the job and the attempt. */
const runs: [string, Attempt][] = [];
/** How many more runs find the database unavailable. */
let outages = 0;
/** The promise for which the job named `holds the worker` waits. */
let held = Promise.resolve();
const of = (name: string) => runs.filter(([run]) => run === name).map(([, attempt]) => attempt);

beforeAll(async () => {
  jobs.define<Data>({
    name: 'test.run',
    attempts: 3,
    work: async ({ name, failures = 0 }, attempt) => {
      runs.push([name, attempt]);
      if (name === 'holds the worker') await held;
      if (outages-- > 0) throw Object.assign(new Error('gone'), { code: '08006' });
      if (attempt.number <= failures) throw new Error('not yet');
    },
  });
  jobs.define({
    name: 'test.cron',
    attempts: 1,
    cron: '* * * * *',
    work: async () => {},
  });
  await jobs.start();
});
afterAll(async () => {
  await jobs.stop();
  await close();
});

const send = (name: string, more: { failures?: number; key?: string; after?: Date; orgId?: string } = {}) => {
  const { failures = 0, key = name, after, ...rest } = more;
  const options = after === undefined ? { key } : { key, after };
  return transaction(db, (tx) => jobs.send(tx, 'test.run', { name, failures, ...rest }, options));
};
const ran = (name: string, times: number) =>
  expect.poll(() => of(name), { timeout: 20_000 }).toHaveLength(times);

test('runs a job once', async () => {
  await send('once');
  await ran('once', 1);

  expect(of('once')).toEqual([{ number: 1, last: false }]);
});

test('repeats a job without using up an attempt while the database is unavailable', async () => {
  outages = 2;
  await send('through an outage');
  await ran('through an outage', 3);

  expect(of('through an outage')).toEqual([
    { number: 1, last: false },
    { number: 1, last: false },
    { number: 1, last: false },
  ]);
});

test('does not run a job whose transaction was rolled back', async () => {
  const failing = transaction(db, async (tx) => {
    await jobs.send(tx, 'test.run', { name: 'rolled back' }, { key: 'rolled back' });
    throw new Error('no');
  });
  await expect(failing).rejects.toThrow('no');

  await send('sent later');
  await ran('sent later', 1);
  expect(of('rolled back')).toEqual([]);
});

test('keeps one waiting job per key', async () => {
  const after = new Date(Date.now() + 3_600_000);
  for (let i = 0; i < 5; i++) await send('keyed', { after });

  await sql`update pgboss.job set start_after = now() where singleton_key = 'keyed'`.execute(db);
  await ran('keyed', 1);

  await send('after all of them');
  await ran('after all of them', 1);
  expect(of('keyed')).toHaveLength(1);
});

test('retries a failed job and marks the last attempt', async () => {
  await send('fails twice', { failures: 2 });
  await ran('fails twice', 3);

  expect(of('fails twice')).toEqual([
    { number: 1, last: false },
    { number: 2, last: false },
    { number: 3, last: true },
  ]);
});

test('takes turns between organizations, in the order of the jobs of each', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  held = promise;
  await send('holds the worker');
  await ran('holds the worker', 1);
  for (const name of ['a1', 'a2', 'a3']) await send(name, { orgId: 'a' });
  for (const name of ['b1', 'b2']) await send(name, { orgId: 'b' });

  resolve();
  await ran('a3', 1);

  const order = runs.map(([name]) => name).filter((name) => /^[ab]\d$/.test(name));
  expect(order).toEqual(['a1', 'b1', 'a2', 'b2', 'a3']);
});

// PGlite has one connection, which the transaction holds.
test.skipIf(inject('prepared').engine === 'pglite')(
  'knows whether the transaction that sent a job has ended',
  async () => {
    const hasEnded = () => hasSenderFinished(db, 'test.run', 'sent');
    await transaction(db, async (tx) => {
      await lockAsSender(tx, 'test.run', 'sent');
      expect(await hasEnded()).toBe(false);
      expect(await hasSenderFinished(db, 'test.run', 'another key')).toBe(true);
    });

    expect(await hasEnded()).toBe(true);
  },
);
