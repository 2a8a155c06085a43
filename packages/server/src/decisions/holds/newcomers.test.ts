// @module-tag engine
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type HoldTest, openHoldTest } from '#test/holds.ts';
import { GROUP, newUser } from '#test/scim.ts';
import { setTimes } from '#test/time.ts';

/* People who came in an earlier request do not lower the share of those who were there when the window began (D78). */

let service: HoldTest;
beforeEach(async () => {
  service = await openHoldTest();
});
afterEach(() => service.close());

/** The people so far have been there, as they are, for two days. */
async function age() {
  await setTimes(service, 'platform_user', { updated_at: '2 days earlier' }, { role: 'member' });
  await setTimes(service, 'person_source', { managed_since: '2 days earlier' });
  for (const table of ['hold_change', 'hold_window'])
    await service.database.exec(`delete from ${table} where org_id = '${service.orgId}'`);
}

const groupOf = (people: readonly string[]) => ({
  schemas: [GROUP],
  displayName: 'Finance',
  externalId: 'finance',
  members: people.map((value) => ({ value })),
});
const create = async (people: readonly string[]) =>
  (await service.scim('POST', '/Groups', groupOf(people))).body.id as string;
const put = async (id: string, people: readonly string[]) =>
  expect((await service.scim('PUT', `/Groups/${id}`, groupOf(people))).status).toBe(200);

const notInFinance = () =>
  service.leavers({
    name: 'Finance only',
    trigger: 'user.updated',
    condition: '!("Finance" in user.groups)',
    effects: [{ do: 'revoke', app: service.appId }],
  });

test('new members of an earlier request do not dilute the share of a group', async () => {
  await notInFinance();
  const people = await service.addUsers(32);
  const id = await create(people.slice(0, 12));
  await put(id, people);
  await service.settled();
  const before = await service.fetched();
  await put(id, people.slice(12));
  await service.settled();
  expect(await service.onlyHold()).toMatchObject({ affected: 12, of: 12 });
  expect(await service.fetched()).toEqual(before);
});

test('members who were removed and added again are not newcomers', async () => {
  const people = await service.addUsers(32);
  const own = people.slice(0, 12);
  const id = await create(own);
  for (const start of [0, 4, 8]) {
    await put(id, own.toSpliced(start, 4));
    await put(id, own);
  }
  await put(id, people);
  expect(await service.holds()).toEqual([]);
  await put(id, people.slice(12));
  expect(await service.onlyHold()).toMatchObject({ affected: 12, of: 12 });
});

test('members who leave soon after they joined count among all members', async () => {
  const people = await service.addUsers(32);
  const id = await create(people.slice(0, 8));
  await put(id, people);
  await put(id, people.slice(0, 20));
  expect(await service.holds()).toEqual([]);
  await put(id, people.slice(0, 15));
  expect(await service.onlyHold()).toMatchObject({ affected: 17, of: 32 });
});

test('the deletion of a group counts its members before newcomers', async () => {
  const people = await service.addUsers(12);
  const id = await create(people.slice(0, 6));
  await put(id, people);
  await put(id, people.slice(4));
  expect(await service.holds()).toEqual([]);
  expect((await service.scim('DELETE', `/Groups/${id}`)).status).toBe(204);
  expect(await service.onlyHold()).toMatchObject({ affected: 12, of: 12 });
});

test('people who were created in earlier requests do not dilute the share of a client', async () => {
  await service.leavers();
  const old = await service.addUsers(20);
  await age();
  await service.addUsers(40);
  await service.leave(...old.slice(0, 4));
  expect(await service.holds()).toEqual([]);
  await service.leave(...old.slice(4, 6));
  await service.settled();
  expect(await service.onlyHold()).toMatchObject({ affected: 6, of: 20 });
  expect(await service.fetched()).toEqual([]);
});

test('people who were reactivated in earlier requests do not dilute the share of a client', async () => {
  const people = await service.addUsers(60);
  await service.call('PATCH', '/api/organization/', { people_guard: null });
  const away = people.slice(20);
  await service.leave(...away);
  await age();
  await service.comeBack(...away);
  await service.call('PATCH', '/api/organization/', { people_guard: { percent: 10, at_least: 5 } });
  await service.leave(...people.slice(0, 6));
  expect(await service.onlyHold()).toMatchObject({ of: 20 });
});

test('people who leave soon after they were created count among all people', async () => {
  await service.addUsers(20);
  await age();
  const recent = await service.addUsers(40);
  await service.leave(...recent.slice(0, 6));
  expect(await service.holds()).toEqual([]);
});

test('people of an earlier import do not dilute the share', async () => {
  await service.leavers();
  const ids = await service.addUsers(20);
  await age();
  const emails: string[] = [];
  for (const id of ids) emails.push((await service.call('GET', `/api/users/${id}/`)).body.email);
  const upload = async (rows: readonly string[]) => {
    const csv = `email,status\n${rows.join('\n')}`;
    const options = { headers: { 'content-type': 'text/csv' } };
    expect((await service.call('POST', '/api/users/import/', csv, options)).status).toBe(200);
  };
  await upload(Array.from({ length: 100 }, (_, n) => `new${n}@acme.example,active`));
  await upload(emails.slice(0, 8).map((email) => `${email},deactivated`));
  await service.settled();
  expect(await service.onlyHold()).toMatchObject({ affected: 8 });
  expect(await service.fetched()).toEqual([]);
});

test('the base moves with a window that goes on', async () => {
  const people = await service.addUsers(32);
  const id = await create(people.slice(0, 12));
  await put(id, people.slice(1, 12));
  await put(id, people.slice(1));
  // An hour later, the newcomers are members like the others.
  const before = '5000 seconds earlier';
  await setTimes(service, 'hold_window', { base_at: before, started_at: before });
  await setTimes(service, 'hold_change', { at: before });
  await setTimes(service, 'person_group_member', { joined_at: before });
  await put(id, people.slice(13));
  expect(await service.holds()).toEqual([]);
  await put(id, people.slice(17));
  expect(await service.onlyHold()).toMatchObject({ affected: 16, of: 31 });
});

test('people who are deleted count among those who were there before newcomers', async () => {
  const old = await service.addUsers(20);
  await age();
  await service.addUsers(40);
  for (const id of old.slice(0, 5)) expect((await service.scim('DELETE', `/Users/${id}`)).status).toBe(204);
  expect(await service.onlyHold()).toMatchObject({ affected: 5, of: 20 });
});

test('people whom a client takes over do not dilute the share of those whom it manages', async () => {
  const old = await service.addUsers(20);
  const others = Array.from({ length: 60 }, (_, n) => `taken${n}@example.com`);
  for (const email of others) expect((await service.call('POST', '/api/users/', { email })).status).toBe(201);
  await age();
  for (const email of others) {
    const user = newUser({ userName: email, emails: [{ value: email, type: 'work', primary: true }] });
    expect((await service.scim('POST', '/Users', user)).status).toBe(201);
  }
  await service.leave(...old.slice(0, 6));
  expect(await service.onlyHold()).toMatchObject({ affected: 6, of: 20 });
});
