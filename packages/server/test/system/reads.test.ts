import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '#kit/sql.ts';
import { openTestApp, type TestApp } from '../app.ts';
import { furnish } from '../furnish.ts';
import { fill, operationsOf } from '../operations.ts';
import { addOrganization } from '../people.ts';
import type { Ids } from '../samples.ts';
import { type Browser, signInOwner } from '../sign-in.ts';

const ORG = 'reads';
let service: TestApp;
let call: Awaited<ReturnType<typeof addOrganization>>;
let ids: Ids;
let browser: Browser;
beforeAll(async () => {
  service = await openTestApp({ jobs: true, own: true });
  call = await addOrganization(service, ORG);
  browser = await signInOwner(service, ORG);
  ids = await furnish(call, browser.call, ORG);
  // Otherwise tasks are dispatched to people in the background.
  const fulfillment = `/api/apps/${ids.app_id}/fulfillment/`;
  await call('PUT', fulfillment, { ...(await call('GET', fulfillment)).body, enabled: false });
});
afterAll(() => service.close());

/**
 * Tables that any request or the background work may change: the session's last use, the limits, the progress of policies,
 * findings and notifications.
 */
const CHANGED_BY_EVERY_REQUEST = [
  'sign_in_session',
  'rate_window',
  'api_key_use',
  'policy_cursor',
  'finding',
  'finding_cursor',
  'finding_day',
  'notification_cursor',
  'notification',
  'notification_delivery',
];
/** Reads that leave an event, because they take data out of Gatehouse. */
const RECORDED = ['/api/reviews/cycles/{cycle_id}/evidence/'];

/** Returns a digest of each table. */
async function digests(except: string[] = []): Promise<Record<string, string>> {
  const { db } = service.database;
  const { rows } = await sql<{ name: string }>`
    select c.relname as name from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and c.relname <> all(${[...CHANGED_BY_EVERY_REQUEST, ...except]}) order by 1`.execute(db);
  const found: Record<string, string> = {};
  for (const { name } of rows) {
    const digest = await sql<{ md5: string }>`
      select md5(coalesce(string_agg(row::text, ',' order by row::text), '')) as md5
      from (select to_jsonb(t) - 'last_used_at' as row from ${sql.table(name)} t) as rows`.execute(db);
    found[name] = digest.rows[0]?.md5 ?? '';
  }
  return found;
}

const read = async (path: string) => {
  const address = fill(path, (name) => ids[name] ?? '');
  expect((await browser.call('GET', address)).status, path).toBe(200);
};

test('changes nothing when a signed-in person reads', async () => {
  // The first use of each of two keys is recorded a moment later.
  const uses = async () => (await call('GET', '/api/events/?event_type=api_key.used')).body.results;
  await expect.poll(uses).toHaveLength(2);
  const account = ids.account_id;
  const removal = { app: ids.app_id, account, action: 'reset_password' };
  const task = await call('POST', '/api/tasks/', removal);
  expect(task.status, JSON.stringify(task.body)).toBe(201);
  const undispatched = await sql`
    select from task where status = 'pending' and dispatched_at is null`.execute(service.database.db);
  expect(undispatched.rows.length).toBeGreaterThan(0);
  const gets = (await operationsOf(service)).filter(({ method }) => method === 'GET');
  const before = await digests();

  for (const { path } of gets.filter((one) => !RECORDED.includes(one.path))) await read(path);
  for (const path of ['/auth/', '/auth/sessions/', '/auth/passkeys/']) await read(path);

  expect(await digests()).toEqual(before);
  const events = ['event_contract', 'event_configuration', 'event_head'];
  const withoutEvents = await digests(events);
  for (const path of RECORDED) await read(path);
  expect(await digests(events)).toEqual(withoutEvents);
});

test('marks tasks as dispatched when a connector lists them, not when a person does', async () => {
  const tasks = `/api/v1/bridge/apps/${ids.app_id}/tasks/?status=pending`;
  const dispatched = async () =>
    (await call('GET', '/api/events/?event_type=task.dispatched&limit=200')).body.results.length;
  const user = (await call('POST', '/api/users/', { email: 'dispatched@acme.example' })).body.external_uuid;
  await call('POST', '/api/tasks/', { app: ids.app_id, action: 'create_account', user });
  const before = await dispatched();

  const shown = await browser.call('GET', tasks);
  expect(shown.body.tasks.length).toBeGreaterThan(0);
  expect(await dispatched()).toBe(before);
  await call('GET', tasks);
  expect(await dispatched()).toBeGreaterThan(before);
});
