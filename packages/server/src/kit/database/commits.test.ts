// @module-tag engine
import { sql } from 'kysely';
import { afterAll, beforeAll, inject, onTestFinished, test, vi } from 'vitest';
import { openTestDatabase, type TestDatabase } from '#test/database.ts';
import { until } from '#test/until.ts';
import { watchCommits, watching } from './commits.ts';
import { openDatabase } from './open.ts';
import { transaction } from './transaction.ts';

const { engine } = inject('prepared');

let opened: TestDatabase;
beforeAll(async () => {
  watching.everyMs = 5;
  opened = await openTestDatabase();
  await opened.database.exec('create table written (n integer)');
});
afterAll(() => {
  watching.everyMs = 1000;
  return opened.close();
});

const write = (db = opened.database.db) => sql`insert into written values (1)`.execute(db);

/** Watches the database until the test ends. Returns how often it rang, and what it logged. */
async function watch() {
  const seen = { rings: 0, logged: [] as string[] };
  const log = (_: unknown, text?: string) => void seen.logged.push(text ?? String(_));
  const logger = { error: log, info: log } as unknown as Parameters<typeof watchCommits>[1];
  onTestFinished(watchCommits(opened.database.db, logger, () => void seen.rings++));
  await until('the first look', () => seen.rings > 0);
  return seen;
}

test('rings after a commit that no rule has signaled', async () => {
  const seen = await watch();
  const { rings } = seen;
  await write();
  await until('a ring', () => seen.rings > rings);
});

test('rings after the commit of a transaction', async () => {
  const seen = await watch();
  let rings = 0;
  await transaction(opened.database.db, async (tx) => {
    await write(tx);
    rings = seen.rings;
  });
  await until('a ring', () => seen.rings > rings);
});

test.skipIf(engine === 'pglite')('rings after a commit of another node', async () => {
  const seen = await watch();
  const other = await openDatabase(opened.options);
  onTestFinished(() => other.close());
  const { rings } = seen;
  await write(other.db);
  await until('a ring', () => seen.rings > rings);
});

test('rings after the clock of the machine was set, although nobody has committed', async () => {
  const seen = await watch();
  const { rings } = seen;
  const now = Date.now;
  const clock = vi.spyOn(Date, 'now').mockImplementation(() => now() + 3_600_000);
  onTestFinished(() => clock.mockRestore());
  await until('a ring', () => seen.rings > rings);
});
