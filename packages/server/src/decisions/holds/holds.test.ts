// @module-tag engine
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type HoldTest, openHoldTest } from '#test/holds.ts';
import { addOrganization, eventsOf } from '#test/people.ts';
import { newUser, patchOf, scimCaller } from '#test/scim.ts';
import { setTimes } from '#test/time.ts';

// Without background jobs, so that the tests decide when policies fire.
let service: HoldTest;
beforeEach(async () => {
  service = await openHoldTest();
});
afterEach(() => service.close());

const guard = (people_guard: object | null) => service.call('PATCH', '/api/organization/', { people_guard });

test('holds what policies do once a client has deactivated more than its share, and the tasks that no connector has fetched', async () => {
  const policy = await service.leavers();
  const ids = await service.addUsers(40);
  await service.leave(...ids.slice(0, 3));
  await service.settled();
  // Fetched: too late for the hold.
  const early = await service.fetched();
  expect(early).toEqual(ids.slice(0, 3).toSorted());
  await service.leave(...ids.slice(3, 4));
  await service.settled();
  expect(await service.holds()).toEqual([]);
  await service.leave(...ids.slice(4, 9));
  const hold = await service.onlyHold();
  expect(hold).toMatchObject({
    kind: 'people',
    client: { type: 'scim', label: 'identity provider' },
    group: null,
    app: null,
    window_seconds: 86_400,
    affected: 9,
    of: 40,
    percent: 10,
    status: 'open',
    tasks: 1,
    decided_by: null,
    decided_at: null,
    reason: null,
  });
  await service.settled();
  expect(await service.fetched()).toEqual(early);
  expect(await service.onlyHold()).toMatchObject({ affected: 9, tasks: 6 });
  const [waiting] = await service.tasks('&waits_for=hold');
  expect(waiting).toMatchObject({
    status: 'scheduled',
    waits_for: 'hold',
    hold: hold.external_uuid,
    source: { id: policy },
    explanation: { advice: 'An administrator can confirm or discard the hold.' },
  });
  expect(await service.tasks(`&hold=${hold.external_uuid}`)).toMatchObject([
    { external_uuid: waiting.external_uuid },
  ]);
  // They cannot sign in, and Gatehouse has them as leavers.
  expect((await service.call('GET', `/api/users/${ids[8]}/`)).body.status).toBe('deactivated');
  expect(await eventsOf(service, 'people.change_held')).toMatchObject([
    {
      subject: { uuid: hold.external_uuid },
      payload: {
        kind: 'people',
        client: { type: 'scim', name: 'identity provider' },
        affected: 5,
        of: 40,
        percent: 10,
      },
    },
  ]);
});

test('confirmed, policies decide again about each person', async () => {
  await service.leavers();
  const ids = await service.addUsers(30);
  await service.leave(...ids.slice(0, 3));
  await service.settled();
  await service.leave(...ids.slice(3, 8));
  await service.settled();
  // One with a task, and one without.
  await service.comeBack(ids[0] as string);
  await service.comeBack(ids[7] as string);
  const { external_uuid: id } = await service.onlyHold();
  expect(await service.onlyHold()).toMatchObject({ affected: 6 });
  const confirmed = await service.decide(id, 'confirm');
  expect(confirmed).toMatchObject({
    status: 200,
    body: { status: 'confirmed', decided_by: { email: 'admin@acme.example' } },
  });
  await service.settled();
  const expected = ids.slice(1, 7).toSorted();
  expect(await service.fetched()).toEqual(expected);
  expect(await service.onlyHold()).toMatchObject({ status: 'confirmed', affected: 6, tasks: 0 });
  expect(await service.tasks('&waits_for=hold')).toEqual([]);
  expect((await service.decide(id, 'confirm')).status).toBe(409);
  expect((await service.decide(id, 'discard')).body.detail).toBe('This hold was already confirmed.');
  expect(await eventsOf(service, 'people.change_confirmed')).toHaveLength(1);
});

test('discarded, the tasks are canceled, policies do nothing, and the people stay deactivated', async () => {
  await service.leavers();
  const daily = await service.leavers({
    name: 'Daily',
    trigger: 'daily',
    condition: 'user.status == "deactivated"',
  });
  const ids = await service.addUsers(30);
  await service.leave(...ids.slice(0, 3));
  await service.settled();
  await service.leave(...ids.slice(3, 8));
  const { external_uuid: id } = await service.onlyHold();
  expect((await service.decide(id, 'discard', {})).status).toBe(400);
  expect((await service.decide(id, 'discard', { reason: '' })).status).toBe(400);
  expect((await service.decide(id, 'discard', { reason: 7 })).status).toBe(400);
  expect(await service.onlyHold()).toMatchObject({ status: 'open' });
  // The policies have yet to see the last ones.
  expect((await service.decide(id, 'discard')).body).toMatchObject({
    status: 'discarded',
    reason: 'A mistake',
  });
  await service.settled();
  await setTimes(service, 'policy', { ran_at: '1 day earlier' });
  await service.settled();
  expect(await service.fetched()).toEqual([]);
  const all = await service.tasks();
  expect(all.map(({ status }: { status: string }) => status)).toEqual(Array(3).fill('cancelled'));
  expect(all[0].explanation.happened).toContain('A mistake');
  expect(await service.tasks(`&source=${daily}`)).toEqual([]);
  for (const one of ids.slice(0, 8))
    expect((await service.call('GET', `/api/users/${one}/`)).body.status).toBe('deactivated');
  expect(await service.onlyHold()).toMatchObject({ affected: 8, tasks: 0 });
  // A person who comes back and leaves again is a new leaver, in a new window.
  await service.comeBack(ids[0] as string);
  await service.leave(ids[0] as string);
  await service.settled();
  expect(await service.fetched()).toHaveLength(1);
  expect(await service.holds()).toHaveLength(1);
});

test('a decided hold begins a new window', async () => {
  await service.leavers();
  const ids = await service.addUsers(40);
  await service.leave(...ids.slice(0, 6));
  await service.decide((await service.onlyHold()).external_uuid, 'confirm');
  await service.leave(...ids.slice(6, 10));
  await service.settled();
  expect(await service.holds()).toHaveLength(1);
  expect(await service.fetched()).toHaveLength(10);
  await service.leave(...ids.slice(10, 11));
  expect(await service.holds('?status=open')).toMatchObject([{ affected: 5, of: 34 }]);
});

test('the changes of one day count, and earlier ones do not', async () => {
  await guard({ percent: 10, at_least: 5 });
  const ids = await service.addUsers(40);
  await service.leave(...ids.slice(0, 4));
  await setTimes(service, 'hold_window', { started_at: '28 hours earlier' });
  await setTimes(service, 'hold_change', { at: '28 hours earlier' });
  await service.leave(...ids.slice(4, 8));
  expect(await service.holds()).toEqual([]);
  await service.leave(...ids.slice(8, 9));
  expect(await service.onlyHold()).toMatchObject({ affected: 5, of: 36 });
});

test('the organization sets the share and the number, or switches the guard off', async () => {
  const ids = await service.addUsers(20);
  for (const [people_guard, field] of [
    [{ percent: 0, at_least: 5 }, 'percent'],
    [{ percent: 101, at_least: 5 }, 'percent'],
    [{ percent: 10 }, 'at_least'],
    [{ percent: 10, at_least: 0 }, 'at_least'],
    [{ percent: 'ten', at_least: 5 }, 'percent'],
    ['off', 'people_guard'],
  ] as const) {
    const { status, body } = await service.call('PATCH', '/api/organization/', { people_guard });
    expect({ status, names: body.detail.includes(field) }).toEqual({ status: 400, names: true });
  }
  expect((await service.call('GET', '/api/organization/')).body).toMatchObject({
    people_guard: { percent: 10, at_least: 5 },
    group_guard: { percent: 50, at_least: 5 },
  });
  expect((await guard(null)).body.people_guard).toBe(null);
  await service.leave(...ids.slice(0, 10));
  expect(await service.holds()).toEqual([]);
  await guard({ percent: 60, at_least: 12 });
  await service.leave(...ids.slice(10, 12));
  expect(await service.holds()).toEqual([]);
  await service.leave(...ids.slice(12, 13));
  expect(await service.onlyHold()).toMatchObject({ affected: 13, of: 20, percent: 60 });
  expect((await eventsOf(service, 'organization.updated')).at(-1)?.payload.changes).toEqual([
    { field: 'people_guard', from: null, to: { percent: 60, at_least: 12 } },
  ]);
});

/** Every way to deactivate or delete many people, as the client of the hold is named. */
const DOORS: Record<string, (ids: string[], emails: string[]) => Promise<unknown>> = {
  'scim PATCH': (ids) => service.leave(...ids),
  'scim PUT': async (ids) => {
    for (const id of ids) {
      const { body } = await service.scim('GET', `/Users/${id}`);
      expect((await service.scim('PUT', `/Users/${id}`, { ...body, active: false })).status).toBe(200);
    }
  },
  'scim DELETE': async (ids) => {
    for (const id of ids) expect((await service.scim('DELETE', `/Users/${id}`)).status).toBe(204);
  },
  'scim Bulk': async (ids) => {
    const Operations = ids.map((id) => ({
      method: 'PATCH',
      path: `/Users/${id}`,
      data: patchOf({ op: 'replace', path: 'active', value: false }),
    }));
    const schemas = ['urn:ietf:params:scim:api:messages:2.0:BulkRequest'];
    expect((await service.scim('POST', '/Bulk', { schemas, Operations })).status).toBe(200);
  },
  'import key': (_, emails) =>
    service.call(
      'POST',
      '/api/users/import/',
      `email,status\n${emails.map((one) => `${one},deactivated`).join('\n')}`,
      {
        headers: { 'content-type': 'text/csv' },
      },
    ),
  'api_key PATCH': async (ids) => {
    for (const id of ids) await service.call('PATCH', `/api/users/${id}/`, { status: 'deactivated' });
  },
};
test.each(Object.entries(DOORS))('%s', async (name, leaving) => {
  await service.leavers();
  const ids = await service.addUsers(20);
  const emails: string[] = [];
  for (const id of ids) emails.push((await service.call('GET', `/api/users/${id}/`)).body.email);
  await leaving(ids.slice(0, 8), emails.slice(0, 8));
  expect(await service.onlyHold()).toMatchObject({
    client: { type: name.split(' ')[0] },
    affected: 8,
    of: name.startsWith('scim') ? 20 : 21,
  });
  await service.settled();
  expect(await service.fetched()).toEqual([]);
  expect(await service.onlyHold()).toMatchObject({ tasks: 8 });
  await service.decide((await service.onlyHold()).external_uuid, 'confirm');
  await service.settled();
  expect(await service.fetched()).toHaveLength(8);
});

test('people whom the API deletes for good count as well', async () => {
  const ids: string[] = [];
  for (let n = 0; n < 12; n++)
    ids.push((await service.call('POST', '/api/users/', { email: `p${n}@acme.example` })).body.external_uuid);
  for (const id of ids.slice(0, 6))
    expect((await service.call('DELETE', `/api/users/${id}/`)).status).toBe(204);
  expect(await service.onlyHold()).toMatchObject({ client: { type: 'api_key' }, affected: 6 });
});

test('a signed-in person who deactivates people one by one is not held', async () => {
  const ids = await service.addUsers(12);
  for (const id of ids)
    expect((await service.owner('PATCH', `/api/users/${id}/`, { status: 'deactivated' })).status).toBe(200);
  expect(await service.holds()).toEqual([]);
});

test('strangers who get the emails of deleted people are held, and listed as pairs', async () => {
  await service.leavers({
    name: 'Joiners',
    trigger: 'user.created',
    effects: [{ do: 'grant', app: service.appId }],
  });
  const users: { id: string; body: ReturnType<typeof newUser> }[] = [];
  for (let n = 0; n < 20; n++) {
    const body = newUser();
    users.push({ id: (await service.scim('POST', '/Users', body)).body.id, body });
  }
  await service.settled();
  const before = (await service.tasks()).length;
  const gone = users.slice(0, 8);
  for (const { id } of gone) await service.scim('DELETE', `/Users/${id}`);
  const strangers: string[] = [];
  for (const [n, { body }] of gone.entries()) {
    const { status, body: made } = await service.scim('POST', '/Users', {
      ...body,
      externalId: `another-${n}`,
    });
    expect(status).toBe(201);
    strangers.push(made.id);
  }
  expect(await service.onlyHold()).toMatchObject({ kind: 'people', affected: 8, of: 20 });
  await service.settled();
  expect(await service.tasks()).toHaveLength(before);
  const { body: pairs } = await service.call('GET', '/api/users/duplicates/');
  expect(pairs.count).toBe(8);
  expect(pairs.results[0]).toMatchObject({ reasons: ['succession'] });
  const hold = await service.onlyHold();
  await service.decide(hold.external_uuid, 'confirm');
  await service.settled();
  expect(await service.tasks()).toHaveLength(before + 8);
});

test('successions alone are held too', async () => {
  const users: { id: string; body: ReturnType<typeof newUser> }[] = [];
  for (let n = 0; n < 20; n++) {
    const body = newUser();
    users.push({ id: (await service.scim('POST', '/Users', body)).body.id, body });
  }
  const gone = users.slice(0, 8);
  await guard(null);
  for (const { id } of gone) await service.scim('DELETE', `/Users/${id}`);
  // Days later.
  await service.database.exec(`delete from hold_change where org_id = '${service.orgId}';
    delete from hold_window where org_id = '${service.orgId}'`);
  await guard({ percent: 10, at_least: 5 });
  for (const [n, { body }] of gone.entries())
    await service.scim('POST', '/Users', { ...body, externalId: `other-${n}` });
  expect(await service.onlyHold()).toMatchObject({ affected: 8 });
});

const keyWith = async (scopes: string[], more: object = {}) =>
  (await service.owner('POST', '/api/api-keys/', { name: scopes.join(), scopes, ...more })).body
    .key as string;

test('only owners and administrators decide, of their organization, and never a key of a client or connector', async () => {
  const ids = await service.addUsers(12);
  await service.leave(...ids.slice(0, 6));
  const { external_uuid: id } = await service.onlyHold();
  const path = `/api/holds/${id}/confirm/`;
  for (const scopes of [['bridge'], ['read'], ['events']])
    expect((await service.call('POST', path, undefined, { key: await keyWith(scopes) })).status).toBe(403);
  const listed = await keyWith(['govern'], { apps: [service.appId] });
  expect((await service.call('POST', path, undefined, { key: listed })).status).toBe(403);
  const provider = scimCaller(service, await keyWith(['scim']));
  expect((await provider('POST', path)).status).toBeGreaterThanOrEqual(400);
  expect((await service.call('POST', path, undefined, { key: await keyWith(['scim']) })).status).toBe(403);
  const foreign = await addOrganization(service);
  expect((await foreign('GET', `/api/holds/${id}/`)).status).toBe(404);
  expect((await foreign('POST', path)).status).toBe(404);
  expect((await foreign('GET', '/api/holds/')).body.count).toBe(0);
  expect((await service.call('GET', '/api/holds/nonsense/')).status).toBe(404);
  expect(await service.onlyHold()).toMatchObject({ status: 'open' });
});

test('of two who decide at the same time, one wins', async () => {
  const ids = await service.addUsers(12);
  await service.leave(...ids.slice(0, 6));
  const { external_uuid: id } = await service.onlyHold();
  const replies = await Promise.all([
    service.decide(id, 'confirm'),
    service.decide(id, 'discard'),
    service.decide(id, 'confirm'),
  ]);
  expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409, 409]);
});

test('lists holds by kind, status and client', async () => {
  const ids = await service.addUsers(12);
  await service.leave(...ids.slice(0, 6));
  const { client } = await service.onlyHold();
  expect(await service.holds('?kind=people&status=open')).toHaveLength(1);
  expect(await service.holds(`?client=${client.external_uuid}`)).toHaveLength(1);
  expect(await service.holds('?kind=group')).toEqual([]);
  expect(await service.holds('?status=confirmed')).toEqual([]);
  expect(await service.holds(`?client=${service.appId}`)).toEqual([]);
  expect((await service.call('GET', '/api/holds/?kind=persons')).status).toBe(400);
});
