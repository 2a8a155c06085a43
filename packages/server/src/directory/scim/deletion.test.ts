// @module-tag engine
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addPersonWithKey, eventsOf } from '#test/people.ts';
import { ENTERPRISE, openScimService } from '#test/scim.ts';

/** Deletions by SCIM in an organization with `scim_deletes`. */
const service = await openScimService({ own: true });
const { scim, owner, create } = service;
afterAll(service.close);
beforeAll(async () => {
  const { body } = await owner('PATCH', '/api/organization/', { scim_deletes: true });
  expect(body.scim_deletes).toBe(true);
});

const remove = (id: string, headers: Record<string, string> = {}) =>
  scim('DELETE', `/Users/${id}`, undefined, headers);
const person = (id: string) => service.call('GET', `/api/users/${id}/`);
const groupOf = async (id: string) =>
  (await scim('POST', '/Groups', { displayName: `Group of ${id}`, members: [{ value: id }] })).body;
const typesAbout = async (id: string) =>
  (await eventsOf(service, 'user.'))
    .filter(({ subject }) => subject.uuid === id)
    .map((event) => event.event_type);

/** Makes the database refuse `action` on `table`, until the returned function is called. */
async function refuse(table: string, action: string) {
  const { exec } = service.database;
  await exec(
    `create or replace function refuse() returns trigger language plpgsql as $$ begin raise exception 'the disk is full'; end $$`,
  );
  await exec(`create trigger refuse before ${action} on ${table} for each row execute function refuse()`);
  return () => exec(`drop trigger refuse on ${table}`);
}

test('a person whom no history names is deleted for good', async () => {
  const boss = await create();
  const report = await create({ [ENTERPRISE]: { manager: { value: boss.id } } });
  const group = await groupOf(boss.id);
  expect((await remove(boss.id)).status).toBe(204);
  expect((await person(boss.id)).status).toBe(404);
  expect((await remove(boss.id)).status).toBe(404);
  expect((await person(report.id)).body.manager).toBeNull();
  expect((await scim('GET', `/Groups/${group.id}`)).body.members).toBeUndefined();
  expect(await typesAbout(boss.id)).toEqual([
    'user.created',
    'user.updated',
    'user.deactivated',
    'user.updated',
    'user.deleted',
  ]);
});

test('a deactivated person is deleted for good, without a second event of their deactivation', async () => {
  const { id } = await create({ active: false });
  expect((await remove(id)).status).toBe(204);
  expect(await typesAbout(id)).toEqual(['user.created', 'user.deactivated', 'user.deleted']);
});

test('a person whom history names is deactivated, once, and is gone for SCIM', async () => {
  const { id } = await addPersonWithKey(service, 'member');
  const group = await groupOf(id);
  const before = await typesAbout(id);
  expect((await remove(id)).status).toBe(204);
  expect((await person(id)).body).toMatchObject({ status: 'deactivated', groups: [] });
  expect((await scim('GET', `/Users/${id}`)).status).toBe(404);
  expect((await scim('GET', `/Groups/${group.id}`)).body.members).toBeUndefined();
  expect((await typesAbout(id)).slice(before.length)).toEqual(['user.deactivated', 'user.updated']);
});

test('a person into whom another was merged is deactivated', async () => {
  const add = async (email: string) =>
    (await service.call('POST', '/api/users/', { email })).body.external_uuid as string;
  const [from, into] = [await add('from@acme.example'), await add('into@acme.example')];
  expect((await owner('POST', `/api/users/${into}/merge/`, { from })).status).toBe(200);
  expect((await remove(into)).status).toBe(204);
  expect((await person(into)).body).toMatchObject({ status: 'deactivated' });
  expect((await scim('GET', `/Users/${into}`)).status).toBe(404);
});

test.each([
  ['the person', 'platform_user', 'delete'],
  ['the groups', 'person_group_member', 'delete'],
  ['the events', 'event_contract', 'insert'],
])('a deletion that fails at %s changes nothing, and a retry completes it', async (_, table, action) => {
  const { id, meta } = await create();
  const group = await groupOf(id);
  const before = await typesAbout(id);
  const heal = await refuse(table, action);
  const failed = await remove(id);
  await heal();
  expect(failed.status).toBe(500);
  expect((await person(id)).body).toMatchObject({ status: 'active', groups: [{ id: group.id }] });
  expect((await scim('GET', `/Users/${id}`)).body).toMatchObject({ active: true, meta });
  expect(await typesAbout(id)).toEqual(before);
  expect((await remove(id, { 'if-match': meta.version })).status).toBe(204);
  expect((await person(id)).status).toBe(404);
});

test('the last active owner and an outdated version are refused, and nothing changes', async () => {
  const { external_uuid: userId } = (await owner('GET', '/api/users/?role=owner')).body.results[0];
  expect((await remove(userId)).status).toBe(409);
  const { id } = await create();
  expect((await remove(id, { 'if-match': 'W/"old"' })).status).toBe(412);
  for (const one of [userId, id]) expect((await person(one)).body.status).toBe('active');
});

test('one of two clients that delete the same person succeeds', async () => {
  const { id } = await create();
  const answers = await Promise.all([1, 2].map(() => remove(id)));
  expect(answers.map(({ status }) => status).sort()).toEqual([204, 404]);
  expect((await typesAbout(id)).filter((type) => type === 'user.deleted')).toHaveLength(1);
});
