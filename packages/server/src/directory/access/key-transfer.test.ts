import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestApp, type TestApp } from '#test/app.ts';
import {
  addOrganization,
  addPersonWithKey,
  addPersonWithRole,
  eventsOf,
  organizationOf,
} from '#test/people.ts';
import { type BrowserCall, openBrowser, signInAs, signInAsOwner } from '#test/sign-in.ts';
import { setTimes } from '#test/time.ts';

let service: TestApp;
let call: TestApp['call'];
let asOwner: BrowserCall;
let appId: string;
beforeAll(async () => {
  service = await openTestApp();
  call = service.call;
  asOwner = (await signInAsOwner(service)).call;
  appId = (await call('POST', '/api/v1/bridge/apps/', { name: 'Payroll' })).body.id;
  await call('POST', `/api/v1/bridge/apps/${appId}/resource-types/`, {
    slug: 'user',
    name: 'Users',
    type: 'account',
  });
});
afterAll(() => service.close());

const UNAUTHENTICATED = { status: 401, body: { detail: 'Missing or invalid API key.' } };
const deactivate = (id: string) => call('POST', `/api/users/${id}/deactivate/`);
const transfer = (key: string, user: string, by: BrowserCall = asOwner) =>
  by('POST', `/api/api-keys/${key}/transfer/`, { user });
const keysOf = async (user: string, more = ''): Promise<{ id: string; live: boolean }[]> =>
  (await call('GET', `/api/api-keys/?user=${user}${more}`)).body.results;
/** A person with a key, and the key's id. */
const addHolder = async (role: 'owner' | 'admin' | 'member' = 'admin') => {
  const person = await addPersonWithKey(service, role);
  return { ...person, keyId: (await keysOf(person.id))[0]?.id ?? '' };
};
const signedIn = async (role: 'owner' | 'admin' | 'member') => {
  const person = await addPersonWithRole(service, `${randomUUID()}@acme.example`, role);
  return { id: person.external_uuid, ...(await signInAs(service, person)) };
};

describe("a deactivated person's key", () => {
  test('stops working immediately, also for events and pushes that remember it', async () => {
    const { id, key } = await addHolder();
    const bridge = `/api/v1/bridge/apps/${appId}`;
    const { sync_id } = (await call('POST', `${bridge}/sync/`, undefined, { key })).body;
    const calls = [
      () => call('GET', '/api/accounts/', undefined, { key }),
      () => call('GET', '/api/events/', undefined, { key }),
      () => call('PUT', `${bridge}/sync/${sync_id}/user/`, { records: [] }, { key }),
      () => call('GET', `${bridge}/tasks/`, undefined, { key }),
    ];
    for (const one of calls) expect((await one()).status).toBe(200);

    await deactivate(id);

    for (const one of calls) expect(await one()).toMatchObject(UNAUTHENTICATED);
    expect(await keysOf(id)).toMatchObject([{ live: false, revoked_at: null }]);
  });

  test('stops working when an import deactivates the person', async () => {
    const { id, email, key } = await addHolder('member');
    const headers = { 'content-type': 'text/csv' };
    const csv = `email,status\n${email},deactivated\n`;
    expect(await call('POST', '/api/users/import/', csv, { headers })).toMatchObject({ status: 200 });

    expect(await call('GET', '/api/accounts/', undefined, { key })).toMatchObject(UNAUTHENTICATED);
    expect(await keysOf(id, '&live=true')).toEqual([]);
  });

  test('works again once the person is reactivated', async () => {
    const { id, key } = await addHolder();
    await deactivate(id);
    await asOwner('POST', `/api/users/${id}/reactivate/`);

    expect((await call('GET', '/api/accounts/', undefined, { key })).status).toBe(200);
  });
});

describe('a transferred key', () => {
  test('acts for the new person, and survives the deactivation of its former person', async () => {
    const [from, to] = [await addHolder(), await addHolder('member')];

    const { status, body } = await transfer(from.keyId, to.id);

    expect(status).toBe(200);
    expect(body).toMatchObject({ id: from.keyId, user: to.id, created_by: from.id, live: true });
    await deactivate(from.id);
    expect((await call('GET', '/api/me/', undefined, { key: from.key })).body).toMatchObject({
      external_uuid: to.id,
      role: 'member',
    });
    await deactivate(to.id);
    expect(await call('GET', '/api/me/', undefined, { key: from.key })).toMatchObject(UNAUTHENTICATED);
  });

  test('has the rights of the new person', async () => {
    const [from, to] = [await addHolder('admin'), await addHolder('member')];
    const invite = () => call('POST', '/api/users/', { email: `${randomUUID()}@acme.example` }, from);
    expect((await invite()).status).toBe(201);

    await transfer(from.keyId, to.id);

    expect((await invite()).status).toBe(403);
  });

  test('cannot create a key that could decide for the new person', async () => {
    const [from, to] = [await addHolder('admin'), await addHolder('admin')];
    await transfer(from.keyId, to.id);

    expect(await call('POST', '/api/api-keys/', { name: 'x', scopes: ['govern'] }, from)).toMatchObject({
      status: 403,
      body: { detail: expect.stringContaining('transferred') },
    });
    expect((await call('GET', '/api/api-keys/', undefined, from)).status).toBe(200);
  });

  test('is recorded once, with both people', async () => {
    const [from, to] = [await addHolder(), await addHolder()];
    const { ownerId } = await organizationOf(service);
    await transfer(from.keyId, to.id);
    await transfer(from.keyId, to.id);

    const told = (await eventsOf(service, 'key.transferred')).filter(
      ({ payload }) => payload.api_key_id === from.keyId,
    );
    expect(told).toMatchObject([
      {
        actor: { type: 'user', uuid: ownerId },
        subject: { type: 'platform_user', uuid: to.id },
        source: { type: 'user_action' },
        payload: { from: from.id, to: to.id },
      },
    ]);
  });

  test('keeps its creator from being deleted, but not its former person', async () => {
    const [creator, second, third] = [await addHolder(), await addHolder(), await addHolder()];
    await transfer(creator.keyId, second.id);
    await transfer(creator.keyId, third.id);
    for (const { id } of await keysOf(second.id)) await call('DELETE', `/api/api-keys/${id}/`);

    expect((await call('DELETE', `/api/users/${creator.id}/`)).status).toBe(409);
    expect((await call('DELETE', `/api/users/${second.id}/`)).status).toBe(204);
  });
});

test('a new owner keeps no link, session or key that an administrator may have', async () => {
  const [creator, heir] = [await addHolder('member'), await addHolder('member')];
  await transfer(creator.keyId, heir.id);
  const session = await signInAs(service, { ...heir, external_uuid: heir.id });
  const admin = await signedIn('admin');
  const { body } = await admin.call('POST', `/api/users/${heir.id}/sign-in-link/`);

  await asOwner('PATCH', `/api/users/${heir.id}/`, { role: 'owner' });

  const use = { token: String(body.url).split('#')[1], new_password: 'correct horse battery staple' };
  expect((await openBrowser(service).call('POST', '/auth/welcome/', use)).status).toBe(401);
  expect((await session.call('GET', '/api/me/')).status).toBe(401);
  expect(await call('GET', '/api/me/', undefined, { key: creator.key })).toMatchObject(UNAUTHENTICATED);
  expect((await call('GET', '/api/me/', undefined, { key: heir.key })).body).toMatchObject({ role: 'owner' });
  const revoked = (await eventsOf(service, 'api_key.revoked')).filter(
    ({ payload }) => payload.api_key_id === creator.keyId,
  );
  expect(revoked).toMatchObject([{ subject: { uuid: heir.id } }]);
});

describe('a transfer', () => {
  test('needs a signed-in owner or administrator', async () => {
    const [from, to] = [await addHolder('member'), await addHolder('member')];
    const [admin, member] = [await signedIn('admin'), await signedIn('member')];

    expect((await call('POST', `/api/api-keys/${from.keyId}/transfer/`, { user: to.id })).status).toBe(403);
    expect((await transfer(from.keyId, to.id, member.call)).status).toBe(403);
    expect((await transfer(from.keyId, to.id, admin.call)).status).toBe(200);
  });

  test('from or to an owner needs an owner', async () => {
    const [owner, holder] = [await addHolder('owner'), await addHolder('admin')];
    const admin = await signedIn('admin');

    expect((await transfer(owner.keyId, holder.id, admin.call)).status).toBe(403);
    expect((await transfer(owner.keyId, admin.id, admin.call)).status).toBe(403);
    expect((await transfer(holder.keyId, owner.id, admin.call)).status).toBe(403);
    expect((await transfer(holder.keyId, owner.id)).status).toBe(200);
    expect((await transfer(holder.keyId, admin.id)).status).toBe(200);
  });

  test('needs an active person of the organization and a key that has not ended', async () => {
    const [from, gone] = [await addHolder(), await addHolder()];
    const elsewhere = await addOrganization(service);
    const stranger = (await elsewhere('GET', '/api/users/')).body.results[0].external_uuid;
    await deactivate(gone.id);

    expect((await transfer(from.keyId, gone.id)).status).toBe(409);
    for (const user of [stranger, randomUUID()]) expect((await transfer(from.keyId, user)).status).toBe(404);
    expect((await transfer(from.keyId, 'nobody')).status).toBe(400);
    for (const id of [randomUUID(), 'x']) expect((await transfer(id, 'nobody')).status).toBe(404);
    const expired = await addHolder();
    await setTimes(service, 'api_key', { expires_at: 'now' }, { id: expired.keyId });
    await call('DELETE', `/api/api-keys/${from.keyId}/`);
    for (const { keyId } of [from, expired])
      expect((await transfer(keyId, (await addHolder()).id)).status).toBe(409);
  });

  test('cannot revive the key of a deactivated person', async () => {
    const [from, to] = [await addHolder(), await addHolder()];
    await deactivate(from.id);

    expect(await transfer(from.keyId, to.id)).toMatchObject({
      status: 409,
      body: {
        detail: `${from.email} is deactivated, so this key has stopped working. Create a new key instead.`,
      },
    });
    expect(await call('GET', '/api/accounts/', undefined, { key: from.key })).toMatchObject(UNAUTHENTICATED);
  });
});

test("only an owner revokes an owner's key", async () => {
  const owner = await addHolder('owner');
  const admin = await signedIn('admin');
  const revoke = (by: BrowserCall) => by('DELETE', `/api/api-keys/${owner.keyId}/`);

  expect(await revoke(admin.call)).toMatchObject({ status: 403 });
  expect((await call('GET', '/api/me/', undefined, { key: owner.key })).status).toBe(200);
  expect((await revoke(asOwner)).status).toBe(204);
});

test('lists the keys of a person, and only those that work', async () => {
  const { id, keyId } = await addHolder();
  const admin = await signedIn('admin');
  const second = (await admin.call('POST', '/api/api-keys/', { name: 'Second' })).body.id;
  await transfer(second, id);
  await call('DELETE', `/api/api-keys/${keyId}/`);

  expect((await keysOf(id)).map((key) => key.id).sort()).toEqual([keyId, second].sort());
  expect(await keysOf(id, '&live=true')).toMatchObject([{ id: second, live: true }]);
  expect(await keysOf(id, '&live=false')).toMatchObject([{ id: keyId, live: false }]);
  expect((await call('GET', '/api/api-keys/?user=x')).status).toBe(400);
});
