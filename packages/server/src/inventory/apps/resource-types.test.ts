import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestApp, type TestApp } from '#test/app.ts';

let service: TestApp;
let call: TestApp['call'];
beforeAll(async () => {
  service = await openTestApp({ jobs: true });
  call = service.call;
});
afterAll(() => service.close());

const BRIDGE = '/api/v1/bridge/apps/';
const USER = { slug: 'user', name: 'Users', type: 'account' };

const addApp = async (clone_from: string | null = null) =>
  (await call('POST', BRIDGE, { name: 'App', clone_from })).body.id as string;
const register = (app: string, body: unknown = USER) => call('POST', `${BRIDGE}${app}/resource-types/`, body);
const typesOf = async (app: string) =>
  (await call('GET', `${BRIDGE}${app}/resource-types/?limit=200`)).body.results;
const rename = (app: string, slug: string, body: unknown) =>
  call('PATCH', `${BRIDGE}${app}/resource-types/${slug}/`, body);

describe('a resource type (protocol 4.3)', () => {
  test('is registered and listed', async () => {
    const app = await addApp();

    const { status, body } = await register(app);

    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
      ...USER,
      created_at: expect.stringMatching(/Z$/),
    });
    expect((await call('GET', `${BRIDGE}${app}/resource-types/`)).body).toEqual({
      count: 1,
      next: null,
      previous: null,
      results: [body],
    });
  });

  test('can be registered in any order, several of each kind', async () => {
    const app = await addApp();
    const kinds = ['account', 'license', 'group', 'group', 'account', 'license'];

    for (const [i, type] of kinds.entries()) {
      expect(await register(app, { slug: `t${i}`, name: 'T', type })).toMatchObject({ status: 201 });
    }

    expect((await typesOf(app)).map(({ type }: { type: string }) => type)).toEqual(kinds);
  });

  test.each(['a', 'A-Z_09', '-', 'x'.repeat(64)])('may have the slug %s (D14)', async (slug) => {
    expect(await register(await addApp(), { ...USER, slug })).toMatchObject({ status: 201, body: { slug } });
  });

  test('has a case-sensitive slug', async () => {
    const app = await addApp();
    await register(app, { ...USER, slug: 'user' });

    expect(await register(app, { ...USER, slug: 'USER' })).toMatchObject({ status: 201 });
  });

  test.each([
    ['no slug', { slug: undefined }],
    ['an empty slug', { slug: '' }],
    ['a slug too long', { slug: 'x'.repeat(65) }],
    ['a slug with a space', { slug: 'a b' }],
    ['a slug with a newline behind it', { slug: 'user\n' }],
    ['a slug with a slash', { slug: 'a/b' }],
    ['a slug of another script', { slug: 'größe' }],
    ['a slug with a NUL', { slug: 'a\0' }],
    ['a number for a slug', { slug: 7 }],
    ['no name', { name: undefined }],
    ['an empty name', { name: '' }],
    ['a name too long', { name: 'x'.repeat(513) }],
    ['a name with a NUL', { name: 'a\0b' }],
    ['no type', { type: undefined }],
    ['an unknown type', { type: 'role' }],
    ['null for a type', { type: null }],
  ])('is rejected with %s', async (_, wrong) => {
    const app = await addApp();

    expect(await register(app, { ...USER, ...wrong })).toMatchObject({
      status: 400,
      body: { detail: expect.any(String) },
    });
    expect(await typesOf(app)).toEqual([]);
  });

  test('returns 409 if the slug is taken', async () => {
    const app = await addApp();
    await register(app);

    expect(await register(app, { ...USER, type: 'group' })).toMatchObject({
      status: 409,
      body: { detail: "Resource type 'user' already exists." },
    });
    expect(await register(await addApp())).toMatchObject({ status: 201 });
  });

  test('exists once after ten concurrent registrations', async () => {
    const app = await addApp();

    const answers = await Promise.all(Array.from({ length: 10 }, () => register(app)));

    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, ...Array(9).fill(409)]);
    expect(await typesOf(app)).toHaveLength(1);
  });

  test('returns 404 for an unknown app before the body is validated', async () => {
    expect(await register(randomUUID())).toMatchObject({ status: 404 });
    expect(await register(randomUUID(), '{')).toMatchObject({ status: 404 });
    expect(await call('GET', `${BRIDGE}${randomUUID()}/resource-types/`)).toMatchObject({ status: 404 });
  });
});

describe('its name', () => {
  test('can change; slug and type cannot (D14)', async () => {
    const app = await addApp();
    const registered = (await register(app)).body;

    expect(await rename(app, 'user', { name: 'People' })).toMatchObject({
      status: 200,
      body: { ...registered, name: 'People' },
    });
    expect(await rename(app, 'user', { name: 'Humans', slug: 'user', type: 'account' })).toMatchObject({
      status: 200,
    });
    expect(await rename(app, 'user', { name: 'X', slug: 'other' })).toMatchObject({ status: 400 });
    expect(await rename(app, 'user', { name: 'X', type: 'group' })).toMatchObject({ status: 400 });
    expect(await typesOf(app)).toEqual([{ ...registered, name: 'Humans' }]);
  });

  test.each([
    ['nothing', {}],
    ['an empty name', { name: '' }],
    ['a name too long', { name: 'x'.repeat(513) }],
    ['a NUL', { name: 'a\0b' }],
    ['no JSON', '{'],
  ])('cannot change to %s', async (_, body) => {
    const app = await addApp();
    const registered = (await register(app)).body;

    expect(await rename(app, 'user', body)).toMatchObject({ status: 400 });
    expect(await typesOf(app)).toEqual([registered]);
  });

  test.each(['nothing', 'USER', '%00', 'a%20b', 'x'.repeat(65)])(
    'returns 404 for the slug %s before the body is validated (D6)',
    async (slug) => {
      const app = await addApp();
      await register(app);

      for (const body of [{ name: 'X' }, {}, '{']) {
        expect(await rename(app, slug, body)).toMatchObject({ status: 404 });
      }
    },
  );
});

describe('a clone group (D12)', () => {
  test('shares resource types that any member registers, also with clones of clones', async () => {
    const origin = await addApp();
    await register(origin, { ...USER, slug: 'before' });
    const clone = await addApp(origin);
    const second = await addApp(clone);
    const members = [origin, clone, second];
    for (const [i, member] of members.entries()) await register(member, { ...USER, slug: `of-${i}` });

    const shared = await typesOf(origin);

    expect(shared.map(({ slug }: { slug: string }) => slug)).toEqual(['before', 'of-0', 'of-1', 'of-2']);
    for (const member of members) expect(await typesOf(member)).toEqual(shared);
  });

  test('returns 409 for a slug that any member registered', async () => {
    const origin = await addApp();
    const clone = await addApp(origin);
    const second = await addApp(clone);
    await register(second);

    for (const member of [origin, clone, second])
      expect(await register(member)).toMatchObject({ status: 409 });
  });

  test('registers a slug once if members register it at the same time', async () => {
    const origin = await addApp();
    const members = [origin, await addApp(origin), await addApp(origin)];

    const answers = await Promise.all(members.map((member) => register(member)));

    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409]);
    for (const member of members) expect(await typesOf(member)).toHaveLength(1);
  });

  test('can be renamed through any member', async () => {
    const origin = await addApp();
    const clone = await addApp(origin);
    await register(origin);

    await rename(clone, 'user', { name: 'Renamed' });

    expect(await typesOf(origin)).toMatchObject([{ name: 'Renamed' }]);
  });

  test('survives the archiving of its first app', async () => {
    const origin = await addApp();
    const clone = await addApp(origin);
    await register(origin);

    await call('DELETE', `/api/apps/${origin}/`);

    expect(await typesOf(clone)).toMatchObject([{ slug: 'user' }]);
    expect(await register(clone)).toMatchObject({ status: 409 });
    expect(await register(clone, { ...USER, slug: 'more' })).toMatchObject({ status: 201 });
  });

  test('does not share records or sync sessions', async () => {
    const origin = await addApp();
    await register(origin);
    const clone = await addApp(origin);
    const { sync_id } = (await call('POST', `${BRIDGE}${origin}/sync/`)).body;
    await call('PUT', `${BRIDGE}${origin}/sync/${sync_id}/user/`, { records: [{ id: 'a', username: 'a' }] });
    const theirs = await call('POST', `${BRIDGE}${clone}/sync/`);
    await call('POST', `${BRIDGE}${origin}/sync/${sync_id}/abandon/`);

    expect(await call('GET', `${BRIDGE}${clone}/sync/${sync_id}/`)).toMatchObject({ status: 404 });
    expect((await call('GET', `${BRIDGE}${clone}/sync/${theirs.body.sync_id}/`)).body.status).toBe(
      'in_progress',
    );
    expect((await call('GET', `/api/accounts/?app=${origin}`)).body.count).toBe(1);
    expect((await call('GET', `/api/accounts/?app=${clone}`)).body.count).toBe(0);
  });

  test('accepts pushes through any member as soon as a type is registered', async () => {
    const origin = await addApp();
    const clone = await addApp(origin);
    await register(origin);
    const { sync_id } = (await call('POST', `${BRIDGE}${clone}/sync/`)).body;
    const push = (slug: string, record: object) =>
      call('PUT', `${BRIDGE}${clone.toUpperCase()}/sync/${sync_id.toUpperCase()}/${slug}/`, {
        records: [record],
      });
    const user = { id: 'a', username: 'a', memberships: { team: [{ id: 'g', name: 'G' }] } };
    const before = await push('user', user);

    await register(origin, { slug: 'team', name: 'Teams', type: 'group' });

    expect(before).toMatchObject({
      status: 422,
      body: { detail: "Record 'a': unknown membership slug 'team'" },
    });
    expect(await push('user', user)).toMatchObject({ status: 200, body: { total: 1, created: 1 } });
    expect(await push('team', { id: 'g', name: 'G' })).toMatchObject({ status: 200 });
  });
});
