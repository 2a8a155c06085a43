import { randomUUID } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { openTestDatabase, type TestDatabase } from '#test/database.ts';
import type { Database } from './database.ts';
import { checkForeignKeys, writeMany } from './foreign-keys.ts';
import { openDatabase } from './open.ts';
import { within } from './organization.ts';
import { transaction } from './transaction.ts';

interface Kept {
  statement: string;
  generic_plans: number;
  custom_plans: number;
}

describe.runIf(inject('prepared').engine === 'postgres')('a connection', () => {
  let own: TestDatabase;
  let database: Database;

  beforeAll(async () => {
    own = await openTestDatabase();
    database = await openDatabase({ ...own.options, keepPlans: false, poolSize: 1 });
  });

  afterAll(async () => {
    await database.close();
    await own.close();
  });

  /** Returns the kept statements with this word. Without values, this one is none of them. */
  async function kept(word: string): Promise<Kept[]> {
    const { rows } = await sql<Kept>`
      select statement, generic_plans, custom_plans from pg_prepared_statements`.execute(database.db);
    return rows.filter(({ statement }) => statement.includes(word));
  }

  test('keeps a statement that runs often, and plans it each time', async () => {
    const run = () => sql<{ n: number }>`select ${1}::int as n, 'often' as word`.execute(database.db);
    await run();
    expect(await kept('often')).toEqual([]);
    for (let i = 0; i < 10; i += 1) await run();
    expect(await kept('often')).toEqual([expect.objectContaining({ generic_plans: 0, custom_plans: 8 })]);
    expect((await run()).rows).toEqual([{ n: 1, word: 'often' }]);
  });

  test('plans only the checks of many rows once', async () => {
    const modes = await transaction(database.db, async (tx) => {
      const org = within(tx, randomUUID());
      const write = async (end: RawBuilder<unknown>) => {
        const { rows } = await sql<{ mode: string }>`
          select current_setting('plan_cache_mode') as mode, ${1}::int as many ${end}`.execute(tx);
        return rows[0]?.mode;
      };
      const found: (string | undefined)[] = [];
      for (let i = 0; i < 10; i += 1) found.push(await writeMany(org, 1000, write));
      await checkForeignKeys(org, 1000);
      return [...found, await writeMany(org, 1, write)];
    });
    expect(modes).toEqual([...Array(10).fill('auto'), 'force_custom_plan']);
    expect(await kept('as many')).toEqual([]);
  });

  test('uses a kept statement after it has failed', async () => {
    const divide = (by: number) => sql<{ n: number }>`select 6 / ${by}::int as n`.execute(database.db);
    for (let i = 0; i < 5; i += 1) await divide(2);
    await expect(divide(0)).rejects.toThrow('division by zero');
    expect((await divide(3)).rows).toEqual([{ n: 2 }]);
  });

  test('keeps 200 statements', async () => {
    for (let i = 0; i < 210; i += 1)
      for (let run = 0; run < 4; run += 1)
        await sql`select ${sql.raw(`'many ${i}'`)}, ${1}::int`.execute(database.db);
    expect(await kept('$1')).toHaveLength(200);
  });
});
