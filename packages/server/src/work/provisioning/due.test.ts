// @module-tag engine
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, test } from 'vitest';
import { openTestApp, type TestApp } from '../../../test/app.ts';
import { at, type DueWork, expectToSleepUntilDue } from '../../../test/due-times.ts';
import { organizationOf } from '../../../test/people.ts';
import type { Db } from '../../kit/database/open.ts';
import * as provisioning from './queries/find.ts';

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

const insertTask = (status: string, seconds: number) =>
  sql`
    insert into task (org_id, app_id, account_id, action, status, execute_after, task_type)
    values (${orgId}, ${appId}, ${accountId}, 'reset_password', ${status}, ${at(seconds)}, 'POLICY')`.execute(
    db,
  );
const deleteTasks = () => sql`delete from task where org_id = ${orgId}`.execute(db);

const works: DueWork[] = [
  {
    name: 'scheduled tasks',
    find: () => provisioning.organizationsWithDueTasks(db),
    untilDue: () => provisioning.untilDueTask(db),
    dueIn: (seconds) => insertTask('scheduled', seconds),
    clear: deleteTasks,
  },
];

test.each(works)('the loop sleeps until $name are due', expectToSleepUntilDue);
