// @module-tag engine
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { sql } from '#kit/sql.ts';
import { ORIGIN, openTestApp, type TestApp } from '#test/app.ts';
import { type Call, furnish } from '#test/furnish.ts';
import { fill, operationsOf } from '#test/operations.ts';
import { addOrganization } from '#test/people.ts';
import type { Ids } from '#test/samples.ts';
import { signInOwner } from '#test/sign-in.ts';
import { temporaryFolder } from '#test/temporary.ts';
import { setTimes } from '#test/time.ts';
import { deleteDueOrganizations } from './delete.ts';
import { exportOrganization } from './export.ts';
import { orderDeletion, resumeOrganization, suspendOrganization, withdrawDeletion } from './suspend.ts';

let service: TestApp;
let call: TestApp['call'];
let ids: Ids;
beforeAll(async () => {
  service = await openTestApp({ jobs: true, own: true });
  call = service.call;
  const owner = await signInOwner(service);
  ids = await furnish(
    (method, path, body, options) => call(method, path, body, options),
    owner.call,
    'acme-things',
  );
});
afterAll(() => service.close());

/** Requests of every node agree within seconds. */
const untilStatus = (wanted: number, org = 'acme') =>
  expect
    .poll(async () => (await call('GET', '/api/me/', undefined, { org })).status, { timeout: 10_000 })
    .toBe(wanted);

async function eventTypes(slug = 'acme') {
  const { rows } = await sql<{ type: string; body: string }>`
    select event_type as type, body from event e join organization o on o.id = e.org_id and o.slug = ${slug}
    where event_type like 'organization.%' order by position`.execute(service.database.db);
  return rows.map(({ type, body }) => ({ type, ...JSON.parse(body) }));
}

test('refuses every request to a suspended organization with the reason, and loses nothing', async () => {
  const { db } = service.database;
  const before = (await call('GET', '/api/accounts/')).body;

  await suspendOrganization(db, 'acme', 'The invoice is overdue.');
  await untilStatus(403);

  const refusal = { detail: 'The organization acme is suspended: The invoice is overdue.' };
  for (const { method, path } of await operationsOf(service)) {
    const url = fill(path, (name) => ids[name] ?? 'none');
    for (const key of [service.key, null])
      expect(await call(method, url, undefined, { key }), `${method} ${path}`).toMatchObject(
        method === 'HEAD' ? { status: 403 } : { status: 403, body: refusal },
      );
  }
  const signIn = { email: 'admin@acme.example', password: 'correct horse battery staple' };
  const headers = { origin: ORIGIN };
  expect(await call('POST', '/auth/sign-in/', signIn, { key: null, headers })).toMatchObject({
    status: 403,
    body: refusal,
  });
  expect(await call('GET', '/', undefined, { key: null, headers: { accept: 'text/html' } })).toMatchObject({
    status: 403,
  });
  await expect(suspendOrganization(db, 'acme', 'Again.')).rejects.toThrow('is already suspended');

  await resumeOrganization(db, 'acme');
  await untilStatus(200);
  expect((await call('GET', '/api/accounts/')).body).toEqual(before);
  expect(await eventTypes()).toMatchObject([
    {
      type: 'organization.suspended',
      actor: { type: 'platform_admin', uuid: null },
      payload: { slug: 'acme', reason: 'The invoice is overdue.' },
    },
    { type: 'organization.resumed' },
  ]);
});

test('pauses the background work of a suspended organization until it is resumed', async () => {
  const paused = await openTestApp({ own: true });
  onTestFinished(paused.close);
  const owner = await signInOwner(paused);
  const byKey: Call = (method, path, body, options) => paused.call(method, path, body, options);
  const { app_id } = await furnish(byKey, owner.call, 'paused-things', { jobs: false });
  const user = (await paused.call('POST', '/api/users/', { email: 'late@acme.example' })).body.external_uuid;
  const task = { app: app_id, user, action: 'create_account' };
  const { body } = await paused.call('POST', '/api/tasks/', {
    ...task,
    execute_after: new Date(Date.now() + 3_600_000).toISOString(),
  });
  await setTimes(paused, 'task', { execute_after: '1 minute ago' }, { id: body.external_uuid });
  const status = async () => {
    const { rows } = await sql<{ status: string }>`
      select status from task where id = ${body.external_uuid}`.execute(paused.database.db);
    return rows[0]?.status;
  };

  await suspendOrganization(paused.database.db, 'acme', 'Paused.');
  await paused.app.tick();
  expect(await status()).toBe('scheduled');

  await resumeOrganization(paused.database.db, 'acme');
  await paused.app.tick();
  expect(await status()).toBe('pending');
});

test('exports everything of one organization but its secrets', async () => {
  const { db } = service.database;
  const folder = join(await mkdtemp(join(await temporaryFolder(), 'gatehouse-export-')), 'acme');
  onTestFinished(() => rm(join(folder, '..'), { recursive: true }));
  const other = await addOrganization(service, 'elsewhere');
  await other('POST', '/api/users/', { email: 'stranger@elsewhere.example' });

  const count = await exportOrganization(db, 'acme', folder);

  expect((await stat(folder)).mode & 0o077).toBe(0);
  const names = await readdir(folder);
  const texts = new Map(
    await Promise.all(names.map(async (name) => [name, await readFile(join(folder, name), 'utf8')] as const)),
  );
  const manifest = JSON.parse(texts.get('manifest.json') ?? '');
  expect(Object.values<number>(manifest.rows).reduce((sum, n) => sum + n)).toBe(count);
  for (const [table, rows] of Object.entries<number>(manifest.rows)) {
    const lines = (texts.get(`${table}.jsonl`) ?? '').split('\n').filter((line) => line !== '');
    expect(lines, table).toHaveLength(rows);
    for (const line of lines) {
      const row = JSON.parse(line) as object;
      for (const column of Object.keys(row))
        expect(column, table).not.toMatch(
          /secret|^sealed|password$|hash$|token$|wrapped|backup_codes|oidc_config/,
        );
    }
  }
  expect(manifest.rows).toMatchObject({
    organization: 1,
    platform_user: 5,
    review_campaign: 1,
    account_period: 0,
  });
  expect(manifest.rows.inventory_change).toBeGreaterThan(0);
  expect(manifest.rows.event_contract).toBeGreaterThan(5);
  expect(texts.get('platform_user.jsonl')).toContain('admin@acme.example');
  expect([...texts.values()].join('')).not.toContain('elsewhere');
  await expect(exportOrganization(db, 'acme', folder)).rejects.toThrow('already exists');
});

test('deletes an organization after 30 days, with its log, and nothing of another one', async () => {
  const { db } = service.database;
  const doomed = await addOrganization(service, 'doomed');
  await furnish(doomed, (await signInOwner(service, 'doomed')).call, 'doomed');
  const lastEvents = (await call('GET', '/api/events/')).body.results;

  const after = await orderDeletion(db, 'doomed');
  expect(after.getTime() - Date.now()).toBeGreaterThan(29 * 86_400_000);
  await untilDoomed(403);
  expect((await doomed('GET', '/api/me/')).body.detail).toMatch(
    /^The organization doomed is suspended and will be deleted after \d{4}-\d{2}-\d{2}\.$/,
  );
  await deleteDueOrganizations(db);
  await withdrawDeletion(db, 'doomed');
  await untilDoomed(200);
  expect((await doomed('GET', '/api/accounts/')).body.count).toBe(3);
  expect((await eventTypes('doomed')).map(({ type }) => type)).toEqual([
    'organization.deletion_ordered',
    'organization.deletion_withdrawn',
  ]);

  const { rows } = await sql<{ id: string }>`select id from organization where slug = 'doomed'`.execute(db);
  const id = rows[0]?.id;
  await orderDeletion(db, 'doomed', new Date(Date.now() - 1000));
  await expect(withdrawDeletion(db, 'doomed')).rejects.toThrow('can no longer be withdrawn');
  // Repeating a forced deletion is allowed. Postponing one that has begun is not.
  await orderDeletion(db, 'doomed', new Date());
  await expect(orderDeletion(db, 'doomed')).rejects.toThrow('will already be deleted');
  // Another node may run the same job, and an interrupted run is repeated.
  await Promise.all([deleteDueOrganizations(db), deleteDueOrganizations(db)]);

  const { rows: tables } = await sql<{ name: string }>`
    select table_name as name from information_schema.columns
    where table_schema = 'public' and column_name = 'org_id' order by 1`.execute(db);
  for (const { name } of tables) {
    const { rows: left } = await sql`select from ${sql.table(name)} where org_id = ${id}`.execute(db);
    expect(left, name).toHaveLength(0);
  }
  expect((await sql`select from organization where id = ${id}`.execute(db)).rows).toHaveLength(0);
  await untilDoomed(401);
  expect((await call('GET', '/api/events/')).body.results).toEqual(lastEvents);
  await expect(sql`delete from event_contract`.execute(db)).rejects.toThrow('append-only');

  function untilDoomed(status: number) {
    return expect
      .poll(async () => (await doomed('GET', '/api/me/')).status, { timeout: 10_000 })
      .toBe(status);
  }
});
