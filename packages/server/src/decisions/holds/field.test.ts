import { afterEach, beforeEach, expect, test } from 'vitest';
import { type HoldTest, openHoldTest } from '#test/holds.ts';
import { GROUP, newUser, patchOf } from '#test/scim.ts';

/** The mass changes that customers of comparable products reported. */

let service: HoldTest;
beforeEach(async () => {
  service = await openHoldTest();
});
afterEach(() => service.close());

const BULK = 'urn:ietf:params:scim:api:messages:2.0:BulkRequest';

/** Creates users and their accounts in apps of these sizes. Returns the ids of the users, and those of the apps. */
async function openCompany(people: number, sizes: readonly number[]) {
  const users: { id: string; email: string }[] = [];
  for (let start = 0; start < people; start += 100) {
    const bodies = Array.from({ length: Math.min(100, people - start) }, () => newUser());
    const Operations = bodies.map((data, n) => ({ method: 'POST', path: '/Users', bulkId: `${n}`, data }));
    const { body } = await service.scim('POST', '/Bulk', { schemas: [BULK], Operations });
    for (const [n, { location }] of body.Operations.entries())
      users.push({
        id: location.split('/').at(-1),
        email: (bodies[n] as { emails: { value: string }[] }).emails[0]?.value ?? '',
      });
    // Until then, the planner knows little about the new tables.
    await service.database.exec('analyze');
  }
  const apps: string[] = [];
  for (const size of sizes) apps.push(await service.addApp(users.slice(0, size)));
  return { ids: users.map(({ id }) => id), apps };
}

test('60 people deactivated one by one: two small apps keep their accounts, and one notification is sent', async () => {
  const { ids, apps } = await openCompany(150, [150, 30, 20]);
  await service.leavers({ effects: [{ do: 'suspend', app: 'all' }] });
  for (const [n, id] of ids.slice(0, 60).entries()) {
    await service.leave(id);
    // The connectors fetch what there is from time to time.
    if (n % 10 !== 9) continue;
    await service.settled();
    for (const app of apps)
      await service.call('GET', `/api/v1/bridge/apps/${app}/tasks/?status=pending&limit=1000`);
  }
  await service.settled();
  expect(await service.holds('?kind=people')).toMatchObject([
    { affected: 60, of: 150, percent: 10, status: 'open' },
  ]);
  const fetched = async (app: string) =>
    (await service.call('GET', `/api/v1/bridge/apps/${app}/tasks/?status=pending&limit=1000`)).body.count;
  // Those of the first 10 people, whose tasks the connectors had before the hold.
  expect([await fetched(apps[0] as string), await fetched(apps[1] as string)]).toEqual([10, 10]);
  expect(await fetched(apps[2] as string)).toBeLessThanOrEqual(16);
  await service.app.tick();
  const { body } = await service.owner('GET', '/api/notifications/?limit=200');
  const kinds = body.results.map(({ kind }: { kind: string }) => kind);
  expect(kinds.filter((kind: string) => kind === 'people_change_held')).toHaveLength(1);
  expect(kinds.filter((kind: string) => kind === 'budget_held').length).toBeLessThanOrEqual(1);
}, 120_000);

const EMPTYING: [string, (path: string) => ReturnType<HoldTest['scim']>][] = [
  [
    'PUT with an empty list',
    (path) => service.scim('PUT', path, { schemas: [GROUP], displayName: 'Finance', members: [] }),
  ],
  ['PATCH remove', (path) => service.scim('PATCH', path, patchOf({ op: 'remove', path: 'members' }))],
];
test.each(EMPTYING)(
  '%s of a group of 100 revokes nothing, and nothing can be confirmed once it is filled again',
  async (_, empty) => {
    const { ids, apps } = await openCompany(100, [100]);
    const members = ids.map((value) => ({ value }));
    const { body: group } = await service.scim('POST', '/Groups', {
      schemas: [GROUP],
      displayName: 'Finance',
      members,
    });
    await service.leavers({
      trigger: 'user.updated',
      condition: '!("Finance" in user.groups)',
      effects: [{ do: 'revoke', app: apps[0] }],
    });
    expect((await empty(`/Groups/${group.id}`)).status).toBeLessThan(300);
    await service.settled();
    const hold = await service.onlyHold();
    expect(hold).toMatchObject({ kind: 'group', affected: 100, of: 100, tasks: 100 });
    expect(await service.tasks()).toEqual([]);
    await service.scim(
      'PATCH',
      `/Groups/${group.id}`,
      patchOf({ op: 'add', path: 'members', value: members }),
    );
    await service.settled();
    await service.decide(hold.external_uuid, 'confirm');
    await service.settled();
    expect(await service.tasks()).toEqual([]);
  },
  120_000,
);
