import { randomUUID } from 'node:crypto';
import { afterAll, expect, test } from 'vitest';
import { lockApp } from '#inventory/apps/facts.ts';
import { LATE_LOCKS, LOCK_ORDER } from '#kit/database/lock-order.ts';
import { transaction, within } from '#kit/database.ts';
import { takeTurnsIn } from '#kit/identity.ts';
import { openTestDatabase } from '../database.ts';
import { newOrganization } from '../event-log.ts';
import { comparedTransactions, takeViolations } from '../lock-recorder.ts';

// Every file on PostgreSQL fails if a transaction of the server violates the order (record-locks.ts). This one shows that a violation is
// found.
const { database, close } = await openTestDatabase();
afterAll(close);
const organization = within(database.db, await newOrganization(database));

test('reports a transaction that locks a table after a later one, with both statements and the place', async () => {
  await transaction(organization, async (tx) => {
    await lockApp(tx, randomUUID());
    await takeTurnsIn(tx);
  });

  expect(takeViolations()).toEqual([
    expect.stringMatching(
      /locks organization after app.*\nFirst: select .* from app .*\nThen: select from organization .*\nBy: .*takeTurnsIn/,
    ),
  ]);
});

test('accepts a transaction that keeps the order, and counts it', async () => {
  const before = comparedTransactions();
  await transaction(organization, async (tx) => {
    await takeTurnsIn(tx);
    await lockApp(tx, randomUUID());
    await takeTurnsIn(tx);
  });

  expect(takeViolations()).toEqual([]);
  expect(comparedTransactions()).toBe(before + 1);
});

test('has exceptions only for tables of the order, and from it', () => {
  const order = Object.keys(LOCK_ORDER);
  const places = LATE_LOCKS.map(({ locks, after }) => [order.indexOf(locks), order.indexOf(after)] as const);

  expect(places.filter(([locks, after]) => locks < 0 || locks >= after)).toEqual([]);
});
