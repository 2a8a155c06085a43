import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { type RawBuilder, sql } from '#kit/sql.ts';
import { openTestApp } from './app.ts';
import { organizationOf } from './people.ts';

const HOUR = 3600;

/** Opens a service with an app and an account. The statements look at all organizations, so the database is the file's own. */
export async function openDueTest() {
  const service = await openTestApp({ own: true });
  const { db } = service.database;
  const { orgId } = await organizationOf(service);
  const appId: string = (await service.call('POST', '/api/v1/bridge/apps/', { name: 'Payroll' })).body.id;
  await service.app.tick();
  const { rows } = await sql<{ id: string }>`
    insert into account (org_id, app_id, resource_type_id, external_id, status)
    values (${orgId}, ${appId}, ${randomUUID()}, 'a', 'ACTIVE') returning id`.execute(db);
  return {
    ...service,
    db,
    orgId,
    appId,
    /** Adds a task of the account that is to run in so many seconds. */
    insertTask: (status: string, seconds: number) =>
      sql`
        insert into task (org_id, app_id, account_id, action, status, execute_after, task_type)
        values (${orgId}, ${appId}, ${rows[0]?.id}, 'reset_password', ${status}, ${at(seconds)}, 'POLICY')`.execute(
        db,
      ),
    deleteTasks: () => sql`delete from task where org_id = ${orgId}`.execute(db),
  };
}

/** The two statements of a loop that must agree: otherwise, work begins minutes late. */
export interface DueWork {
  name: string;
  find(): Promise<readonly unknown[]>;
  untilDue(): Promise<number | null>;
  /** Makes work due in so many seconds. */
  dueIn(seconds: number): Promise<unknown>;
  /** Takes it away. */
  clear(): Promise<unknown>;
}

/** Expects a loop to sleep until its work is due, and no longer. */
export async function expectToSleepUntilDue({ find, untilDue, dueIn, clear }: DueWork): Promise<void> {
  await dueIn(HOUR);
  expect(await find()).toEqual([]);
  expect(await untilDue()).toBeGreaterThan(HOUR - 300);
  expect(await untilDue()).toBeLessThan(HOUR + 1);

  await dueIn(-1);
  expect(await find()).not.toEqual([]);
  expect(await untilDue()).toBeLessThanOrEqual(0);

  await clear();
  expect(await find()).toEqual([]);
  expect((await untilDue()) ?? Number.POSITIVE_INFINITY).toBe(Number.POSITIVE_INFINITY);
}

/** The time in so many seconds, by the database's clock. Citus refuses volatile functions in updates. */
export const at = (seconds: number): RawBuilder<unknown> => sql`seconds_after(clock_now(), ${seconds})`;
