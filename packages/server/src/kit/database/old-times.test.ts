// @module-tag engine
import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import { openTestDatabase } from '#test/database.ts';

const { database, close } = await openTestDatabase();
afterAll(close);

test.each([
  '0001-01-01T00:00:00.000Z',
  '0049-12-31T23:59:59.999Z',
  '0099-06-15T12:00:00.000Z',
  '1969-07-20T20:17:40.123Z',
  '2026-10-25T00:59:00.000Z',
  '9999-12-31T23:59:59.000Z',
])('%s is read as it was written', async (at) => {
  const { rows } = await sql<{ at: Date }>`select ${at}::timestamptz as at`.execute(database.db);
  expect(rows[0]?.at.toISOString()).toBe(at);
});

test('a session that stalls in a transaction ends after a minute', async () => {
  if (database.engine === 'pglite') return;
  const { rows } = await sql<{ limit: string }>`
    select current_setting('idle_in_transaction_session_timeout') as "limit"`.execute(database.db);
  expect(rows[0]?.limit).toBe('1min');
});
