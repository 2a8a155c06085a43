import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sql } from '#kit/sql.ts';
import { holdApp, NO_HOLD } from '#test/faults.ts';
import {
  addSyncedApp,
  inventoryOf,
  openSyncTest,
  people,
  type SyncedApp,
  type SyncTest,
} from '#test/sync.ts';
import { setTimes } from '#test/time.ts';
import { deleteOldResourceChanges } from '../queries/resources.ts';
import { deleteOldPlans } from './queries/stored.ts';

let service: SyncTest;
beforeAll(async () => {
  service = await openSyncTest();
});
afterAll(() => service.close());

let app: SyncedApp;
beforeEach(async () => {
  app = await addSyncedApp(service);
});

const plan = (session: string, query = '') =>
  service.call('GET', `/api/apps/${app.id}/syncs/${session}/plan/?limit=200${query}`);
const approve = (session: string, body?: object) =>
  service.call('POST', `/api/apps/${app.id}/syncs/${session}/approve/`, body);
const inTeams = (...ids: string[]) => ({
  memberships: { team: ids.map((id) => ({ id, name: `Team ${id}` })) },
});
const lines = (body: { results: Row[] }) =>
  body.results.map(({ type, change, account, resource, applied }) =>
    [applied ? 'did' : 'will', type, change, account?.external_id, resource?.id].filter(Boolean).join(' '),
  );
interface Row {
  type: string;
  change: string;
  applied: boolean;
  account: { external_id: string } | null;
  resource: { id: string } | null;
}

async function start(records: unknown[]): Promise<string> {
  const session = await app.start();
  await app.push(session, 'person', records);
  return session;
}

describe('a session in progress', () => {
  test('lists what completing it would create, change and remove', async () => {
    await service.call('POST', '/api/users/', { email: 'P2@x.example', first_name: 'Pat', last_name: 'Two' });
    await app.sync({ person: people(3, () => inTeams('g', 'h')) });
    const session = await start([
      ...people(1, () => inTeams('g', 'h')),
      ...people(1, () => ({ ...inTeams('h', 'i'), status: 'suspended' }), 1),
      ...people(1, () => inTeams('i'), 9),
    ]);

    const { status, body } = await plan(session);

    expect(status).toBe(200);
    expect(lines(body)).toEqual([
      'will account changed p1',
      'will account removed p2',
      'will account created p9',
      'will membership removed p1 g',
      'will membership added p1 i',
      'will membership removed p2 g',
      'will membership removed p2 h',
      'will membership added p9 i',
      'will resource created i',
    ]);
    expect(body).toMatchObject({
      sync_id: session,
      status: 'in_progress',
      basis: 'plan',
      plan: null,
      held: null,
      count: 9,
      counts: {
        accounts: { created: 1, changed: 1, removed: 1 },
        memberships: { added: 2, removed: 3 },
        resources: { created: 1, changed: 0, removed: 0 },
      },
    });
    expect(body.results[0]).toMatchObject({ before: { status: 'ACTIVE' }, after: { status: 'SUSPENDED' } });
    expect(body.results[1]).toMatchObject({
      person: { first_name: 'Pat', last_name: 'Two' },
      before: { status: 'ACTIVE', email: 'p2@x.example' },
      after: null,
    });
    expect(body.results[2]).toMatchObject({ account: { id: null }, person: null, before: null });
    expect(body.results[8].resource).toEqual({ type: 'group', slug: 'team', id: 'i', name: 'Team i' });
  });

  test('filters and pages', async () => {
    await app.sync({ person: people(3, () => inTeams('g')) });
    const session = await start([]);

    expect(lines((await plan(session, '&type=account&q=P1@')).body)).toEqual(['will account removed p1']);
    expect((await plan(session, '&change=added')).body).toMatchObject({ count: 0, results: [] });
    const address = `/api/apps/${app.id}/syncs/${session}/plan/?change=removed&limit=2&offset=2`;
    const { body } = await service.call('GET', address);
    expect(lines(body)).toEqual(['will account removed p2', 'will membership removed p0 g']);
    expect(body).toMatchObject({ count: 7 });
    expect(body.next).toContain('offset=4');
  });

  test('shows what the removal guard would hold', async () => {
    await service.call('PATCH', `/api/apps/${app.id}/`, { removal_guard: { percent: 30, at_least: 1 } });
    await app.sync({ person: people(2, () => inTeams('g')) });

    expect((await plan(await start(people(1, () => inTeams('g'))))).body.held).toEqual({
      accounts: 1,
      memberships: 1,
    });
  });

  test('is planned while the app is locked', async ({ skip }) => {
    const { url = '' } = service.options;
    skip(service.database.engine in NO_HOLD, NO_HOLD[service.database.engine]);
    const session = await start(people(2));
    const hold = await holdApp(url, app.id);

    const { status, body } = await plan(session);

    await hold.release();
    await hold.close();
    expect({ status, count: body.count }).toEqual({ status: 200, count: 2 });
  });

  test('is not changed by its plan', async () => {
    await app.sync({ person: people(3, () => inTeams('g')) });
    const session = await start(people(2, () => inTeams('h'), 2));
    const before = [await service.inventory(), await inventoryOf(service, app.id), await app.view(session)];

    await plan(session);

    expect([await service.inventory(), await inventoryOf(service, app.id), await app.view(session)]).toEqual(
      before,
    );
    const events = await service.call('GET', '/api/events/?event_type=app.sync.completed&limit=200');
    expect(JSON.stringify(events.body)).not.toContain(session);
  });

  test('is planned by a job if it is large', async () => {
    const session = await app.start();
    for (let page = 0; page <= 200; page++)
      await app.push(
        session,
        'person',
        people(1, () => ({}), page),
      );

    const first = await plan(session);
    expect(first).toMatchObject({ status: 202, body: { sync_id: session } });
    await expect.poll(async () => (await plan(session)).status, { timeout: 20_000 }).toBe(200);
    const { body } = await plan(session, '&q=p200');
    expect(body).toMatchObject({ count: 1, counts: { accounts: { created: 201 } } });
    await app.push(
      session,
      'person',
      people(1, () => ({}), 500),
    );
    expect((await plan(session)).status).toBe(202);
  }, 60_000);
});

describe('a held session', () => {
  async function hold(): Promise<string> {
    await service.call('PATCH', `/api/apps/${app.id}/`, { removal_guard: { percent: 30, at_least: 1 } });
    await app.sync({ person: people(3, () => inTeams('g')) });
    const session = await start(people(1, () => inTeams('h')));
    await app.complete(session);
    return session;
  }

  test('lists what it has published and what it would remove', async () => {
    const session = await hold();

    const { body } = await plan(session);

    expect(body).toMatchObject({
      status: 'completing',
      basis: 'plan',
      held: { accounts: 2, memberships: 3 },
    });
    expect(lines(body)).toEqual([
      'will account removed p1',
      'will account removed p2',
      'will membership removed p0 g',
      'did membership added p0 h',
      'will membership removed p1 g',
      'will membership removed p2 g',
      'will resource removed g',
      'did resource created h',
    ]);
    expect((await plan(session, '&applied=false')).body.count).toBe(6);
  });

  test('removes what the approved plan lists', async () => {
    const session = await hold();
    const planned = (await plan(session)).body;

    expect(await approve(session, { plan: planned.plan })).toMatchObject({ status: 202 });

    await expect.poll(async () => (await app.view(session)).status).toBe('completed');
    const { body } = await plan(session);
    expect(body).toMatchObject({ basis: 'history', plan: null, counts: planned.counts });
    expect(lines(body)).toEqual(lines(planned).map((line) => line.replace('will', 'did')));
  });

  test('spares an account that a task is to create again (D16)', async () => {
    const [kept, former] = people(2, () => ({}), 50) as [object, object];
    const person = await service.call('POST', '/api/users/', {
      email: 'P51@x.example',
      first_name: 'Pat',
      last_name: 'Other',
    });
    await service.call('PATCH', `/api/apps/${app.id}/`, { removal_guard: { percent: 30, at_least: 1 } });
    await app.sync({ person: [kept, { ...former, status: 'inactive' }, ...people(1)] });
    const session = await start([kept]);
    await app.complete(session);
    const task = await service.call('POST', '/api/tasks/', {
      app: app.id,
      action: 'create_account',
      user: person.body.external_uuid,
    });

    expect(await approve(session)).toMatchObject({ status: 202 });

    await expect.poll(async () => (await app.view(session)).status).toBe('completed');
    const statuses = async () => (await inventoryOf(service, app.id)).accounts;
    expect(await statuses()).toMatchObject({ 'person:p0': 'INACTIVE', 'person:p51': 'NEW' });
    await app.bridge('PATCH', `/tasks/${task.body.external_uuid}/status/`, { status: 'completed' });
    expect(await statuses()).toMatchObject({ 'person:p51': 'INVITED' });
  });

  test('forgets the plans that were shown once the session has ended', async () => {
    const session = await hold();
    const { plan: seen } = (await plan(session)).body;
    const { db } = service.database;
    const kept = async () => {
      await deleteOldPlans(db);
      const { rows } = await sql`select from sync_plan_shown where session_id = ${session}`.execute(db);
      return rows.length;
    };

    expect(await kept()).toBe(1);
    await approve(session, { plan: seen });
    await expect.poll(async () => (await app.view(session)).status).toBe('completed');
    expect(await kept()).toBe(0);
  });

  test('refuses an approval of a plan that has changed since', async () => {
    const session = await hold();
    const { plan: seen } = (await plan(session)).body;
    const next = await start(people(2, () => inTeams('g')));
    await app.abandon(next);

    const refused = await approve(session, { plan: seen });

    expect(refused.status).toBe(409);
    expect(refused.body.detail).toBe(
      'The removal has changed since you read its plan. It would now remove 1 account, 1 membership and 0 groups and licenses; the plan was 2 accounts, 3 memberships and 1 group or license. Read the plan again, then decide.',
    );
    const { counts, spared, added } = refused.body.difference;
    expect(counts).toEqual({
      accounts: { before: 2, now: 1 },
      memberships: { before: 3, now: 1 },
      resources: { before: 1, now: 0 },
    });
    expect(spared.count).toBe(4);
    expect(lines(spared)).toEqual([
      'will account removed p1',
      'will membership removed p0 g',
      'will membership removed p1 g',
      'will resource removed g',
    ]);
    expect(added).toEqual({ count: 0, results: [] });
    expect((await approve(session, { plan: 'x' })).status).toBe(400);
    expect((await approve(session, { plan: (await plan(session)).body.plan })).status).toBe(202);
  });

  test('refuses an approval after a task has taken an account out of the removal', async () => {
    const session = await hold();
    const { plan: seen } = (await plan(session)).body;
    const { db } = service.database;
    await setTimes(db, 'account', { tasked_at: 'now' }, { app_id: app.id, external_id: 'p1' });

    const { status, body } = await approve(session, { plan: seen });
    expect(status).toBe(409);
    expect(lines(body.difference.spared)).toEqual([
      'will account removed p1',
      'will membership removed p1 g',
    ]);
    expect((await plan(session, '&applied=false&type=account')).body.count).toBe(1);
  });

  test('refuses an approval after a task has given a group to an account of the removal', async () => {
    const session = await hold();
    const { plan: seen } = (await plan(session)).body;
    await sql`
      insert into membership (org_id, account_id, entitlement_id, tasked_at)
      select a.org_id, a.id, e.id, now() from account a
      join entitlement e on e.org_id = a.org_id and e.app_id = a.app_id and e.external_id = 'h'
      where a.org_id = ${service.orgId} and a.app_id = ${app.id} and a.external_id = 'p1'`.execute(
      service.database.db,
    );

    const { body } = await approve(session, { plan: seen });

    expect(lines(body.difference.added)).toEqual(['will membership removed p1 h']);
    expect(body.difference.spared).toEqual({ count: 0, results: [] });
  });

  test('names the first 20 records of a difference, and only numbers for a plan that nobody has seen', async () => {
    await service.call('PATCH', `/api/apps/${app.id}/`, { removal_guard: { percent: 30, at_least: 1 } });
    await app.sync({ person: people(30) });
    const session = await start(people(1));
    await app.complete(session);
    const { plan: seen } = (await plan(session)).body;
    await app.abandon(await start(people(28)));

    const refused = await approve(session, { plan: seen });
    const guessed = await approve(session, { plan: `7-0-0-${'0'.repeat(32)}` });

    expect(refused.body.difference.spared.count).toBe(27);
    expect(refused.body.difference.spared.results).toHaveLength(20);
    expect(guessed.body.difference).toEqual({
      counts: {
        accounts: { before: 7, now: 2 },
        memberships: { before: 0, now: 0 },
        resources: { before: 0, now: 0 },
      },
      spared: null,
      added: null,
    });
  });
});

describe('an ended session', () => {
  test('lists what an abandoned session published', async () => {
    await app.sync({ person: people(2, () => inTeams('g')) });
    const session = await start(people(1, () => inTeams('h')));
    await app.abandon(session);

    const { body } = await plan(session);

    expect(body).toMatchObject({ status: 'abandoned', basis: 'history' });
    expect(lines(body)).toEqual(['did membership added p0 h', 'did resource created h']);
  });

  test('lists the same after later syncs have changed it again', async () => {
    await app.sync({ person: people(2, () => inTeams('g')) });
    const session = await app.sync({ person: people(3, () => inTeams('h'), 1) });
    const before = (await plan(session)).body;
    await app.sync({ person: people(1, () => ({ ...inTeams('g'), status: 'inactive' })) });

    const { body } = await plan(session);

    expect(lines(body)).toEqual(lines(before));
    expect(body.counts).toEqual(before.counts);
  });

  test('lists nothing for a session that was never published', async () => {
    const session = await start(people(2));
    await app.start();

    expect((await plan(session)).body).toMatchObject({ status: 'abandoned', basis: 'history', count: 0 });
  });

  test('does not guess what a session before the history has changed', async () => {
    const session = await app.sync({ person: people(1) });
    await sql`delete from inventory_change where source_id = ${session}`.execute(service.database.db);

    expect((await plan(session)).body).toMatchObject({ basis: 'history', counts: null, count: 0 });
  });
});

test('keeps changes of groups and licenses as long as the history', async () => {
  const session = await app.sync({ team: [{ id: 'g', name: 'G' }] });
  const { db } = service.database;
  const left = async () => (await plan(session)).body.count;
  await setTimes(db, 'sync_resource_change', { at: '40 days ago' }, { session_id: session });

  await deleteOldResourceChanges(db);
  expect(await left()).toBe(1);
  await sql`update organization set history_days = 30 where id = ${service.orgId}`.execute(db);
  await deleteOldResourceChanges(db);
  expect(await left()).toBe(0);
  await sql`update organization set history_days = null where id = ${service.orgId}`.execute(db);
});

test('returns 404 for a session of another app', async () => {
  const other = await addSyncedApp(service);
  const session = await other.start();

  expect((await plan(session)).status).toBe(404);
});
