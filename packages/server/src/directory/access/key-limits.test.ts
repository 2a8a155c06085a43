import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sql } from '#kit/sql.ts';
import { openTestApp, type TestApp } from '#test/app.ts';
import { addPersonWithKey, organizationOf } from '#test/people.ts';
import { openBrowser, PASSWORD, signInAsOwner } from '#test/sign-in.ts';

let service: TestApp;
let call: TestApp['call'];
let mine: string;
let other: string;
beforeAll(async () => {
  service = await openTestApp();
  call = service.call;
  const addApp = async (name: string) => (await call('POST', '/api/v1/bridge/apps/', { name })).body.id;
  [mine, other] = [await addApp('Mine'), await addApp('Other')];
});
afterAll(() => service.close());

const ALL_SCOPES = ['bridge', 'events', 'read', 'govern'];
const HOUR = 3_600_000;
const inHours = (hours: number) => new Date(Date.now() + hours * HOUR).toISOString();
const create = (body: object, key?: string) =>
  call('POST', '/api/api-keys/', { name: 'x', ...body }, key === undefined ? {} : { key });
const addKey = async (body: object) => (await create(body)).body as { id: string; key: string };

describe('a key never obtains more than it has (D8)', () => {
  test('not through a sign-in link for the person for whom it acts', async () => {
    const { ownerId } = await organizationOf(service);
    const { key } = await addKey({ scopes: ALL_SCOPES, apps: [mine] });

    const link = await call('POST', `/api/users/${ownerId}/sign-in-link/`, undefined, { key });

    expect(link).toMatchObject({ status: 403, body: { detail: expect.stringContaining('API keys cannot') } });
    // The link would set a new password, which opens a session, which creates a key without limits.
    expect(link.body).not.toHaveProperty('url');
    const signIn = { email: 'admin@acme.example', password: PASSWORD };
    expect((await openBrowser(service).call('POST', '/auth/sign-in/', signIn)).status).toBe(200);
  });

  test('not through a sign-in link of a key with all scopes for all apps', async () => {
    const { external_uuid } = (await call('POST', '/api/users/', { email: 'linked@acme.example' })).body;

    expect(await call('POST', `/api/users/${external_uuid}/sign-in-link/`)).toMatchObject({ status: 403 });
    const owner = await signInAsOwner(service);
    expect(await owner.call('POST', `/api/users/${external_uuid}/sign-in-link/`)).toMatchObject({
      status: 200,
    });
  });

  test.each([
    ['more scopes', { scopes: ['govern'] }, { scopes: ['govern', 'events'] }, /scopes events\./],
    ['default scopes', { scopes: ['govern', 'read'] }, {}, /scopes bridge, events\./],
    ['no expiry', { scopes: ['govern'], expires_at: inHours(2) }, { scopes: ['govern'] }, /expires at/],
    [
      'a later expiry',
      { scopes: ['govern'], expires_at: inHours(2) },
      { scopes: ['govern'], expires_at: inHours(3) },
      /expires at/,
    ],
  ])('not through a key with %s', async (_, own, wanted, reason) => {
    const { key } = await addKey(own);

    expect(await create(wanted, key)).toMatchObject({
      status: 403,
      body: { detail: expect.stringMatching(reason) },
    });
  });

  test('not through a key for other apps', async () => {
    const { key } = await addKey({ scopes: ['govern'], apps: [mine] });

    for (const apps of [undefined, null, [mine, other]])
      expect(await create({ scopes: ['govern'], apps }, key)).toMatchObject({
        status: 403,
        body: { detail: expect.stringContaining('listed apps') },
      });
  });

  test('names every respect in which a key would exceed it', async () => {
    const { key } = await addKey({ scopes: ['govern'], apps: [mine], expires_at: inHours(2) });

    const { detail } = (await create({}, key)).body;

    expect(detail).toMatch(/scopes bridge, events, read\..*listed apps.*expires at/);
  });

  test('but through a key within its own limits', async () => {
    const { key } = await addKey({ scopes: ['govern', 'read'], apps: [mine], expires_at: inHours(2) });

    const wanted = { scopes: ['read'], apps: [mine.toUpperCase()], expires_at: inHours(1) };
    expect(await create(wanted, key)).toMatchObject({
      status: 201,
      body: { apps: [mine], scopes: ['read'] },
    });
  });

  test('but a signed-in administrator creates any key', async () => {
    const { call: asOwner } = await signInAsOwner(service);

    expect(await asOwner('POST', '/api/api-keys/', { name: 'x', scopes: ALL_SCOPES })).toMatchObject({
      status: 201,
    });
  });

  test('not by transferring a key', async () => {
    const member = await addPersonWithKey(service, 'member');
    const { id, key } = await addKey({ scopes: ALL_SCOPES });

    for (const by of [key, service.key])
      expect(
        await call('POST', `/api/api-keys/${id}/transfer/`, { user: member.id }, { key: by }),
      ).toMatchObject({ status: 403 });
  });
});

describe('a limited key', () => {
  test('lists only keys within its scopes and apps', async () => {
    const wide = await addKey({ scopes: ['read'], apps: null });
    const strong = await addKey({ scopes: ['bridge', 'events'], apps: [mine] });
    const mixed = await addKey({ scopes: ['read'], apps: [mine, other] });
    const within = await addKey({ scopes: ['read'], apps: [mine] });
    const own = await addKey({ scopes: ['govern', 'read'], apps: [mine] });

    const { body } = await call('GET', '/api/api-keys/?limit=200', undefined, { key: own.key });
    const seen = body.results.map(({ id }: { id: string }) => id);

    expect(seen).toEqual(expect.arrayContaining([within.id, own.id]));
    for (const { id } of [wide, strong, mixed]) expect(seen).not.toContain(id);
    expect(body.count).toBe(seen.length);
  });

  test('revokes only keys within its scopes and apps', async () => {
    const own = await addKey({ scopes: ['govern', 'read'], apps: [mine] });
    const within = await addKey({ scopes: ['read'], apps: [mine] });
    const strong = await addKey({ scopes: ['bridge'], apps: [mine] });
    const wide = await addKey({ scopes: ['read'] });
    const revoke = (id: string) => call('DELETE', `/api/api-keys/${id}/`, undefined, { key: own.key });

    expect(await revoke(strong.id)).toMatchObject({
      status: 403,
      body: { detail: expect.stringContaining('scopes bridge') },
    });
    expect((await revoke(wide.id)).status).toBe(403);
    expect((await revoke(within.id)).status).toBe(204);
    const { rows } = await sql<{ id: string }>`
      select id from api_key where id = any(${[strong.id, wide.id, within.id]}::uuid[]) and revoked_at is null
      order by id`.execute(service.database.db);
    expect(rows.map(({ id }) => id)).toEqual([strong.id, wide.id].sort());
  });

  test('reads its own scopes and apps', async () => {
    const { id, key } = await addKey({ scopes: ['read', 'bridge'], apps: [mine] });

    expect((await call('GET', '/api/me/', undefined, { key })).body).toMatchObject({
      api_key: id,
      scopes: ['bridge', 'read'],
      apps: [mine],
    });
  });
});
