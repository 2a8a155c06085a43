import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { ENTERPRISE, newUser, openScim, patchOf, type Scim, type ScimTest, scimCaller } from '#test/scim.ts';
import { forgetAttempts, openBrowser, PASSWORD, signInAs } from '#test/sign-in.ts';
import { addSyncedApp, openSyncTest, type SyncedApp, type SyncTest } from '#test/sync.ts';

/** An email that passes from a person who left to a new one (D63). */
let service: SyncTest;
let scim: Scim;
let owner: ScimTest['owner'];
let app: SyncedApp;
beforeAll(async () => {
  service = await openSyncTest({ own: true });
  ({ scim, owner } = await openScim(service));
  app = await addSyncedApp(service);
});
afterAll(() => service.close());
beforeEach(() => forgetAttempts(service));

let number = 0;
/** A user with a title, a department, a password, and an account in a group. */
async function addLeaver(more: object = { externalId: `leaver-${number}` }) {
  const sent = newUser({ ...more, title: 'Controller', [ENTERPRISE]: { department: 'Finance' } });
  const { body } = await scim('POST', '/Users', sent);
  const email = sent.userName;
  await signInAs(service, { external_uuid: body.id, email });
  const record = { id: `account-${++number}`, email, memberships: { team: [{ id: 'admin' }] } };
  await app.sync({ person: [record] });
  expect((await accountsOf(body.id)).map(({ status }) => status)).toEqual(['ACTIVE']);
  return { id: body.id as string, email, record };
}

const accountsOf = async (id: string): Promise<{ status: string }[]> =>
  (await service.call('GET', `/api/accounts/?user=${id}&limit=200`)).body.results;
const person = async (id: string) => (await service.call('GET', `/api/users/${id}/`)).body;
const post = (email: string, more: object) =>
  scim('POST', '/Users', newUser({ userName: email, emails: [{ value: email, type: 'work' }], ...more }));
const passwordOf = async (email: string) =>
  (await openBrowser(service).call('POST', '/auth/sign-in/', { email, password: PASSWORD })).status;

describe.each([
  ['deleted', (id: string) => scim('DELETE', `/Users/${id}`)],
  [
    'deactivated by hand',
    async (id: string) => {
      await owner('POST', `/api/users/${id}/release/`);
      return owner('POST', `/api/users/${id}/deactivate/`);
    },
  ],
])('a person who was %s', (_, end) => {
  test('is succeeded by another person with the same email, to whom nothing passes', async () => {
    const leaver = await addLeaver();
    expect((await end(leaver.id)).status).toBeLessThan(300);

    const { status, body } = await post(leaver.email, {
      externalId: `heir-${number}`,
      name: { givenName: 'Alex' },
    });

    expect(status).toBe(201);
    expect(body.id).not.toBe(leaver.id);
    expect(await person(body.id)).toMatchObject({ email: leaver.email, first_name: 'Alex', attributes: {} });
    expect(await person(leaver.id)).toMatchObject({
      status: 'deactivated',
      email: leaver.email,
      succeeded_by: body.id,
      attributes: { title: 'Controller' },
    });
    expect(await passwordOf(leaver.email)).toBe(401);
    expect(await accountsOf(body.id)).toEqual([]);
    // The next sync brings the same account, and with it an account that nobody had.
    const own = { id: `own-${number}`, email: leaver.email, memberships: {} };
    await app.sync({ person: [{ ...leaver.record, first_name: 'A.' }, own] });
    expect(await accountsOf(leaver.id)).toHaveLength(1);
    expect(await accountsOf(body.id)).toMatchObject([{ external_id: own.id }]);
    const found = await scim('GET', `/Users?filter=${encodeURIComponent(`userName eq "${leaver.email}"`)}`);
    expect(found.body.Resources.map(({ id }: { id: string }) => id)).toEqual([body.id]);
  });

  test('comes back under another email only', async () => {
    const leaver = await addLeaver();
    await end(leaver.id);
    await post(leaver.email, { externalId: `heir-${number}` });
    await owner('POST', `/api/users/${leaver.id}/release/`);
    const reactivate = () => owner('POST', `/api/users/${leaver.id}/reactivate/`);

    const refused = await reactivate();
    expect(refused).toMatchObject({
      status: 409,
      body: { detail: expect.stringContaining('another person now') },
    });
    const renamed = await owner('PATCH', `/api/users/${leaver.id}/`, { email: `former-${leaver.email}` });
    expect(renamed.status).toBe(200);
    expect(renamed.body).not.toHaveProperty('succeeded_by');

    expect((await reactivate()).status).toBe(200);
  });

  test('comes back without an externalId, and without the former sign-in', async () => {
    const leaver = await addLeaver();
    await end(leaver.id);

    const { status, body } = await post(leaver.email, {});

    expect({ status, id: body.id }).toEqual({ status: 201, id: leaver.id });
    expect(await person(leaver.id)).toMatchObject({ status: 'active' });
    expect(await passwordOf(leaver.email)).toBe(401);
  });
});

test.each(['PATCH', 'POST'] as const)(
  'an administrator gives the email of a deleted person to another one by %s',
  async (method) => {
    const leaver = await addLeaver();
    await scim('DELETE', `/Users/${leaver.id}`);
    const give = async () => {
      if (method === 'POST') return owner('POST', '/api/users/', { email: leaver.email });
      const { body } = await owner('POST', '/api/users/', { email: `new-${leaver.email}` });
      return owner('PATCH', `/api/users/${body.external_uuid}/`, { email: leaver.email });
    };
    const { status, body } = await give();
    expect({ status, email: body.email }).toEqual({
      status: method === 'POST' ? 201 : 200,
      email: leaver.email,
    });
    expect(await person(leaver.id)).toMatchObject({
      ...{ status: 'deactivated', email: leaver.email, succeeded_by: body.external_uuid },
    });
    expect(await accountsOf(body.external_uuid)).toEqual([]);
    expect(await passwordOf(leaver.email)).toBe(401);
  },
);

test('the email of a person who was only deactivated stays taken', async () => {
  const leaver = await addLeaver();
  await owner('POST', `/api/users/${leaver.id}/release/`);
  await owner('POST', `/api/users/${leaver.id}/deactivate/`);
  expect((await owner('POST', '/api/users/', { email: leaver.email })).status).toBe(409);
});

test('a person who was deleted comes back with the same externalId, also under another email', async () => {
  const externalId = 'same';
  const leaver = await addLeaver({ externalId });
  await scim('DELETE', `/Users/${leaver.id}`);
  expect((await post(leaver.email, { externalId })).body.id).toBe(leaver.id);
  expect(await passwordOf(leaver.email)).toBe(200);
  await scim('DELETE', `/Users/${leaver.id}`);

  const { body } = await post(`married-${leaver.email}`, { externalId });

  expect(body.id).toBe(leaver.id);
  expect(await person(leaver.id)).toMatchObject({ email: `married-${leaver.email}`, status: 'active' });
});

test('a successor who is deleted gives the email back to the one who comes back with the former externalId', async () => {
  const leaver = await addLeaver({ externalId: 'first' });
  await scim('DELETE', `/Users/${leaver.id}`);
  const { body: heir } = await post(leaver.email, { externalId: 'second' });
  expect((await post(leaver.email, { externalId: 'first' })).status).toBe(409);
  await scim('DELETE', `/Users/${heir.id}`);

  expect(await post(leaver.email, { externalId: 'first' })).toMatchObject({
    status: 201,
    body: { id: leaver.id },
  });

  expect(await person(heir.id)).toMatchObject({ status: 'deactivated', succeeded_by: leaver.id });
  expect(await person(leaver.id)).not.toHaveProperty('succeeded_by');
  const listed = await service.call('GET', `/api/users/?email=${leaver.email}`);
  expect(listed.body.results.map(({ external_uuid }: { external_uuid: string }) => external_uuid)).toEqual([
    leaver.id,
  ]);
  // The successor's account at a provider may have the same name as that of the former one.
  expect(await passwordOf(leaver.email)).toBe(401);
});

test('a user whom no client managed comes back by PATCH without the former sign-in', async () => {
  const leaver = await addLeaver();
  await owner('POST', `/api/users/${leaver.id}/release/`);
  await owner('POST', `/api/users/${leaver.id}/deactivate/`);

  const { status } = await scim(
    'PATCH',
    `/Users/${leaver.id}`,
    patchOf({ op: 'replace', path: 'active', value: true }),
  );

  expect(status).toBe(200);
  expect(await passwordOf(leaver.email)).toBe(401);
});

test('a person whom the client still shows blocks their email, also while inactive', async () => {
  const leaver = await addLeaver();
  await scim('PATCH', `/Users/${leaver.id}`, patchOf({ op: 'replace', path: 'active', value: false }));

  expect(await post(leaver.email, { externalId: 'another' })).toMatchObject({
    status: 409,
    body: { scimType: 'uniqueness' },
  });
});

test('an account of a person who was deleted for good is nobody’s, and suggested to the new one', async () => {
  await owner('PATCH', '/api/organization/', { scim_deletes: true });
  const email = 'gone-for-good@acme.example';
  const { body: leaver } = await post(email, { externalId: 'gone' });
  const record = { id: 'orphan', email, memberships: { team: [{ id: 'admin' }] } };
  await app.sync({ person: [record] });
  expect(await accountsOf(leaver.id)).toHaveLength(1);
  expect((await scim('DELETE', `/Users/${leaver.id}`)).status).toBe(204);
  expect((await service.call('GET', `/api/users/${leaver.id}/`)).status).toBe(404);

  const { body: heir } = await post(email, { externalId: 'new' });
  await app.sync({ person: [{ ...record, first_name: 'Other' }] });

  expect(await accountsOf(heir.id)).toEqual([]);
  await owner('PATCH', '/api/organization/', { scim_deletes: false });
});

test('a row of an import brings a person back without the former sign-in', async () => {
  const leaver = await addLeaver();
  await owner('POST', `/api/users/${leaver.id}/release/`);
  await owner('POST', `/api/users/${leaver.id}/deactivate/`);

  const file = `email,status\n${leaver.email},active\n`;
  const imported = await service.call('POST', '/api/users/import/', file, {
    headers: { 'content-type': 'text/csv' },
  });

  expect(imported.status).toBe(200);
  expect(await person(leaver.id)).toMatchObject({ status: 'active' });
  expect(await passwordOf(leaver.email)).toBe(401);
});

test.for([
  ['owner', 'was an owner'],
  ['admin', 'was an administrator'],
  ['auditor', 'was an auditor'],
])('only an owner’s key gives the email of a former %s to somebody else', async ([role, reason]) => {
  const former = await addLeaver();
  const admin = await addLeaver();
  const giveRole = (id: string, role: string) => owner('PATCH', `/api/users/${id}/`, { role });
  expect((await giveRole(admin.id, 'admin')).status).toBe(200);
  expect((await giveRole(former.id, role as string)).status).toBe(200);
  expect((await owner('POST', `/api/users/${former.id}/release/`)).status).toBeLessThan(300);
  expect((await owner('POST', `/api/users/${former.id}/deactivate/`)).status).toBe(200);
  const browser = await signInAs(service, { external_uuid: admin.id, email: admin.email });
  const { body: made } = await browser.call('POST', '/api/api-keys/', {
    name: 'directory',
    scopes: ['scim'],
  });
  const asAdmin = scimCaller(service, made.key);
  const heir = newUser({
    userName: former.email,
    emails: [{ value: former.email }],
    externalId: `heir-${role}`,
  });

  const refused = await asAdmin('POST', '/Users', heir);

  expect(refused).toMatchObject({ status: 403, body: { detail: expect.stringContaining(reason as string) } });
  expect(await person(former.id)).not.toHaveProperty('succeeded_by');
  expect((await scim('POST', '/Users', heir)).status).toBe(201);
});

test('a person who is active again although the client deleted them blocks their email, and the answer says why', async () => {
  const leaver = await addLeaver({ externalId: 'before' });
  await scim('DELETE', `/Users/${leaver.id}`);
  const back = await owner('POST', `/api/users/${leaver.id}/reactivate/`);
  expect(back.status, JSON.stringify(back.body)).toBe(200);

  expect(await post(leaver.email, { externalId: 'after' })).toMatchObject({
    status: 409,
    body: { scimType: 'uniqueness', detail: expect.stringContaining('Deactivate them in Gatehouse first') },
  });
});
