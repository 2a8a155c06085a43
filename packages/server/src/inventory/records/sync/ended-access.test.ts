// @module-tag engine
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
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

/** Pushed statuses that end access (D24a, D17). */
let service: SyncTest;
beforeAll(async () => {
  service = await openSyncTest();
});
afterAll(() => service.close());

let app: SyncedApp;
beforeEach(async () => {
  app = await addSyncedApp(service);
  await setGuard(30, 1);
});

const setGuard = (percent: number, at_least: number) =>
  service.call('PATCH', `/api/apps/${app.id}/`, { removal_guard: { percent, at_least } });
const decide = (session: string, verb: 'approve' | 'reject') =>
  service.call('POST', `/api/apps/${app.id}/syncs/${session}/${verb}/`);
/** Ten accounts, of which the first have these statuses. */
const ten = (...statuses: string[]) => people(10, (n) => ({ status: statuses[n] ?? 'active' }));
const many = (status: string, count: number) => Array<string>(count).fill(status);

async function complete(records: unknown[]) {
  const id = await app.start();
  await app.push(id, 'person', records);
  return { id, view: await app.complete(id) };
}

async function abandon(records: unknown[]) {
  const id = await app.start();
  await app.push(id, 'person', records);
  await app.abandon(id);
  return app.view(id);
}

/** How many accounts have each status. */
async function statuses(): Promise<Record<string, number>> {
  const { accounts } = await inventoryOf(service, app.id);
  const all = Object.values(accounts);
  return Object.fromEntries(
    [...new Set(all)].toSorted().map((status) => [status, all.filter((one) => one === status).length]),
  );
}

const recorded = async () =>
  (await eventsOf(service, 'account.'))
    .filter(({ payload }) => payload.app_id === app.id)
    .map(({ event_type }) => event_type);

describe('a completion', () => {
  test('that would end too much access is held, and publishes everything else', async () => {
    await app.sync({ person: ten() });
    const records = ten('suspended', 'suspended', 'inactive', 'inactive').map((one) => ({
      ...one,
      display_name: 'New',
    }));

    const { id, view } = await complete(records);

    expect(view).toMatchObject({ status: 'completing', held: { accounts: 4, memberships: 0 } });
    expect(await statuses()).toEqual({ ACTIVE: 10 });
    expect(await recorded()).toEqual([]);
    const { body } = await service.call('GET', `/api/accounts/?app=${app.id}&limit=1`);
    expect(body.results).toMatchObject([{ display_name: 'New', status: 'ACTIVE' }]);
    const held = await service.call('GET', `/api/apps/${app.id}/syncs/${id}/plan/?applied=false`);
    expect(held.body.results).toHaveLength(4);
    expect(held.body.results).toMatchObject(
      ['SUSPENDED', 'SUSPENDED', 'INACTIVE', 'INACTIVE'].map((status) => ({
        type: 'account',
        change: 'changed',
        before: { status: 'ACTIVE', display_name: 'New' },
        after: { status, display_name: 'New' },
      })),
    );
  });

  test('applies the statuses when it is approved', async () => {
    await app.sync({ person: ten() });
    const records = ten('suspended', 'suspended', 'inactive', 'inactive');
    const { id } = await complete(records);

    await decide(id, 'approve');

    expect(await untilEnded(app, id)).toMatchObject({
      status: 'completed',
      counts: { removed: 0 },
    });
    expect(await statuses()).toEqual({ ACTIVE: 6, INACTIVE: 2, SUSPENDED: 2 });
    expect((await recorded()).toSorted()).toEqual([
      ...many('account.deprovisioned', 2),
      ...many('account.suspended', 2),
    ]);
    expect((await complete(records)).view).toMatchObject({
      status: 'completed',
      counts: { unchanged: 10, updated: 0 },
    });
  });

  test('leaves the statuses as they are when it is rejected, says so, and the next one asks again', async () => {
    await app.sync({ person: ten() });
    const records = ten(...many('inactive', 4));
    const { id } = await complete(records);

    const { body } = await decide(id, 'reject');

    expect(body.error.message).toBe(
      'The removals were held for approval and rejected. Nothing was removed, and no status that ends access was applied.',
    );
    expect(await statuses()).toEqual({ ACTIVE: 10 });
    expect((await complete(records)).view.held).toEqual({ accounts: 4, memberships: 0 });
  });

  test('counts statuses together with removals', async () => {
    await app.sync({ person: ten() });

    expect((await complete(ten('inactive', 'suspended').slice(0, 8))).view).toMatchObject({
      held: { accounts: 4, memberships: 0 },
    });
    expect(await statuses()).toEqual({ ACTIVE: 10 });
  });

  test('that may end the access does it immediately', async () => {
    await app.sync({ person: ten() });

    expect((await complete(ten('inactive', 'suspended', 'suspended'))).view).toMatchObject({
      status: 'completed',
      counts: { updated: 3, unchanged: 7, removed: 0 },
    });
    expect(await statuses()).toEqual({ ACTIVE: 7, INACTIVE: 1, SUSPENDED: 2 });
    expect((await recorded()).toSorted()).toEqual(['account.deprovisioned', ...many('account.suspended', 2)]);
  });

  test('counts no account that had no access or is new', async () => {
    await app.sync({ person: ten(...many('suspended', 5)) });

    const { view } = await complete([
      ...ten(...many('inactive', 5)),
      ...people(20, () => ({ status: 'suspended' })).slice(10),
    ]);

    expect(view.status).toBe('completed');
    expect(await statuses()).toEqual({ ACTIVE: 5, INACTIVE: 5, SUSPENDED: 10 });
  });

  test.each(['suspended', 'inactive'])('counts what was %s in the 24 hours before', async (status) => {
    await app.sync({ person: ten() });
    await app.sync({ person: ten(...many(status, 2)) });

    expect((await complete(ten(...many(status, 3)))).view.status).toBe('completed');
    expect((await complete(ten(...many(status, 4)))).view.held).toEqual({ accounts: 1, memberships: 0 });
  });

  test('frees what it used when it is reverted', async () => {
    await app.sync({ person: ten() });
    const id = await app.sync({ person: ten(...many('suspended', 3)) });
    await service.call('POST', `/api/apps/${app.id}/syncs/${id}/revert/`, {});
    expect(await statuses()).toEqual({ ACTIVE: 10 });

    expect((await complete(ten(...many('suspended', 3)))).view.status).toBe('completed');
  });

  test('that was approved lists what it did, and can be reverted', async () => {
    await app.sync({ person: ten() });
    const { id } = await complete(ten(...many('inactive', 4)));
    await decide(id, 'approve');
    await untilEnded(app, id);

    const { body } = await service.call('GET', `/api/apps/${app.id}/syncs/${id}/plan/`);
    expect(body.counts.accounts).toEqual({ created: 0, changed: 4, removed: 0 });
    await service.call('POST', `/api/apps/${app.id}/syncs/${id}/revert/`, {});
    expect(await statuses()).toEqual({ ACTIVE: 10 });
  });

  test('keeps an account that a later session has pushed with access', async () => {
    await app.sync({ person: ten() });
    const { id } = await complete(ten(...many('inactive', 4)));
    await abandon(ten().slice(0, 1));

    await decide(id, 'approve');

    expect((await untilEnded(app, id)).status).toBe('completed');
    expect(await statuses()).toEqual({ ACTIVE: 7, INACTIVE: 3 });
  });
});

describe('an abandoned session', () => {
  test('ends access within the budget, and counts it', async () => {
    await app.sync({ person: ten() });

    expect(await abandon(ten('suspended', 'inactive'))).not.toHaveProperty('withheld');
    expect(await statuses()).toEqual({ ACTIVE: 8, INACTIVE: 1, SUSPENDED: 1 });
    expect((await complete(ten(...many('inactive', 4)))).view.held).toEqual({ accounts: 2, memberships: 0 });
  });

  test('withholds statuses over the budget, says how many, and publishes everything else', async () => {
    await app.sync({ person: ten() });
    const records = ten(...many('suspended', 4)).map((one) => ({ ...one, display_name: 'New' }));

    const view = await abandon(records);

    expect(view).toMatchObject({
      status: 'abandoned',
      counts: { updated: 10 },
      withheld: { accounts: 4 },
    });
    expect(view).not.toHaveProperty('held');
    expect(await statuses()).toEqual({ ACTIVE: 10 });
    expect((await complete(records)).view).toMatchObject({ held: { accounts: 4, memberships: 0 } });
  });
});
