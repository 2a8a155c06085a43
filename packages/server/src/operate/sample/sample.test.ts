// @module-tag engine
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '#kit/sql.ts';
import { openBrowser, PASSWORD } from '#test/sign-in.ts';
import { openSyncTest, type SyncTest } from '#test/sync.ts';

let service: SyncTest;
const call = (method: string, path: string, body?: unknown) => service.call(method, path, body);
const create = () => call('POST', '/api/organization/sample/');
const remove = () => call('DELETE', '/api/organization/sample/');
const get = async (path: string) => (await call('GET', path)).body;
beforeAll(async () => {
  service = await openSyncTest({ own: true });
});
afterAll(() => service.close());

/** Waits for the syncs of all apps. */
const published = () =>
  expect.poll(async () => (await get('/api/accounts/')).count, { timeout: 30_000 }).toBe(22);

/** Archives everything that a test has left. */
async function clear() {
  await remove();
  for (const { external_uuid } of (await get('/api/apps/?limit=200')).results)
    await call('DELETE', `/api/apps/${external_uuid}/`);
}

test('fills an empty organization, is removed as a whole, and can be created again', async () => {
  await clear();
  expect(await get('/api/organization/sample/')).toEqual({ status: 'none', apps: 0, people: 0 });

  expect(await create()).toMatchObject({ status: 200, body: { status: 'complete', apps: 3, people: 16 } });
  await published();

  expect((await get('/api/me/')).organization.sample).toBe(true);
  expect((await get('/api/accounts/')).count).toBe(22);
  expect(
    (await get('/api/accounts/?orphaned=true')).results
      .map((one: { username: string }) => one.username)
      .sort(),
  ).toEqual([...['build-robot', 'payroll-import', 'trade-fair']]);
  const { results: leavers } = await get('/api/users/leavers/');
  expect(leavers.map(({ email }: { email: string }) => email).sort()).toEqual([
    ...['donald@sample-company.test', 'ken@sample-company.test'],
  ]);
  expect((await get('/api/policies/')).results).toMatchObject([{ enabled: false }]);
  expect((await get('/api/reviews/')).count).toBe(1);
  expect((await get('/api/reviews/cycles/')).count).toBe(0);
  expect(await create()).toMatchObject({ status: 200, body: { status: 'complete', apps: 3, people: 16 } });
  expect((await get('/api/accounts/')).count).toBe(22);

  expect(await remove()).toMatchObject({ status: 200, body: { apps: 3, people: 16, people_kept: 0 } });

  expect((await get('/api/me/')).organization.sample).toBe(false);
  for (const list of ['accounts', 'apps', 'policies', 'reviews', 'users/leavers'])
    expect((await get(`/api/${list}/`)).count, list).toBe(0);
  expect((await get('/api/users/?q=sample-company.test')).count).toBe(0);
  expect(await remove()).toMatchObject({ status: 200, body: { apps: 0, people: 0 } });
  expect(await create()).toMatchObject({ status: 200, body: { status: 'complete', people: 16 } });
});

/** The tables with rows of apps that do not exist. */
async function leftovers(): Promise<string[]> {
  const { db } = service.database;
  const { rows } = await sql<{ name: string }>`
    select c.relname as name from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attname = 'app_id' and not a.attisdropped
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition`.execute(
    db,
  );
  const left: string[] = [];
  for (const { name } of rows) {
    const found =
      await sql`select from ${sql.table(name)} t where t.org_id = ${service.orgId} and t.app_id is not null
      and not exists (select from app p where p.org_id = t.org_id and p.id = t.app_id) limit 1`.execute(db);
    if (found.rows.length > 0) left.push(name);
  }
  return left;
}

test('ends what was done with it, and keeps what is not part of it', async () => {
  await clear();
  await create();
  await published();
  const own = (await call('POST', '/api/v1/bridge/apps/', { name: 'Own' })).body;
  await call('POST', `/api/v1/bridge/apps/${own.id}/resource-types/`, {
    slug: 'account',
    name: 'Accounts',
    type: 'account',
  });
  const added = (await call('POST', '/api/users/', { email: 'added@x.example' })).body;
  const { results: apps } = await get('/api/apps/?q=Payroll');
  const personOf = async (name: string) =>
    (await get(`/api/users/?q=${name}@sample-company.test`)).results[0];
  const [hedy, john] = [await personOf('hedy'), await personOf('john')];
  const request = (app: string, user: string) =>
    call('POST', '/api/tickets/', { app, user, type: 'NEW_ACCESS', initial_comment: 'In a test' });
  expect((await request(apps[0].external_uuid, john.external_uuid)).status).toBe(201);
  expect((await request(own.id, hedy.external_uuid)).status).toBe(201);
  const [review] = (await get('/api/reviews/')).results;
  expect((await call('POST', `/api/reviews/${review.external_uuid}/start/`)).status).toBeLessThan(300);
  const [leaver] = (await get('/api/users/leavers/')).results;
  const offboard = { dry_run: false, reason: 'In a test' };
  expect((await call('POST', `/api/users/${leaver.external_uuid}/offboard/`, offboard)).status).toBe(200);
  await service.app.tick();

  expect((await remove()).body).toEqual({ apps: 3, people: 15, people_kept: 1 });

  expect(await leftovers()).toEqual([]);
  await service.app.tick();
  expect(await leftovers()).toEqual([]);
  expect((await get('/api/reviews/cycles/')).count).toBe(0);
  expect((await get('/api/tickets/')).count).toBe(1);
  expect((await get('/api/users/?q=sample-company.test')).results).toMatchObject([
    { email: hedy.email, status: 'deactivated' },
  ]);
  expect((await get(`/api/users/${added.external_uuid}/`)).status).toBe('active');
  expect((await get('/api/apps/')).results).toMatchObject([{ name: 'Own' }]);
  await call('DELETE', `/api/users/${added.external_uuid}/`);
});

test('is refused in an organization that has an app or a member', async () => {
  await clear();
  const app = (await call('POST', '/api/v1/bridge/apps/', { name: 'Mine' })).body;

  expect(await create()).toMatchObject({ status: 409, body: { code: 'organization_not_empty' } });

  await call('DELETE', `/api/apps/${app.id}/`);
  const person = (await call('POST', '/api/users/', { email: 'member@x.example' })).body;
  expect((await create()).status).toBe(409);
  await call('DELETE', `/api/users/${person.external_uuid}/`);
});

test('continues after an interruption, and is created by one caller at a time', async () => {
  await clear();
  const begin = (at: string) =>
    sql`update organization set sample = ${JSON.stringify({ apps: [], people: [], began_at: at, complete: false })}::jsonb
      where id = ${service.orgId}`.execute(service.database.db);
  await begin(new Date().toISOString());

  expect(await create()).toMatchObject({ status: 409, body: { code: 'sample_being_created' } });
  expect((await get('/api/organization/sample/')).status).toBe('creating');

  await begin('2026-01-01T00:00:00Z');
  await call('POST', '/api/v1/bridge/apps/', { name: 'Payroll' });
  expect(await create()).toMatchObject({ status: 200, body: { status: 'complete', apps: 3 } });
  expect((await get('/api/apps/')).count).toBe(3);
});

test('its people get no sign-in links', async () => {
  await clear();
  await create();
  const [ada] = (await get('/api/users/?q=ada@sample-company.test')).results;

  const owner = openBrowser(service);
  const proof = { email: 'admin@acme.example', password: PASSWORD };
  expect((await owner.call('POST', '/auth/sign-in/', proof)).status).toBe(200);
  const { status, body } = await owner.call('POST', `/api/users/${ada.external_uuid}/sign-in-link/`);

  expect({ status, code: body.code }).toEqual({ status: 409, code: 'sample_person_cannot_sign_in' });
});
