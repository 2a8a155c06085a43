import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sql } from '#kit/sql.ts';
import { openTestApp, type TestApp } from '#test/app.ts';
import { addPersonWithKey, eventsOf, organizationOf } from '#test/people.ts';
import { signInAsOwner } from '#test/sign-in.ts';
import { isWellFormed } from './key-format.ts';

let service: TestApp;
let call: TestApp['call'];
beforeAll(async () => {
  service = await openTestApp();
  call = service.call;
});
afterAll(() => service.close());

const ALL_SCOPES = ['bridge', 'events', 'read', 'govern'];
const DAY = 24 * 3600 * 1000;

const create = (body: object, key?: string) =>
  call('POST', '/api/api-keys/', body, key === undefined ? {} : { key });
const list = async () => (await call('GET', '/api/api-keys/?limit=200')).body.results;
const find = async (id: string) => (await list()).find((key: { id: string }) => key.id === id);
const addApp = async (key?: string) =>
  (await call('POST', '/api/v1/bridge/apps/', { name: 'App' }, key === undefined ? {} : { key })).body
    .id as string;
/** A key for these apps only, with every scope. */
const addListedKey = async (...apps: string[]) =>
  (await create({ name: 'listed', scopes: ALL_SCOPES, apps })).body as { id: string; key: string };

describe('a new key', () => {
  test('defaults to all scopes except govern, all apps and no expiry (D8)', async () => {
    const { ownerId } = await organizationOf(service);

    const { status, body } = await create({ name: 'Connector' });

    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{14}7/),
      name: 'Connector',
      key: expect.any(String),
      scopes: ['bridge', 'events', 'read'],
      apps: null,
      user: ownerId,
      created_by: ownerId,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      expires_at: null,
      last_used_at: null,
      revoked_at: null,
      live: true,
    });
    expect(isWellFormed(body.key)).toBe(true);
  });

  test('is shown once and stored only as its SHA-256', async () => {
    const { id, key, ...shown } = (await create({ name: 'Once' })).body;

    expect(await find(id)).toEqual({ id, ...shown });
    expect(JSON.stringify([await list(), await eventsOf(service, '')])).not.toContain(key);
    const { rows } = await sql<{ row: string; hash: string }>`
      select row_to_json(k)::text as row, encode(key_hash, 'hex') as hash from api_key k where id = ${id}`.execute(
      service.database.db,
    );
    expect(rows[0]?.hash).toBe(createHash('sha256').update(key).digest('hex'));
    expect(rows[0]?.row).not.toContain(key.slice(3, 20));
  });

  test('is recorded without the key itself', async () => {
    const app = await addApp();
    const { body } = await create({
      name: 'Told',
      scopes: ['read'],
      apps: [app.toUpperCase()],
      expires_at: '2999-01-01T02:00:00+02:00',
    });

    const told = (await eventsOf(service, 'api_key.created')).filter(
      ({ payload }) => payload.api_key_id === body.id,
    );
    expect(told).toMatchObject([
      {
        actor: { type: 'user', uuid: body.created_by },
        payload: { name: 'Told', scopes: ['read'], apps: [app], expires_at: '2999-01-01T00:00:00.000Z' },
      },
    ]);
    expect(body).toMatchObject({ apps: [app], expires_at: '2999-01-01T00:00:00.000Z' });
  });

  test.each([7, 30, 90])('may expire in %i days', async (days) => {
    const expires_at = new Date(Date.now() + days * DAY).toISOString();

    expect((await create({ name: 'Ends', expires_at })).body).toMatchObject({ expires_at });
  });

  test.each([
    ['2999-12-31', '2999-12-31T00:00:00.000Z'],
    ['2999-12-31T10:00', '2999-12-31T10:00:00.000Z'],
    ['2999-12-31T10:00:00-05:30', '2999-12-31T15:30:00.000Z'],
    ['2999-12-31 10:00:00,5Z', '2999-12-31T10:00:00.500Z'],
  ])('may expire at %s: any ISO 8601, in UTC without an offset (D4)', async (expires_at, read) => {
    expect((await create({ name: 'Ends', expires_at })).body).toMatchObject({ expires_at: read });
  });

  test.each([
    ['no name', {}],
    ['an empty name', { name: '' }],
    ['a name too long', { name: 'x'.repeat(256) }],
    ['a name that is not text', { name: 7 }],
    ['no scopes', { name: 'x', scopes: [] }],
    ['an unknown scope', { name: 'x', scopes: ['admin'] }],
    ['a scope twice', { name: 'x', scopes: ['read', 'read'] }],
    ['scopes that are not a list', { name: 'x', scopes: 'read' }],
    ['an app that is not a UUID', { name: 'x', apps: ['payroll'] }],
    ['an expiry in the past', { name: 'x', expires_at: '2020-01-01T00:00:00Z' }],
    ['a day that does not exist', { name: 'x', expires_at: '2999-02-30' }],
    ['an expiry that is not a time', { name: 'x', expires_at: 'tomorrow' }],
    ['a NUL', { name: 'a\0b' }],
    ['a list', []],
  ])('is rejected with %s', async (_, body) => {
    const before = (await list()).length;

    expect(await create(body)).toMatchObject({ status: 400, body: { detail: expect.any(String) } });
    expect((await list()).length).toBe(before);
  });

  test('can access no app if its list is empty', async () => {
    const { key } = (await create({ name: 'None', apps: [] })).body;

    expect((await call('GET', '/api/v1/bridge/apps/', undefined, { key })).body).toMatchObject({ count: 0 });
  });
});

describe('keys', () => {
  test.each(['owner', 'admin'] as const)(
    'can be created and revoked by an %s with the scope govern',
    async (role) => {
      const { key } = await addPersonWithKey(service, role);

      const made = await create({ name: 'By them' }, key);

      expect(made.status).toBe(201);
      expect(await call('DELETE', `/api/api-keys/${made.body.id}/`, undefined, { key })).toMatchObject({
        status: 204,
      });
    },
  );

  test('cannot be created by a deactivated person', async () => {
    const person = await addPersonWithKey(service, 'admin');
    await call('POST', `/api/users/${person.id}/deactivate/`);

    expect(await create({ name: 'x' }, person.key)).toMatchObject({ status: 401 });
  });

  test('are created and revoked from the source api by a key, and user_action by a person (D44)', async () => {
    const person = await signInAsOwner(service);
    const sourceOf = async (type: string, id: string) =>
      (await eventsOf(service, type)).find(({ payload }) => payload.api_key_id === id)?.source;
    const byKey = (await create({ name: 'By a key' })).body.id;
    const byPerson = (await person.call('POST', '/api/api-keys/', { name: 'By a person' })).body.id;
    await call('DELETE', `/api/api-keys/${byKey}/`);
    await person.call('DELETE', `/api/api-keys/${byPerson}/`);

    for (const type of ['api_key.created', 'api_key.revoked']) {
      expect(await sourceOf(type, byKey)).toEqual({ type: 'api', uuid: expect.any(String) });
      expect(await sourceOf(type, byPerson)).toEqual({ type: 'user_action', uuid: null });
    }
  });

  test('act for the person who created them', async () => {
    const person = await addPersonWithKey(service, 'admin');

    const { body } = await create({ name: 'Theirs', scopes: ['govern'] }, person.key);

    expect(body.created_by).toBe(person.id);
    await create({ name: 'By the second key' }, body.key);
    expect((await eventsOf(service, 'api_key.created')).at(-1)).toMatchObject({
      actor: { type: 'user', uuid: person.id },
    });
  });

  test('can be revoked again without an effect or a second event', async () => {
    const { id } = (await create({ name: 'Gone' })).body;

    const answers = await Promise.all([1, 2, 3].map(() => call('DELETE', `/api/api-keys/${id}/`)));

    expect(answers.map(({ status }) => status)).toEqual([204, 204, 204]);
    expect(await find(id)).toMatchObject({ revoked_at: expect.any(String) });
    const told = await eventsOf(service, 'api_key.revoked');
    expect(told.filter(({ payload }) => payload.api_key_id === id)).toHaveLength(1);
  });
});

describe('a key for listed apps (D7)', () => {
  test('can access an app that it created', async () => {
    const { id, key } = await addListedKey(await addApp());

    const made = await addApp(key);

    expect((await find(id)).apps).toContain(made);
    expect(await call('GET', `/api/v1/bridge/apps/${made}/`, undefined, { key })).toMatchObject({
      status: 200,
    });
    expect(
      await call('POST', '/api/v1/bridge/apps/', { name: 'Clone', clone_from: made }, { key }),
    ).toMatchObject({ status: 201 });
  });

  test('cannot clone other apps', async () => {
    const { key } = await addListedKey(await addApp());
    const clone = (clone_from: string) =>
      call('POST', '/api/v1/bridge/apps/', { name: 'Clone', clone_from }, { key });

    expect(await clone(await addApp())).toMatchObject({ status: 403 });
    expect(await clone(randomUUID())).toMatchObject({ status: 404 });
  });

  test("cannot read the organization's events", async () => {
    const { key } = await addListedKey(await addApp());

    for (const path of ['/api/events/', `/api/events/${randomUUID()}/`]) {
      expect(await call('GET', path, undefined, { key }), path).toMatchObject({ status: 403 });
    }
  });

  test('lists only its apps and gets 403 for others, with ids in any case', async () => {
    const [mine, other] = [await addApp(), await addApp()];
    const { key } = await addListedKey(mine);
    const get = (path: string) => call('GET', path, undefined, { key });

    expect((await get('/api/v1/bridge/apps/')).body.results).toMatchObject([{ id: mine }]);
    for (const path of ['/api/accounts/', '/api/tasks/', '/api/tickets/']) {
      expect(await get(path), path).toMatchObject({ status: 200 });
      for (const app of [mine, mine.toUpperCase()]) {
        expect(await get(`${path}?app=${app}`), path).toMatchObject({ status: 200 });
      }
      for (const app of [other, other.toUpperCase()]) {
        expect(await get(`${path}?app=${app}`), path).toMatchObject({ status: 403 });
      }
    }
    expect(await get(`/api/v1/bridge/apps/${mine.toUpperCase()}/`)).toMatchObject({ status: 200 });
    expect(await get(`/api/v1/bridge/apps/${other.toUpperCase()}/`)).toMatchObject({ status: 403 });
  });

  test('cannot create or revoke a key that can access more apps', async () => {
    const [mine, other] = [await addApp(), await addApp()];
    const { key } = await addListedKey(mine);
    const wider = (await create({ name: 'Wider' })).body.id;

    expect(await create({ name: 'x' }, key)).toMatchObject({ status: 403 });
    expect(await create({ name: 'x', apps: null }, key)).toMatchObject({ status: 403 });
    expect(await create({ name: 'x', apps: [mine, other] }, key)).toMatchObject({ status: 403 });
    expect(await call('DELETE', `/api/api-keys/${wider}/`, undefined, { key })).toMatchObject({
      status: 403,
    });
    expect(await create({ name: 'x', apps: [mine.toUpperCase()] }, key)).toMatchObject({
      status: 201,
      body: { apps: [mine] },
    });
    expect(await find(wider)).toMatchObject({ revoked_at: null });
  });
});

test('lists keys newest first, page by page (D9)', async () => {
  for (let i = 0; i < 5; i++) await create({ name: `Listed ${i}` });
  const whole: { id: string; created_at: string }[] = await list();

  const pages: { id: string }[] = [];
  for (let path = '/api/api-keys/?limit=3'; path !== null; ) {
    const { body } = await call('GET', path);
    pages.push(...body.results);
    path = body.next === null ? null : body.next.slice(body.next.indexOf('/api/'));
  }

  // The uses of other keys are written in between.
  expect(pages.map(({ id }) => id)).toEqual(whole.map(({ id }) => id));
  const times = whole.map(({ created_at }) => created_at);
  expect(times).toEqual(times.toSorted().toReversed());
});

test('keeps when a key was last used', async () => {
  const { id, key } = (await create({ name: 'Used' })).body;
  const before = Date.now();

  await call('GET', '/api/accounts/', undefined, { key });

  await expect
    .poll(async () => Date.parse((await find(id)).last_used_at))
    .toBeGreaterThanOrEqual(before - 1000);
});
