import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPolicyTest, type PolicyTest } from '../../../test/policies.ts';

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
const ranOn = async (id: string) => {
  const { rows } = await sql<{ day: string }>`
    select to_char(ran_on, 'YYYY-MM-DD') as day from policy where id = ${id}`.execute(service.database.db);
  return rows[0]?.day;
};

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
  expect(await ranOn(id)).toBe(dayIn(WEST));
  await service.settled();
  expect(await ranOn(id)).toBe(dayIn(WEST));
  await move(EAST);
  await service.settled();
  expect(await ranOn(id)).toBe(dayIn(EAST));
  await move(WEST);
  await service.settled();
  expect(await ranOn(id)).toBe(dayIn(EAST));
});
