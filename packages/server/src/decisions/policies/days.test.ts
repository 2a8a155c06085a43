// @module-tag engine

import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { within } from '#kit/database.ts';
import { sql } from '#kit/sql.ts';
import { openPolicyTest, type PolicyTest } from '#test/policies.ts';
import { firePolicies } from './fire.ts';
import { reachedDays } from './queries/days.ts';

/** Days that begin and end (D85). The organization is a day ahead of most others. */
const ZONE = 'Pacific/Kiritimati';
const service: PolicyTest = await openPolicyTest([], { jobs: true });
afterAll(() => service.close());
expect((await service.call('PATCH', '/api/organization/', { time_zone: ZONE })).status).toBe(200);

const day = (offset: number) => Temporal.Now.plainDateISO(ZONE).add({ days: offset }).toString();
const db = () => within(service.database.db, service.orgId);

/**
 * Says that a policy has last run that many days ago. It counts as changed, or else the service might note that the policy has run
 * today for what it read before.
 */
const setLastRun = (id: string, daysAgo: number) =>
  sql`
    update policy set days_until = ${day(-daysAgo)}::date, updated_at = ${new Date().toISOString()}::timestamptz
    where org_id = ${service.orgId} and id = ${id}`.execute(service.database.db);
/** Makes a policy run that has last run that many days ago. */
const lastRun = async (id: string, daysAgo: number) => {
  await service.settled();
  await setLastRun(id, daysAgo);
  await service.settled();
};
const emailsOf = async (id: string) =>
  (await service.tasksOf(id)).map(({ app_user }) => app_user.email.split('@')[0]).sort();
const change = async (id: string, fields: object) => {
  expect((await service.call('PATCH', `/api/users/${id}/`, fields)).status).toBe(200);
  await service.settled();
};

let n = 0;
let policyId: string;
/** A condition for the people of one test. */
let mine: string;
const named = (name: string) => `${name}@t${n}.example`;
const person = (name: string, more: object) => service.person(named(name), more);
const policy = (more: object) => service.policy({ condition: mine, ...more });
beforeEach(() => {
  n++;
  mine = `user.email.endsWith("@t${n}.example")`;
});

describe('a policy with days', () => {
  test('fires when the first day begins in the time zone of the organization', async () => {
    policyId = await policy({ trigger: 'user.starts' });
    await person('today', { start_date: day(0) });
    await person('tomorrow', { start_date: day(1) });
    await person('never', {});
    await service.settled();
    expect(await emailsOf(policyId)).toEqual(['today']);
  });

  test('fires after the last day is over, also for somebody who is still active', async () => {
    await person('yesterday', { end_date: day(-1) });
    await person('today', { end_date: day(0) });
    policyId = await policy({ trigger: 'user.ends' });
    await service.settled();
    expect(await emailsOf(policyId)).toEqual([]);
    await lastRun(policyId, 1);
    expect(await emailsOf(policyId)).toEqual(['yesterday']);
  });

  test.each([
    [-7, 'user.starts', { start_date: 7 }, { start_date: 8 }],
    [3, 'user.starts', { start_date: -3 }, { start_date: -2 }],
    [-7, 'user.ends', { end_date: 6 }, { end_date: 7 }],
    [30, 'user.ends', { end_date: -31 }, { end_date: -30 }],
  ])('fires %i days after %s', async (offset_days, trigger, due, later) => {
    const dated = (fields: object) =>
      Object.fromEntries(Object.entries(fields).map(([name, offset]) => [name, day(offset as number)]));
    await person('due', dated(due));
    await person('later', dated(later));
    policyId = await policy({ trigger, offset_days });
    await lastRun(policyId, 1);
    expect(await emailsOf(policyId)).toEqual(['due']);
  });

  test('makes up once for the days on which the service was down', async () => {
    for (const offset of [-4, -2, 0]) await person(`p${-offset}`, { start_date: day(offset) });
    policyId = await policy({ trigger: 'user.starts' });
    await lastRun(policyId, 3);
    expect(await emailsOf(policyId)).toEqual(['p0', 'p2']);
    await lastRun(policyId, 3);
    expect(await emailsOf(policyId)).toEqual(['p0', 'p2']);
  });

  test('fires once, however many nodes run', async () => {
    for (const name of ['a', 'b', 'c']) await person(name, { start_date: day(0) });
    policyId = await policy({ trigger: 'user.starts' });
    await service.settled();
    await setLastRun(policyId, 1);
    await Promise.all([firePolicies(db()), firePolicies(db())]);
    // The service itself may have had the lock, and have read before the change.
    await service.settled();
    expect(await emailsOf(policyId)).toEqual(['a', 'b', 'c']);
  });

  test('does not reach back once it is enabled, nor if its days change', async () => {
    await person('today', { start_date: day(0) });
    policyId = await policy({ trigger: 'user.starts', enabled: false });
    await lastRun(policyId, 5);
    await service.call('PATCH', `/api/policies/${policyId}/`, { enabled: true });
    await service.settled();
    await service.call('PATCH', `/api/policies/${policyId}/`, { offset_days: -1 });
    await service.settled();
    expect(await emailsOf(policyId)).toEqual([]);
  });

  test('leaves out people whom its condition does not match, and those deactivated before they start', async () => {
    policyId = await service.policy({
      trigger: 'user.starts',
      condition: `${mine} && user.first_name == "A"`,
    });
    await person('a', { start_date: day(0), first_name: 'A' });
    await person('b', { start_date: day(0), first_name: 'B' });
    await person('c', { start_date: day(0), first_name: 'A', status: 'deactivated' });
    await service.settled();
    expect(await emailsOf(policyId)).toEqual(['a']);
  });
});

describe('a day that changes', () => {
  test('counts if it lies ahead, or if the policy fires on it today', async () => {
    policyId = await policy({ trigger: 'user.starts' });
    const late = await person('late', { start_date: day(5) });
    const past = await person('past', { start_date: day(5) });
    await service.settled();
    await change(late, { start_date: day(0) });
    await change(past, { start_date: day(-1) });
    expect(await emailsOf(policyId)).toEqual(['late']);
  });

  test('counts immediately if only the days before it have passed', async () => {
    policyId = await policy({ trigger: 'user.starts', offset_days: -7 });
    await person('soon', { start_date: day(3) });
    await service.settled();
    expect(await emailsOf(policyId)).toEqual(['soon']);
  });

  test('fires once for each date', async () => {
    policyId = await policy({
      trigger: 'user.starts',
      effects: [{ do: 'grant', app: service.appId, memberships: {} }],
    });
    const id = await person('a', { start_date: day(0) });
    await service.settled();
    const fired = async () =>
      (
        await sql<{ day: string }>`
          select to_char(day, 'YYYY-MM-DD') as day from policy_day
          where org_id = ${service.orgId} and policy_id = ${policyId} and user_id = ${id} order by day`.execute(
          service.database.db,
        )
      ).rows.map((row) => row.day);
    expect(await fired()).toEqual([day(0)]);
    await change(id, { start_date: day(4) });
    await change(id, { start_date: day(0) });
    expect(await fired()).toEqual([day(0)]);
    expect(await service.tasksOf(policyId)).toHaveLength(1);
    await change(id, { start_date: day(4) });
    expect(
      await reachedDays(
        db(),
        { id: policyId, trigger: 'user.starts', offset_days: 0 },
        { after: day(0), today: day(4), changed: [] },
      ),
    ).toContainEqual({ user_id: id, day: day(4) });
  });

  test('is not acted on if it was postponed while the run was held', async () => {
    await service.call('PATCH', '/api/policies/settings/', { task_limit: 1 });
    const [a] = [await person('a', { start_date: day(0) }), await person('b', { start_date: day(0) })];
    // Both are there before it, so that one run decides about them.
    policyId = await policy({ trigger: 'user.starts' });
    await lastRun(policyId, 1);
    await service.call('PATCH', '/api/policies/settings/', { task_limit: 1000 });
    await change(a as string, { start_date: day(9) });
    expect((await service.call('POST', `/api/policies/${policyId}/confirm/`)).status).toBe(200);
    await service.settled();
    expect(await emailsOf(policyId)).toEqual(['b']);
  });
});

test('a leap day is a day', async () => {
  const id = await person('feb', { start_date: '2028-02-29', end_date: '2028-02-29' });
  policyId = await policy({ trigger: 'user.starts', enabled: false });
  const reached = (trigger: 'user.starts' | 'user.ends', offset_days: number, today: string) =>
    reachedDays(
      db(),
      { id: policyId, trigger, offset_days },
      {
        after: Temporal.PlainDate.from(today).subtract({ days: 1 }).toString(),
        today,
        changed: [],
      },
    );
  const found = [{ user_id: id, day: '2028-02-29' }];
  expect(await reached('user.starts', 0, '2028-02-29')).toEqual(found);
  expect(await reached('user.starts', 1, '2028-03-01')).toEqual(found);
  expect(await reached('user.starts', -29, '2028-01-31')).toEqual(found);
  expect(await reached('user.ends', 0, '2028-03-01')).toEqual(found);
  expect(await reached('user.ends', 0, '2028-02-29')).toEqual([]);
  expect(await reached('user.ends', 90, '2028-05-30')).toEqual(found);
});

test.each([
  [{ trigger: 'user.starts', offset_days: 91 }, 'offset_days'],
  [{ trigger: 'user.ends', offset_days: -91 }, 'offset_days'],
  [{ trigger: 'user.ends', offset_days: 1.5 }, 'offset_days'],
  [{ trigger: 'daily', offset_days: 0 }, 'offset_days'],
  [{ trigger: 'user.created', offset_days: 3 }, 'offset_days'],
])('refuses %j', async (more, field) => {
  const reply = await service.call('POST', '/api/policies/', {
    name: 'P',
    condition: 'true',
    effects: [{ do: 'suspend', app: 'all' }],
    ...more,
  });
  expect(reply.status).toBe(400);
  expect(reply.body.detail).toContain(field);
});

test('an offset belongs to the triggers with days', async () => {
  policyId = await policy({ trigger: 'user.starts' });
  const patch = async (fields: object) => {
    const { status, body } = await service.call('PATCH', `/api/policies/${policyId}/`, fields);
    return [status, body.offset_days];
  };
  expect(await patch({})).toEqual([200, 0]);
  expect(await patch({ offset_days: -3 })).toEqual([200, -3]);
  expect(await patch({ name: 'Q' })).toEqual([200, -3]);
  expect(await patch({ trigger: 'daily' })).toEqual([200, null]);
  expect(await patch({ offset_days: 1 })).toEqual([400, undefined]);
  expect(await patch({ trigger: 'user.ends', offset_days: 1 })).toEqual([200, 1]);
});

test('previews and plans say how many have not started', async () => {
  await person('here', {});
  await person('soon', { start_date: day(9) });
  policyId = await policy({ trigger: 'user.created', enabled: false });
  const { body } = await service.call('POST', `/api/policies/${policyId}/preview/`);
  expect(body).toMatchObject({ count: 2, not_started: 1 });
  const plan = await service.call('POST', `/api/policies/${policyId}/plans/`);
  expect(plan.body).toMatchObject({ status: 'running', not_started: null });
  const path = `/api/policies/${policyId}/plans/${plan.body.plan_id}/`;
  await expect
    .poll(async () => (await service.call('GET', path)).body, { timeout: 20_000 })
    .toMatchObject({ status: 'completed', not_started: 1 });
});
