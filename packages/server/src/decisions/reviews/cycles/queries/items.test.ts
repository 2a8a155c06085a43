import { afterAll, beforeAll, expect, test } from 'vitest';
import { type OrgTx, transaction, within } from '#kit/database.ts';
import { many, run } from '#kit/sql.ts';
import { openReviewsTest, type ReviewsTest } from '#test/reviews.ts';
import { listItems } from './items.ts';
import { undecidedItems } from './notices.ts';

const ACCOUNTS = 100;
const LISTED = 5;

let service: ReviewsTest;
let cycleId: string;
beforeAll(async () => {
  service = await openReviewsTest(
    Array.from({ length: ACCOUNTS }, (_, n) => ({
      id: `n${n}`,
      email: `n${n}@plan.example`,
      memberships: { team: [{ id: 'blue' }] },
    })),
  );
  cycleId = (await service.start({ scope: { apps: [service.appId] } })).external_uuid;
});
afterAll(() => service.close());

/** The rows that this connection has read of each table. Those of earlier transactions count until it reports them. */
async function rowsRead(tx: OrgTx): Promise<Map<string, number>> {
  const tables = await many<{ name: string; rows: number }>(tx)`
      select relname as name, (coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0))::integer as rows from pg_stat_xact_user_tables
      where relname in ('account', 'account_detail', 'entitlement', 'membership')`;
  return new Map(tables.map(({ name, rows }) => [name, rows]));
}

test.each([
  ['nothing', ''],
  ['all', 'analyze account, account_detail, entitlement, membership'],
])('reads the records of the listed items only, if the planner knows %s', async (_, analyze) => {
  await service.database.exec(analyze);
  const read = await transaction(within(service.database.db, service.orgId), async (tx) => {
    // Each join reads a whole table, unless it cannot. Nothing else does: it may be faster for the few rows of a test.
    await run(tx)`set local enable_nestloop = off`;
    await run(tx)`set local enable_seqscan = off`;
    const before = await rowsRead(tx);
    const { results } = await listItems(tx, cycleId, { order: 'account' }, { limit: LISTED, offset: 0 });
    expect(results).toHaveLength(LISTED);
    return [...(await rowsRead(tx))].map(([name, rows]) => ({ name, rows: rows - (before.get(name) ?? 0) }));
  });
  expect(read.find(({ name }) => name === 'account')?.rows).toBeGreaterThanOrEqual(LISTED);
  expect(read.filter(({ rows }) => rows >= ACCOUNTS / 2)).toEqual([]);
});

test('counts the undecided items of an open cycle', async () => {
  const [cycle, ...others] = await undecidedItems(within(service.database.db, service.orgId), [cycleId]);
  expect(others).toEqual([]);
  expect(cycle?.items).toBeGreaterThanOrEqual(ACCOUNTS);
});
