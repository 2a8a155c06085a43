// @module-tag engine

import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { setHistoryDays } from '#directory/access/organization-state.ts';
import { transaction } from '#kit/database.ts';
import { sql } from '#kit/sql.ts';
import { deleteOrganization } from '#operate/organizations/delete.ts';
import { newOrganization, openTestLog, type TestLog } from '#test/event-log.ts';
import { membershipPeriods } from './facts.ts';
import { pastPartitions } from './queries/retention.ts';
import { maintainHistory } from './retention.ts';

let log: TestLog;
let db: TestLog['database']['db'];
let org: string;
beforeEach(async () => {
  log = await openTestLog();
  db = log.database.db;
  org = log.orgId;
});
afterEach(() => log.close());

const TABLES = [
  'account_period',
  'membership_period',
  'entitlement_period',
  'account_link_period',
  'person_period',
];
const monthOf = (table: string, date: Date) => `${table}_${date.toISOString().slice(0, 7).replace('-', '_')}`;
const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000);

/** Adds the month of 100 days ago as the first partition, as if the service had run since then. */
async function addEarlierPartitions(table: string): Promise<string> {
  const [first] = await partitions(table);
  const earlier = monthOf(table, daysAgo(100));
  const now = new Date();
  const firstOf = (month: number) =>
    sql.lit(new Date(Date.UTC(now.getUTCFullYear(), month, 1)).toISOString());
  const [start, end] = [firstOf(now.getUTCMonth()), firstOf(now.getUTCMonth() + 1)];
  await sql`alter table ${sql.table(table)} detach partition ${sql.table(first ?? '')}`.execute(db);
  await sql`create table ${sql.table(earlier)} partition of ${sql.table(table)} for values from (minvalue) to (${start})`.execute(
    db,
  );
  await sql`alter table ${sql.table(table)} attach partition ${sql.table(first ?? '')} for values from (${start}) to (${end})`.execute(
    db,
  );
  return earlier;
}

async function partitions(table: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select inhrelid::regclass::text as name from pg_inherits where inhparent = ${table}::regclass order by 1`.execute(
    db,
  );
  return rows.map(({ name }) => name);
}

/** Inserts a membership that ended `days` ago. */
async function endThen(days: number, orgId = org): Promise<void> {
  const at = daysAgo(days);
  await sql`
    insert into membership_period (org_id, account_id, entitlement_id, app_id, since, seen_until, gone_by, known_from,
      ended_at, ended_by)
    values (${orgId}, ${randomUUID()}, ${randomUUID()}, ${randomUUID()}, ${at}, ${at}, ${at}, ${at}, ${at}, ${randomUUID()})`.execute(
    db,
  );
}

async function countOf(orgId = org): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from ${membershipPeriods({ orgId })} p`.execute(db);
  return rows[0]?.n ?? 0;
}

test('keeps all periods by default', async () => {
  await endThen(4000);

  await maintainHistory(db);

  expect(await countOf()).toBe(1);
});

test('deletes the periods that ended before the retention of their organization', async () => {
  const other = await newOrganization(log.database);
  for (const days of [10, 80, 100]) {
    await endThen(days);
    await endThen(days, other);
  }
  await setHistoryDays(db, org, 90);

  await maintainHistory(db);

  expect(await countOf()).toBe(2);
  expect(await countOf(other)).toBe(3);
});

test('creates the partitions of the coming months and drops past ones that are empty', async () => {
  const earlier = await Promise.all(TABLES.map(addEarlierPartitions));
  const last = await Promise.all(TABLES.map(async (table) => (await partitions(table)).at(-1) ?? ''));
  for (const name of last) await sql`drop table ${sql.table(name)}`.execute(db);
  await endThen(100);

  await maintainHistory(db);

  const names = (await Promise.all(TABLES.map(partitions))).flat();
  expect(names).toEqual(expect.arrayContaining(last));
  expect(names.filter((name) => earlier.includes(name))).toEqual([
    monthOf('membership_period', daysAgo(100)),
  ]);
  await setHistoryDays(db, org, 90);
  await maintainHistory(db);
  expect(await partitions('membership_period')).not.toContain(monthOf('membership_period', daysAgo(100)));
});

test('deleting an organization deletes its history and no row of another', async () => {
  const other = await newOrganization(log.database);
  await addEarlierPartitions('membership_period');
  // Rows of both organizations have the same places in their partitions.
  for (const days of [100, 101, 102]) await endThen(days);
  for (const _ of [1, 2, 3]) await endThen(0, other);

  await deleteOrganization(db, org);

  expect(await countOf()).toBe(0);
  expect(await countOf(other)).toBe(3);
});

// PGlite has one connection: nothing can read during the maintenance.
test.skipIf(inject('prepared').engine === 'pglite')('does not disturb a report that is running', async () => {
  await addEarlierPartitions('membership_period');
  await endThen(100);
  // In the partition of this month, also on its first days.
  await endThen(0);
  await setHistoryDays(db, org, 90);

  const counts = await db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (tx) => {
      const read = async () =>
        (
          await sql<{ n: number }>`select count(*) as n from ${membershipPeriods({ orgId: org })} p`.execute(
            tx,
          )
        ).rows[0]?.n;
      const before = await read();
      await maintainHistory(db);
      return [before, await read()];
    });

  expect(counts).toEqual([2, 2]);
  expect(await countOf()).toBe(1);
  await maintainHistory(db);
  expect(await partitions('membership_period')).not.toContain(monthOf('membership_period', daysAgo(100)));
});

test('finds the past partitions even if the plan looks at the names of all tables', async () => {
  const earlier = await addEarlierPartitions('account_period');
  await transaction(db, async (tx) => {
    await sql`set local enable_nestloop = off`.execute(tx);
    expect(await pastPartitions(tx, 'account_period')).toEqual([earlier]);
  });
});
