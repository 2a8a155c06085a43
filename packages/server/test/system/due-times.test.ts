// @module-tag engine
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as policies from '../../src/decisions/policies/facts.ts';
import * as cursor from '../../src/insight/notifications/queries/cursor.ts';
import * as outbox from '../../src/insight/notifications/queries/outbox.ts';
import type { Db } from '../../src/kit/database/open.ts';
import * as webhooks from '../../src/log/webhooks/queries/delivering.ts';
import * as connectors from '../../src/work/connectors/queries/running.ts';
import * as fulfillment from '../../src/work/fulfillment/queries/assignments.ts';
import * as provisioning from '../../src/work/provisioning/queries/find.ts';
import { openTestApp, type TestApp } from '../app.ts';
import { organizationOf } from '../people.ts';

// A loop sleeps until the time that its second function returns. Where the two disagree, work would begin minutes late.

let service: TestApp;
let db: Db;
let orgId: string;
let appId: string;
let accountId: string;
const webhookId = randomUUID();
const HOUR = 3600;

beforeAll(async () => {
  service = await openTestApp({ own: true });
  db = service.database.db;
  ({ orgId } = await organizationOf(service));
  appId = (await service.call('POST', '/api/v1/bridge/apps/', { name: 'Payroll' })).body.id;
  await service.app.tick();
  const { rows } = await sql<{ id: string }>`
    insert into account (org_id, app_id, resource_type_id, external_id, status)
    values (${orgId}, ${appId}, ${randomUUID()}, 'a', 'ACTIVE') returning id`.execute(db);
  accountId = rows[0]?.id as string;
  await sql`
    insert into webhook (org_id, id, name, url, filters, position, sealed_secret)
    values (${orgId}, ${webhookId}, 'Audit', 'https://audit.example/', '{}', clock_timestamp(), 'sealed')`.execute(
    db,
  );
  await sql`
    insert into connector (org_id, app_id, type, settings, acts_for, next_tasks_at)
    values (${orgId}, ${appId}, 'csv', '{}', ${randomUUID()}, '-infinity')`.execute(db);
});
afterAll(() => service.close());

const at = (seconds: number) => sql`(clock_timestamp() + make_interval(secs => ${seconds}))`;

const insertTask = (status: string, seconds: number) =>
  sql`
    insert into task (org_id, app_id, account_id, action, status, execute_after, task_type)
    values (${orgId}, ${appId}, ${accountId}, 'reset_password', ${status}, ${at(seconds)}, 'POLICY')`.execute(
    db,
  );
const deleteTasks = () => sql`delete from task where org_id = ${orgId}`.execute(db);

interface Loop {
  name: string;
  find(): Promise<readonly unknown[]>;
  until(): Promise<number | null>;
  /** Makes work due in so many seconds. */
  dueIn(seconds: number): Promise<unknown>;
  /** Takes it away. */
  clear(): Promise<unknown>;
}

const loops: Loop[] = [
  {
    name: 'scheduled tasks',
    find: () => provisioning.organizationsWithDueTasks(db),
    until: () => provisioning.untilDueTask(db),
    dueIn: (seconds) => insertTask('scheduled', seconds),
    clear: deleteTasks,
  },
  {
    name: 'attempts of webhooks',
    find: () => webhooks.dueWebhooks(db, { each: 8, limit: 8 }),
    until: () => webhooks.untilDueWebhook(db),
    dueIn: (seconds) =>
      sql`
        update webhook set position = '-infinity', attempts = 1, first_failed_at = clock_timestamp(),
          failure_told_at = clock_timestamp(), next_attempt_at = ${at(seconds)}
        where org_id = ${orgId}`.execute(db),
    clear: () => sql`update webhook set position = 'infinity' where org_id = ${orgId}`.execute(db),
  },
  {
    name: 'claims of webhooks',
    find: () => webhooks.dueWebhooks(db, { each: 8, limit: 8 }),
    until: () => webhooks.untilDueWebhook(db),
    dueIn: (seconds) =>
      sql`
        update webhook set position = '-infinity', attempts = 0, first_failed_at = null, failure_told_at = null,
          next_attempt_at = null, claimed_until = ${at(seconds)}
        where org_id = ${orgId}`.execute(db),
    clear: () => sql`update webhook set position = 'infinity' where org_id = ${orgId}`.execute(db),
  },
  {
    name: 'webhooks that fail for a while',
    find: () => webhooks.untoldFailures(db, 8),
    until: () => webhooks.untilUntoldFailure(db),
    dueIn: (seconds) =>
      sql`
        update webhook set attempts = 1, failure_told_at = null, next_attempt_at = 'infinity',
          first_failed_at = ${at(seconds - 900)}
        where org_id = ${orgId}`.execute(db),
    clear: () =>
      sql`update webhook set failure_told_at = clock_timestamp() where org_id = ${orgId}`.execute(db),
  },
  {
    name: 'deliveries of notifications',
    find: () => outbox.organizationsToSend(db, ['email']),
    until: () => outbox.untilDueMessage(db, ['email']),
    dueIn: (seconds) =>
      sql`
        insert into notification_delivery (org_id, notification_id, medium, kind, state, due_at)
        values (${orgId}, ${randomUUID()}, 'email', 'digest', 'waiting', ${at(seconds)})`.execute(db),
    clear: () => sql`delete from notification_delivery where org_id = ${orgId}`.execute(db),
  },
  {
    name: 'leases of messages',
    find: () => outbox.organizationsToSend(db, ['email']),
    until: () => outbox.untilDueMessage(db, ['email']),
    dueIn: (seconds) =>
      sql`
        insert into notification_message (org_id, medium, leased_until)
        values (${orgId}, 'email', ${at(seconds)})`.execute(db),
    clear: () => sql`delete from notification_message where org_id = ${orgId}`.execute(db),
  },
  {
    name: 'scans for notifications',
    find: () => cursor.organizationsToRead(db),
    until: () => cursor.untilScan(db),
    dueIn: (seconds) =>
      sql`
        update notification_cursor set read_to = 'infinity', scan_asked_at = null, scanned_at = ${at(seconds - 600)}
        where org_id = ${orgId}`.execute(db),
    clear: () =>
      sql`update notification_cursor set scanned_at = 'infinity' where org_id = ${orgId}`.execute(db),
  },
  {
    name: 'requested scans for notifications',
    find: () => cursor.organizationsToRead(db),
    until: () => cursor.untilScan(db),
    dueIn: (seconds) =>
      sql`
        update notification_cursor set read_to = 'infinity', scan_asked_at = clock_timestamp(), scanned_at = ${at(seconds - 60)}
        where org_id = ${orgId}`.execute(db),
    clear: () =>
      sql`update notification_cursor set scanned_at = 'infinity' where org_id = ${orgId}`.execute(db),
  },
  {
    name: 'schedules of connectors',
    find: () => connectors.dueSyncs(db),
    until: () => connectors.untilDueRun(db, true),
    dueIn: (seconds) =>
      sql`update connector set next_sync_at = ${at(seconds)} where org_id = ${orgId}`.execute(db),
    clear: () => sql`update connector set next_sync_at = null where org_id = ${orgId}`.execute(db),
  },
  {
    name: 'tasks of connectors',
    find: () => connectors.dueTasks(db),
    until: () => connectors.untilDueRun(db, true),
    dueIn: async (seconds) => {
      await deleteTasks();
      await insertTask('pending', 0);
      await sql`
        update connector set carries_out_tasks = true, next_tasks_at = ${at(seconds)}
        where org_id = ${orgId}`.execute(db);
    },
    clear: deleteTasks,
  },
  {
    name: 'runs of dead nodes',
    find: () => connectors.organizationsWithLostRuns(db),
    until: () => connectors.untilDueRun(db, true),
    dueIn: (seconds) =>
      sql`
        insert into connector_run (org_id, app_id, kind, state, leased_until)
        values (${orgId}, ${appId}, 'sync', 'running', ${at(seconds)})
        on conflict (org_id, app_id, kind) where ended_at is null do update
        set leased_until = excluded.leased_until`.execute(db),
    clear: () => sql`delete from connector_run where org_id = ${orgId}`.execute(db),
  },
];

test.each(loops)('the loop for $name sleeps until work is due', async ({ find, until, dueIn, clear }) => {
  await dueIn(HOUR);
  expect(await find()).toEqual([]);
  expect(await until()).toBeGreaterThan(HOUR - 300);
  expect(await until()).toBeLessThan(HOUR + 1);

  await dueIn(-1);
  expect(await find()).not.toEqual([]);
  expect(await until()).toBeLessThanOrEqual(0);

  await clear();
  expect(await find()).toEqual([]);
  expect((await until()) ?? Number.POSITIVE_INFINITY).toBe(Number.POSITIVE_INFINITY);
});

test('the loop for policies sleeps until the next day of an organization with a daily policy', async () => {
  const ranAgo = (seconds: number) =>
    sql`update policy set ran_at = ${at(-seconds)} where org_id = ${orgId}`.execute(db);
  await sql`update policy_cursor set read_to = 'infinity' where org_id = ${orgId}`.execute(db);
  expect(await policies.untilWork(db)).toBe(null);
  await sql`
    insert into policy (org_id, name, trigger, condition, effects, enabled, fires_after, ran_at)
    values (${orgId}, 'Leavers', 'daily', 'true', '[]', true, now(), now())`.execute(db);

  await ranAgo(0);
  expect(await policies.organizationsWithWork(db)).toEqual([]);
  expect(await policies.untilWork(db)).toBeGreaterThan(0);
  expect(await policies.untilWork(db)).toBeLessThanOrEqual(25 * HOUR);

  await ranAgo(49 * HOUR);
  expect(await policies.organizationsWithWork(db)).toEqual([{ org_id: orgId }]);
  expect(await policies.untilWork(db)).toBeLessThanOrEqual(0);
});

test('the loop for manual fulfillment looks every minute while people have tasks, and as an absence begins', async () => {
  await deleteTasks();
  await sql`
    insert into fulfillment_setting (org_id, app_id, enabled, assignment, instructions, due_in_working_days,
      remind_before_working_days, updated_at)
    values (${orgId}, ${appId}, true, 'owner', '{}', '{}', 1, now())`.execute(db);
  expect(await fulfillment.organizationsThatFulfill(db)).toEqual([]);
  expect(await fulfillment.untilReassignment(db)).toBe(null);

  await insertTask('pending', 0);
  expect(await fulfillment.organizationsThatFulfill(db)).toEqual([{ org_id: orgId }]);
  expect(await fulfillment.untilReassignment(db)).toBeGreaterThan(50);

  await sql`
    insert into absence (org_id, user_id, deputy_id, starts_at, ends_at, created_by)
    values (${orgId}, ${randomUUID()}, ${randomUUID()}, ${at(20)}, ${at(HOUR)}, ${randomUUID()})`.execute(db);
  expect(await fulfillment.untilReassignment(db)).toBeLessThan(21);
});
