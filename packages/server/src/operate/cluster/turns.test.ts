// @module-tag engine

import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { isStatementTimeout, type OrgDb, transaction, within } from '#kit/database.ts';
import { takeTurnsIn } from '#kit/identity.ts';
import { sql } from '#kit/sql.ts';
import { openTestDatabase } from '#test/database.ts';
import { addOrganizationAs } from '#test/organization.ts';

/** Whether an organization's turn is free. Ends a wait that would last as long as the test. */
async function isFree(org: OrgDb): Promise<boolean> {
  try {
    await transaction(org, async (tx) => {
      await sql`set local statement_timeout = '2s'`.execute(tx);
      await takeTurnsIn(tx);
    });
    return true;
  } catch (error) {
    if (isStatementTimeout(error)) return false;
    throw error;
  }
}

describe.runIf(inject('prepared').engine === 'citus')('the turns of an organization on a cluster', () => {
  test('exclude each other, but not those of another organization', async () => {
    const { database, close } = await openTestDatabase('organization');
    onTestFinished(close);
    await addOrganizationAs(database, { slug: 'other', name: 'Other', adminEmail: 'admin@other.example' });
    const { rows } = await sql<{ id: string }>`select id from organization order by id`.execute(database.db);
    const [first, second] = rows.map(({ id }) => within(database.db, id));
    if (first === undefined || second === undefined) throw new Error('There are not two organizations.');

    const free = await transaction(first, async (tx) => {
      await takeTurnsIn(tx);
      return { first: await isFree(first), second: await isFree(second) };
    });

    expect(free).toEqual({ first: false, second: true });
    expect(await isFree(first)).toBe(true);
  });
});
