// @module-tag engine
import { afterAll, expect, test } from 'vitest';
import { type RawBuilder, sql } from '#kit/sql.ts';
import { at, type DueWork, expectToSleepUntilDue, openDueTest } from '#test/due-times.ts';
import * as cursor from './queries/cursor.ts';

const { db, orgId, close } = await openDueTest();
afterAll(close);

const find = () => cursor.organizationsWithWork(db);
const untilDue = () => cursor.untilWork(db);
const set = (times: RawBuilder<unknown>) =>
  sql`update finding_cursor set read_to = 'infinity', ${times} where org_id = ${orgId}`.execute(db);

const works: DueWork[] = [
  {
    name: 'findings by the clock',
    ...{ find, untilDue },
    dueIn: (seconds) => set(sql`asked_at = null, checked_at = ${at(seconds - 600)}`),
    clear: () => set(sql`checked_at = 'infinity'`),
  },
];

test.each(works)('the loop sleeps until $name are due', expectToSleepUntilDue);

test('the nightly check looks at every organization that has a log', async () => {
  expect(await cursor.organizations(db)).toContain(orgId);
});
