import { afterEach, beforeEach, expect, test } from 'vitest';
import { sql } from '#kit/sql.ts';
import { openProvisioningTest, type ProvisioningTest } from '#test/provisioning.ts';

const account = (id: string, ...seats: string[]) => ({
  id,
  email: `${id}@x.example`,
  assignments: { seat: seats.map((seat) => ({ id: seat })) },
});

let service: ProvisioningTest;
let call: ProvisioningTest['call'];
let trend: string;
beforeEach(async () => {
  service = await openProvisioningTest([account('a', 'gold'), account('b', 'gold'), account('c')]);
  call = service.call;
  trend = `/api/apps/${service.appId}/license-trend/`;
});
afterEach(() => service.close());

const show = async (query = '') => (await call('GET', `${trend}${query}`)).body;
const assigned = (body: { results: { assigned: number }[] }) => body.results.map((one) => one.assigned);

const TIMES = {
  inventory_change: ['at', 'completed_at'],
  membership: ['granted_at', 'known_from'],
  membership_period: ['since', 'seen_until', 'gone_by', 'known_from'],
};

/** Moves everything on record into the past, so that the times of a trend lie apart. */
async function age(hours: number): Promise<void> {
  const org = sql`org_id = (select org_id from app where id = ${service.appId})`;
  const moved = (columns: string[]) =>
    sql.join(
      columns.map((name) => sql`${sql.ref(name)} = seconds_after(${sql.ref(name)}, ${-hours * 3600})`),
    );
  for (const [table, columns] of Object.entries(TIMES))
    await sql`update ${sql.table(table)} set ${moved(columns)} where ${org}`.execute(service.database.db);
}

/** Sets the seats of a license, which a sync without them has removed, and returns its id. */
async function limitGold(): Promise<string> {
  const { results } = (await call('GET', `/api/apps/${service.appId}/resources/?slug=seat&q=gold`)).body;
  const id = results[0].external_uuid;
  await sql`update entitlement set max_count = 10 where id = ${id}`.execute(service.database.db);
  return id;
}

test('counts the assignments of licenses from the first sync on, with the seats of today', async () => {
  expect(await show()).toMatchObject({ licenses: 1, left_out: 0, seats: null });
  expect(assigned(await show())).toEqual([2, 2]);

  await age(24);
  await service.sync([account('a'), account('b', 'gold'), account('c', 'gold'), account('d', 'gold')]);
  const id = await limitGold();
  const body = await show();

  expect(body).toMatchObject({ licenses: 1, left_out: 0, seats: 10 });
  expect(assigned(body)).toEqual([...Array.from({ length: 23 }, () => 2), 3]);
  const times = body.results.map(({ as_of }: { as_of: string }) => as_of);
  expect(times).toEqual([...times].sort());
  expect(await show(`?resource_id=${id}`)).toMatchObject({ licenses: 1, seats: 10 });
});

test('leaves out unlimited licenses if others have seats', async () => {
  await service.sync([account('a', 'free'), account('b', 'gold'), account('c', 'gold', 'free')]);

  await limitGold();

  const body = await show();

  expect(body).toMatchObject({ licenses: 1, left_out: 1, seats: 10 });
  expect(assigned(body).at(-1)).toBe(2);
});

test('is empty for an app without syncs', async () => {
  const empty = (await call('POST', '/api/v1/bridge/apps/', { name: 'No syncs' })).body.id;
  expect((await call('GET', `/api/apps/${empty}/license-trend/`)).body).toEqual({
    licenses: 0,
    left_out: 0,
    seats: null,
    results: [],
  });
});
