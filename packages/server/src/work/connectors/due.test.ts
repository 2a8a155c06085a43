// @module-tag engine
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, test } from 'vitest';
import { openTestApp, type TestApp } from '../../../test/app.ts';
import { at, type DueWork, expectToSleepUntilDue } from '../../../test/due-times.ts';
import { organizationOf } from '../../../test/people.ts';
import type { Db } from '../../kit/database/open.ts';
import * as connectors from './queries/running.ts';

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
  await sql`
    insert into connector (org_id, app_id, type, settings, acts_for, next_tasks_at)
    values (${orgId}, ${appId}, 'csv', '{}', ${randomUUID()}, '-infinity')`.execute(db);
});
afterAll(() => service.close());

const insertTask = (status: string, seconds: number) =>
  sql`
    insert into task (org_id, app_id, account_id, action, status, execute_after, task_type)
    values (${orgId}, ${appId}, ${accountId}, 'reset_password', ${status}, ${at(seconds)}, 'POLICY')`.execute(
    db,
  );
const deleteTasks = () => sql`delete from task where org_id = ${orgId}`.execute(db);

const works: DueWork[] = [
  {
    name: 'schedules of connectors',
    find: () => connectors.dueSyncs(db),
    untilDue: () => connectors.untilDueRun(db, true),
    dueIn: (seconds) =>
      sql`update connector set next_sync_at = ${at(seconds)} where org_id = ${orgId}`.execute(db),
    clear: () => sql`update connector set next_sync_at = null where org_id = ${orgId}`.execute(db),
  },
  {
    name: 'tasks of connectors',
    find: () => connectors.dueTasks(db),
    untilDue: () => connectors.untilDueRun(db, true),
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
    untilDue: () => connectors.untilDueRun(db, true),
    dueIn: (seconds) =>
      sql`
        insert into connector_run (org_id, app_id, kind, state, leased_until)
        values (${orgId}, ${appId}, 'sync', 'running', ${at(seconds)})
        on conflict (org_id, app_id, kind) where ended_at is null do update
        set leased_until = excluded.leased_until`.execute(db),
    clear: () => sql`delete from connector_run where org_id = ${orgId}`.execute(db),
  },
];

test.each(works)('the loop sleeps until $name are due', expectToSleepUntilDue);
