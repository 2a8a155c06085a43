// @module-tag engine
import { randomUUID } from 'node:crypto';
import { afterAll, expect, test } from 'vitest';
import { type RawBuilder, sql } from '#kit/sql.ts';
import { at, openDueTest } from '#test/due-times.ts';
import { secondsUntilAssignment } from './assign.ts';
import * as fulfillment from './queries/assignments.ts';

const { db, orgId, appId, insertTask, close } = await openDueTest();
afterAll(close);

const HOUR = 3600;
const DAY = 24 * HOUR;

const insertSetting = () =>
  sql`
    insert into fulfillment_setting (org_id, app_id, enabled, assignment, instructions, due_in_working_days,
      escalate_after_working_days, remind_before_working_days, updated_at)
    values (${orgId}, ${appId}, true, 'owner', '{}', '{}', 1, 1, now())`.execute(db);

const grace = randomUUID();
const assign = async (assignee: string | null, checked: RawBuilder<unknown>, due = at(30 * DAY)) => {
  await sql`delete from fulfillment_assignment`.execute(db);
  await sql`
    insert into fulfillment_assignment (org_id, task_id, app_id, assignee_id, assigned_at, due_at, checked_at)
    select org_id, id, app_id, ${assignee}, ${at(-DAY)}, ${due}, ${checked} from task`.execute(db);
};
const NEVER = sql`'-infinity'`;

const beAway = async (from: number, to: number) => {
  await sql`delete from absence`.execute(db);
  await sql`
    insert into absence (org_id, user_id, deputy_id, starts_at, ends_at, created_by)
    values (${orgId}, ${grace}, ${randomUUID()}, ${at(from)}, ${at(to)}, ${grace})`.execute(db);
};

/** Expects the loop to look in so many seconds, however often it is asked. */
const expectLookIn = async (seconds: number) => {
  const until = (await fulfillment.untilReassignment(db)) ?? Number.POSITIVE_INFINITY;
  expect(until).toBeGreaterThan(seconds - 2);
  expect(until).toBeLessThanOrEqual(seconds);
};

test('the loop for manual fulfillment looks at the times at which tasks may change hands', async () => {
  await insertSetting();
  expect(await fulfillment.organizationsThatFulfill(db)).toEqual([]);
  expect(await secondsUntilAssignment(db)).toBe(null);

  await insertTask('pending', 0);
  expect(await fulfillment.organizationsThatFulfill(db)).toEqual([{ org_id: orgId }]);
  expect(await secondsUntilAssignment(db)).toBe(0);
  expect(await fulfillment.untilReassignment(db)).toBeLessThanOrEqual(0);

  await assign(grace, NEVER);
  expect(await fulfillment.untilReassignment(db)).toBeGreaterThan(DAY);
  await beAway(20, HOUR);
  await expectLookIn(20);
  await beAway(-10, HOUR);
  expect(await fulfillment.untilReassignment(db)).toBeLessThanOrEqual(0);
});

test('a task that nobody else could take is checked a minute after the last check', async () => {
  // The absence of the assignee, or of others, ends without an event.
  for (const [from, to] of [
    [-HOUR, HOUR],
    [-HOUR, -1],
  ] as const) {
    await beAway(from, to);
    await assign(grace, at(-20));
    await expectLookIn(40);
  }
  await assign(null, at(-50));
  await expectLookIn(10);
  await assign(null, at(-100));
  await expectLookIn(-40);
});

test('a check that is over wakes the loop no more if the assignee can keep the task', async () => {
  await beAway(-HOUR, -1);
  await assign(grace, at(-61));
  await expectLookIn(-1);
  await assign(grace, at(-70));
  expect(await fulfillment.untilReassignment(db)).toBeGreaterThan(DAY);
});

test('an escalation that becomes due within a minute of a check waits for the next one', async () => {
  await assign(grace, at(-20), at(-30 * DAY));
  await expectLookIn(40);
  await assign(grace, at(-HOUR), at(-30 * DAY));
  expect(await fulfillment.untilReassignment(db)).toBeLessThanOrEqual(0);
});
