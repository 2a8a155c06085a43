import { afterAll, beforeAll, expect, test } from 'vitest';
import { within } from '#kit/database.ts';
import { sql } from '#kit/sql.ts';
import { openPolicyTest, type PolicyTest } from '#test/policies.ts';
import { dueToday } from './queries/firing.ts';

/** Days of policies are days in the organization's time zone (D67). */
let service: PolicyTest;
beforeAll(async () => {
  service = await openPolicyTest();
});
afterAll(() => service.close());

const EAST = 'Pacific/Kiritimati'; // UTC+14: always a day ahead of WEST
const WEST = 'Pacific/Pago_Pago'; // UTC-11
const dayIn = (zone: string) => Temporal.Now.plainDateISO(zone).toString();
const move = async (time_zone: string) => {
  expect((await service.call('PATCH', '/api/organization/', { time_zone })).status).toBe(200);
};
/** The last run was in this hour of this day there, 0 being today. */
const setRun = async (id: string, zone: string, { day, hour }: { day: number; hour: number }) => {
  const at = Temporal.Now.plainDateISO(zone)
    .add({ days: day })
    .toZonedDateTime({ timeZone: zone })
    .add({ hours: hour });
  await sql`
    update policy set ran_at = ${at.toInstant().toString()}::timestamptz
    where org_id = ${service.orgId} and id = ${id}`.execute(service.database.db);
};
const isDue = async (id: string) => (await dueToday(within(service.database.db, service.orgId))).has(id);

test('today is the day there', async () => {
  for (const zone of [EAST, WEST]) {
    await move(zone);
    const condition = `today == "${dayIn(zone)}"`;
    const { body } = await service.call('POST', '/api/policies/matches/', { condition });
    expect(body.count, zone).toBe(body.of);
  }
});

test('a daily policy runs once for each day there', async () => {
  await move(WEST);
  const id = await service.policy({ trigger: 'daily', condition: 'false' });
  expect(await isDue(id)).toBe(false);
  await setRun(id, WEST, { day: -1, hour: 23 });
  expect(await isDue(id)).toBe(true);
  await service.settled();
  expect(await isDue(id)).toBe(false);
});

test('another time zone neither skips a day nor repeats one', async () => {
  await move(EAST);
  const id = await service.policy({ trigger: 'daily', condition: 'false' });
  // In the east, this was the beginning of the day that is tomorrow in the west.
  await setRun(id, WEST, { day: -1, hour: 23 });
  await move(WEST);
  expect(await isDue(id)).toBe(true);
  await service.settled();
  for (const zone of [EAST, WEST]) {
    await move(zone);
    expect(await isDue(id), zone).toBe(false);
  }
});
