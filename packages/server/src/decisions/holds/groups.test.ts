// @module-tag engine
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type HoldTest, openHoldTest } from '#test/holds.ts';
import { addPersonWithRole, eventsOf } from '#test/people.ts';
import { GROUP, patchOf } from '#test/scim.ts';
import { setTimes } from '#test/time.ts';

// Without background jobs, so that the tests decide when policies fire.
let service: HoldTest;
beforeEach(async () => {
  service = await openHoldTest();
});
afterEach(() => service.close());

const membersOf = (ids: readonly string[]) => ids.map((value) => ({ value }));

async function addGroup(ids: readonly string[], displayName = 'Finance'): Promise<string> {
  const { status, body } = await service.scim('POST', '/Groups', {
    schemas: [GROUP],
    displayName,
    externalId: displayName,
    members: membersOf(ids),
  });
  expect(status).toBe(201);
  await service.settled();
  return body.id;
}
const put = (id: string, ids: readonly string[], displayName = 'Finance') =>
  service.scim('PUT', `/Groups/${id}`, {
    schemas: [GROUP],
    displayName,
    externalId: displayName,
    members: membersOf(ids),
  });
const patch = (id: string, ...operations: object[]) =>
  service.scim('PATCH', `/Groups/${id}`, patchOf(...(operations as Parameters<typeof patchOf>)));
/** Revokes the group of an app of everybody who is not in Finance. */
const notInFinance = (more: object = {}) =>
  service.leavers({
    name: 'Finance only',
    trigger: 'user.updated',
    condition: '!("Finance" in user.groups)',
    effects: [{ do: 'revoke', app: service.appId }],
    ...more,
  });

/** Every way in which a group of these 12 people loses 8 of them. */
const DOORS: Record<string, (id: string, people: string[]) => Promise<unknown>> = {
  'PUT of fewer members': (id, people) => put(id, people.slice(8)),
  'PATCH that removes all': (id) => patch(id, { op: 'remove', path: 'members' }),
  'PATCH that replaces all': (id, people) =>
    patch(id, { op: 'replace', path: 'members', value: membersOf(people.slice(8)) }),
  'PATCH without a path': (id, people) =>
    patch(id, { op: 'replace', value: { members: membersOf(people.slice(8)) } }),
  'one PATCH for each': async (id, people) => {
    for (const one of people.slice(0, 8))
      expect((await patch(id, { op: 'remove', path: `members[value eq "${one}"]` })).status).toBeLessThan(
        300,
      );
  },
  'DELETE by the client': (id) => service.scim('DELETE', `/Groups/${id}`),
  'DELETE by a signed-in person': (id) => service.owner('DELETE', `/api/person-groups/${id}/`),
};
test.each(Object.entries(DOORS))('%s', async (name, lose) => {
  // Whether a group was deleted or renamed is a reason of its own (D65) for policies that name it.
  await notInFinance({ condition: 'size(user.groups) == 0' });
  const people = await service.addUsers(12);
  const group = await addGroup(people);
  await lose(group, people);
  const hold = await service.onlyHold();
  const affected = /all$|DELETE/.test(name) && name !== 'PATCH that replaces all' ? 12 : 8;
  expect(hold).toMatchObject({
    kind: 'group',
    client: name.includes('signed-in') ? null : { type: 'scim' },
    group: { external_uuid: group, name: 'Finance' },
    window_seconds: 3600,
    affected,
    of: 12,
    percent: 50,
    status: 'open',
  });
  await service.settled();
  expect(await service.fetched()).toEqual([]);
  await service.decide(hold.external_uuid, 'confirm');
  await service.settled();
  expect(await service.fetched()).toHaveLength(affected);
});

test('a group that is filled again revokes nothing, whatever is decided', async () => {
  await notInFinance();
  const people = await service.addUsers(30);
  const group = await addGroup(people);
  await put(group, []);
  await service.settled();
  expect(await service.onlyHold()).toMatchObject({ affected: 30, of: 30, tasks: 30 });
  await put(group, people);
  await service.settled();
  const hold = await service.onlyHold();
  expect(hold).toMatchObject({ affected: 0, tasks: 0, status: 'open' });
  expect((await service.decide(hold.external_uuid, 'confirm')).status).toBe(200);
  await service.settled();
  expect(await service.tasks()).toEqual([]);
});

test('people who are moved to another group wait as well', async () => {
  await notInFinance();
  const people = await service.addUsers(12);
  const finance = await addGroup(people);
  const sales = await addGroup([], 'Sales');
  await put(finance, []);
  await put(sales, people, 'Sales');
  await service.settled();
  expect(await service.fetched()).toEqual([]);
  const hold = await service.onlyHold();
  expect(hold).toMatchObject({ tasks: 12 });
  await service.decide(hold.external_uuid, 'discard');
  await service.settled();
  expect(await service.tasks()).toEqual([]);
  // Other changes of the people do not count as a reason, and new groups do.
  await service.call('PATCH', `/api/users/${people[0]}/`, { end_date: '2040-01-01' });
  await service.settled();
  expect(await service.tasks()).toEqual([]);
  await put(sales, people.slice(1), 'Sales');
  await service.settled();
  expect(await service.tasks()).toHaveLength(1);
});

test('takes effect for roles in the console immediately, and for policies that do not read groups', async () => {
  const policy = await notInFinance({ condition: 'user.username != ""' });
  const people = await service.addUsers(12);
  const group = await addGroup(people);
  const first = people[0] as string;
  expect((await service.owner('PUT', `/api/person-groups/${group}/role/`, { role: 'auditor' })).status).toBe(
    200,
  );
  expect((await service.call('GET', `/api/users/${first}/`)).body.role).toBe('auditor');
  await put(group, people.slice(8));
  expect((await service.call('GET', `/api/users/${first}/`)).body.role).toBe('member');
  expect(await service.holds()).toHaveLength(1);
  await service.settled();
  expect((await service.tasks(`&source=${policy}`)).length).toBeGreaterThanOrEqual(8);
});

test('counts an hour, at least 5 people and more than half, unless the organization says otherwise', async () => {
  const people = await service.addUsers(12);
  const group = await addGroup(people);
  await put(group, people.slice(6));
  expect(await service.holds()).toEqual([]);
  await setTimes(service, 'hold_window', { started_at: '5000 seconds earlier' });
  await setTimes(service, 'hold_change', { at: '5000 seconds earlier' });
  await put(group, people.slice(9));
  expect(await service.holds()).toEqual([]);
  await service.call('PATCH', '/api/organization/', { group_guard: { percent: 50, at_least: 4 } });
  await put(group, people.slice(10));
  expect(await service.onlyHold()).toMatchObject({ affected: 4, of: 6 });
  await service.call('PATCH', '/api/organization/', { group_guard: null });
  const other = await addGroup(people, 'Other');
  await put(other, [], 'Other');
  expect(await service.holds()).toHaveLength(1);
});

test('members who are deactivated or deleted are leavers, and not a loss of their groups', async () => {
  const people = await service.addUsers(80);
  await addGroup(people.slice(0, 8));
  for (const id of people.slice(0, 6))
    expect((await service.scim('DELETE', `/Users/${id}`)).status).toBe(204);
  expect(await service.holds()).toEqual([]);
});

test('tells the administrators once, and events say what was held', async () => {
  await addPersonWithRole(service, 'second@acme.example', 'admin');
  const people = await service.addUsers(12);
  const group = await addGroup(people);
  for (let n = 1; n < 12; n++) await put(group, people.slice(n));
  await service.app.tick();
  expect(await eventsOf(service, 'people.change_held')).toMatchObject([
    { payload: { kind: 'group', group: { id: group, name: 'Finance' }, affected: 7, of: 12, percent: 50 } },
  ]);
  const { body } = await service.owner('GET', '/api/notifications/');
  const told = body.results.filter(({ kind }: { kind: string }) => kind === 'people_change_held');
  expect(told).toMatchObject([{ title: 'The group Finance lost many members' }]);
  expect(told[0].body).toContain('7 of 12 people, 58 %');
});
