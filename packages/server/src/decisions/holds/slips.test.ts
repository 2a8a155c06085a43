// @module-tag engine
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type HoldTest, openHoldTest } from '#test/holds.ts';
import { GROUP, newUser } from '#test/scim.ts';
import { setTimes } from '#test/time.ts';

let service: HoldTest;
beforeEach(async () => {
  service = await openHoldTest();
});
afterEach(() => service.close());
const membersOf = (ids: readonly string[]) => ids.map((value) => ({ value }));
const group = async (ids: readonly string[], displayName = 'Finance') =>
  (
    await service.scim('POST', '/Groups', {
      schemas: [GROUP],
      displayName,
      externalId: displayName,
      members: membersOf(ids),
    })
  ).body.id as string;
const put = (id: string, ids: readonly string[], displayName = 'Finance') =>
  service.scim('PUT', `/Groups/${id}`, {
    schemas: [GROUP],
    displayName,
    externalId: displayName,
    members: membersOf(ids),
  });
const nextDay = () => setTimes(service, 'policy', { ran_at: '1 day earlier' });

test('orphaned accounts of deleted people wait as well', async () => {
  await service.leavers({ name: 'Orphans', trigger: 'daily', condition: 'user == null' });
  await service.call('PATCH', '/api/organization/', { scim_deletes: true });
  const ids = await service.addUsers(20);
  await nextDay();
  await service.settled();
  for (const id of ids.slice(0, 8)) expect((await service.scim('DELETE', `/Users/${id}`)).status).toBe(204);
  expect(await service.onlyHold()).toMatchObject({ affected: 8 });
  await nextDay();
  await service.settled();
  expect(await service.fetched()).toEqual([]);
});

test('inactive members do not dilute the share of a group', async () => {
  await service.leavers({
    name: 'Finance only',
    trigger: 'user.updated',
    condition: '!("Finance" in user.groups)',
    effects: [{ do: 'revoke', app: service.appId }],
  });
  const ids = await service.addUsers(20);
  const id = await group(ids);
  await service.settled();
  await service.call('PATCH', '/api/organization/', { people_guard: null });
  await service.leave(...ids.slice(0, 12));
  await service.settled();
  await put(id, []);
  await service.settled();
  expect(await service.onlyHold()).toMatchObject({ affected: 8, of: 8 });
  const held = ids.slice(12);
  expect((await service.fetched()).filter((one: string) => held.includes(one))).toEqual([]);
});

test('policies that read the role which a group gave wait', async () => {
  await service.leavers({
    name: 'Role',
    trigger: 'user.updated',
    condition: 'user.role != "auditor"',
    effects: [{ do: 'revoke', app: service.appId }],
  });
  const ids = await service.addUsers(20);
  const id = await group(ids.slice(0, 12));
  expect((await service.owner('PUT', `/api/person-groups/${id}/role/`, { role: 'auditor' })).status).toBe(
    200,
  );
  await service.settled();
  const before = await service.fetched();
  await put(id, []);
  expect(await service.onlyHold()).toMatchObject({ affected: 12 });
  await service.settled();
  expect(await service.fetched()).toEqual(before);
});

test.each(['confirm', 'discard'] as const)(
  '%s does not lose another reason of somebody who returned',
  async (verb) => {
    const policy = await service.leavers({
      name: 'Movers',
      trigger: 'user.updated',
      condition: 'user.domain_type == "external"',
      effects: [{ do: 'revoke', app: service.appId }],
    });
    const ids = await service.addUsers(20);
    await service.leave(...ids.slice(0, 6));
    await service.settled();
    expect((await service.call('PATCH', `/api/users/${ids[0]}/`, { domain_type: 'external' })).status).toBe(
      200,
    );
    await service.settled();
    expect(await service.onlyHold()).toMatchObject({ tasks: 1 });
    await service.comeBack(ids[0] as string);
    await service.settled();
    const { external_uuid } = await service.onlyHold();
    await service.decide(external_uuid, verb);
    await service.settled();
    expect(await service.tasks(`&source=${policy}`)).toHaveLength(1);
  },
);

test('a discarded deletion restores the removals that it preempted', async () => {
  await service.leavers({ effects: [{ do: 'delete', app: service.appId }] });
  const ids = await service.addUsers(20);
  const accounts = (await service.call('GET', `/api/accounts/?app=${service.appId}&limit=100`)).body.results;
  const one = accounts.find(({ external_id }: { external_id: string }) => external_id === ids[0]);
  const made = await service.call('POST', '/api/tasks/', {
    app: service.appId,
    action: 'update_account',
    account: one.external_uuid,
    changes: { team: { removed: ['red'] } },
  });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  await service.leave(...ids.slice(0, 3));
  await service.settled();
  await service.leave(...ids.slice(3, 6));
  const { external_uuid } = await service.onlyHold();
  await service.decide(external_uuid, 'discard');
  await service.settled();
  expect(await service.fetched()).toEqual([ids[0]]);
});

test('a successor who leaves is counted', async () => {
  await service.leavers();
  const users: { id: string; body: ReturnType<typeof newUser> }[] = [];
  for (let n = 0; n < 20; n++) {
    const body = newUser();
    users.push({ id: (await service.scim('POST', '/Users', body)).body.id, body });
  }
  const strangers: string[] = [];
  for (const [n, { id, body }] of users.slice(0, 8).entries()) {
    await service.scim('DELETE', `/Users/${id}`);
    strangers.push((await service.scim('POST', '/Users', { ...body, externalId: `another-${n}` })).body.id);
  }
  await service.addUsers(1);
  const before = await service.onlyHold();
  await service.leave(...strangers);
  const after = await service.onlyHold();
  expect(after.affected).toBe(before.affected + 8);
});

test('new members in the same request do not dilute the share of a group', async () => {
  await service.leavers({
    name: 'Finance only',
    trigger: 'user.updated',
    condition: '!("Finance" in user.groups)',
    effects: [{ do: 'revoke', app: service.appId }],
  });
  const ids = await service.addUsers(32);
  const id = await group(ids.slice(0, 12));
  await service.settled();
  const before = await service.fetched();
  await put(id, ids.slice(12));
  await service.settled();
  expect({
    holds: await service.holds(),
    fetched: (await service.fetched()).length - before.length,
  }).toMatchObject({ holds: [{ affected: 12, of: 12 }], fetched: 0 });
});

test('new people in the same import do not dilute the share', async () => {
  await service.leavers();
  const ids = await service.addUsers(20);
  const emails: string[] = [];
  for (const id of ids) emails.push((await service.call('GET', `/api/users/${id}/`)).body.email);
  const rows = [
    ...emails.slice(0, 8).map((one) => `${one},deactivated`),
    ...Array.from({ length: 100 }, (_, n) => `new${n}@acme.example,active`),
  ];
  const { status } = await service.call('POST', '/api/users/import/', `email,status\n${rows.join('\n')}`, {
    headers: { 'content-type': 'text/csv' },
  });
  expect(status).toBe(200);
  await service.settled();
  expect({ holds: (await service.holds()).length, fetched: (await service.fetched()).length }).toEqual({
    holds: 1,
    fetched: 0,
  });
});

test('people who are created inactive have not left', async () => {
  await service.addUsers(20);
  for (let n = 0; n < 6; n++)
    expect((await service.scim('POST', '/Users', { ...newUser(), active: false })).status).toBe(201);
  expect(await service.holds()).toEqual([]);
});
