// @module-tag engine
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { transaction, within } from '#kit/database.ts';
import { sql } from '#kit/sql.ts';
import { openTestDatabase, type TestDatabase } from '#test/database.ts';
import { fillRelation, insertInto, type Relation, rowsOf, withRelations } from './queries/relations.ts';
import * as relations from './relations.ts';
import { type Scope, stagedEntitlement } from './relations.ts';

/** A row of a relation as the driver returns it. */
type RowOf<R extends Relation> = { [K in keyof R['columns']]: ValueOf<R['columns'][K]> };

type ValueOf<T> = T extends `${infer S} not null` ? TypeOf<S> : TypeOf<T> | null;
type TypeOf<S> = S extends 'boolean'
  ? boolean
  : S extends 'integer' | 'bigint'
    ? number
    : S extends 'jsonb'
      ? Record<string, unknown>
      : S extends 'timestamptz'
        ? Date
        : string;

type Row = RowOf<typeof stagedEntitlement>;

const id = '00000000-0000-7000-8000-000000000001';
const ids: Scope = { orgId: randomUUID(), appId: randomUUID(), sessionId: randomUUID() };

let opened: TestDatabase;
beforeAll(async () => {
  opened = await openTestDatabase();
});
afterAll(() => opened.close());

test('holds the rows of its queries until the transaction ends', async () => {
  const { db } = opened.database;
  const { rows, scope } = await transaction(within(db, ids.orgId), (tx) =>
    withRelations(tx, ids, async (scope) => {
      const count = await fillRelation(
        tx,
        scope,
        stagedEntitlement,
        sql`select ${id}::uuid, 'b', 'Team', '', 2::bigint, null::bigint, true, null::boolean, 'low', null, true`,
      );
      expect(count).toBe(1);
      await insertInto(
        scope,
        stagedEntitlement,
        sql`select ${id}::uuid, 'B', 'Team', '', null::bigint, null::bigint, null::boolean, false, null, null, false`,
      ).execute(tx);
      const found =
        await sql<Row>`select * from ${rowsOf(scope, stagedEntitlement)} t order by external_id`.execute(tx);
      return { rows: found.rows, scope };
    }),
  );

  const same = {
    resource_type_id: id,
    name: 'Team',
    description: '',
    used_count: null,
    risk: null,
    owner_email: null,
  };
  expect(rows).toEqual([
    { ...same, external_id: 'B', max_count: null, is_paid: null, is_unlimited: false, pushed: false },
    { ...same, external_id: 'b', risk: 'low', max_count: 2, is_paid: true, is_unlimited: null, pushed: true },
  ] satisfies Row[]);
  // A temporary table is gone, and a permanent one is empty.
  const left = sql`select 1 as one from ${rowsOf(scope, stagedEntitlement)} t`.execute(db);
  expect(await left.then(({ rows: found }) => found.length, String)).toEqual(
    scope.run === undefined ? expect.stringContaining('does not exist') : 0,
  );
});

test('gives the columns their declared types', async () => {
  const { db } = opened.database;
  const [row] = await transaction(within(db, ids.orgId), (tx) =>
    withRelations(tx, ids, async (scope) => {
      await fillRelation(
        tx,
        scope,
        stagedEntitlement,
        sql`select ${id}::text, 'a', 'Team', '', 1, null, null, null, null, null, true`,
      );
      const { rows } = await sql`
        select pg_typeof(resource_type_id)::text as id, pg_typeof(max_count)::text as count,
          pg_typeof(is_paid)::text as is_paid
        from ${rowsOf(scope, stagedEntitlement)} t`.execute(tx);
      return rows;
    }),
  );

  expect(row).toEqual({ id: 'uuid', count: 'bigint', is_paid: 'boolean' });
});

test('the permanent relations of a cluster have the same columns', async () => {
  const { rows } = await sql<{ name: string; columns: string[] }>`
    select table_name as name, array_agg(column_name::text order by column_name) as columns
    from information_schema.columns
    where table_schema = 'staging' and column_name not in ('org_id', 'run_id')
    group by 1`.execute(opened.database.db);
  const staged = new Map(rows.map(({ name, columns }) => [name, columns]));
  for (const { name, columns } of Object.values<Relation>(relations))
    expect([name, staged.get(name)?.toSorted()]).toEqual([name, Object.keys(columns).sort()]);
});
