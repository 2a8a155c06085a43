import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { within } from '#kit/database.ts';
import { sql } from '#kit/sql.ts';
import { openTestApp, type TestApp } from '#test/app.ts';
import { addOrganization, organizationOf } from '#test/people.ts';
import { addSyncedApp } from '#test/sync.ts';
import { checkClock } from '../findings/evaluate.ts';

let service: TestApp;
let call: TestApp['call'];
beforeAll(async () => {
  service = await openTestApp({ jobs: true });
  call = service.call;
});
afterAll(() => service.close());

const overview = async (from = call) => {
  const { status, body } = await from('GET', '/api/overview/');
  expect(status).toBe(200);
  return body;
};

const soon = <T>(read: () => T) => expect.poll(read, { timeout: 20_000 });

test('returns zeros for an empty organization', async () => {
  const empty = await openTestApp();
  onTestFinished(() => empty.close());
  expect(await overview(empty.call)).toEqual({
    apps: { by_status: {}, in_need: [] },
    accounts: {
      by_status: {},
      orphans: { count: 0, more: false },
      without_owner: { count: 0, more: false },
    },
    people: { leavers_with_access: { count: 0, more: false } },
    tasks: {
      pending: { count: 0, more: false },
      scheduled: { count: 0, more: false },
      oldest_pending_at: null,
      failed: [],
    },
    licenses: [],
    reviews: [],
    webhooks: { failing: [] },
    tickets: { waiting: { count: 0, more: false } },
    next_steps: { app: null, people: false, app_owner: false, review: false },
  });
});

test('returns the same figures as the lists', async () => {
  const app = (await call('POST', '/api/v1/bridge/apps/', { name: 'Payroll' })).body.id;
  const fresh = (await call('POST', '/api/v1/bridge/apps/', { name: 'Never synced' })).body.id;
  const bridge = `/api/v1/bridge/apps/${app}`;
  for (const [slug, type] of [
    ['user', 'account'],
    ['plan', 'license'],
  ]) {
    await call('POST', `${bridge}/resource-types/`, { slug, name: slug, type });
  }
  const { sync_id } = (await call('POST', `${bridge}/sync/`)).body;
  const licenses = [
    { id: 'pro', name: 'Pro', max_count: 4, used_count: 3 },
    { id: 'basic', name: 'Basic', max_count: 2 },
    { id: 'free', name: 'Free', max_count: 0 },
  ];
  await call('PUT', `${bridge}/sync/${sync_id}/plan/`, { records: licenses });
  const accounts = ['a', 'b', 'c'].map((id) => ({
    id,
    email: `${id}@acme.example`,
    status: id === 'c' ? 'suspended' : 'active',
    assignments: { plan: [{ id: 'basic' }] },
  }));
  await call('PUT', `${bridge}/sync/${sync_id}/user/`, { records: accounts });
  await call('POST', `${bridge}/sync/${sync_id}/complete/`);
  await expect
    .poll(async () => (await call('GET', `${bridge}/sync/${sync_id}/`)).body.status, { timeout: 20_000 })
    .toBe('completed');
  const account = (await call('GET', '/api/accounts/?status=ACTIVE')).body.results[0].external_uuid;
  const suspend = { app, account, action: 'suspend_account' };
  const failing = (await call('POST', '/api/tasks/', suspend)).body.external_uuid;
  await call('GET', `${bridge}/tasks/?status=pending`);
  await call('PATCH', `${bridge}/tasks/${failing}/status/`, {
    status: 'failed',
    error: { code: 'PERMISSION_DENIED', message: 'No.' },
  });
  const waiting = (await call('POST', '/api/tasks/', suspend)).body;

  // Findings follow seconds later.
  await soon(async () => (await overview()).accounts.orphans.count).toBe(2);
  const seen = await overview();

  expect(seen.apps.by_status).toEqual({ CONNECTED: 1, CHECKING_CONFIGURATION: 1 });
  expect(seen.apps.in_need.map(({ external_uuid }: { external_uuid: string }) => external_uuid)).toEqual([
    fresh,
    app,
  ]);
  expect(seen.apps.in_need[1].last_sync).toMatchObject({
    sync_id,
    status: 'completed',
    counts: { created: 6 },
  });
  expect(seen.accounts).toEqual({
    by_status: { ACTIVE: 2, SUSPENDED: 1 },
    orphans: { count: 2, more: false },
    without_owner: { count: 0, more: false },
  });
  expect((await call('GET', '/api/accounts/?orphaned=true')).body.count).toBe(2);
  expect(seen.tasks).toMatchObject({
    pending: { count: 1, more: false },
    oldest_pending_at: waiting.created_at,
    failed: [{ error_code: 'PERMISSION_DENIED', count: 1, day: new Date().toISOString().slice(0, 10) }],
  });
  expect(seen.licenses).toMatchObject([
    { name: 'Basic', used: 3, max: 2, app: { name: 'Payroll' } },
    { name: 'Pro', used: 3, max: 4 },
  ]);
  expect(seen.next_steps).toMatchObject({ app: { external_uuid: app, name: 'Payroll' }, review: false });
});

test('counts leavers and accounts without an owner, accepted or not, as their lists do', async () => {
  const app = await addSyncedApp({ call });
  const records = ['left', 'named', 'robot'].map((id) => ({ id, email: `${id}@owned.example` }));
  await app.sync({
    person: records.map((one) => ({ ...one, owner: one.id === 'named' ? 'admin@acme.example' : null })),
  });
  const { results } = (await call('GET', `/api/accounts/?app=${app.id}&sort=email`)).body;
  const [left, named, robot] = results.map((one: { external_uuid: string }) => one.external_uuid);
  const { external_uuid: user } = (await call('POST', '/api/users/', { email: 'left@acme.example' })).body;
  await call('PATCH', `/api/accounts/${left}/`, { user });
  await call('PATCH', `/api/accounts/${robot}/`, { kind: 'service', owner: user });
  await call('POST', `/api/users/${user}/deactivate/`);
  const figures = async () => {
    const { accounts, people } = await overview();
    return [accounts.without_owner.count, people.leavers_with_access.count, accounts.orphans.count];
  };
  const listed = async () => {
    const lists = ['accounts/?without_owner=true', 'users/leavers/?', 'accounts/?orphaned=true'];
    return Promise.all(lists.map(async (list) => (await call('GET', `/api/${list}`)).body.count));
  };
  await soon(figures).toEqual([1, 1, expect.any(Number)]);
  await soon(figures).toEqual(await listed());
  // An owner that only the app names is not a decision of an administrator.
  expect((await call('GET', `/api/accounts/?app=${app.id}&orphaned=true`)).body.results).toMatchObject([
    { external_uuid: named, kind: 'service' },
  ]);

  const [finding] = (await call('GET', `/api/findings/?subject=${user}`)).body.results;
  const until = new Date(Date.now() + 86_400_000).toISOString();
  const accepted = { until, reason: 'Their last day is tomorrow.' };
  await call('POST', `/api/findings/${finding.external_uuid}/accept/`, accepted);
  expect(await figures()).toEqual(await listed());

  await call('POST', `/api/users/${user}/reactivate/`);
  await soon(async () => (await figures()).slice(0, 2)).toEqual([0, 0]);
});

test('marks an app whose next sync is overdue, and lists it before the others', async () => {
  const app = await addSyncedApp({ call });
  const { db } = service.database;
  for (let n = 0; n < 4; n += 1) await app.sync({ person: [] });
  await app.bridge('POST', '/check/', { status: 'succeeded' });
  const first = async () => (await overview()).apps.in_need[0];
  expect(await first()).not.toMatchObject({ external_uuid: app.id });
  await sql`
    update sync_session set finished_at = finished_at - interval '2 hours' where app_id = ${app.id}`.execute(
    db,
  );

  await checkClock(within(db, (await organizationOf(service)).orgId), true);

  expect(await first()).toMatchObject({ external_uuid: app.id, last_sync: { overdue: true } });
  await app.sync({ person: [] });
  await soon(first).not.toMatchObject({ external_uuid: app.id });
});

test('returns nothing of another organization', async () => {
  const other = await addOrganization(service);

  const { body } = await other('GET', '/api/overview/');

  expect(JSON.stringify(body)).not.toContain('Payroll');
  expect(body.accounts.by_status).toEqual({});
});
