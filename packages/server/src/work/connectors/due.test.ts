// @module-tag engine
import { randomUUID } from 'node:crypto';
import { afterAll, test } from 'vitest';
import { sql } from '#kit/sql.ts';
import { at, type DueWork, expectToSleepUntilDue, openDueTest } from '#test/due-times.ts';
import * as connectors from './queries/running.ts';

const { db, orgId, appId, insertTask, deleteTasks, close } = await openDueTest();
afterAll(close);
await sql`
  insert into connector (org_id, app_id, type, settings, acts_for, next_tasks_at)
  values (${orgId}, ${appId}, 'csv', '{}', ${randomUUID()}, '-infinity')`.execute(db);

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
