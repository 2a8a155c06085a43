// @module-tag engine
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type TestApp } from '../../../test/app.ts';
import { at } from '../../../test/due-times.ts';
import { organizationOf } from '../../../test/people.ts';
import type { Db } from '../../kit/database/open.ts';
import { secondsUntilAssignment } from './assign.ts';
import * as fulfillment from './queries/assignments.ts';

// The statements look at all organizations, so the database is this file's own.
let service: TestApp;
let db: Db;
let orgId: string;
let appId: string;
let accountId: string;

beforeAll(async () => {
  service = await openTestApp({ own: true });
  db = service.database.db;
  ({ orgId } = await organizationOf(service));
  appId = (await service.call('POST', '/api/v1/bridge/apps/', { name: 'Payroll' })).body.id;
  const { rows } = await sql<{ id: string }>`
    insert into account (org_id, app_id, resource_type_id, external_id, status)
    values (${orgId}, ${appId}, ${randomUUID()}, 'a', 'ACTIVE') returning id`.execute(db);
  accountId = rows[0]?.id as string;
});
afterAll(() => service.close());

const HOUR = 3600;

const insertTask = (status: string, seconds: number) =>
  sql`
    insert into task (org_id, app_id, account_id, action, status, execute_after, task_type)
    values (${orgId}, ${appId}, ${accountId}, 'reset_password', ${status}, ${at(seconds)}, 'POLICY')`.execute(
    db,
  );

test('the loop for manual fulfillment looks every minute while people have tasks, and as an absence begins', async () => {
  await sql`
    insert into fulfillment_setting (org_id, app_id, enabled, assignment, instructions, due_in_working_days,
      remind_before_working_days, updated_at)
    values (${orgId}, ${appId}, true, 'owner', '{}', '{}', 1, now())`.execute(db);
  expect(await fulfillment.organizationsThatFulfill(db)).toEqual([]);
  expect(await secondsUntilAssignment(db)).toBe(null);

  await insertTask('pending', 0);
  expect(await fulfillment.organizationsThatFulfill(db)).toEqual([{ org_id: orgId }]);
  expect(await secondsUntilAssignment(db)).toBe(0);

  const checkedAgo = (seconds: number) =>
    sql`
    insert into fulfillment_assignment (org_id, task_id, app_id, assigned_at, due_at, checked_at)
    select ${orgId}, id, ${appId}, clock_now(), ${at(HOUR)}, ${at(-seconds)} from task where org_id = ${orgId}
    on conflict (org_id, task_id) do update set checked_at = excluded.checked_at`.execute(db);
  await checkedAgo(40);
  expect(await secondsUntilAssignment(db)).toBeLessThanOrEqual(20);
  await checkedAgo(60);
  expect(await secondsUntilAssignment(db)).toBe(0);
  await checkedAgo(0);
  expect(await secondsUntilAssignment(db)).toBeGreaterThan(50);

  await sql`
    insert into absence (org_id, user_id, deputy_id, starts_at, ends_at, created_by)
    values (${orgId}, ${randomUUID()}, ${randomUUID()}, ${at(20)}, ${at(HOUR)}, ${randomUUID()})`.execute(db);
  expect(await secondsUntilAssignment(db)).toBeLessThan(21);
});
