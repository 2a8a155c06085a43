// @module-tag engine

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sql } from '#kit/sql.ts';
import { momentBetween } from '#test/moments.ts';
import { addPersonWithKey, eventsOf } from '#test/people.ts';
import {
  addSyncedApp,
  inventoryOf,
  openSyncTest,
  people,
  type SyncedApp,
  type SyncTest,
} from '#test/sync.ts';

/** A report on what a listing does not show (D81). */

let service: SyncTest;
let member: { key: string };
beforeAll(async () => {
  service = await openSyncTest();
  member = await addPersonWithKey(service, 'member', { email: 'may@unseen.example' });
});
afterAll(() => service.close());

let app: SyncedApp;
beforeEach(async () => {
  app = await addSyncedApp(service);
});

const team = (id: string) => ({ id, name: id });
const inTeams = (...ids: string[]) => ({ memberships: { team: ids.map((id) => ({ id })) } });
const unreadable = (slug: string, id: string | null = null, count = 1) => ({
  ...{ slug, id, count },
  rule: 'unreadable',
});
const inventory = () => inventoryOf(service, app.id);
const appView = async (key = service.key) =>
  (await service.call('GET', `/api/apps/${app.id}/`, undefined, { key })).body;
const resource = async (id: string, query = '', key = service.key) => {
  const { body } = await service.call('GET', `/api/apps/${app.id}/resources/?limit=100${query}`, undefined, {
    key,
  });
  return body.results.find((one: { id: string }) => one.id === id);
};
const adminView = async (session: string) =>
  (await service.call('GET', `/api/apps/${app.id}/syncs/${session}/`)).body;
const membersOf = async (id: string) => {
  const { external_uuid } = await resource(id);
  return (await service.call('GET', `/api/apps/${app.id}/resources/${external_uuid}/members/`)).body.results;
};
const accountOf = async (id: string) => {
  const { body } = await service.call('GET', `/api/accounts/?app=${app.id}&limit=100`);
  return body.results.find((one: { external_id: string }) => one.external_id === id);
};

const REPORT = [
  { slug: 'team', id: 'red', rule: 'foreign', count: 12 },
  { slug: 'team', id: 'red', rule: 'computed', count: 3 },
  { slug: 'team', id: 'lost', rule: 'filter', count: 1 },
  { slug: 'person', id: null, rule: 'range', count: 4 },
];

describe('the report of a completion', () => {
  test('is shown for the session, the app and the group, and counted in lists and in the event', async () => {
    const session = await app.sync({ team: [team('red'), team('blue')], person: people(1) }, REPORT);

    const counts = { records: 4, members: 16 };
    expect(await app.view(session)).toMatchObject({ unseen: REPORT, unseen_counts: counts });
    expect(await adminView(session)).toMatchObject({ unseen: REPORT, unseen_counts: counts });
    const { body: sessions } = await service.call('GET', `/api/apps/${app.id}/syncs/`);
    expect(sessions.results[0]).toMatchObject({ unseen_counts: counts });
    expect(sessions.results[0]).not.toHaveProperty('unseen');
    expect(await appView()).toMatchObject({ unseen: REPORT, unseen_counts: counts });
    const { body: apps } = await service.call('GET', '/api/apps/?limit=100');
    expect(apps.results.find((one: { external_uuid: string }) => one.external_uuid === app.id)).toMatchObject(
      { unseen_counts: counts },
    );
    expect(await resource('red')).toMatchObject({
      members: 0,
      hidden_members: 15,
      hidden: [
        { rule: 'computed', count: 3 },
        { rule: 'foreign', count: 12 },
      ],
    });
    expect(await resource('blue')).toMatchObject({ hidden_members: 0, hidden: [] });
    const completed = (await eventsOf(service, 'app.sync.completed')).find(
      ({ payload }) => payload.sync_id === session,
    );
    expect(completed?.payload.unseen_counts).toEqual(counts);
  });

  test('finds the groups with hidden members', async () => {
    await app.sync({ team: [team('red'), team('blue')] }, REPORT);
    const list = async (query: string) =>
      (await service.call('GET', `/api/apps/${app.id}/resources/?hidden=true${query}`)) as never as {
        status: number;
        body: { count: number; results: { id: string }[]; detail: string };
      };
    expect((await list('')).body).toMatchObject({ count: 1, results: [{ id: 'red' }] });
    const moment = await momentBetween(service.database.db);
    expect(await list(`&as_of=${moment}`)).toMatchObject({
      status: 400,
      body: { detail: 'hidden cannot be combined with as_of. Leave out one of them.' },
    });
  });

  test('is hidden from members', async () => {
    await app.sync({ team: [team('red')] }, REPORT);
    expect(await appView(member.key)).not.toHaveProperty('unseen');
    expect(await appView(member.key)).not.toHaveProperty('unseen_counts');
    expect(await resource('red', '', member.key)).toMatchObject({ hidden_members: null, hidden: [] });
  });

  test('holds until the next completion, and an abandoned sync does not replace it', async () => {
    await app.sync({ team: [team('red')] }, REPORT);
    const abandoned = await app.start();
    await app.push(abandoned, 'team', [team('red')]);
    await app.abandon(abandoned);
    expect(await appView()).toMatchObject({ unseen: REPORT });
    expect(await resource('red')).toMatchObject({ hidden_members: 15 });

    const before = await momentBetween(service.database.db);
    const session = await app.sync({ team: [team('red')] });
    for (const view of [await app.view(session), await appView()]) {
      expect(view).not.toHaveProperty('unseen');
      expect(view).not.toHaveProperty('unseen_counts');
    }
    expect(await resource('red')).toMatchObject({ hidden_members: 0, hidden: [] });
    expect(await resource('red', `&as_of=${before}`)).toMatchObject({
      hidden_members: 15,
      hidden: [{ rule: 'computed' }, { rule: 'foreign' }],
    });
    const csv = await service.call('GET', `/api/apps/${app.id}/resources/?format=csv&as_of=${before}`);
    expect(String(csv.body)).toContain('hidden_members');
  });

  test('of a reverted sync gives way to the one before', async () => {
    await app.sync({ team: [team('red')], person: people(1) }, REPORT);
    const session = await app.sync({ team: [team('red')], person: people(2) }, [
      unreadable('team', 'red', 9),
    ]);
    expect(await resource('red')).toMatchObject({ hidden_members: 9 });
    await service.call('POST', `/api/apps/${app.id}/syncs/${session}/revert/`, {});
    expect(await resource('red')).toMatchObject({ hidden_members: 15 });
    expect(await appView()).toMatchObject({ unseen: REPORT });
    expect(await app.view(session)).toMatchObject({ unseen: [{ count: 9 }] });
  });

  test('is that of the first call, if the completion is repeated', async () => {
    const session = await app.sync({ team: [team('red')] }, REPORT);
    const again = await app.bridge('POST', `/sync/${session}/complete/`, {
      unseen: [unreadable('team', 'red')],
    });
    expect(again).toMatchObject({ status: 202, body: { unseen: REPORT } });
    expect(await resource('red')).toMatchObject({ hidden_members: 15 });
  });

  test.each([
    [[unreadable('nobody')], 'unseen[0].slug', 'should be the slug of a resource type'],
    [[unreadable('team'), unreadable('person', 'ada')], 'unseen[1].id', 'an account has no members'],
    [[unreadable('team', 'red'), unreadable('team', 'red', 2)], 'unseen[1]', 'repeats an earlier entry'],
    [[unreadable('team', 'a\0b')], 'unseen[0].id', 'NUL'],
    [[unreadable('team', 'red', 0)], 'unseen[0].count', 'greater than or equal to 1'],
    [[{ ...unreadable('team'), rule: 'magic' }], 'unseen[0].rule', 'one of'],
    [Array.from({ length: 10_001 }, (_, n) => unreadable('team', `t${n}`)), 'unseen', '10000'],
  ])('is refused if it is wrong: %#', async (unseen, path, message) => {
    const session = await app.start();
    const { status, body } = await app.bridge('POST', `/sync/${session}/complete/`, { unseen });
    expect({ status, ...body }).toMatchObject({
      status: 400,
      errors: [{ path, message: expect.stringContaining(message) }],
    });
    expect(await app.view(session)).toMatchObject({ status: 'in_progress' });
  });

  test('takes 10,000 entries', async () => {
    const report = Array.from({ length: 10_000 }, (_, n) => unreadable('team', `${n}-${'t'.repeat(200)}`));
    const session = await app.sync({ team: [team('red')] }, report);
    expect(await app.view(session)).toMatchObject({ unseen_counts: { records: 0, members: 10_000 } });
  });
});

describe('members that may not be read', () => {
  test('stay, and are not a removal anywhere, until a sync reads them', async () => {
    await service.call('PATCH', `/api/apps/${app.id}/`, { removal_guard: { percent: 1, at_least: 1 } });
    const everyone = () => people(4, () => inTeams('red', 'blue'));
    const teams = [team('red'), team('blue')];
    await app.sync({ team: teams, person: everyone() });
    const seen = await momentBetween(service.database.db);
    const without = [{ ...people(1)[0], ...inTeams('blue') }, ...everyone().slice(1)];

    const session = await app.start();
    await app.push(session, 'team', teams);
    await app.push(session, 'person', without);
    const report = [unreadable('team', 'red', 2)];
    await sql`update sync_session set unseen = ${JSON.stringify(report)}::jsonb where id = ${session}`.execute(
      service.database.db,
    );
    const plan = await service.call('GET', `/api/apps/${app.id}/syncs/${session}/plan/`);
    expect(plan.body).toMatchObject({ held: null, counts: { memberships: { added: 0, removed: 0 } } });
    expect(await app.complete(session, report)).toMatchObject({
      status: 'completed',
      counts: { removed: 0 },
      membership_counts: { added: 0, removed: 0 },
    });

    const { memberships } = await inventory();
    expect(memberships['person:p0']).toEqual(['team:blue', 'team:red']);
    expect(await resource('red')).toMatchObject({ members: 4, hidden_members: 2 });
    const [first, second] = await membersOf('red');
    expect(first).toMatchObject({ email: 'p0@x.example', last_seen_at: expect.any(String) });
    expect(first.last_seen_at < seen).toBe(true);
    expect(second).toMatchObject({ email: 'p1@x.example', last_seen_at: null });
    const heldAsOf = async (moment: string) => {
      const { body } = await service.call('GET', `/api/accounts/?app=${app.id}&as_of=${moment}`);
      const { memberships: held } = body.results.find(
        (one: { external_id: string }) => one.external_id === 'p0',
      );
      return Object.fromEntries(
        held.team.map((one: { id: string; certainty: string }) => [one.id, one.certainty]),
      );
    };
    const later = await momentBetween(service.database.db);
    await app.sync({ team: teams, person: everyone().map((one, n) => (n === 0 ? without[0] : one)) }, report);
    expect(await heldAsOf(later)).toEqual({ blue: 'certain', red: 'possible' });

    // The same record again, and now it can be read: it is compared although nothing about the record has changed.
    const held = await app.start();
    await app.push(held, 'team', teams);
    await app.push(held, 'person', without);
    expect(await app.complete(held)).toMatchObject({ status: 'completing', held: { memberships: 1 } });
    await service.call('POST', `/api/apps/${app.id}/syncs/${held}/approve/`);
    await expect.poll(async () => (await inventory()).memberships['person:p0']).toEqual(['team:blue']);
    expect(await heldAsOf(later)).toEqual({ blue: 'certain', red: 'possible' });
  });

  test('are confirmed by a push, and end with an account that was not pushed', async () => {
    const teams = [team('red')];
    await app.sync({ team: teams, person: people(3, () => inTeams('red')) });
    await app.sync({ team: teams, person: people(2) }, [unreadable('team', 'red', 2)]);
    expect((await inventory()).memberships).toEqual({ 'person:p0': ['team:red'], 'person:p1': ['team:red'] });

    await app.sync({ team: teams, person: [people(1, () => inTeams('red'))[0], people(2)[1]] }, [
      unreadable('team', 'red', 1),
    ]);
    const [first, second] = await membersOf('red');
    expect(first).toMatchObject({ email: 'p0@x.example', last_seen_at: null });
    expect(second).toMatchObject({ email: 'p1@x.example', last_seen_at: expect.any(String) });
  });

  test('keep the group, if it was not pushed either', async () => {
    await app.sync({ team: [team('red'), team('blue')], person: people(1, () => inTeams('red', 'blue')) });
    await app.sync({ person: people(1) }, [unreadable('team', 'red')]);
    expect(await inventory()).toMatchObject({
      entitlements: { 'team:red': 'red' },
      memberships: { 'person:p0': ['team:red'] },
    });
    expect((await inventory()).entitlements).not.toHaveProperty('team:blue');
  });

  test('end as ever under the other rules', async () => {
    await app.sync({ team: [team('red')], person: people(1, () => inTeams('red')) });
    await app.sync({ team: [team('red')], person: people(1) }, [
      { slug: 'team', id: 'red', rule: 'foreign', count: 1 },
    ]);
    expect((await inventory()).memberships).toEqual({});
  });
});

describe('records that may not be read', () => {
  test('of a group type stay with their members, and those that were pushed do not', async () => {
    const teams = [team('red'), team('blue')];
    await app.sync({
      team: teams,
      channel: [team('general')],
      person: people(2, () => ({
        memberships: { ...inTeams('red', 'blue').memberships, channel: [{ id: 'general' }] },
      })),
    });
    const session = await app.sync({ team: [team('blue')], person: people(2) }, [unreadable('team')]);
    expect(await inventory()).toMatchObject({
      entitlements: { 'team:blue': 'blue', 'team:red': 'red' },
      memberships: { 'person:p0': ['team:red'], 'person:p1': ['team:red'] },
    });
    expect((await inventory()).entitlements).not.toHaveProperty('channel:general');
    expect(await app.view(session)).toMatchObject({
      counts: { removed: 1 },
      membership_counts: { removed: 4 },
    });

    await app.sync({ team: [team('blue')], person: people(2) });
    expect(await inventory()).toMatchObject({ entitlements: { 'team:blue': 'blue' }, memberships: {} });
  });

  test('of an account type stay, and were last seen by the sync before', async () => {
    const bots = [{ id: 'bot', username: 'bot', ...inTeams('red') }];
    await app.sync({ team: [team('red')], person: people(2), bot: bots });
    const { last_seen_at: before } = await accountOf('bot');
    const session = await app.sync({ team: [team('red')], person: people(1) }, [unreadable('bot', null, 3)]);
    expect(await inventory()).toMatchObject({
      accounts: { 'bot:bot': 'ACTIVE', 'person:p0': 'ACTIVE', 'person:p1': 'INACTIVE' },
      memberships: { 'bot:bot': ['team:red'] },
    });
    expect(await app.view(session)).toMatchObject({ counts: { removed: 1 } });
    const kept = await accountOf('bot');
    expect(kept.last_seen_at).toBe(before);
    expect((await accountOf('p0')).last_seen_at > before).toBe(true);
    const { body } = await service.call(
      'GET',
      `/api/accounts/${kept.external_uuid}/?as_of=${await momentBetween(service.database.db)}`,
    );
    expect(body).toMatchObject({ certainty: 'possible' });

    await app.sync({ team: [team('red')], person: people(1), bot: bots });
    expect((await accountOf('bot')).last_seen_at > before).toBe(true);
    await app.sync({ team: [team('red')], person: people(1) });
    expect(await inventory()).toMatchObject({ accounts: { 'bot:bot': 'INACTIVE' } });
  });
});
