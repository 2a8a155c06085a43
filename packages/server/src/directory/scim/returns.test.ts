import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { eventsOf } from '#test/people.ts';
import { newUser, openScim, patchOf, type Scim, type ScimTest, scimCaller } from '#test/scim.ts';
import { forgetAttempts, openBrowser, PASSWORD, signInAs } from '#test/sign-in.ts';
import { addSyncedApp, openSyncTest, type SyncTest } from '#test/sync.ts';

/** People who come back under another id of their provider, or after a release (D63). */
let service: SyncTest;
let scim: Scim;
let owner: ScimTest['owner'];
beforeAll(async () => {
  service = await openSyncTest({ own: true });
  ({ scim, owner } = await openScim(service));
});
afterAll(() => service.close());
beforeEach(() => forgetAttempts(service));

const person = async (id: string) => (await service.call('GET', `/api/users/${id}/`)).body;
const post = (sent: object, more: object) => scim('POST', '/Users', { ...sent, ...more });
const set = (id: string, values: Record<string, unknown>) =>
  scim(
    'PATCH',
    `/Users/${id}`,
    patchOf(...Object.entries(values).map(([path, value]) => ({ op: 'replace', path, value }))),
  );
const canSignIn = async (email: string) =>
  (await openBrowser(service).call('POST', '/auth/sign-in/', { email, password: PASSWORD })).status === 200;
const told = async (id: string) =>
  (await eventsOf(service, 'person.external_id_changed'))
    .filter(({ subject }) => subject.uuid === id)
    .map(({ payload }) => [payload.from, payload.to]);

/** A user with a password. */
async function addUser({ externalId = randomUUID() as string } = {}) {
  const sent = newUser({ externalId, active: true });
  const { body } = await scim('POST', '/Users', sent);
  const user = { id: body.id as string, email: sent.userName, externalId, sent };
  await signInAs(service, { external_uuid: user.id, email: user.email });
  return user;
}
async function addLeaver() {
  const user = await addUser();
  await set(user.id, { active: false });
  return user;
}

describe('somebody who left', () => {
  test('blocks a POST with another id, which says both ids and what to do', async () => {
    const leaver = await addLeaver();
    const { status, body } = await post(leaver.sent, { externalId: 'e-1' });
    expect({ status, scimType: body.scimType }).toEqual({ status: 409, scimType: 'uniqueness' });
    for (const part of [leaver.externalId, '"e-1"', 'active: true', `/Users/${leaver.id}`])
      expect(body.detail).toContain(part);
  });

  test.each<[string, (id: string, sent: object, externalId: string) => Promise<{ status: number }>]>([
    ['PATCH', (id, _, externalId) => set(id, { externalId })],
    ['PATCH with active: false', (id, _, externalId) => set(id, { externalId, active: false })],
    [
      'PUT',
      (id, sent, externalId) => scim('PUT', `/Users/${id}`, { ...sent, active: undefined, externalId }),
    ],
    [
      'PUT with active: false',
      (id, sent, externalId) => scim('PUT', `/Users/${id}`, { ...sent, active: false, externalId }),
    ],
  ])('gets no other id alone, by %s', async (_, change) => {
    const leaver = await addLeaver();
    const answer = await change(leaver.id, leaver.sent, 'e-2');
    expect(answer).toMatchObject({
      status: 409,
      body: { scimType: 'uniqueness', detail: expect.stringContaining('"e-2"') },
    });
    expect(answer).toMatchObject({ body: { detail: expect.stringContaining(leaver.externalId) } });
    expect((await scim('GET', `/Users/${leaver.id}`)).body.externalId).toBe(leaver.externalId);
  });

  test.each<[string, (id: string, sent: object, externalId: string) => Promise<void>]>([
    [
      'one PATCH',
      async (id, _, externalId) =>
        void expect((await set(id, { externalId, active: true })).status).toBe(200),
    ],
    [
      'one PATCH in the other order',
      async (id, _, externalId) =>
        void expect((await set(id, { active: 'True', externalId })).status).toBe(200),
    ],
    [
      'two PATCH requests',
      async (id, _, externalId) => {
        expect((await set(id, { active: true })).status).toBe(200);
        expect((await set(id, { externalId })).status).toBe(200);
      },
    ],
    [
      'PUT',
      async (id, sent, externalId) =>
        void expect((await scim('PUT', `/Users/${id}`, { ...sent, externalId })).status).toBe(200),
    ],
    [
      'two PUT requests',
      async (id, sent, externalId) => {
        expect((await scim('PUT', `/Users/${id}`, sent)).status).toBe(200);
        expect((await scim('PUT', `/Users/${id}`, { ...sent, externalId })).status).toBe(200);
      },
    ],
  ])(
    'comes back under another id by %s, without any way to sign in, and people are told',
    async (_, back) => {
      const leaver = await addLeaver();
      const externalId = randomUUID();

      await back(leaver.id, leaver.sent, externalId);

      expect((await scim('GET', `/Users/${leaver.id}`)).body).toMatchObject({ active: true, externalId });
      expect(await told(leaver.id)).toEqual([[leaver.externalId, externalId]]);
      expect(await canSignIn(leaver.email)).toBe(false);
    },
  );

  test('keeps the sign-in under the same id, and when somebody who never left gets another', async () => {
    const leaver = await addLeaver();
    expect((await set(leaver.id, { externalId: leaver.externalId, active: true })).status).toBe(200);
    expect(await canSignIn(leaver.email)).toBe(true);
    const user = await addUser();
    expect((await set(user.id, { externalId: randomUUID() })).status).toBe(200);
    expect(await canSignIn(user.email)).toBe(true);
    expect([await told(leaver.id), await told(user.id)]).toEqual([[], []]);
  });

  test('cannot lose the id, and so change it in two steps', async () => {
    const leaver = await addLeaver();
    const { externalId: _, ...without } = leaver.sent as { externalId?: string };
    expect((await scim('PUT', `/Users/${leaver.id}`, { ...without, active: false })).body.externalId).toBe(
      leaver.externalId,
    );
    expect(
      (await scim('PATCH', `/Users/${leaver.id}`, patchOf({ op: 'remove', path: 'externalId' }))).body
        .externalId,
    ).toBe(leaver.externalId);
    expect((await set(leaver.id, { externalId: 'e-3' })).status).toBe(409);
  });

  test('cannot change it with the deactivation either', async () => {
    const user = await addUser();
    expect((await set(user.id, { active: false, externalId: 'e-4' })).body).toMatchObject({
      active: false,
      externalId: user.externalId,
    });
    expect((await set(user.id, { active: true })).status).toBe(200);
    expect(await canSignIn(user.email)).toBe(true);
  });
});

test('a return under another id ends no suspension', async () => {
  const app = await addSyncedApp(service);
  const [same, other] = [await addUser(), await addUser()];
  const record = ({ email }: { email: string }) => ({ id: email, email });
  await app.sync({ person: [record(same), record(other)] });
  const { status } = await service.call('POST', '/api/policies/', {
    ...{ name: 'Returned', trigger: 'user.reactivated', condition: 'true', enabled: true },
    effects: [{ do: 'unsuspend', app: app.id }],
  });
  expect(status).toBe(201);
  const pending = async () => (await app.bridge('GET', '/tasks/?status=pending')).body.tasks;
  await set(other.id, { active: false });
  await set(same.id, { active: false });
  // A return ends only suspensions that were decided because the person left (D73).
  for (const { external_uuid: account } of (await service.call('GET', `/api/accounts/?app=${app.id}`)).body
    .results)
    await service.call('POST', '/api/tasks/', {
      app: app.id,
      account,
      action: 'suspend_account',
      leaving: true,
    });
  for (const { id } of await pending())
    await app.bridge('PATCH', `/tasks/${id}/status/`, { status: 'completed' });

  await set(other.id, { active: true, externalId: randomUUID() });
  await set(same.id, { active: true });

  // The policy reads events in order.
  await expect.poll(async () => (await pending()).length, { timeout: 20_000 }).toBe(1);
  expect(await pending()).toMatchObject([
    { action: 'unsuspend_account', payload: { account: { id: same.email } } },
  ]);
  // The next return under the same id is an ordinary one.
  await set(other.id, { active: false });
  await set(other.id, { active: true });
  await expect.poll(async () => (await pending()).length, { timeout: 20_000 }).toBe(2);
});

describe('a person who was released', () => {
  const release = async (id: string) =>
    expect((await owner('POST', `/api/users/${id}/release/`)).status).toBe(200);

  test('and is inactive comes back by the same id, as before', async () => {
    const leaver = await addLeaver();
    await release(leaver.id);

    const { status, body } = await post(leaver.sent, {});

    expect({ status, id: body.id, externalId: body.externalId }).toEqual({
      status: 201,
      id: leaver.id,
      externalId: leaver.externalId,
    });
    expect(await person(leaver.id)).toMatchObject({ status: 'active' });
    expect(await canSignIn(leaver.email)).toBe(true);
    // The id is the client's again: somebody else is somebody else.
    expect((await post(leaver.sent, { externalId: 'e-5' })).status).toBe(409);
  });

  test('comes back under another email, to the client that managed them only', async () => {
    const [one, two] = [await addLeaver(), await addLeaver()];
    await release(one.id);
    await release(two.id);
    const { body: made } = await owner('POST', '/api/api-keys/', {
      name: 'another provider',
      scopes: ['scim'],
    });
    const married = (externalId: string) => newUser({ externalId });

    const own = await scim('POST', '/Users', married(one.externalId));
    const others = await scimCaller(service, made.key)('POST', '/Users', married(two.externalId));

    expect(own).toMatchObject({ status: 201, body: { id: one.id } });
    expect(others.status).toBe(201);
    expect(others.body.id).not.toBe(two.id);
    expect((await person(two.id)).status).toBe('deactivated');
  });

  test('comes back to a new key under the same names', async () => {
    const leaver = await addLeaver();
    await release(leaver.id);
    const { body: made } = await owner('POST', '/api/api-keys/', { name: 'new key', scopes: ['scim'] });
    expect((await scimCaller(service, made.key)('POST', '/Users', leaver.sent)).body.id).toBe(leaver.id);
  });

  test.each<[string, (user: { id: string; sent: object }) => Promise<unknown>]>([
    ['POST', ({ sent }) => post(sent, { externalId: 'e-6' })],
    ['PATCH', ({ id }) => set(id, { externalId: 'e-6' })],
    ['PUT', ({ id, sent }) => scim('PUT', `/Users/${id}`, { ...sent, externalId: 'e-6' })],
  ])('and is active gets no other id by %s', async (_, change) => {
    const user = await addUser();
    await release(user.id);
    const answer = await change(user);
    expect(answer).toMatchObject({ status: 409, body: { scimType: 'uniqueness' } });
    for (const part of [user.externalId, '"e-6"', 'forget_ids'])
      expect(answer).toMatchObject({ body: { detail: expect.stringContaining(part) } });
    expect((await post(user.sent, {})).body.id).toBe(user.id);
    expect(await canSignIn(user.email)).toBe(true);
  });

  test('keeps the id if the client takes them over without one, or deletes them', async () => {
    const [one, two] = [await addUser(), await addUser()];
    await release(one.id);
    await release(two.id);
    const { externalId: _, ...without } = one.sent as { externalId?: string };
    expect((await scim('POST', '/Users', without)).body).toMatchObject({
      id: one.id,
      externalId: one.externalId,
    });
    expect((await scim('DELETE', `/Users/${two.id}`)).status).toBe(204);
    expect((await post(two.sent, {})).body.id).toBe(two.id);
    expect(await canSignIn(two.email)).toBe(true);
  });

  test('and was merged since is nobody for the client', async () => {
    const [one, into] = [await addUser(), await addUser()];
    await release(one.id);
    await release(into.id);
    expect((await owner('POST', `/api/users/${into.id}/merge/`, { from: one.id })).status).toBe(200);
    expect((await post(one.sent, {})).status).toBe(409);
    expect((await person(one.id)).status).toBe('deactivated');
  });
});
