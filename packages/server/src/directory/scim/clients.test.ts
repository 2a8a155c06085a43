// @module-tag engine
import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, test } from 'vitest';
import { within } from '#kit/database.ts';
import { sql } from '#kit/sql.ts';
import { addOrganization, addPersonWithKey, eventsOf, organizationOf } from '#test/people.ts';
import { ENTERPRISE, newUser, openScimService, patchOf, type Scim, scimCaller } from '#test/scim.ts';
import { setTimes } from '#test/time.ts';
import { MOST_REFUSALS_RECORDED } from './notes.ts';
import { forgetOldNotes } from './queries/notes.ts';

/** SCIM clients: what they manage, what of their requests was not applied, and how they are left. */
const service = await openScimService({ own: true });
const { owner, key, scim } = service;
afterAll(service.close);

const addClient = async (name: string) => {
  const { body } = await owner('POST', '/api/api-keys/', { name, scopes: ['scim'] });
  return { id: body.id as string, scim: scimCaller(service, body.key) };
};
const clients = async () => (await service.call('GET', '/api/scim-clients/?limit=200')).body;
const clientOf = async (id: string) =>
  (await clients()).results.find((one: { key: { id: string } }) => one.key.id === id);
const release = (id: string, body: object = {}) =>
  service.call('POST', `/api/scim-clients/${id}/release/`, body);
const addUser = async (call: Scim, more: object = {}) =>
  (await call('POST', '/Users', newUser({ active: true, ...more }))).body;
const refusals = async (id: string) =>
  (await eventsOf(service, 'scim.request_refused'))
    .map(({ payload }) => payload)
    .filter(({ api_key_id }) => api_key_id === id);

describe('a client', () => {
  test('lists what it manages and what was left', async () => {
    const one = await addClient('Okta');
    const two = await addClient('Entra ID');
    const user = await addUser(one.scim, { [ENTERPRISE]: { manager: { value: '10042' } } });
    await addUser(one.scim, { [ENTERPRISE]: { manager: { value: randomUUID() } } });
    const gone = await addUser(one.scim);
    await one.scim('DELETE', `/Users/${gone.id}`);
    await one.scim('POST', '/Groups', { displayName: `Group ${one.id}` });

    const { last_request_at: _, ...listed } = await clientOf(one.id);
    expect(listed).toEqual({
      key: {
        id: one.id,
        name: 'Okta',
        user: expect.any(String),
        live: true,
        expires_at: null,
        revoked_at: null,
      },
      people: 2,
      groups: 1,
      kept_ids: 0,
      refused: 0,
      ignored: [
        { attribute: 'manager', reason: 'Manager not found.', count: 2, last_at: expect.any(String) },
      ],
      holds: 0,
    });
    expect(await clientOf(two.id)).toMatchObject({ people: 0, groups: 0, ignored: [] });

    // The last one that writes manages.
    await two.scim('PATCH', `/Users/${user.id}`, patchOf({ op: 'replace', path: 'title', value: 'T' }));
    expect([(await clientOf(one.id)).people, (await clientOf(two.id)).people]).toEqual([1, 1]);
  });

  test('has pages', async () => {
    await addClient('a third');
    const { body } = await service.call('GET', '/api/scim-clients/?limit=1&offset=1');
    expect(body).toMatchObject({
      count: expect.any(Number),
      previous: expect.any(String),
      results: [{ key: {} }],
    });
    expect(body.results).toHaveLength(1);
    expect((await service.call('GET', '/api/scim-clients/?limit=0')).status).toBe(400);
  });

  test('tells of each attribute of a person once a day, and counts all', async () => {
    const { id, scim: call } = await addClient('repeats');
    const user = await addUser(call);
    const send = () =>
      call(
        'PATCH',
        `/Users/${user.id}`,
        patchOf({ op: 'replace', path: `${ENTERPRISE}:manager`, value: '7' }),
      );
    for (let times = 0; times < 3; times++) expect((await send()).status).toBe(200);
    const ignored = async () =>
      (await eventsOf(service, 'scim.attribute_ignored')).filter(({ subject }) => subject.uuid === user.id);
    expect((await ignored()).map(({ payload }) => payload)).toEqual([
      expect.objectContaining({
        api_key_id: id,
        attribute: 'manager',
        reason: 'manager.value is not the id of a user.',
        email: user.userName,
      }),
    ]);
    expect((await clientOf(id)).ignored).toMatchObject([{ attribute: 'manager', count: 3 }]);
  });
});

describe('a refused request', () => {
  test('leaves an event without its body, once an hour, and is counted', async () => {
    const { id, scim: call } = await addClient('refused');
    const secret = `secret-${randomUUID()}`;
    const { id: user, userName } = await addUser(call);
    const send = () =>
      call('PATCH', `/Users/${user}`, patchOf({ op: 'replace', path: 'title', value: { secret } }));
    for (let times = 0; times < 3; times++) expect((await send()).status).toBe(400);
    expect((await call('POST', '/Users', newUser({ userName }))).status).toBe(409);
    expect((await call('PUT', `/Users/${randomUUID()}`, newUser())).status).toBe(404);
    expect((await call('GET', '/Users?filter=nonsense')).status).toBe(400);
    expect((await call('PATCH', '/Users', {})).status).toBe(405);

    const recorded = await refusals(id);
    expect(recorded.map(({ method, resource, id, status }) => [method, resource, id, status])).toEqual([
      ['PATCH', 'Users', user, 400],
      ['POST', 'Users', null, 409],
      ['PUT', 'Users', expect.any(String), 404],
      ['GET', 'Users', null, 400],
      ['PATCH', 'Users', null, 405],
    ]);
    expect(recorded[0]).toMatchObject({ detail: 'title must be a string.', count: 1 });
    expect(JSON.stringify(recorded)).not.toContain(secret);
    expect((await clientOf(id)).refused).toBe(7);

    await setTimes(service, 'scim_recorded', { recorded_at: '61 minutes ago' });
    await send();
    expect((await refusals(id)).at(-1)).toMatchObject({ method: 'PATCH', count: 4 });
  });

  test('of Bulk leaves events as well', async () => {
    const { id, scim: call } = await addClient('bulk');
    const user = randomUUID();
    const operation = { method: 'DELETE', path: `/Users/${user}` };
    const { body } = await call('POST', '/Bulk', {
      Operations: [operation, operation, { method: 'POST', path: '/Users', bulkId: 'a', data: {} }],
    });
    expect(body).not.toHaveProperty('refused');
    expect(await refusals(id)).toMatchObject([
      { method: 'DELETE', resource: 'Users', id: user, status: 404, count: 2 },
      { method: 'POST', resource: 'Users', id: null, status: 400, count: 1 },
    ]);
    expect((await clientOf(id)).refused).toBe(3);
  });

  test('is none without a valid key, with another key, or if a read finds nothing', async () => {
    const before = (await eventsOf(service, 'scim.request_refused')).length;
    const call = scimCaller(service, 'gh_nonsense');
    expect((await call('POST', '/Users', {})).status).toBe(401);
    const { key: member } = await addPersonWithKey(service, 'member');
    expect((await scimCaller(service, member)('POST', '/Users', {})).status).toBe(403);
    expect((await scim('GET', `/Users/${randomUUID()}`)).status).toBe(404);
    expect(await eventsOf(service, 'scim.request_refused')).toHaveLength(before);
  });

  test('in a loop does not fill the log', async () => {
    const { id, scim: call } = await addClient('loop');
    const Operations = Array.from({ length: 300 }, () => ({
      method: 'DELETE',
      path: `/Users/${randomUUID()}`,
    }));
    await call('POST', '/Bulk', { Operations });
    await call('POST', '/Bulk', { Operations });
    expect(await refusals(id)).toHaveLength(MOST_REFUSALS_RECORDED);
    expect((await clientOf(id)).refused).toBe(600);
  });

  test('is forgotten after days', async () => {
    const { id, scim: call } = await addClient('forgotten');
    await call('DELETE', `/Users/${randomUUID()}`);
    const { orgId } = await organizationOf(service);
    const org = within(service.database.db, orgId);
    await setTimes(org, 'scim_refused', { hour: '3 days ago' }, { key_id: id });
    await setTimes(org, 'scim_recorded', { recorded_at: '3 days ago' }, { key_id: id });
    expect((await clientOf(id)).refused).toBe(0);
    await forgetOldNotes(service.database.db);
    const { rows } = await sql`
      select key_id from scim_refused where org_id = ${orgId} and key_id = ${id}
      union all select key_id from scim_recorded where org_id = ${orgId} and key_id = ${id}`.execute(org);
    expect(rows).toEqual([]);
  });
});

describe('a release', () => {
  test('says first what would change, and changes the people and groups of one client', async () => {
    const [one, other] = [await addClient('left'), await addClient('stays')];
    const externalId = randomUUID();
    const user = await addUser(one.scim, { externalId, title: 'T' });
    const leaver = await addUser(one.scim, { externalId: randomUUID() });
    await one.scim('PATCH', `/Users/${leaver.id}`, patchOf({ op: 'replace', path: 'active', value: false }));
    const group = { displayName: `Group ${one.id}`, externalId: randomUUID() };
    const { body: made } = await one.scim('POST', '/Groups', { ...group, members: [{ value: user.id }] });
    const kept = await addUser(other.scim);

    const planned = await release(one.id, { dry_run: true });
    const expected = { people: 2, active: 1, groups: 1, with_role: 0, kept_ids: 0 };
    expect(planned).toMatchObject({ status: 200, body: { dry_run: true, ...expected } });
    expect(planned.body.fields).toContainEqual({ field: 'attributes.title', people: 1 });
    expect(await clientOf(one.id)).toMatchObject({ people: 2, groups: 1 });

    expect(await release(one.id)).toMatchObject({ status: 200, body: { dry_run: false, ...expected } });

    expect(await clientOf(one.id)).toMatchObject({ people: 0, groups: 0 });
    expect((await clientOf(other.id)).people).toBe(1);
    const person = async (id: string) => (await service.call('GET', `/api/users/${id}/`)).body;
    expect((await person(user.id)).sources).toEqual({});
    expect((await person(user.id)).groups).toMatchObject([{ id: made.id }]);
    expect((await person(leaver.id)).status).toBe('deactivated');
    expect((await person(kept.id)).sources).toHaveProperty('email');
    const released = (await eventsOf(service, 'person.released')).map(({ subject }) => subject.uuid);
    expect(released).toEqual(expect.arrayContaining([user.id, leaver.id]));
    expect(await release(one.id)).toMatchObject({ status: 200, body: { people: 0, groups: 0, kept_ids: 2 } });
    // The client comes back.
    const again = newUser({ userName: user.userName, emails: user.emails, externalId });
    expect((await one.scim('POST', '/Users', again)).body.id).toBe(user.id);
    expect(await one.scim('POST', '/Groups', group)).toMatchObject({
      status: 201,
      body: { id: made.id, members: [{ value: user.id }] },
    });
    expect(await clientOf(one.id)).toMatchObject({ people: 1, groups: 1 });
  });

  test('can forget the ids, for a provider with others', async () => {
    const [old, next] = [await addClient('old'), await addClient('next')];
    const user = await addUser(old.scim, { externalId: randomUUID() });
    await release(old.id);
    const moved = newUser({ userName: user.userName, emails: user.emails, externalId: randomUUID() });
    expect((await next.scim('POST', '/Users', moved)).status).toBe(409);

    expect((await release(old.id, { forget_ids: true })).body).toMatchObject({ people: 0, kept_ids: 1 });

    expect(await next.scim('POST', '/Users', moved)).toMatchObject({ status: 201, body: { id: user.id } });
    expect(await eventsOf(service, 'scim.ids_forgotten')).toMatchObject([
      { payload: { api_key_id: old.id, count: 1 } },
    ]);
    expect((await release(old.id, { forget_ids: true })).body.kept_ids).toBe(0);
    expect(await eventsOf(service, 'scim.ids_forgotten')).toHaveLength(1);
  });

  test('can forget the ids of people whom the client deleted', async () => {
    const [old, next] = [await addClient('deleting'), await addClient('numbering')];
    const externalId = randomUUID();
    const user = await addUser(old.scim, { externalId });
    expect((await old.scim('DELETE', `/Users/${user.id}`)).status).toBe(204);
    expect((await release(old.id, { dry_run: true })).body).toMatchObject({ people: 0, kept_ids: 1 });

    expect((await release(old.id, { forget_ids: true })).status).toBe(200);

    // Another person, to whom the next provider gives the same number.
    const stranger = await addUser(next.scim, { externalId });
    expect(stranger.id).not.toBe(user.id);
    expect((await clientOf(old.id)).kept_ids).toBe(0);
  });

  test('of groups is recorded', async () => {
    const { id, scim: call } = await addClient('with groups');
    const { body: group } = await call('POST', '/Groups', {
      displayName: 'Released',
      externalId: randomUUID(),
    });
    await release(id);
    expect(await eventsOf(service, 'person_group.released')).toContainEqual(
      expect.objectContaining({ payload: { group_id: group.id, name: 'Released' } }),
    );
  });

  test('that keeps ids leaves a revoked client on the list', async () => {
    const { id, scim: call } = await addClient('kept');
    await addUser(call, { externalId: randomUUID() });
    expect((await owner('DELETE', `/api/api-keys/${id}/`)).status).toBe(204);
    await release(id);
    expect(await clientOf(id)).toMatchObject({ people: 0, kept_ids: 1, key: { live: false } });
    await release(id, { forget_ids: true });
    expect(await clientOf(id)).toBeUndefined();
  });

  test('reaches the people of a key that was revoked, and those of many pieces', async () => {
    const { id, scim: call } = await addClient('revoked');
    await addUser(call);
    const { orgId } = await organizationOf(service);
    await sql`
      with added as (
        insert into platform_user (org_id, id, email, username) select ${orgId}::uuid, uuidv7(), 'many-' || i || '@acme.example', 'many-' || i
        from generate_series(1, 1100) i returning id)
      insert into person_source (org_id, user_id, external_id, owned, updated_at, key_id)
      select ${orgId}::uuid, id, 'many-' || id, '{email}', now(), ${id}::uuid from added`.execute(
      service.database.db,
    );
    expect((await owner('DELETE', `/api/api-keys/${id}/`)).status).toBe(204);

    expect(await clientOf(id)).toMatchObject({
      key: { live: false, revoked_at: expect.any(String) },
      people: 1101,
    });
    expect((await release(id, { forget_ids: true })).body).toMatchObject({ people: 1101 });
    expect(await clientOf(id)).toBeUndefined();
    expect((await release(id)).status).toBe(200);
  });

  test('is for owners of the organization, with a key for all apps', async () => {
    const { id } = await addClient('guarded');
    const other = await addOrganization(service);
    expect((await other('POST', `/api/scim-clients/${id}/release/`, {})).status).toBe(404);
    expect((await other('GET', '/api/scim-clients/')).body).toMatchObject({ count: 0, results: [] });
    const { body: app } = await service.call('POST', '/api/v1/bridge/apps/', { name: 'Ledger' });
    const [admin, scoped, auditor, member] = [
      await addPersonWithKey(service, 'admin'),
      await addPersonWithKey(service, 'owner', { apps: [app.id] }),
      await addPersonWithKey(service, 'auditor'),
      await addPersonWithKey(service, 'member'),
    ];
    const as = (one: { key: string }, method: string, path: string) =>
      service.call(method, `/api/scim-clients/${path}`, method === 'POST' ? {} : undefined, { key: one.key });
    for (const one of [admin, scoped, auditor, member])
      expect((await as(one, 'POST', `${id}/release/`)).status).toBe(403);
    expect([(await as(scoped, 'GET', '')).status, (await as(member, 'GET', '')).status]).toEqual([403, 403]);
    expect([(await as(admin, 'GET', '')).status, (await as(auditor, 'GET', '')).status]).toEqual([200, 200]);
    expect((await service.call('POST', `/api/scim-clients/${id}/release/`, {}, { key })).status).toBe(403);
  });

  test('refuses other keys, and wrong types', async () => {
    const { id } = await addClient('checked');
    const { body: govern } = await owner('POST', '/api/api-keys/', { name: 'other', scopes: ['read'] });
    expect((await release(govern.id)).status).toBe(404);
    expect((await release(randomUUID())).status).toBe(404);
    expect((await release('nonsense')).status).toBe(404);
    expect((await release(id, { dry_run: 'yes' })).status).toBe(400);
    expect((await release(id, { forget_ids: 1 })).status).toBe(400);
  });
});
