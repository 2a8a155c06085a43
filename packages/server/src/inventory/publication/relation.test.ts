import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../../../test/database.ts';
import { fillRelation, insertInto, type RowOf, relation, rowsOf } from './relation.ts';

const sample = relation('sample', {
  id: 'uuid not null',
  key: 'text collate "C" not null',
  size: 'bigint',
  is_paid: 'boolean',
});

const scope = { orgId: 'o', appId: 'a', sessionId: 's' };

let opened: TestDatabase;
beforeAll(async () => {
  opened = await openTestDatabase();
});
afterAll(() => opened.close());

test('holds the rows of its queries until the transaction ends', async () => {
  const { db } = opened.database;
  const id = '00000000-0000-7000-8000-000000000001';
  const rows = await db.transaction().execute(async (tx) => {
    const count = await fillRelation(tx, scope, sample, sql`select ${id}::uuid, 'b', 2::bigint, true`);
    expect(count).toBe(1);
    await insertInto(scope, sample, sql`select ${id}::uuid, 'B', null::bigint, null::boolean`).execute(tx);
    return (await sql<RowOf<typeof sample>>`select * from ${rowsOf(scope, sample)} order by key`.execute(tx))
      .rows;
  });

  expect(rows).toEqual([
    { id, key: 'B', size: null, is_paid: null },
    { id, key: 'b', size: 2, is_paid: true },
  ] satisfies RowOf<typeof sample>[]);
  await expect(sql`select from ${rowsOf(scope, sample)}`.execute(db)).rejects.toThrow('does not exist');
});

test('gives the columns their declared types', async () => {
  const { db } = opened.database;
  const id = '00000000-0000-7000-8000-000000000001';
  const [row] = await db.transaction().execute(async (tx) => {
    await fillRelation(tx, scope, sample, sql`select ${id}::text, 'a', 1, null`);
    return (
      await sql`select pg_typeof(id)::text as id, pg_typeof(size)::text as size, pg_typeof(is_paid)::text as is_paid
        from ${rowsOf(scope, sample)}`.execute(tx)
    ).rows;
  });

  expect(row).toEqual({ id: 'uuid', size: 'bigint', is_paid: 'boolean' });
});
