// @module-tag engine

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sql } from '#kit/sql.ts';
import { holdApp, NO_HOLD } from '#test/faults.ts';
import { eventsOf } from '#test/people.ts';
import {
  addSyncedApp,
  inventoryOf,
  openSyncTest,
  people,
  type SyncedApp,
  type SyncTest,
  untilEnded,
} from '#test/sync.ts';

let service: SyncTest;
beforeAll(async () => {
  service = await openSyncTest();
});
afterAll(() => service.close());

let app: SyncedApp;
beforeEach(async () => {
  app = await addSyncedApp(service);
});

const setGuard = (removal_guard: { percent: number; at_least: number } | null) =>
  service.call('PATCH', `/api/apps/${app.id}/`, { removal_guard });
const decide = (session: string, verb: 'approve' | 'reject') =>
  service.call('POST', `/api/apps/${app.id}/syncs/${session}/${verb}/`);
const inventory = () => inventoryOf(service, app.id);
const active = async () =>
  Object.entries((await inventory()).accounts)
    .filter(([, status]) => status === 'ACTIVE')
    .map(([id]) => id.slice('person:'.length));
const inTeams = (...ids: string[]) => ({ memberships: { team: ids.map((id) => ({ id })) } });
const tenInTwo = (first = 0, teams = ['g', 'h']) => people(10, () => inTeams(...teams)).slice(first);

/** Completes a session of these accounts. */
async function complete(
  records: unknown[],
): Promise<{ id: string; view: Awaited<ReturnType<SyncedApp['view']>> }> {
  const id = await app.start();
  await app.push(id, 'person', records);
  return { id, view: await app.complete(id) };
}

describe('which completions are held', () => {
  test.each<
    [
      what: string,
      before: number,
      left: number,
      guard: [percent: number, atLeast: number] | null,
      held: boolean,
    ]
  >([
    ['exactly the percentage', 10, 7, [30, 1], false],
    ['one more than the percentage', 10, 6, [30, 1], true],
    ['one fewer than the minimum', 10, 6, [30, 5], false],
    ['exactly the minimum', 10, 5, [30, 5], true],
    ['all, without a guard', 10, 0, null, false],
    ['98 of 99, with the default guard', 99, 1, [30, 100], false],
    ['all of 19, with the default guard', 19, 0, [30, 100], false],
    ['all, if 100 % is allowed', 10, 0, [100, 1], false],
  ])('accounts: %s', async (_what, before, left, guard, held) => {
    if (guard === null || guard[1] !== 100)
      await setGuard(guard && { percent: guard[0], at_least: guard[1] });
    await app.sync({ person: people(before) });

    const { view } = await complete(people(left));

    expect(view.held).toEqual(held ? { accounts: before - left, memberships: 0 } : undefined);
    expect(view.status).toBe(held ? 'completing' : 'completed');
    expect(await active()).toHaveLength(held ? before : left);
  });

  test.each<[what: string, teams: string[], guard: [number, number], held: number | undefined]>([
    ['half', ['g'], [49, 1], 10],
    ['exactly the percentage', ['g'], [50, 1], undefined],
    ['fewer than the minimum', ['g'], [30, 11], undefined],
    ['all', [], [30, 20], 20],
    ['all, replaced by as many', ['x', 'y'], [30, 20], 20],
  ])('memberships of accounts that stay: %s', async (_what, teams, [percent, at_least], held) => {
    await setGuard({ percent, at_least });
    await app.sync({ person: tenInTwo() });

    const { view } = await complete(tenInTwo(0, teams));

    expect(view.held).toEqual(held === undefined ? undefined : { accounts: 0, memberships: held });
    const { memberships } = await inventory();
    const expected = held === undefined ? teams : [...new Set(['g', 'h', ...teams])];
    expect(memberships['person:p0'] ?? []).toEqual(expected.map((id) => `team:${id}`));
  });

  test('counts memberships of removed accounts', async () => {
    await setGuard({ percent: 50, at_least: 3 });
    await app.sync({ person: [...people(4), ...people(1, () => inTeams('a', 'b', 'c'), 4)] });

    const { view } = await complete(people(4));

    expect(view.held).toEqual({ accounts: 1, memberships: 3 });
  });

  test('counts suspended accounts and licenses, but no inactive accounts', async () => {
    await setGuard({ percent: 30, at_least: 2 });
    const seat = { assignments: { seat: [{ id: 's' }] } };
    await app.sync({
      person: [
        ...people(2, () => ({ status: 'suspended', ...seat })),
        ...people(8, () => ({ status: 'inactive' }), 2),
      ],
    });

    const { view } = await complete([]);

    expect(view.held).toEqual({ accounts: 2, memberships: 2 });
  });

  test('applies to one app only', async () => {
    const other = await addSyncedApp(service);
    await setGuard({ percent: 1, at_least: 1 });
    for (const one of [app, other]) await one.sync({ person: people(10) });

    await other.sync({});

    expect((await complete([])).view.status).toBe('completing');
  });

  test('has nothing to hold in an abandoned session, which removes no membership', async () => {
    await setGuard({ percent: 1, at_least: 1 });
    await app.sync({ person: tenInTwo() });
    const { memberships } = await inventory();
    const session = await app.start();
    await app.push(session, 'person', people(10));
    await app.abandon(session);

    expect((await inventory()).memberships).toEqual(memberships);
  });
});

describe('a completion without an account (D78)', () => {
  const held = (accounts: number, memberships = 0) => ({ accounts, memberships, reason: 'no_accounts' });

  test.each<[what: string, count: number]>([
    ['20', 20],
    ['99', 99],
    ['100, which exceeds the removal guard as well', 100],
  ])('is held if the app has %s active accounts', async (_what, count) => {
    await app.sync({ person: people(count, () => inTeams('g')) });

    const { view } = await complete([]);

    expect(view).toMatchObject({ status: 'completing', held: held(count, count) });
    expect(await active()).toHaveLength(count);
  });

  test.each<[what: string, pages: [slug: string, records: unknown[]][]]>([
    ['no page', []],
    [
      'empty pages only',
      [
        ['person', []],
        ['bot', []],
      ],
    ],
    [
      'groups and licenses only',
      [
        ['team', [{ id: 'g', name: 'G' }]],
        ['seat', [{ id: 's', name: 'S' }]],
      ],
    ],
  ])('is held after %s', async (_what, pages) => {
    await app.sync({ person: people(12), bot: people(8) });
    const id = await app.start();
    for (const [slug, records] of pages)
      expect(await app.push(id, slug, records)).toMatchObject({ status: 200 });

    expect((await app.complete(id)).held).toEqual(held(20));
  });

  test.each<[what: string, guard: { percent: number; at_least: number } | null, held: boolean]>([
    ['an app without a guard', null, false],
    ['a guard that allows everything', { percent: 100, at_least: 1000 }, true],
  ])('%s', async (_what, guard, isHeld) => {
    await setGuard(guard);
    await app.sync({ person: people(20) });

    expect((await complete([])).view.held).toEqual(isHeld ? held(20) : undefined);
  });

  test('is not held once an account was pushed, even without access', async () => {
    await app.sync({ person: people(25) });

    const { view } = await complete(people(25, () => ({ status: 'inactive' })));

    expect(view).toMatchObject({ status: 'completed' });
  });

  test('is not held by accounts that have lost their access before', async () => {
    await app.sync({ person: [...people(19), ...people(10, () => ({ status: 'inactive' }), 19)] });

    expect((await complete([])).view).toMatchObject({ status: 'completed' });
  });

  test('is not held if the session is abandoned, which removes nothing', async () => {
    await app.sync({ person: people(20) });
    const id = await app.start();

    expect(await app.abandon(id)).toMatchObject({ status: 204 });

    expect(await active()).toHaveLength(20);
  });

  test('is shown by the plan of the session, before and after', async () => {
    await app.sync({ person: people(20) });
    const id = await app.start();
    const plan = async () => (await service.call('GET', `/api/apps/${app.id}/syncs/${id}/plan/`)).body;

    expect((await plan()).held).toEqual(held(20));
    await app.complete(id);

    expect((await plan()).held).toEqual(held(20));
    const { last_sync } = (await service.call('GET', `/api/apps/${app.id}/`)).body;
    expect(last_sync.held).toEqual(held(20));
    expect((await eventsOf(service, 'app.sync.paused')).at(-1)).toMatchObject({
      payload: { sync_id: id, reason: expect.stringContaining('pushed no account'), held: held(20) },
    });
  });

  test('removes all accounts after approval, and nothing after rejection', async () => {
    await app.sync({ person: people(20) });
    const rejected = await complete([]);
    expect((await decide(rejected.id, 'reject')).body).toMatchObject({ status: 'error' });
    expect(await active()).toHaveLength(20);

    const approved = await complete([]);
    await decide(approved.id, 'approve');

    expect(await untilEnded(app, approved.id)).toMatchObject({
      status: 'completed',
      counts: { removed: 20 },
    });
    expect(await active()).toEqual([]);
    expect((await complete([])).view.status).toBe('completed');
  });

  test('does not use the daily budget while it is held', async () => {
    await setGuard({ percent: 30, at_least: 5 });
    await app.sync({ person: people(20) });
    await complete([]);

    expect((await complete(people(16))).view).toMatchObject({ status: 'completed', counts: { removed: 4 } });
  });

  test('is held for an app that shares its resource types with another', async () => {
    const clone = await addSyncedApp(service, { cloneFrom: app.id });
    await clone.sync({ person: people(20) });

    await app.sync({});
    const id = await clone.start();

    expect((await clone.complete(id)).held).toEqual(held(20));
  });

  test('is not held if accounts were granted since the start and nothing would be removed', async () => {
    const id = await app.start();
    await sql`
      insert into account (org_id, app_id, resource_type_id, email, status, tasked_at)
      select ${service.orgId}, ${app.id}, t.id, 'n' || n || '@x.example', 'INVITED', clock_timestamp()
      from generate_series(1, 20) n, resource_type t
      where t.org_id = ${service.orgId} and t.slug = 'person'
        and t.clone_group_id = (select clone_group_id from app where id = ${app.id} and org_id = ${service.orgId})`.execute(
      service.database.db,
    );

    expect(await app.complete(id)).toMatchObject({ status: 'completed' });
  });
});

describe('a held completion', () => {
  test('publishes pushed records, keeps stale ones and records an event', async () => {
    await setGuard({ percent: 30, at_least: 5 });
    await app.sync({ person: tenInTwo() });

    const { id, view } = await complete([
      ...people(1, () => ({ status: 'suspended', ...inTeams('g', 'new') })),
      { id: 'joiner', username: 'joiner' },
    ]);

    expect(view).toMatchObject({
      status: 'completing',
      finished_at: null,
      held: { accounts: 10, memberships: 19 },
      counts: { created: 2, updated: 0, unchanged: 2, removed: 0 },
      membership_counts: { added: 1, removed: 0 },
    });
    const { accounts, memberships, entitlements } = await inventory();
    expect(accounts).toMatchObject({
      'person:joiner': 'ACTIVE',
      'person:p0': 'ACTIVE',
      'person:p1': 'ACTIVE',
    });
    expect(memberships).toMatchObject({
      'person:p0': ['team:g', 'team:h', 'team:new'],
      'person:p9': ['team:g', 'team:h'],
    });
    expect(Object.keys(entitlements)).toEqual(['team:g', 'team:h', 'team:new']);
    const events = (await eventsOf(service, 'app.sync.')).filter(({ payload }) => payload.sync_id === id);
    expect(events.map(({ event_type }) => event_type)).toEqual(['app.sync.started', 'app.sync.paused']);
    expect(events[1]).toMatchObject({
      subject: { type: 'app', uuid: app.id },
      source: { type: 'sync', uuid: id },
      payload: {
        app_id: app.id,
        held: { accounts: 10, memberships: 19 },
        guard: { percent: 30, at_least: 5 },
      },
    });
    const removed = (await eventsOf(service, 'account.')).filter(
      ({ event_type, payload }) => payload.sync_id === id && /removed|deprovisioned/.test(event_type),
    );
    expect(removed).toEqual([]);
  });

  test('removes exactly the planned records after approval and records events', async () => {
    await setGuard({ percent: 30, at_least: 5 });
    await app.sync({ person: tenInTwo() });
    const { id } = await complete(people(1, () => inTeams('g')));

    expect(await decide(id, 'approve')).toMatchObject({ status: 202 });

    expect(await untilEnded(app, id)).toMatchObject({
      status: 'completed',
      counts: { created: 0, updated: 0, unchanged: 2, removed: 9 + 1 },
      membership_counts: { added: 0, removed: 19 },
    });
    expect(await inventory()).toMatchObject({
      entitlements: { 'team:g': '' },
      memberships: { 'person:p0': ['team:g'] },
    });
    expect(await active()).toEqual(['p0']);
    const told = (await eventsOf(service, 'account.'))
      .filter(({ payload }) => payload.sync_id === id)
      .map(({ event_type }) => event_type);
    expect(told.filter((type) => type === 'account.deprovisioned')).toHaveLength(9);
    expect(told.filter((type) => type === 'account.group.removed')).toHaveLength(19);
  });

  test('removes nothing after rejection, and the next session holds the same removals', async () => {
    await setGuard({ percent: 30, at_least: 5 });
    await app.sync({ person: tenInTwo() });
    const before = await inventory();
    const { id } = await complete(people(1, () => inTeams('g')));

    await decide(id, 'reject');

    const { actor, payload } = (await eventsOf(service, 'app.sync.failed')).at(-1) ?? {};
    expect(payload).toMatchObject({ sync_id: id, rejected_by: expect.any(String) });
    expect(actor).not.toMatchObject({ uuid: payload?.rejected_by });
    expect(await inventory()).toEqual(before);
    expect((await complete(people(1, () => inTeams('g')))).view.held).toEqual({
      accounts: 9,
      memberships: 19,
    });
  });

  test('ends in error with a message when a newer session is completed', async () => {
    await setGuard({ percent: 30, at_least: 5 });
    await app.sync({ person: tenInTwo() });
    const { id } = await complete([]);
    const newer = await complete(tenInTwo(1));

    expect(await app.view(id)).toMatchObject({
      status: 'error',
      error: { error_code: 'CLEANUP_FAILED', message: expect.stringContaining('newer session') },
      finished_at: expect.any(String),
    });
    expect((await app.view(id)).held).toBeUndefined();
    expect(newer.view).toMatchObject({ status: 'completed', counts: { removed: 1 } });
    expect(await active()).toHaveLength(9);
    expect(await decide(id, 'approve')).toMatchObject({ status: 409 });
    expect(await decide(id, 'reject')).toMatchObject({ status: 409 });
    const failed = (await eventsOf(service, 'app.sync.failed')).filter(
      ({ payload }) => payload.sync_id === id,
    );
    expect(failed).toMatchObject([{ payload: { reason: 'cleanup_failed', error_code: 'CLEANUP_FAILED' } }]);
  });

  test('stays held while a newer session is started, pushed to and abandoned', async () => {
    await setGuard({ percent: 30, at_least: 5 });
    await app.sync({ person: tenInTwo() });
    const { id, view } = await complete([]);

    const delta = await app.start();
    await app.push(
      delta,
      'person',
      people(2, () => ({ display_name: 'New', ...inTeams('g') })),
    );
    expect(await app.view(id)).toEqual(view);
    await app.abandon(delta);

    expect(await app.view(id)).toEqual(view);
  });

  test('keeps records that another session pushed in the meantime', async () => {
    await setGuard({ percent: 30, at_least: 5 });
    await app.sync({
      person: tenInTwo(),
      team: [
        { id: 'idle', name: 'Idle' },
        { id: 'back', name: 'Back' },
      ],
    });
    const { id } = await complete(people(1));
    const delta = await app.start();
    await app.push(delta, 'person', [...people(1, () => inTeams('g')), ...people(2, () => inTeams('h'), 3)]);
    await app.push(delta, 'team', [{ id: 'back', name: 'Back' }]);
    await app.abandon(delta);

    await decide(id, 'approve');

    expect(await untilEnded(app, id)).toMatchObject({ status: 'completed' });
    expect(await active()).toEqual(['p0', 'p3', 'p4']);
    expect(await inventory()).toMatchObject({
      entitlements: { 'team:back': 'Back', 'team:g': '', 'team:h': '' },
      memberships: {
        'person:p0': ['team:g'],
        'person:p3': ['team:g', 'team:h'],
        'person:p4': ['team:g', 'team:h'],
      },
    });
    expect(Object.keys((await inventory()).entitlements)).not.toContain('team:idle');
  });

  test('keeps records that another session pushed between approval and cleanup', async ({ skip }) => {
    const { url = '' } = service.options;
    skip(service.database.engine in NO_HOLD, NO_HOLD[service.database.engine]);
    await setGuard({ percent: 30, at_least: 5 });
    await app.sync({ person: tenInTwo() });
    const { id } = await complete([]);
    const delta = await app.start();
    await app.push(delta, 'person', people(2));
    const hold = await holdApp(url, app.id);
    const approved = decide(id, 'approve');
    await hold.untilReached(1);
    // The abandoning session still sees the removals held. Its publication runs after the approval.
    const abandoned = app.abandon(delta);
    await hold.untilReached(2);
    await hold.release();
    await Promise.all([abandoned, approved]);
    await hold.close();

    expect(await untilEnded(app, id)).toMatchObject({ status: 'completed' });
    expect(await active()).toEqual(['p0', 'p1']);
  });
});
