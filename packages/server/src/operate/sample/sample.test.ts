// @module-tag engine
import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Sample } from '#directory/access/organization-facts.ts';
import { workOnSample } from '#directory/access/sample.ts';
import { callBy, type Principal, SYSTEM } from '#kit/identity.ts';
import { type RawBuilder, sql } from '#kit/sql.ts';
import { openTestApp, type TestApp } from '#test/app.ts';
import { addPersonWithKey, eventsOf, organizationOf } from '#test/people.ts';
import { signInOwner } from '#test/sign-in.ts';
import { addSyncedApp, syncedApp } from '#test/sync.ts';
import { setTimes } from '#test/time.ts';

let service: TestApp & { orgId: string };
const call = (method: string, path: string, body?: unknown) => service.call(method, path, body);
const create = () => call('POST', '/api/organization/sample/');
const remove = () => call('DELETE', '/api/organization/sample/');
const get = async (path: string) => (await call('GET', path)).body;
beforeEach(async () => {
  const opened = await openTestApp({ jobs: true });
  service = { ...opened, orgId: (await organizationOf(opened)).orgId };
});
afterEach(() => service.close());

/** Waits for the syncs of all apps. */
const published = () =>
  expect.poll(async () => (await get('/api/accounts/')).count, { timeout: 30_000 }).toBe(22);

test('fills an empty organization, is removed as a whole, and can be created again', async () => {
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

  expect(await remove()).toMatchObject({
    status: 200,
    body: { apps: 3, apps_archived: 0, people: 16, people_deactivated: 0, people_kept: 0 },
  });

  expect((await get('/api/me/')).organization.sample).toBe(false);
  for (const list of ['accounts', 'apps', 'policies', 'reviews', 'users/leavers'])
    expect((await get(`/api/${list}/`)).count, list).toBe(0);
  expect((await get('/api/users/?q=sample-company.test')).count).toBe(0);
  expect(await remove()).toMatchObject({ status: 200, body: { apps: 0, people: 0 } });
  expect(await eventsOf(service, 'organization.sample')).toMatchObject([
    { event_type: 'organization.sample_created', payload: { apps: 3, people: 16 } },
    { event_type: 'organization.sample_removed', payload: { apps: 3, people: 16, people_kept: 0 } },
  ]);
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

  expect((await remove()).body).toEqual({
    apps: 3,
    apps_archived: 0,
    people: 15,
    people_deactivated: 1,
    people_kept: 0,
  });

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
  await call('DELETE', `/api/apps/${own.id}/`);

  // Hedy of the earlier sample company is a record of its own.
  expect((await create()).body).toMatchObject({ status: 'complete', people: 16 });
  expect(await personOf('hedy')).toMatchObject({
    external_uuid: hedy.external_uuid,
    status: 'deactivated',
  });
  expect(await personOf('hedy-2')).toMatchObject({ status: 'active' });
  await published();
  expect((await get('/api/accounts/?orphaned=true')).count).toBe(3);
});

test('is refused in an organization that has an app or a member', async () => {
  const app = (await call('POST', '/api/v1/bridge/apps/', { name: 'Mine' })).body;

  expect(await create()).toMatchObject({ status: 409, body: { code: 'organization_not_empty' } });

  await call('DELETE', `/api/apps/${app.id}/`);
  await call('POST', '/api/users/', { email: 'member@x.example' });
  expect((await create()).status).toBe(409);
});

type State = Partial<Sample>;
const state = async (): Promise<Sample> => {
  const { rows } = await sql<{
    sample: Sample;
  }>`select sample from organization where id = ${service.orgId}`.execute(service.database.db);
  return rows[0]!.sample;
};
/** Changes what is stored about the sample company, as a call that was interrupted would have left it. */
const leave = async (part: State) => {
  const left = JSON.stringify({ ...(await state()), ...part });
  await sql`update organization set sample = ${left}::jsonb where id = ${service.orgId}`.execute(
    service.database.db,
  );
};
const heldBy = (renewed_at: string) => ({ lease: { holder: 'another call', renewed_at } });
const NOW = () => heldBy(new Date().toISOString());
const LONG_AGO = heldBy('2026-01-01T00:00:00Z');

test('one call at a time works on it, until that call has been silent for a minute', async () => {
  await create();
  await leave({ status: 'creating', ...NOW() });

  expect((await get('/api/organization/sample/')).status).toBe('creating');
  expect(await create()).toMatchObject({ status: 409, body: { code: 'sample_being_created' } });
  expect(await remove()).toMatchObject({ status: 409, body: { code: 'sample_being_created' } });

  await leave(LONG_AGO);
  expect((await create()).body).toMatchObject({ status: 'complete', apps: 3, people: 16 });
  expect((await get('/api/apps/')).count).toBe(3);

  await leave({ status: 'removing', ...NOW() });
  expect(await remove()).toMatchObject({ status: 409, body: { code: 'sample_being_removed' } });

  await leave(LONG_AGO);
  expect(await create()).toMatchObject({ status: 409, body: { code: 'sample_being_removed' } });
  expect((await remove()).body).toMatchObject({ apps: 3, people: 16 });
  expect((await get('/api/organization/sample/')).status).toBe('none');
});

test('two calls at the same time make one sample company', async () => {
  const made = await Promise.all([create(), create()]);

  expect(made.map(({ status }) => status)).toContain(200);
  for (const { status, body } of made)
    expect(status === 200 || body.code === 'sample_being_created', JSON.stringify(body)).toBe(true);
  expect((await get('/api/apps/')).count).toBe(3);
  expect((await get('/api/users/?q=sample-company.test&status=active')).count).toBe(14);
});

test('a call that has lost its turn changes nothing more', async () => {
  await create();
  const { db } = service.database;
  const principal = { orgId: service.orgId, userId: (await organizationOf(service)).ownerId } as Principal;

  const working = workOnSample(
    callBy(db, principal, { actor: SYSTEM, source: { type: 'api', uuid: null } }),
    async (_, sample) => sample ?? undefined,
    async (step) => {
      await step(async (_, sample) => ({ ...sample, status: 'removing' }));
      await leave(NOW());
      await step(async (_, sample) => ({ ...sample, people: [] }));
    },
  );

  await expect(working).rejects.toMatchObject({ code: 'conflict' });
  expect((await state()).people).toHaveLength(16);
  expect((await state()).lease?.holder).toBe('another call');
});

test('a creation that was interrupted takes nothing over, and a removal leaves what has the name of a part', async () => {
  await create();
  await published();
  const payroll = (await get('/api/apps/?q=Payroll')).results[0].external_uuid;
  const { apps, policy } = await state();
  // As if the creation had been interrupted before these parts, and somebody had made others of the same names.
  await leave({ status: 'creating', apps: apps.filter(({ id }) => id !== payroll), policy: null });

  expect(await create()).toMatchObject({ status: 409, body: { code: 'sample_changed' } });

  expect((await state()).apps).toHaveLength(2);
  expect((await remove()).body).toMatchObject({ apps: 2, people: 16 });
  expect((await get('/api/apps/')).results).toMatchObject([{ external_uuid: payroll }]);
  expect((await get(`/api/accounts/?app=${payroll}`)).count).toBe(7);
  expect((await get('/api/policies/')).results).toMatchObject([{ external_uuid: policy }]);
});

test('removing it requires a recent sign-in', async () => {
  await create();
  const owner = await signInOwner(service);
  await setTimes(service, 'sign_in_session', { authenticated_at: '16 minutes ago' });

  const refused = await owner.call('DELETE', '/api/organization/sample/');

  expect(refused).toMatchObject({ status: 403, body: { errors: [{ code: 'confirmation_required' }] } });
  expect((await get('/api/apps/')).count).toBe(3);
  await setTimes(service, 'sign_in_session', { authenticated_at: 'now' });
  expect((await owner.call('DELETE', '/api/organization/sample/')).status).toBe(200);
});

interface Real {
  app: string;
  user: string;
}
const appRow = (table: string, columns: string, values: RawBuilder<unknown>) =>
  sql`insert into ${sql.table(table)} (org_id, ${sql.raw(columns)}) values (${service.orgId}, ${values})`.execute(
    service.database.db,
  );

/** The reasons for which an app of the sample company becomes real. */
const MAKE_REAL: Record<string, (of: Real) => Promise<unknown>> = {
  'a connector': ({ app }) =>
    appRow('connector', 'app_id, type, settings, acts_for', sql`${app}, 'csv', '{}', ${randomUUID()}`),
  'a run of a connector': ({ app }) => appRow('connector_run', 'app_id, kind', sql`${app}, 'test'`),
  'an API key': async ({ app }) => {
    const key = { name: 'Connector', scopes: ['bridge'], apps: [app] };
    expect((await (await signInOwner(service)).call('POST', '/api/api-keys/', key)).status).toBe(201);
  },
  'an upload': async ({ app }) => {
    const headers = { 'content-type': 'application/octet-stream' };
    const path = `/api/apps/${app}/uploads/?file_name=a.csv`;
    expect((await service.call('POST', path, 'email\nx@x.example\n', { headers })).status).toBe(201);
  },
  'another sync': ({ app }) => syncedApp(service, app).start(),
  'another review': async ({ app }) => {
    const scope = { apps: [app], users: null, include: ['accounts'] };
    const { body } = await call('POST', '/api/reviews/', { name: 'Own', scope, due_days: 14 });
    expect((await call('POST', `/api/reviews/${body.external_uuid}/start/`)).status).toBeLessThan(300);
    await service.app.tick();
  },
  'a task of a request': async ({ app, user }) => {
    const request = { app, user, type: 'NEW_ACCESS', initial_comment: 'In a test' };
    const { body } = await call('POST', '/api/tickets/', request);
    const { key } = await addPersonWithKey(service, 'admin');
    const path = `/api/tickets/${body.external_uuid}/approve/`;
    const approved = await service.call('POST', path, {}, { key });
    expect(approved.status, JSON.stringify(approved.body)).toBe(200);
    expect((await get(`/api/tasks/?app=${app}`)).count).toBe(1);
  },
};

test.for(Object.keys(MAKE_REAL))('archives an app that has become real by %s', async (reason) => {
  await create();
  await published();
  const app = (await get('/api/apps/?q=Customers')).results[0].external_uuid;
  const user = (await get('/api/users/?q=alan')).results.at(-1).external_uuid;
  await MAKE_REAL[reason]?.({ app, user });

  expect((await remove()).body).toMatchObject({ apps: 2, apps_archived: 1 });

  expect((await get('/api/apps/')).count).toBe(0);
  const { rows } = await sql<{ archived: boolean; accounts: number }>`
    select a.archived_at is not null as archived,
      (select count(*)::int from account c where c.org_id = a.org_id and c.app_id = a.id) as accounts
    from app a where a.org_id = ${service.orgId} and a.id = ${app}`.execute(service.database.db);
  expect(rows).toMatchObject([{ archived: true }]);
  expect(rows[0]?.accounts).toBeGreaterThanOrEqual(8);
  expect((await get('/api/users/?q=sample-company.test&status=active')).count).toBe(0);
});

test('a review that was extended to other apps stays as evidence', async () => {
  await create();
  await published();
  const own = await addSyncedApp(service);
  const [review] = (await get('/api/reviews/')).results;
  const scope = { apps: [own.id], users: null, include: ['accounts'] };
  await own.sync({ person: [{ id: 'p', email: 'p@x.example' }] });
  const path = `/api/reviews/${review.external_uuid}/`;
  expect((await call('PATCH', path, { scope })).status).toBe(200);
  expect((await call('POST', `${path}start/`)).status).toBeLessThan(300);
  await service.app.tick();

  expect((await remove()).body).toMatchObject({ apps: 3 });

  expect((await get('/api/reviews/')).count).toBe(0);
  const { results: cycles } = await get('/api/reviews/cycles/');
  expect(cycles).toHaveLength(1);
  const items = await get(`/api/reviews/cycles/${cycles[0].external_uuid}/items/`);
  expect(items.count).toBe(1);
});

test('keeps people who have become real', async () => {
  await create();
  const idOf = async (name: string): Promise<string> =>
    (await get(`/api/users/?q=${name}`)).results.at(-1).external_uuid;
  const ids = {
    admin: await idOf('grace'),
    renamed: await idOf('alan'),
    signsIn: await idOf('tim'),
  };
  const { db } = service.database;
  await sql`update platform_user set role = 'admin' where org_id = ${service.orgId} and id = ${ids.admin}`.execute(
    db,
  );
  await call('PATCH', `/api/users/${ids.renamed}/`, { email: 'alan@acme.example' });
  await sql`insert into sign_in_account (org_id, user_id, provider_id, account_id)
    values (${service.orgId}, ${ids.signsIn}, 'idp', 'tim')`.execute(db);

  expect((await remove()).body).toMatchObject({ people: 13, people_kept: 3, people_deactivated: 0 });

  for (const id of Object.values(ids)) {
    expect((await get(`/api/users/${id}/`)).status).toBe('active');
  }
  expect(await get(`/api/users/${ids.admin}/`)).toMatchObject({ role: 'admin', manager: null });
});

test('its people get no sign-in links', async () => {
  await create();
  const [ada] = (await get('/api/users/?q=ada@sample-company.test')).results;

  const owner = await signInOwner(service);
  const { status, body } = await owner.call('POST', `/api/users/${ada.external_uuid}/sign-in-link/`);

  expect({ status, code: body.code }).toEqual({ status: 409, code: 'sample_person_cannot_sign_in' });
});
