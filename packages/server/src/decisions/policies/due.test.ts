// @module-tag engine
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type TestApp } from '../../../test/app.ts';
import { at } from '../../../test/due-times.ts';
import { organizationOf } from '../../../test/people.ts';
import { setTimes } from '../../../test/time.ts';
import type { Db } from '../../kit/database/open.ts';
import * as policies from './facts.ts';

// The statements look at all organizations, so the database is this file's own.
let service: TestApp;
let db: Db;
let orgId: string;

beforeAll(async () => {
  service = await openTestApp({ own: true });
  db = service.database.db;
  ({ orgId } = await organizationOf(service));
  await service.call('POST', '/api/v1/bridge/apps/', { name: 'Payroll' });
  await service.app.tick();
});
afterAll(() => service.close());

const HOUR = 3600;

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

test('the loop for policies works on a decided hold until nothing of it waits', async () => {
  await setTimes(db, 'policy', { ran_at: 'now' }, { org_id: orgId });
  await sql`
    insert into hold_window (org_id, kind, subject, started_at, total, held_at, decided_at, decided_by, decision)
    values (${orgId}, 'people', ${orgId}, now(), 9, now(), ${at(-1)}, ${orgId}, 'discarded')`.execute(db);
  expect(await policies.organizationsWithWork(db)).toEqual([{ org_id: orgId }]);
  expect(await policies.untilWork(db)).toBeLessThanOrEqual(0);
  await service.app.tick();
  expect(await policies.organizationsWithWork(db)).toEqual([]);
  expect(await policies.untilWork(db)).toBeGreaterThan(0);
});
