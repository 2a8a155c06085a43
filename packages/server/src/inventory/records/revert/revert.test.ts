// @module-tag engine

import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '#kit/sql.ts';
import { historyOf, snapshotOf } from '#test/history.ts';
import { eventsOf } from '#test/people.ts';
import {
  addSyncedApp,
  inventoryOf,
  openSyncTest,
  people,
  type SyncedApp,
  type SyncTest,
} from '#test/sync.ts';

let service: SyncTest;
beforeAll(async () => {
  service = await openSyncTest();
});
afterAll(() => service.close());

const revert = (app: SyncedApp, session: string, body?: object) =>
  service.call('POST', `/api/apps/${app.id}/syncs/${session}/revert/`, body);

const member = (n: number, teams: string[]) => ({
  id: `m${n}`,
  email: `m${n}@acme.example`,
  memberships: { team: teams.map((id) => ({ id, name: id })) },
});

test('brings back what a session removed, changed and added', async () => {
  const app = await addSyncedApp(service);
  await app.sync({ person: [member(1, ['a']), member(2, ['a', 'b']), member(3, [])] });
  const before = await snapshotOf(service, app.id);
  const session = await app.sync({
    person: [{ ...member(1, ['c']), status: 'suspended', display_name: 'Nonsense' }, member(4, ['a'])],
  });
  expect((await inventoryOf(service, app.id)).memberships).toEqual({
    'person:m1': ['team:c'],
    'person:m4': ['team:a'],
  });

  const shown = await revert(app, session, { dry_run: true });
  expect(shown).toMatchObject({
    status: 200,
    body: {
      dry_run: true,
      counts: {
        accounts: { removed: 1, restored: 3 },
        memberships: { added: 3, removed: 2 },
        resources: 2,
        tasks: 0,
      },
      later_syncs: 0,
      conflicts: { count: 0, results: [] },
    },
  });
  const { body } = await revert(app, session, { reason: 'The export was broken.' });
  expect(body).toEqual({ ...shown.body, dry_run: false });
  expect(await app.view(session)).toMatchObject({ reverted_reason: 'The export was broken.' });
  expect(await snapshotOf(service, app.id)).toEqual(before);
});

test('counts what a revert takes away against the daily budget', async () => {
  const app = await addSyncedApp(service);
  await service.call('PATCH', `/api/apps/${app.id}/`, { removal_guard: { percent: 30, at_least: 4 } });
  const real = people(10, () => ({ memberships: { team: [{ id: 'a', name: 'a' }] } }));
  await app.sync({ person: real });
  const session = await app.sync({ person: [...real, ...people(3, () => ({}), 20)] });
  await revert(app, session);

  const next = await app.start();
  await app.push(next, 'person', real.slice(1));
  expect(await app.complete(next)).toMatchObject({ status: 'completing', held: { accounts: 1 } });
});

test('counts the accounts that a revert suspends again against the daily budget', async () => {
  const app = await addSyncedApp(service);
  await service.call('PATCH', `/api/apps/${app.id}/`, { removal_guard: { percent: 30, at_least: 4 } });
  const suspended = people(10, (n) => (n < 3 ? { status: 'suspended' } : {}));
  await app.sync({ person: suspended });
  await revert(app, await app.sync({ person: people(10) }));

  const next = await app.start();
  await app.push(next, 'person', suspended.slice(0, 9));
  expect(await app.complete(next)).toMatchObject({ status: 'completing', held: { accounts: 1 } });
});

test('records one event for each change, with the session that was reverted', async () => {
  const app = await addSyncedApp(service);
  await app.sync({ person: [member(1, ['a']), member(2, [])] });
  const session = await app.sync({ person: [member(1, [])] });
  await revert(app, session);
  const events = (await eventsOf(service, 'account.')).filter(
    ({ payload }) => (payload as { reverted_sync_id?: string }).reverted_sync_id === session,
  );
  expect(events.map(({ event_type }) => event_type).sort()).toEqual([
    'account.group.added',
    'account.provisioned',
  ]);
  expect(events[0]).toMatchObject({ source: { type: 'api' }, actor: { type: 'user' } });
});

test('shows who reverted a session, and reverts it once', async () => {
  const app = await addSyncedApp(service);
  await app.sync({ person: people(2) });
  const session = await app.sync({ person: people(1) });
  expect((await revert(app, session)).status).toBe(200);
  expect(await revert(app, session)).toMatchObject({
    status: 409,
    body: { detail: 'The sync session has already been reverted.' },
  });
  const { body } = await service.call('GET', `/api/apps/${app.id}/syncs/`);
  expect(body.results[0]).toMatchObject({
    sync_id: session,
    reverted_at: expect.any(String),
    reverted_by: expect.any(String),
  });
  expect(body.results[1]).not.toHaveProperty('reverted_at');
});

test('reverts two sessions, newest first, of which the second brought back what the first removed', async () => {
  const app = await addSyncedApp(service);
  await app.sync({ person: [member(1, ['a']), member(2, [])] });
  const before = await snapshotOf(service, app.id);
  const removal = await app.sync({ person: [member(2, [])] });
  const comeback = await app.sync({
    person: [{ ...member(1, []), display_name: 'Nonsense' }, member(2, [])],
  });
  for (const session of [comeback, removal]) await revert(app, session);
  expect(await snapshotOf(service, app.id)).toEqual(before);
});

test('refuses a session that has not ended or never changed the inventory', async () => {
  const app = await addSyncedApp(service);
  const open = await app.start();
  expect(await revert(app, open)).toMatchObject({
    status: 409,
    body: { detail: expect.stringContaining('in_progress') },
  });
  await app.start();
  expect(await revert(app, open)).toMatchObject({
    status: 409,
    body: { detail: 'The sync session ended before it changed the inventory. There is nothing to revert.' },
  });
});

test('refuses keys that are limited to listed apps', async () => {
  const app = await addSyncedApp(service);
  const session = await app.sync({ person: people(1) });
  const { body } = await service.call('POST', '/api/api-keys/', {
    name: 'Limited',
    scopes: ['govern'],
    apps: [app.id],
  });
  const path = `/api/apps/${app.id}/syncs/${session}/revert/`;
  expect((await service.call('POST', path, {}, { key: body.key })).status).toBe(403);
});

test('leaves records that have changed since, and lists them', async () => {
  const app = await addSyncedApp(service);
  await app.sync({ person: [member(1, ['a']), member(2, ['a']), member(3, ['a'])] });
  const session = await app.sync({ person: [member(1, ['b'])] });
  // The second account is back under another name.
  const next = await app.start();
  await app.push(next, 'person', [{ ...member(2, ['b']), display_name: 'Two' }]);
  await app.abandon(next);
  const { body } = await revert(app, session);
  expect(body).toMatchObject({
    counts: { accounts: { removed: 0, restored: 1 }, memberships: { added: 2, removed: 1 } },
    later_syncs: 1,
    conflicts: { count: 2 },
  });
  expect(
    body.conflicts.results.map(({ type, account }: { type: string; account: { external_id: string } }) => [
      type,
      account.external_id,
    ]),
  ).toEqual(
    expect.arrayContaining([
      ['account', 'm2'],
      ['membership', 'm2'],
    ]),
  );
  expect((await inventoryOf(service, app.id)).memberships).toEqual({
    'person:m1': ['team:a'],
    'person:m2': ['team:b'],
    'person:m3': ['team:a'],
  });
});

test('leaves accounts that a task has changed since', async () => {
  const app = await addSyncedApp(service);
  await app.sync({ person: [member(1, ['a']), member(2, [])] });
  const session = await app.sync({ person: [member(1, []), member(2, ['a'])] });
  const { body: list } = await service.call('GET', `/api/accounts/?app=${app.id}&email=m1@`);
  const account = list.results[0].external_uuid;
  const { body: task } = await service.call('POST', '/api/tasks/', {
    app: app.id,
    account,
    action: 'update_account',
    changes: { team: { removed: ['a'] } },
  });
  await app.bridge('GET', '/tasks/');
  const report = await app.bridge('PATCH', `/tasks/${task.external_uuid}/status/`, { status: 'completed' });
  expect(report.status).toBe(200);
  expect((await revert(app, session)).body).toMatchObject({
    counts: { memberships: { added: 0, removed: 1 } },
    conflicts: { count: 1, results: [{ type: 'membership', reason: 'The account has changed since.' }] },
  });
  expect((await inventoryOf(service, app.id)).memberships).toEqual({});
});

test('makes an account that was recognized wrongly awaited again', async () => {
  const app = await addSyncedApp(service);
  await app.sync({ person: [member(1, [])] });
  const { body: person } = await service.call('POST', '/api/users/', { email: 'awaited@acme.example' });
  await service.call('POST', '/api/tasks/', {
    app: app.id,
    user: person.external_uuid,
    action: 'create_account',
  });
  const before = await snapshotOf(service, app.id);
  const session = await app.sync({ person: [member(1, []), { id: 'wrong', email: 'awaited@acme.example' }] });
  expect((await inventoryOf(service, app.id)).accounts).toEqual({
    'person:m1': 'ACTIVE',
    'person:wrong': 'ACTIVE',
  });
  await revert(app, session);
  expect(await snapshotOf(service, app.id)).toEqual(before);
  expect((await inventoryOf(service, app.id)).accounts).toEqual({
    'person:awaited@acme.example': 'NEW',
    'person:m1': 'ACTIVE',
  });
});

test('returns accounts to the people they belonged to', async () => {
  const app = await addSyncedApp(service);
  const add = async (email: string) =>
    (await service.call('POST', '/api/users/', { email })).body.external_uuid;
  const [first, second] = [await add('first@acme.example'), await add('second@acme.example')];
  await app.sync({ person: [{ id: 'x', email: 'first@acme.example' }] });
  const session = await app.sync({ person: [{ id: 'x', email: 'second@acme.example' }] });
  const userOf = async () => (await service.call('GET', `/api/accounts/?app=${app.id}`)).body.results[0].user;
  expect(await userOf()).toBe(second);
  expect((await revert(app, session)).body.counts.links).toBe(1);
  expect(await userOf()).toBe(first);
});

test('keeps what was known before the revert, and forgets it afterwards', async () => {
  const app = await addSyncedApp(service);
  await app.sync({ person: [member(1, ['a'])] });
  const before = await now();
  const session = await app.sync({ person: [member(2, ['a'])] });
  const during = await now();
  const history = (known: string | null) => historyOf(service, app.id, known);
  const reported = await history(during);
  await revert(app, session);
  expect(await history(during)).toEqual(reported);
  expect(await history(null)).toEqual(await history(before));
});

const now = async () => {
  const { rows } = await sql<{ now: string }>`select clock_now()::text as now`.execute(service.database.db);
  return rows[0]?.now ?? '';
};

test('lets the next sync correct the inventory again', async () => {
  const app = await addSyncedApp(service);
  await app.sync({ person: [member(1, ['a']), member(2, ['a'])] });
  const session = await app.sync({ person: [member(1, [])] });
  await revert(app, session);
  await app.sync({ person: [member(1, []), member(3, ['a'])] });
  expect(await inventoryOf(service, app.id)).toMatchObject({
    accounts: { 'person:m1': 'ACTIVE', 'person:m2': 'INACTIVE', 'person:m3': 'ACTIVE' },
    memberships: { 'person:m3': ['team:a'] },
  });
});

test('makes the next sync the first one if the first was reverted', async () => {
  const app = await addSyncedApp(service);
  const session = await app.sync({ person: people(2) });
  await revert(app, session);
  const { body } = await service.call('GET', `/api/apps/${app.id}/`);
  expect(body.last_synced_at).toBeNull();
  expect((await inventoryOf(service, app.id)).accounts).toEqual({
    'person:p0': 'INACTIVE',
    'person:p1': 'INACTIVE',
  });
});

test('cancels tasks of policies that no connector has seen', async () => {
  const app = await addSyncedApp(service);
  await app.sync({ person: [member(1, [])] });
  await service.call('POST', '/api/policies/', {
    name: 'Unexpected accounts',
    trigger: 'account.discovered',
    condition: 'true',
    effects: [{ do: 'suspend', app: app.id }],
  });
  const session = await app.sync({ person: [member(1, []), member(2, [])] });
  const tasks = async () => (await service.call('GET', `/api/tasks/?app=${app.id}`)).body.results;
  await expect.poll(async () => (await tasks()).length, { timeout: 20_000 }).toBe(1);
  expect((await revert(app, session)).body.counts.tasks).toBe(1);
  expect((await tasks())[0]).toMatchObject({ status: 'cancelled' });
});

test('keeps the counts of accounts right', async () => {
  const app = await addSyncedApp(service);
  await app.sync({ person: people(5) });
  const session = await app.sync({ person: people(3, () => ({ status: 'suspended' }), 2) });
  await revert(app, session);
  const count = async (status: string) =>
    (await service.call('GET', `/api/accounts/?app=${app.id}&status=${status}`)).body.count;
  expect([await count('ACTIVE'), await count('SUSPENDED'), await count('INACTIVE')]).toEqual([5, 0, 0]);
});
