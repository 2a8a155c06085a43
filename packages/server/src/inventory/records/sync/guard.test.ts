import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { holdApp, NO_HOLD } from '../../../../test/faults.ts';
import { eventsOf } from '../../../../test/people.ts';
import {
  addSyncedApp,
  inventoryOf,
  openSyncTest,
  people,
  type SyncedApp,
  type SyncTest,
  untilEnded,
} from '../../../../test/sync.ts';

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
    ['all of 99, with the default guard', 99, 0, [30, 100], false],
    ['all of 100, with the default guard', 100, 0, [30, 100], true],
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
