// @module-tag engine

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { transaction, within } from '#kit/database.ts';
import { sql } from '#kit/sql.ts';
import { holdBefore, NO_HOLD } from '#test/faults.ts';
import { eventsOf } from '#test/people.ts';
import {
  addSyncedApp,
  type Inventory,
  inventoryOf,
  openSyncTest,
  people,
  type SyncedApp,
  type SyncTest,
  untilEnded,
} from '#test/sync.ts';
import { setTimes } from '#test/time.ts';
import { refreshStatistics } from './finish.ts';
import { configurePlanner } from './queries/stage.ts';

let service: SyncTest;
beforeAll(async () => {
  service = await openSyncTest({ own: true });
});
afterAll(() => service.close());

let app: SyncedApp;
beforeEach(async () => {
  app = await addSyncedApp(service);
});

const inventory = () => inventoryOf(service, app.id);
const db = () => service.database.db;
const person = (id: string, more: object = {}) => ({ id, email: `${id}@x.example`, ...more });
const group = (id: string, name = id.toUpperCase()) => ({ id, name });
const inTeam = (...ids: string[]) => ({ memberships: { team: ids.map((id) => ({ id })) } });

/** Adds an account as a task that has just completed would. Without `externalId`, the account is awaited. */
async function addTaskedAccount(fields: {
  status: string;
  email?: string;
  username?: string;
  externalId?: string;
}): Promise<string> {
  const { status, email = '', username = '', externalId = null } = fields;
  const { rows } = await sql<{ id: string }>`
    insert into account (org_id, app_id, resource_type_id, external_id, email, username, status, tasked_at)
    select a.org_id, a.id, t.id, ${externalId}, ${email}, ${username}, ${status}, clock_now()
    from app a join resource_type t on t.org_id = a.org_id and t.clone_group_id = a.clone_group_id and t.slug = 'person'
    where a.id = ${app.id} returning id`.execute(db());
  return rows[0]?.id ?? '';
}

const touch = (externalId: string) =>
  setTimes(db(), 'account', { tasked_at: 'now' }, { app_id: app.id, external_id: externalId });

const grant = (account: string, entitlement: string) =>
  sql`
    insert into membership (org_id, account_id, entitlement_id, tasked_at)
    select a.org_id, a.id, e.id, clock_now()
    from account a join entitlement e on e.org_id = a.org_id and e.app_id = a.app_id and e.external_id = ${entitlement}
    where a.app_id = ${app.id} and a.external_id = ${account}`.execute(db());

describe('pushed records become visible together when the session ends (D15)', () => {
  test('a completion publishes all pushed records and nothing before', async () => {
    await app.sync({ person: [person('old', inTeam('a'))] });
    const before = await inventory();
    const session = await app.start();
    await app.push(session, 'team', [group('b')]);
    await app.push(session, 'person', [person('new', inTeam('b'))]);

    expect(await inventory()).toEqual(before);
    await app.complete(session);

    expect(await inventory()).toEqual({
      accounts: { 'person:new': 'ACTIVE', 'person:old': 'INACTIVE' },
      entitlements: { 'team:b': 'B' },
      memberships: { 'person:new': ['team:b'] },
    });
  });

  test('abandoning publishes all pushed records before the 204 and removes nothing', async () => {
    await app.sync({ person: [person('old', inTeam('a')), person('both', inTeam('a'))] });
    const session = await app.start();
    await app.push(session, 'person', [person('both', { status: 'suspended' }), person('new', inTeam('b'))]);

    await app.abandon(session);

    expect(await inventory()).toEqual({
      accounts: { 'person:both': 'SUSPENDED', 'person:new': 'ACTIVE', 'person:old': 'ACTIVE' },
      entitlements: { 'team:a': '', 'team:b': '' },
      memberships: { 'person:both': ['team:a'], 'person:new': ['team:b'], 'person:old': ['team:a'] },
    });
  });

  test('a session that a newer one replaced is not published', async () => {
    const replaced = await app.start();
    await app.push(replaced, 'person', [person('lost')]);
    const session = await app.start();
    await app.push(session, 'person', [person('kept')]);
    await app.complete(session);

    expect(await inventory()).toMatchObject({ accounts: { 'person:kept': 'ACTIVE' } });
    expect(Object.keys((await inventory()).accounts)).toEqual(['person:kept']);
    expect(await leftovers()).toBe(0);
  });

  test('a reader does not wait for a running publication and sees none of its changes', async ({ skip }) => {
    const { url = '' } = service.options;
    skip(service.database.engine in NO_HOLD, NO_HOLD[service.database.engine]);
    await app.sync({ person: people(50, () => inTeam('a')) });
    const before = await inventory();
    const session = await app.start();
    await app.push(
      session,
      'person',
      people(100, () => ({ status: 'suspended', ...inTeam('b') })),
    );
    const hold = await holdBefore(url, 'insert on membership');

    await app.bridge('POST', `/sync/${session}/complete/`);
    await hold.untilReached();
    const during = await inventory();
    const listed = await service.call('GET', `/api/accounts/?app=${app.id}`);
    const status = (await app.view(session)).status;
    await hold.release();
    await untilEnded(app, session);
    await hold.close();

    expect(during).toEqual(before);
    expect(listed.body.count).toBe(50);
    expect(status).toBe('completing');
    const after = await inventory();
    expect(new Set(Object.values(after.accounts))).toEqual(new Set(['SUSPENDED']));
    expect(Object.values(after.memberships)).toEqual(Array(100).fill(['team:b']));
  });

  test('a reader that keeps polling sees each session as a whole', async ({ skip }) => {
    skip(service.database.engine === 'pglite', 'PGlite is one connection');
    await service.call('PATCH', `/api/apps/${app.id}/`, { removal_guard: null }); // Each session replaces every team.
    const seen = new Set<string>();
    const rounds = ['red', 'blue', 'green', 'red'];
    let done = false;
    const reading = (async () => {
      for (let last = false; !last; ) {
        last = done;
        const { rows } = await sql<{ state: string }>`
          select coalesce(string_agg(distinct a.display_name || '/' || e.external_id || '/' || a.n, ' '), '') as state
          from (
            select *, count(*) over () as n from account where org_id = ${service.orgId} and app_id = ${app.id}
          ) a
          left join membership m on m.org_id = ${service.orgId} and m.account_id = a.id
          left join entitlement e on e.org_id = ${service.orgId} and e.id = m.entitlement_id`.execute(db());
        seen.add(rows[0]?.state ?? '');
      }
    })();

    try {
      for (const color of rounds)
        await app.sync({ person: people(80, () => ({ display_name: color, ...inTeam(color) })) });
    } finally {
      done = true;
      await reading;
    }

    const whole = rounds.map((color) => `${color}/${color}/80`);
    expect([...seen].filter((state) => state !== '' && !whole.includes(state))).toEqual([]);
    expect([...seen]).toContain(whole.at(-1));
  });
});

describe('a removal touches only records that existed when the session started (D16)', () => {
  test('never removes a NEW account', async () => {
    const before = await addTaskedAccount({ status: 'NEW', email: 'new@x.example' });
    await app.sync({});
    await app.sync({});

    expect(await statusOf(before)).toBe('NEW');
  });

  test('removes an INVITED account whose task had completed before the session started', async () => {
    const known = await addTaskedAccount({ status: 'INVITED', email: 'known@x.example' });
    const session = await app.start();
    const later = await addTaskedAccount({
      status: 'INVITED',
      email: 'later@x.example',
      externalId: 'later',
    });
    await app.complete(session);

    expect([await statusOf(known), await statusOf(later)]).toEqual(['INACTIVE', 'INVITED']);
    await app.sync({});
    expect(await statusOf(later)).toBe('INACTIVE');
  });

  test('leaves an account that a task changed after the start to the next session', async () => {
    await app.sync({ person: [person('a', inTeam('g')), person('b', inTeam('g'))] });
    const session = await app.start();
    await touch('a');
    await app.complete(session);

    expect((await inventory()).accounts).toEqual({ 'person:a': 'ACTIVE', 'person:b': 'INACTIVE' });
    await app.sync({});
    expect((await inventory()).accounts).toEqual({ 'person:a': 'INACTIVE', 'person:b': 'INACTIVE' });
  });

  test('keeps a membership that a task granted after the start, and its group', async () => {
    await app.sync({ person: [person('a')], team: [group('g'), group('h')] });
    const session = await app.start();
    await grant('a', 'g');
    await app.push(session, 'person', [person('a')]);
    await app.complete(session);

    expect(await inventory()).toEqual({
      accounts: { 'person:a': 'ACTIVE' },
      entitlements: { 'team:g': 'G' },
      memberships: { 'person:a': ['team:g'] },
    });
    await app.sync({ person: [person('a')] });
    expect(await inventory()).toEqual({
      accounts: { 'person:a': 'ACTIVE' },
      entitlements: {},
      memberships: {},
    });
  });

  test('removes a membership that a task granted before the start and that was not pushed', async () => {
    await app.sync({ person: [person('a')], team: [group('g')] });
    await grant('a', 'g');

    await app.sync({ person: [person('a')], team: [group('g')] });

    expect((await inventory()).memberships).toEqual({});
  });

  test('treats a record that a task created and a sync confirmed like any other', async () => {
    await app.sync({ person: [person('a')], team: [group('g')] });
    const session = await app.start();
    await grant('a', 'g');
    await touch('a');
    await app.push(session, 'person', [person('a', inTeam('g'))]);
    await app.complete(session);

    const { rows } = await sql<{ n: number }>`
      select (select count(*) from membership where org_id = ${service.orgId} and tasked_at is not null)
        + (select count(*) from account where app_id = ${app.id} and tasked_at is not null) as n`.execute(
      db(),
    );
    expect(rows[0]?.n).toBe(0);
    expect((await inventory()).memberships).toEqual({ 'person:a': ['team:g'] });
  });

  test('removes records that an earlier session published after this one started', async () => {
    const first = await app.start();
    await app.push(first, 'person', [person('a', inTeam('g')), person('b')]);
    await app.bridge('POST', `/sync/${first}/complete/`);
    const second = await app.start();
    await app.push(second, 'person', [person('b')]);

    expect(await app.complete(second)).toMatchObject({ status: 'completed' });

    expect(await app.view(first)).toMatchObject({ status: 'completed', counts: { created: 3, removed: 0 } });
    expect(await inventory()).toEqual({
      accounts: { 'person:a': 'INACTIVE', 'person:b': 'ACTIVE' },
      entitlements: {},
      memberships: {},
    });
  });

  test('queued completions finish in the order in which their sessions started (D21)', async () => {
    const sessions: string[] = [];
    for (const color of ['red', 'blue', 'green']) {
      const session = await app.start();
      sessions.push(session);
      await app.push(
        session,
        'person',
        people(30, () => ({ display_name: color, ...inTeam(color) })),
      );
      await app.bridge('POST', `/sync/${session}/complete/`);
    }
    const abandoned = await app.start();
    await app.push(abandoned, 'person', [person('p0', { display_name: 'gold', ...inTeam('gold') })]);
    await app.abandon(abandoned);

    const ends = await Promise.all(sessions.map((session) => untilEnded(app, session)));
    expect(ends.map(({ status }) => status)).toEqual(Array(3).fill('completed'));
    const moments = ends.map(({ finished_at }) => finished_at);
    expect(moments).toEqual([...moments].sort());
    const { memberships } = await inventory();
    expect(memberships['person:p0']).toEqual(['team:gold', 'team:green']);
    expect(memberships['person:p29']).toEqual(['team:green']);
  });
});

describe('which records count as pushed (D17)', () => {
  test('the last push of an id wins, together with its references', async () => {
    const session = await app.start();
    await app.push(session, 'person', [
      person('a', {
        display_name: 'First',
        ...inTeam('first', 'both'),
        assignments: { seat: [{ id: 's' }] },
      }),
      person('b', inTeam('first')),
    ]);
    await app.push(session, 'team', [group('both', 'Old name'), group('x', 'X')]);
    await app.push(session, 'person', [
      person('c'),
      person('a', { status: 'suspended', ...inTeam('both', 'last') }),
    ]);
    await app.push(session, 'team', [group('both', 'New name')]);

    expect(await app.complete(session)).toMatchObject({ counts: { created: 7, updated: 0, unchanged: 0 } });

    expect(await inventory()).toEqual({
      accounts: { 'person:a': 'SUSPENDED', 'person:b': 'ACTIVE', 'person:c': 'ACTIVE' },
      entitlements: { 'team:both': 'New name', 'team:first': '', 'team:last': '', 'team:x': 'X' },
      memberships: { 'person:a': ['team:both', 'team:last'], 'person:b': ['team:first'] },
    });
    const { body } = await service.call('GET', `/api/accounts/?app=${app.id}&status=SUSPENDED`);
    expect(body.results).toMatchObject([{ external_id: 'a', display_name: '' }]);
  });

  test('a reference in an overwritten push creates no group', async () => {
    await app.sync({ person: [person('a', inTeam('g'))] });
    const session = await app.start();
    await app.push(session, 'person', [person('a', inTeam('g', 'never'))]);
    await app.push(session, 'person', [person('a')]);
    await app.complete(session);

    expect(await inventory()).toEqual({
      accounts: { 'person:a': 'ACTIVE' },
      entitlements: {},
      memberships: {},
    });
    const { body } = await service.call('GET', `/api/apps/${app.id}/resources/?active=false`);
    expect(body.results.map(({ id }: { id: string }) => id)).toEqual(['g']);
  });

  test('a changed account among unchanged ones and an overwritten push are published with their own references', async () => {
    await app.sync({ team: [group('g')], person: ['a', 'b', 'c'].map((id) => person(id, inTeam('g'))) });
    const session = await app.start();
    await app.push(session, 'team', [group('g')]);
    await app.push(session, 'person', [
      person('a', inTeam('never')),
      person('b', { username: 'bee', ...inTeam('g', 'h') }),
      person('c', inTeam('g')),
    ]);
    await app.push(session, 'person', [person('a', inTeam('g'))]);

    expect(await app.complete(session)).toMatchObject({ counts: { created: 1, updated: 1, unchanged: 3 } });

    expect(await inventory()).toEqual({
      accounts: { 'person:a': 'ACTIVE', 'person:b': 'ACTIVE', 'person:c': 'ACTIVE' },
      entitlements: { 'team:g': 'G', 'team:h': '' },
      memberships: { 'person:a': ['team:g'], 'person:b': ['team:g', 'team:h'], 'person:c': ['team:g'] },
    });
  });

  test('a session of accounts only deactivates groups and licenses without a reference', async () => {
    await app.sync({
      team: [group('used'), group('idle')],
      channel: [group('idle')],
      seat: [group('used'), group('idle')],
      person: [person('a', { ...inTeam('used'), assignments: { seat: [{ id: 'idle' }] } })],
    });

    await app.sync({ person: [person('a', { ...inTeam('used'), assignments: { seat: [{ id: 'used' }] } })] });

    expect(await inventory()).toEqual({
      accounts: { 'person:a': 'ACTIVE' },
      entitlements: { 'seat:used': 'USED', 'team:used': 'USED' },
      memberships: { 'person:a': ['seat:used', 'team:used'] },
    });
  });

  test('an empty session deactivates every record', async () => {
    await app.sync({
      team: [group('g')],
      person: [person('a', inTeam('g'))],
      bot: [person('a', inTeam('g'))],
    });

    await app.sync({});

    expect(await inventory()).toEqual({
      accounts: { 'bot:a': 'INACTIVE', 'person:a': 'INACTIVE' },
      entitlements: {},
      memberships: {},
    });
  });

  test('an account pushed without memberships has none after a completion', async () => {
    await app.sync({ person: [person('a', inTeam('g', 'h')), person('b', inTeam('g'))] });
    const session = await app.start();
    await app.push(session, 'person', [person('a'), person('b', inTeam('g'))]);
    await app.complete(session);

    expect((await inventory()).memberships).toEqual({ 'person:b': ['team:g'] });
    expect((await app.view(session)).membership_counts).toEqual({ added: 0, removed: 1 + 1 });
  });

  test('an abandoned session adds memberships and removes none, and the next completion does', async () => {
    await app.sync({ person: [person('a', inTeam('g', 'h')), person('b', inTeam('g'))] });
    const pushed = [person('a', { display_name: 'New', ...inTeam('h', 'i') }), person('b')];
    const session = await app.start();
    await app.push(session, 'person', pushed);

    await app.abandon(session);

    expect((await inventory()).memberships).toEqual({
      'person:a': ['team:g', 'team:h', 'team:i'],
      'person:b': ['team:g'],
    });
    expect((await app.view(session)).membership_counts).toEqual({ added: 1, removed: 0 });
    const removed = await eventsOf(service, 'account.group.removed');
    expect(removed.filter(({ payload }) => payload.app_id === app.id)).toEqual([]);

    await app.sync({ person: pushed });
    expect((await inventory()).memberships).toEqual({ 'person:a': ['team:h', 'team:i'] });
  });

  test('the same id in several resource types stands for several records', async () => {
    const session = await app.start();
    await app.push(session, 'person', [
      person('x', { memberships: { team: [{ id: 'x' }], channel: [{ id: 'x' }] } }),
    ]);
    await app.push(session, 'bot', [
      person('x', { status: 'suspended', assignments: { seat: [{ id: 'x' }] } }),
    ]);
    await app.push(session, 'team', [group('x', 'Team')]);
    await app.push(session, 'channel', [group('x', 'Channel')]);
    expect(await app.complete(session)).toMatchObject({ counts: { created: 5 } });

    expect(await inventory()).toEqual({
      accounts: { 'bot:x': 'SUSPENDED', 'person:x': 'ACTIVE' },
      entitlements: { 'channel:x': 'Channel', 'seat:x': '', 'team:x': 'Team' },
      memberships: { 'bot:x': ['seat:x'], 'person:x': ['channel:x', 'team:x'] },
    });
    await app.sync({ bot: [person('x', { assignments: { seat: [{ id: 'x' }] } })] });
    expect(await inventory()).toEqual({
      accounts: { 'bot:x': 'ACTIVE', 'person:x': 'INACTIVE' },
      entitlements: { 'seat:x': '' },
      memberships: { 'bot:x': ['seat:x'] },
    });
  });
});

describe('a reference to an unknown entitlement creates a placeholder (D18)', () => {
  test('the placeholder has the id and name of the reference until the same session pushes it', async () => {
    await app.sync({
      person: [
        person('a', {
          memberships: {
            team: [{ id: 'bare' }, { id: 'named', name: 'Named' }, { id: 'filled', name: 'Ref' }],
          },
          assignments: { seat: [{ id: 's', name: 'Seat' }] },
        }),
      ],
      team: [{ id: 'filled', name: 'Filled', description: 'D' }],
    });

    expect((await inventory()).entitlements).toEqual({
      'seat:s': 'Seat',
      'team:bare': '',
      'team:filled': 'Filled',
      'team:named': 'Named',
    });
  });

  test('a later push completes the placeholder, and a later reference keeps its fields', async () => {
    const records = (name?: string) => [person('a', { assignments: { seat: [{ id: 's', name }] } })];
    await app.sync({ person: records() });
    await app.sync({ person: records('From the reference') });
    expect((await inventory()).entitlements).toEqual({ 'seat:s': 'From the reference' });

    await app.sync({ person: records(), seat: [{ id: 's', name: 'Seat', max_count: 9, is_paid: true }] });
    await app.sync({ person: records('Another name') });

    const { body } = await service.call('GET', `/api/apps/${app.id}/resources/`);
    expect(body.results).toMatchObject([{ id: 's', name: 'Seat', max_count: 9, is_paid: true, members: 1 }]);
  });

  test('a reference reactivates a removed group', async () => {
    await app.sync({ team: [group('g')] });
    await app.sync({});
    await app.sync({ person: [person('a', inTeam('g'))] });

    expect((await inventory()).entitlements).toEqual({ 'team:g': 'G' });
  });
});

describe('identical records are not written again (D23)', () => {
  const records = {
    team: [group('g'), { ...group('h'), description: 'D' }],
    seat: [{ id: 's', name: 'S', max_count: 3, used_count: 0, is_paid: false, is_unlimited: true }],
    person: people(20, (n) => ({
      username: `u${n}`,
      first_name: 'F',
      status: ['active', 'inactive', 'suspended'][n % 3],
      memberships: { team: [{ id: 'g' }, { id: 'stub' }] },
      assignments: { seat: [{ id: 's' }] },
    })),
  };
  /** The position and the writing transaction of each row. Both change when the row is written again. */
  const versions = async () => {
    const { rows } = await sql<{ version: string }>`
      select 'account ' || id || ctid || xmin as version from account where app_id = ${app.id}
      union all select 'entitlement ' || id || ctid || xmin from entitlement where app_id = ${app.id}
      union all select 'membership ' || m.account_id || m.entitlement_id || m.ctid || m.xmin
        from membership m join account a on a.org_id = m.org_id and a.id = m.account_id and a.app_id = ${app.id}
      union all select 'state ' || id || ctid || xmin from account_period where app_id = ${app.id}
      union all select 'period ' || id || ctid || xmin from membership_period where app_id = ${app.id}
      union all select 'name ' || id || ctid || xmin from entitlement_period where app_id = ${app.id}
      order by 1`.execute(db());
    return rows.map(({ version }) => version);
  };

  test.each(['complete', 'abandon'] as const)('%s writes no row', async (ending) => {
    await app.sync(records);
    const before = await versions();
    const session = await app.start();
    for (const [slug, list] of Object.entries(records)) await app.push(session, slug, list);
    await app[ending](session);

    expect(before).toHaveLength(20 + 4 + 60);
    expect(await versions()).toEqual(before);
    expect(await app.view(session)).toMatchObject({
      counts: { created: 0, updated: 0, unchanged: 24, removed: 0 },
      membership_counts: { added: 0, removed: 0 },
    });
  });

  test('only changed records are written', async () => {
    await app.sync(records);
    const before = await versions();
    const [first, ...rest] = records.person;

    await app.sync({ ...records, person: [{ ...first, email: 'new@x.example' }, ...rest] });

    const after = await versions();
    // The account, and its ended state.
    expect(after.filter((version) => !before.includes(version))).toHaveLength(2);
    expect(after).toHaveLength(before.length + 1);
  });

  test('pushing a removed account again without changes restores it', async () => {
    await app.sync({ person: [person('a', { status: 'inactive' })] });
    await app.sync({});
    const session = await app.sync({ person: [person('a', { status: 'inactive' })] });

    expect(await app.view(session)).toMatchObject({ counts: { updated: 1, unchanged: 0 } });
    const again = await app.sync({ person: [person('a', { status: 'inactive' })] });
    expect(await app.view(again)).toMatchObject({ counts: { updated: 0, unchanged: 1 } });
  });
});

describe('a pushed account takes over an awaited one (D24)', () => {
  const adopted = async (id: string) => {
    const { rows } = await sql<{ external_id: string | null; status: string }>`
      select external_id, status from account where id = ${id}`.execute(db());
    return rows[0];
  };

  test('matches NEW and INVITED accounts by email, ignoring case', async () => {
    const invited = await addTaskedAccount({ status: 'INVITED', email: 'Ann@X.example', username: 'other' });
    const created = await addTaskedAccount({ status: 'NEW', email: 'bob@x.example' });

    const session = await app.sync({
      person: [
        { id: 'a1', email: 'ann@x.EXAMPLE' },
        { id: 'b1', email: 'BOB@x.example' },
      ],
    });

    expect(await adopted(invited)).toEqual({ external_id: 'a1', status: 'ACTIVE' });
    expect(await adopted(created)).toEqual({ external_id: 'b1', status: 'ACTIVE' });
    expect(await app.view(session)).toMatchObject({ counts: { created: 0, updated: 2 } });
  });

  test('matches by username if no email matches', async () => {
    const byName = await addTaskedAccount({ status: 'INVITED', email: 'ann@x.example', username: 'Ann' });
    const byEmail = await addTaskedAccount({ status: 'INVITED', email: 'bob@x.example' });
    const notByName = await addTaskedAccount({
      status: 'INVITED',
      email: 'other@x.example',
      username: 'bobby',
    });

    const session = await app.start();
    await app.push(session, 'person', [
      { id: 'a1', email: 'ann@private.example', username: 'ANN' },
      { id: 'b1', email: 'bob@x.example', username: 'bobby' },
    ]);
    await app.abandon(session);

    expect(await adopted(byName)).toMatchObject({ external_id: 'a1' });
    expect(await adopted(byEmail)).toMatchObject({ external_id: 'b1' });
    expect(await adopted(notByName)).toMatchObject({ external_id: null, status: 'INVITED' });
  });

  test('takes over no account if the match is ambiguous', async () => {
    const twins = [
      await addTaskedAccount({ status: 'NEW', email: 'twin@x.example', username: 'one' }),
      await addTaskedAccount({ status: 'INVITED', email: 'TWIN@x.example', username: 'two' }),
    ];
    const claimed = await addTaskedAccount({ status: 'NEW', email: 'claimed@x.example' });

    const session = await app.start();
    await app.push(session, 'person', [
      { id: 't1', email: 'twin@x.example', username: 'one' },
      { id: 'c1', email: 'claimed@x.example' },
    ]);
    await app.push(session, 'bot', [{ id: 'c1', email: 'Claimed@x.example' }]);
    await app.abandon(session);

    for (const id of [...twins, claimed]) expect(await adopted(id)).toMatchObject({ external_id: null });
    expect(Object.keys((await inventory()).accounts)).toContain('person:t1');
  });

  test('ignores known ids, other emails and other apps', async () => {
    await app.sync({ person: [person('known', { email: 'ann@x.example' })] });
    const awaited = await addTaskedAccount({ status: 'NEW', email: 'ann@x.example' });
    const nameless = await addTaskedAccount({ status: 'NEW' });
    const other = await addSyncedApp(service);

    await other.sync({ person: [{ id: 'o1', email: 'ann@x.example' }] });
    await app.sync({ person: [person('known', { email: 'ann@x.example' }), { id: 'u1', username: 'u1' }] });

    expect(await adopted(awaited)).toMatchObject({ external_id: null, status: 'NEW' });
    expect(await adopted(nameless)).toMatchObject({ external_id: null, status: 'NEW' });
  });

  test('matches every account type of the app', async () => {
    const awaited = await addTaskedAccount({ status: 'INVITED', email: 'robot@x.example' });

    await app.sync({ bot: [{ id: 'r1', email: 'robot@x.example' }] });

    expect(await adopted(awaited)).toMatchObject({ external_id: 'r1', status: 'ACTIVE' });
    expect((await inventory()).accounts).toEqual({ 'bot:r1': 'ACTIVE' });
  });

  test('keeps memberships that the task granted, whether pushed or not', async () => {
    const awaited = await addTaskedAccount({ status: 'INVITED', email: 'ann@x.example' });
    await app.sync({
      team: [group('g'), group('h')],
      person: [{ id: 'a1', email: 'ann@x.example', ...inTeam('h') }],
    });

    expect(await adopted(awaited)).toMatchObject({ external_id: 'a1' });
    expect((await inventory()).memberships).toEqual({ 'person:a1': ['team:h'] });
  });
});

describe('states and events (D25, D27)', () => {
  const CHANGES: [from: string | null, to: string, event: string | null][] = [
    [null, 'active', 'account.provisioned'],
    [null, 'suspended', 'account.suspended'],
    [null, 'inactive', null],
    ['NEW', 'active', 'account.provisioned'],
    ['NEW', 'suspended', 'account.suspended'],
    ['NEW', 'inactive', null],
    ['INVITED', 'active', 'account.activated'],
    ['INVITED', 'suspended', 'account.suspended'],
    ['INVITED', 'inactive', 'account.deprovisioned'],
    ['INVITED', 'absent', 'account.deprovisioned'],
    ['ACTIVE', 'active', null],
    ['ACTIVE', 'suspended', 'account.suspended'],
    ['ACTIVE', 'inactive', 'account.deprovisioned'],
    ['ACTIVE', 'absent', 'account.deprovisioned'],
    ['SUSPENDED', 'active', 'account.unsuspended'],
    ['SUSPENDED', 'suspended', null],
    ['SUSPENDED', 'inactive', 'account.deprovisioned'],
    ['SUSPENDED', 'absent', 'account.deprovisioned'],
    ['INACTIVE', 'active', 'account.provisioned'],
    ['INACTIVE', 'suspended', 'account.suspended'],
    ['INACTIVE', 'inactive', null],
    ['INACTIVE', 'absent', null],
    ['REMOVED', 'active', 'account.provisioned'],
    ['REMOVED', 'suspended', 'account.suspended'],
    ['REMOVED', 'inactive', null],
  ];
  const RESULT: Record<string, string> = {
    active: 'ACTIVE',
    suspended: 'SUSPENDED',
    absent: 'INACTIVE',
    inactive: 'INACTIVE',
  };
  const idOf = (from: string | null, to: string) => `${from}-${to}`;

  test('records one event for each change of access and none for other changes', async () => {
    const existing = CHANGES.filter(([from]) => from !== null && !['NEW', 'INVITED'].includes(from));
    const first = existing.map(([from, to]) =>
      person(idOf(from, to), { status: from === 'REMOVED' ? 'active' : from?.toLowerCase() }),
    );
    await app.sync({ person: first });
    await app.sync({ person: first.filter(({ id }) => !id.startsWith('REMOVED')) });
    for (const [from, to] of CHANGES) {
      if (from !== 'NEW' && from !== 'INVITED') continue;
      await addTaskedAccount({ status: from, email: person(idOf(from, to)).email });
    }
    const already = (await eventsOf(service, 'account.')).length;

    const session = await app.sync({
      person: CHANGES.filter(([, to]) => to !== 'absent').map(([from, status]) =>
        person(idOf(from, status), { status }),
      ),
    });

    const { accounts } = await inventory();
    expect(accounts).toEqual(
      Object.fromEntries(
        CHANGES.map(([from, to]) => [
          `person:${from === 'INVITED' && to === 'absent' ? person(idOf(from, to)).email : idOf(from, to)}`,
          RESULT[to],
        ]).sort(),
      ),
    );
    const events = (await eventsOf(service, 'account.')).slice(already);
    const told = events.map(({ event_type, payload }) => `${payload.email} ${event_type}`);
    expect(told.sort()).toEqual(
      CHANGES.filter(([, , event]) => event !== null)
        .map(([from, to, event]) => `${person(idOf(from, to)).email} ${event}`)
        .sort(),
    );
    for (const { actor, subject, source, payload } of events) {
      expect({ actor, subject, source }).toEqual({
        actor: { type: 'system', uuid: null },
        subject: { type: 'app_user', uuid: payload.account_id },
        source: { type: 'sync', uuid: session },
      });
    }
  });

  test('the payload has the account, its previous status and the session', async () => {
    await app.sync({ person: [person('a')] });
    const session = await app.sync({
      person: [{ id: 'a', email: 'new@x.example', username: 'u', display_name: 'D', status: 'suspended' }],
    });

    const [event] = (await eventsOf(service, 'account.suspended')).filter(
      ({ payload }) => payload.app_id === app.id,
    );

    const { body } = await service.call('GET', `/api/accounts/?app=${app.id}`);
    expect(event?.payload).toEqual({
      app_id: app.id,
      app_name: 'Directory',
      account_id: body.results[0].external_uuid,
      external_id: 'a',
      email: 'new@x.example',
      username: 'u',
      display_name: 'D',
      status: 'SUSPENDED',
      previous_status: 'ACTIVE',
      sync_id: session,
    });
  });

  test('records group memberships that were added, dropped or lost with the account, but no licenses', async () => {
    const seat = { assignments: { seat: [{ id: 's' }] } };
    await app.sync({
      team: [group('g')],
      person: [
        person('a', { ...inTeam('g'), ...seat }),
        person('b', { ...inTeam('g'), ...seat }),
        person('c'),
      ],
    });
    const session = await app.sync({
      team: [group('g'), group('h')],
      person: [person('a'), person('c', { ...inTeam('h'), ...seat })],
    });

    const events = (await eventsOf(service, 'account.group.')).filter(
      ({ payload }) => payload.app_id === app.id,
    );

    expect(
      events
        .map(({ event_type, payload }) => [event_type, payload.external_id, payload.group_external_id])
        .sort(),
    ).toEqual([
      ['account.group.added', 'c', 'h'],
      ['account.group.removed', 'a', 'g'],
      ['account.group.removed', 'b', 'g'],
    ]);
    const added = events.find(({ event_type }) => event_type === 'account.group.added');
    expect(added).toMatchObject({
      actor: { type: 'system', uuid: null },
      subject: { type: 'app_user', uuid: added?.payload.account_id },
      source: { type: 'sync', uuid: session },
    });
    expect(added?.payload).toEqual({
      app_id: app.id,
      app_name: 'Directory',
      account_id: expect.any(String),
      external_id: 'c',
      email: 'c@x.example',
      username: '',
      display_name: '',
      resource_type: 'team',
      group_id: expect.any(String),
      group_external_id: 'h',
      group_name: 'H',
      sync_id: session,
    });
  });

  test('records no account event in the baseline or in a session abandoned before it', async () => {
    const abandoned = await app.start();
    await app.push(
      abandoned,
      'person',
      people(5, () => inTeam('g')),
    );
    await app.abandon(abandoned);
    await app.sync({ person: people(10, () => inTeam('g')).slice(3) });

    expect(await recordEvents()).toEqual([]);
  });

  test('records account events in a session abandoned after the baseline', async () => {
    await app.sync({ person: [person('a', inTeam('g'))] });
    const session = await app.start();
    await app.push(session, 'person', [person('a'), person('b', inTeam('g'))]);
    await app.abandon(session);

    expect((await recordEvents()).sort()).toEqual(['account.group.added b', 'account.provisioned b']);
    const completed = (await eventsOf(service, 'app.sync.completed')).at(-1);
    expect(completed?.payload).toMatchObject({
      sync_id: session,
      outcome: 'abandoned',
      counts: { created: 1, updated: 0, unchanged: 2, removed: 0 },
      membership_counts: { added: 1, removed: 0 },
    });
  });

  const recordEvents = async () =>
    (await eventsOf(service, 'account.'))
      .filter(({ payload }) => payload.app_id === app.id)
      .map(({ event_type, payload }) => `${event_type} ${payload.external_id}`);
});

test('sorts the texts of a large publication into their index', async ({ skip }) => {
  skip(service.database.engine === 'citus', 'autovacuum does it');
  await transaction(within(db(), service.orgId), async (tx) => {
    await configurePlanner(tx);
    await sql`
      insert into account (org_id, app_id, resource_type_id, external_id, email, status)
      select a.org_id, a.id, uuidv7(), n, 'p' || n || '@x.example', 'ACTIVE'
      from app a cross join generate_series(1, 1000) n where a.id = ${app.id}`.execute(tx);
  });

  await refreshStatistics(db(), { created: 1000, updated: 0 });

  const { rows } = await sql`select gin_clean_pending_list('account_part') as pages`.execute(db());
  expect(rows).toEqual([{ pages: 0 }]);
});

test('a session that has ended leaves no pages behind', async () => {
  await app.sync({ person: people(20, () => inTeam('g')), team: [group('g')] });
  const session = await app.start();
  await app.push(session, 'person', people(5));
  await app.abandon(session);

  expect(await leftovers()).toBe(0);
});

test("a session touches only its own app's records", async () => {
  const clone = await addSyncedApp(service, { cloneFrom: app.id });
  const other = await addSyncedApp(service);
  const records = { team: [group('g')], person: [person('a', inTeam('g'))] };
  await app.sync(records);
  await clone.sync(records);
  await other.sync(records);
  const expected: Inventory = await inventoryOf(service, clone.id);

  await app.sync({});

  expect(await inventoryOf(service, clone.id)).toEqual(expected);
  expect(await inventoryOf(service, other.id)).toEqual(expected);
  expect((await inventory()).memberships).toEqual({});
});

async function statusOf(accountId: string) {
  const { rows } = await sql<{ status: string }>`select status from account where id = ${accountId}`.execute(
    db(),
  );
  return rows[0]?.status;
}

async function leftovers(): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    with own as (select id from sync_session where app_id = ${app.id} and status <> 'in_progress')
    select (select count(*) from sync_page where session_id in (select id from own))
      + (select count(*) from sync_new_record where session_id in (select id from own))
      + (select count(*) from sync_removal where session_id in (select id from own)) as n`.execute(db());
  return rows[0]?.n ?? -1;
}
