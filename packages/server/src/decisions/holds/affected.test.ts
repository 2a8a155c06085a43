// @module-tag engine
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type HoldTest, openHoldTest } from '#test/holds.ts';

let service: HoldTest;
let people: string[];
let policy: string;
let hold: { external_uuid: string };
beforeAll(async () => {
  service = await openHoldTest({ own: true });
  people = await service.addUsers(10);
  policy = await service.leavers();
  // The first ones are within the limit, so that policies make their tasks.
  await service.leave(...people.slice(0, 3));
  await service.settled();
  await service.leave(...people.slice(3, 7));
  await service.settled();
  hold = await service.onlyHold();
});
afterAll(() => service.close());

const get = async (path: string) => (await service.call('GET', path)).body;
const idsOf = (results: { user: { external_uuid: string } }[]) =>
  results.map(({ user }) => user.external_uuid).toSorted();

test('lists the people of a hold, the latest first', async () => {
  const { count, results } = await get(`/api/holds/${hold.external_uuid}/people/`);

  expect(count).toBe(7);
  expect(idsOf(results)).toEqual(people.slice(0, 7).toSorted());
  expect(results[0]).toMatchObject({
    user: { external_uuid: people[6], email: expect.stringContaining('@') },
    ...{ type: 'left', status: 'deactivated' },
  });
  const page = await get(`/api/holds/${hold.external_uuid}/people/?limit=2&offset=1`);
  expect(page.results.map(({ user }: { user: { external_uuid: string } }) => user.external_uuid)).toEqual([
    people[5],
    people[4],
  ]);
});

test('leaves out people who are back', async () => {
  await service.comeBack(people[6] ?? '');
  expect(idsOf((await get(`/api/holds/${hold.external_uuid}/people/`)).results)).not.toContain(people[6]);
  await service.leave(people[6] ?? '');
  await service.settled();
});

test('says what waits: tasks by app and action, and what policies decide again', async () => {
  const { tasks, policies } = await get(`/api/holds/${hold.external_uuid}/preview/`);

  const app = { id: service.appId, name: 'Payroll' };
  expect(tasks).toEqual([{ app, action: 'suspend_account', count: 3 }]);
  expect(policies).toEqual([{ policy_id: policy, subjects: 4, tasks: 4 }]);
});

test('finds the holds of a person, and counts those of a client', async () => {
  const found = await service.holds(`?user=${people[0]}`);
  expect(found).toMatchObject([{ external_uuid: hold.external_uuid }]);
  expect(await service.holds(`?user=${people[9]}`)).toEqual([]);
  expect((await service.call('GET', '/api/holds/?user=x')).status).toBe(400);

  expect((await get('/api/scim-clients/')).results).toMatchObject([{ holds: 1 }]);
});

test('knows nothing of a hold of another organization', async () => {
  const other = await openHoldTest();
  for (const part of ['people', 'preview'])
    expect((await other.call('GET', `/api/holds/${hold.external_uuid}/${part}/`)).status).toBe(404);
  await other.close();
});

test('has nothing that waits after the hold was discarded', async () => {
  await service.decide(hold.external_uuid, 'discard');
  await service.settled();

  expect(await get(`/api/holds/${hold.external_uuid}/preview/`)).toEqual({ tasks: [], policies: [] });
  expect((await get(`/api/holds/${hold.external_uuid}/people/`)).count).toBe(7);
  expect((await get('/api/scim-clients/')).results).toMatchObject([{ holds: 0 }]);
});
