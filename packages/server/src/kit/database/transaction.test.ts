// @module-tag engine
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { openTestDatabase } from '#test/database.ts';
import { DomainError } from '../errors.ts';
import { analyze } from './analyze.ts';
import { domainErrorOf, isDataError, isDuplicate, isMissingReference } from './sqlstate.ts';
import { transaction } from './transaction.ts';

const { database, close } = await openTestDatabase();
const { db } = database;
beforeAll(() =>
  database.exec('create table box (id integer primary key, n integer not null references box (id))'),
);
beforeEach(() => database.exec('delete from box'));
afterAll(close);

const ids = async () =>
  (await sql<{ id: number }>`select id from box order by id`.execute(db)).rows.map(({ id }) => id);
const put = (tx: typeof db, id: number) => sql`insert into box (id, n) values (${id}, ${id})`.execute(tx);

test('rolls back all statements after an error', async () => {
  await transaction(db, (tx) => put(tx, 1));
  const failing = transaction(db, async (tx) => {
    await put(tx, 2);
    throw new Error('no');
  });

  await expect(failing).rejects.toThrow('no');
  expect(await ids()).toEqual([1]);
});

test('becomes part of a transaction that has begun', async () => {
  const failing = transaction(db, async (tx) => {
    await transaction(tx, (inner) => put(inner, 4));
    throw new Error('no');
  });

  await expect(failing).rejects.toThrow('no');
  expect(await ids()).toEqual([]);
});

test('isolates a query from an open transaction', async () => {
  await put(db, 1);
  let beside: Promise<number[]> | undefined;
  await transaction(db, async (tx) => {
    await put(tx, 3);
    beside = ids();
    // Between these statements, the query would run inside the transaction if it could.
    for (let turn = 0; turn < 10; turn++) await sql`select from box`.execute(tx);
    await sql`delete from box where id = 3`.execute(tx);
  });

  expect(await beside).toEqual([1]);
});

test('isolates many concurrent transactions from each other', async () => {
  await Promise.all(Array.from({ length: 30 }, (_, i) => transaction(db, (tx) => put(tx, 100 + i))));

  expect((await ids()).filter((id) => id >= 100)).toHaveLength(30);
});

test.runIf(inject('prepared').engine === 'postgres')('one that a deadlock ended runs again', async () => {
  await put(db, 10);
  await put(db, 11);
  let runs = 0;
  const both = Promise.withResolvers<void>();
  const touch = (first: number, second: number) =>
    transaction(db, async (tx) => {
      await sql`update box set n = id where id = ${first}`.execute(tx);
      runs += 1;
      // Both hold their first row before one asks for its second.
      if (runs === 2) both.resolve();
      await both.promise;
      await sql`update box set n = id where id = ${second}`.execute(tx);
    });

  await Promise.all([touch(10, 11), touch(11, 10)]);

  expect(runs).toBeGreaterThan(2);
});

describe('database errors', () => {
  const errorOf = (statement: string) =>
    database.exec(statement).then(
      () => undefined,
      (error: unknown) => error,
    );

  test('recognizes duplicates and missing references', async () => {
    await put(db, 1);
    expect(isDuplicate(await errorOf('insert into box values (1, 1)'))).toBe(true);
    expect(isMissingReference(await errorOf('insert into box values (50, 51)'))).toBe(true);
    expect(isDuplicate(new Error('something else'))).toBe(false);
  });

  test.each([
    [`select '{"a": "\\u0000"}'::jsonb ->> 'a'`, 'invalid'],
    [`select '2026-02-30'::timestamptz`, 'invalid'],
    [`select '99999999-01-01'::timestamptz`, 'invalid'],
  ])('maps %s to %s', async (statement, code) => {
    expect(domainErrorOf(await errorOf(statement))).toMatchObject({ code });
  });

  test('returns no domain error for other faults', async () => {
    expect(domainErrorOf(await errorOf('select 1/0'))).toBeUndefined();
    expect(domainErrorOf(await errorOf('select nothing'))).toBeUndefined();
    expect(domainErrorOf(new Error('x'))).toBeUndefined();
  });

  test('maps a lost connection to unavailable', () => {
    const error = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });

    expect(domainErrorOf(error)).toBeInstanceOf(DomainError);
    expect(domainErrorOf(error)).toMatchObject({ code: 'unavailable' });
  });

  test.each([
    'failure on connection marked as essential: 10.0.0.2:5432',
    "failed to prepare transaction 'citus_0_1_2_0' on host 10.0.0.2:5432",
  ])('maps a worker that a transaction on a cluster has lost to unavailable: %s', (message) => {
    const error = Object.assign(new Error(message), { code: 'XX000' });

    expect(domainErrorOf(error)).toMatchObject({ code: 'unavailable' });
    expect(isDataError(error)).toBe(false);
  });
});

test('analyze collects statistics for the planner', async () => {
  await put(db, 1);
  await analyze(db);

  const { rows } = await sql<{
    n: number;
  }>`select reltuples::integer as n from pg_class where relname = 'box'`.execute(db);
  expect(rows[0]?.n).toBe((await ids()).length);
});
