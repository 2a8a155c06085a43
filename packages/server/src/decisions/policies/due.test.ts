// @module-tag engine

import { afterAll, expect, test } from 'vitest';
import { sql } from '#kit/sql.ts';
import { at, openDueTest } from '#test/due-times.ts';
import { setTimes } from '#test/time.ts';
import * as policies from './facts.ts';

const { app, db, orgId, close } = await openDueTest();
afterAll(close);

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
  await app.tick();
  expect(await policies.organizationsWithWork(db)).toEqual([]);
  expect(await policies.untilWork(db)).toBeGreaterThan(0);
});
