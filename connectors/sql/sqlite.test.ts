import { silent, type Unseen } from '@gatehouse/connector';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { connectorFrom } from './build.ts';
import { parseDefinition } from './definition.ts';
import { createDatabase, startService } from './test/testbed.ts';

/** A definition; `change` edits its text. */
const define = (change: (text: string) => string = (text) => text) =>
  connectorFrom(parseDefinition(change(members), 'app.yml'));

const members = `
app_name: App
connect:
  dsn: "sqlite:\${DB_PATH}"
resource_types:
  user:
    name: Users
    list:
      query: SELECT id, login, mail, state FROM users ORDER BY id LIMIT ?<Limit> OFFSET ?<Offset>
      pagination: { strategy: offset, primary_key: id, page_size: 10 }
      map:
        id: .id
        display_name: titleCase(.login)
        traits:
          user: { login: .login, emails: [.mail], status: .state }
    gatehouse:
      suspend: { queries: [UPDATE users SET state = 'locked' WHERE id = ?<id>] }
      unsuspend: { queries: [UPDATE users SET state = 'active'] }
  role:
    name: Roles
    list:
      query: SELECT name FROM roles
      map: { id: .name, display_name: .name, traits: { role: { profile: } } }
    static_entitlements:
      - id: member
        display_name: "'Member'"
        provisioning:
          vars: { who: principal.ID, what: resource.ID }
          grant: { queries: ["INSERT INTO user_roles VALUES (?<what>, 'user', ?<who>)"] }
          revoke: { queries: ["DELETE FROM user_roles WHERE role = ?<what> AND kind = 'user' AND holder = ?<who>"] }
    grants:
      - query: SELECT role, kind, holder FROM user_roles
        map:
          - skip_if: .role != resource.ID || .kind != 'user'
            principal_id: .holder
            principal_type: user
            entitlement_id: member
          - skip_if: .role != resource.ID || .kind != 'role'
            principal_id: .holder
            principal_type: role
            entitlement_id: member
`;
const tables = `
  create table users (id integer primary key, login text, mail text, state text);
  create table roles (name text);
  create table user_roles (role text, kind text, holder text, primary key (role, kind, holder));
  insert into roles values ('reader'), ('writer'), ('admin'), ('none');
  with recursive n(i) as (select 1 union all select i + 1 from n where i < 35)
    insert into users select i, 'person' || i, 'person' || i || '@acme.example', iif(i = 3, 'disabled', 'active') from n;
  insert into user_roles values ('admin', 'user', '1'), ('writer', 'user', '2'), ('reader', 'role', 'writer'),
    ('writer', 'role', 'admin'), ('admin', 'role', 'reader');
`;

let database: ReturnType<typeof createDatabase>;
let service: Awaited<ReturnType<typeof startService>>;
const settings = () => ({ DB_PATH: database.path });

beforeEach(async () => {
  database = createDatabase(tables);
  service = await startService();
});
afterEach(async () => {
  await service.stop();
  database.close();
});

/** Syncs once, then breaks something and expects the second run to fail without removing anything. */
async function expectKept(connector: ReturnType<typeof define>, message: string | RegExp) {
  expect(await service.sync(define(), settings())).toMatchObject({ code: 0 });
  const before = service.inventory();
  database.db.exec('delete from users where id = 5');
  const { code, said } = await service.sync(connector, settings());
  expect(said).toMatch(message);
  expect(code).not.toBe(0);
  expect(service.inventory()).toEqual(before);
  expect(service.completed()).toBe(1);
}

test('lists accounts in pages, with the groups that they have through groups', async () => {
  expect(await service.sync(define(), settings())).toMatchObject({ code: 0 });
  const { user = [], role = [] } = service.inventory();
  expect(role.map(({ id }) => id).sort()).toEqual(['admin', 'none', 'reader', 'writer']);
  expect(user).toHaveLength(35);
  const byId = new Map(user.map((each) => [each.id, each]));
  const rolesOf = (id: string) =>
    (byId.get(id)?.memberships as { role?: { id: string }[] })?.role?.map((each) => each.id).sort() ?? [];
  // The roles form a cycle, so whoever has one has all three.
  expect(rolesOf('1')).toEqual(['admin', 'reader', 'writer']);
  expect(rolesOf('2')).toEqual(['admin', 'reader', 'writer']);
  expect(rolesOf('4')).toEqual([]);
  expect(byId.get('3')).toMatchObject({ username: 'person3', display_name: 'Person3', status: 'inactive' });
});

test('reports last sign-ins and the profile', async () => {
  database.db.exec(`
    alter table users add column seen text; alter table users add column department text;
    update users set seen = '2026-05-01 10:00:00', department = 'Sales' where id = 1;
    update users set seen = 'long ago' where id = 2`);
  const detailed = (text: string) =>
    text
      .replace('mail, state FROM', 'mail, state, seen, department FROM')
      .replace(
        'status: .state }',
        'status: .state, last_login: .seen, profile: { department: .department } }',
      );
  expect(await service.sync(define(detailed), settings())).toMatchObject({ code: 0 });
  const byId = new Map(service.inventory().user?.map((each) => [each.id, each]));
  expect(byId.get('1')).toMatchObject({ attributes: { department: 'Sales' } });
  expect(byId.get('1')?.last_sign_in_at).toMatch(/^2026-05-01/);
  expect(byId.get('2')?.last_sign_in_at ?? null).toBeNull();
});

test('reports second factors that are true or false', async () => {
  database.db.exec(`
    alter table users add column factor text;
    update users set factor = '1' where id = 1;
    update users set factor = 'false' where id = 2;
    update users set factor = 'maybe' where id = 3`);
  const detailed = (text: string) =>
    text
      .replace('mail, state FROM', 'mail, state, factor FROM')
      .replace('status: .state }', 'status: .state, mfa_enabled: .factor }');
  expect(await service.sync(define(detailed), settings())).toMatchObject({ code: 0 });
  const byId = new Map(service.inventory().user?.map((each) => [each.id, each.mfa_enabled]));
  expect(['1', '2', '3', '4'].map((id) => byId.get(id))).toEqual([true, false, undefined, undefined]);
});

test('includes only direct members of a shallow grant', async () => {
  database.db.exec(`delete from user_roles where role = 'admin' and kind = 'role'`);
  const shallow = (text: string) =>
    text.replace(
      'principal_type: role\n            entitlement_id: member',
      `principal_type: role\n            entitlement_id: member\n            expandable: { entitlement_ids: ["'role:' + .holder + ':member'"], shallow: true }`,
    );
  expect(await service.sync(define(shallow), settings())).toMatchObject({ code: 0 });
  const roles = new Map(
    service
      .inventory()
      .user?.map(({ id, memberships }) => [id, (memberships as { role?: { id: string }[] }).role]),
  );
  expect(
    roles
      .get('1')
      ?.map(({ id }) => id)
      .sort(),
  ).toEqual(['admin', 'writer']);
  expect(
    roles
      .get('2')
      ?.map(({ id }) => id)
      .sort(),
  ).toEqual(['reader', 'writer']);
});

test('matches nested groups whose ids are written differently, and reports others', async () => {
  database.db.exec(`
    drop table roles; create table roles (name text collate nocase);
    insert into roles values ('reader'), ('writer');
    delete from user_roles;
    insert into user_roles values ('writer', 'user', '2'), ('READER', 'role', 'WRITER'), ('reader', 'role', 'gone')`);
  const { code, said } = await service.sync(define(), settings());
  expect(code).toBe(0);
  expect(said).toContain('grants name 1 role that the list does not have, for example "gone"');
  const user = service.inventory().user?.find(({ id }) => id === '2');
  const { role } = (user?.memberships ?? { role: [] }) as { role: { id: string }[] };
  expect(role.map(({ id }) => id).sort()).toEqual(['reader', 'writer']);
});

test('reports grants whose accounts and groups no query returns, also through groups', async () => {
  database.db.exec(`
    delete from user_roles;
    insert into user_roles values ('writer', 'user', '2'), ('writer', 'user', '99'), ('writer', 'user', '98'),
      ('reader', 'role', 'writer'), ('reader', 'role', 'gone'), ('lost', 'user', '2')`);
  const connector = define();
  const system = await connector.connect(settings(), {} as never);
  const unseen: Unseen[] = [];
  const shifts: string[] = [];
  const context = {
    from: undefined,
    signal: new AbortController().signal,
    log: silent,
    skip: () => {},
    unseen: (what: Unseen) => void unseen.push(what),
    mayShift: () => void shifts.push('user'),
  };
  await Array.fromAsync(connector.accounts.user?.list(system, context) ?? []);
  expect(unseen).toEqual([
    { slug: 'role', id: 'reader', rule: 'filter', count: 3 },
    { slug: 'role', id: 'writer', rule: 'filter', count: 2 },
    { slug: 'role', rule: 'filter', count: 1 },
  ]);
  expect(shifts).toEqual([]);
});

test('does not skip rows that move while it reads', async () => {
  const connector = define();
  const system = await connector.connect(settings(), {} as never);
  const ids: string[] = [];
  const context = {
    from: undefined,
    signal: new AbortController().signal,
    log: console,
    skip: fail,
  } as never;
  for await (const page of connector.accounts.user?.list(system, context) ?? []) {
    ids.push(...(page as { records: { id: string }[] }).records.map(({ id }) => id));
    // Without a snapshot, the next page would begin one row later.
    database.db.exec('delete from users where id = (select min(id) from users)');
  }
  expect(ids).toHaveLength(35);
});

const fail = (id: string, why: string) => {
  throw new Error(`${id}: ${why}`);
};

test.each<[string, (text: string) => string, string | RegExp]>([
  [
    'a missing table',
    (text) => text.replace('FROM users', 'FROM people'),
    'app.yml:9:14: no such table: people',
  ],
  [
    'a page that repeats',
    (text) => text.replace('OFFSET ?<Offset>', 'OFFSET (?<Offset> * 0)'),
    'app.yml:9:14: the query returned the same page twice; it would never end',
  ],
  [
    'a cursor that stands still',
    (text) =>
      text
        .replace('LIMIT ?<Limit> OFFSET ?<Offset>', 'LIMIT ?<Limit> + 0 * ?<Cursor>')
        .replace('strategy: offset', 'start: 0, strategy: cursor')
        .replace('SELECT id, login', 'SELECT id, 0 AS zero, login')
        .replace('primary_key: id', 'primary_key: zero'),
    'the cursor "zero" does not advance',
  ],
  [
    'a column that the query does not return',
    (text) => text.replace('emails: [.mail]', 'emails: [.email]'),
    'app.yml:15:43: the query returns no column "email"; its columns are id, login, mail, state',
  ],
  [
    'a row that cannot be mapped',
    (text) => text.replace('login: .login', 'login: ".id == 7 ? \'x\'.substring(9) : .login"'),
    /skipped user 'row 6': \.id == 7 .*substring/,
  ],
  [
    'a grant of an entitlement that does not exist',
    (text) =>
      text.replace(
        'principal_type: user\n            entitlement_id: member',
        'principal_type: user\n            entitlement_id: owner',
      ),
    /2 groups or grants cannot be read, for example row \d of the grants of role: role '\w+' has no entitlement "owner"/,
  ],
])('removes nothing after %s', async (_, change, message) => {
  await expectKept(define(change), message);
});

test('removes nothing if the file is gone', async () => {
  expect(await service.sync(define(), settings())).toMatchObject({ code: 0 });
  const before = service.inventory();
  const ended = await service.sync(define(), { DB_PATH: `${database.path}.gone` });
  expect(ended).toMatchObject({ code: 2, said: expect.stringContaining('app.db.gone does not exist') });
  expect(service.inventory()).toEqual(before);
});

test.each<[string, (text: string) => string, string]>([
  [
    'CEL',
    (text) => text.replace('titleCase(.login)', 'titleCase(.login) + nobody'),
    'app.yml:13:43: the variable nobody does not exist',
  ],
  [
    'a token',
    (text) => text.replace('holder = ?<who>', 'holder = ?<whom>'),
    '?<whom> has no value: nothing defines "whom"',
  ],
  ['an option', (text) => text.replace('?<who>)', '?<who|raw>)'), 'the unknown option "raw"'],
  [
    'pages',
    (text) => text.replace(' OFFSET ?<Offset>', ''),
    'app.yml:10:19: the query has ?<Limit> but not ?<Offset>',
  ],
  [
    'a principal',
    (text) => text.replace('principal_type: role', 'principal_type: group'),
    'app.yml:40:29: there is no resource type "group"',
  ],
  [
    'an engine',
    (text) => text.replace('sqlite:', 'db2://'),
    'app.yml:4:8: the engine "db2" is not supported',
  ],
  [
    'a key',
    (text) => text.replace('strategy: offset,', 'strategy: offset, pagesize: 3,'),
    'app.yml:10:49: resource_types.user.list.pagination has no setting "pagesize"',
  ],
  [
    'aliases',
    (text) =>
      `${text}\na: &a [x, x]\n${[...'bcdefghi'].map((name, n) => `${name}: &${name} [${`*${'abcdefgh'[n]}, `.repeat(9)}x]`).join('\n')}`,
    'aliases repeat too many values',
  ],
])('rejects a mistake in %s with its place', (_, change, message) => {
  expect(() => define(change)).toThrow(message);
});

test('grants and revokes, and leaves alone what is already so', async () => {
  const connector = define();
  await service.sync(connector, settings());
  const rows = () => database.db.prepare(`select role from user_roles where holder = '4'`).all();
  const perform = (added: string[], removed: string[], id = '4') =>
    service.perform(connector, settings(), 'user', 'update_account', {
      account: { id },
      changes: {
        role: { added: added.map((each) => ({ id: each })), removed: removed.map((each) => ({ id: each })) },
      },
    });
  expect(await perform(['admin'], [])).toBe('completed');
  // The roles are in each other, so that the account keeps what one of them gives.
  expect(await perform(['admin'], ['writer'])).toMatch(/^INTERNAL_ERROR: .* it still has role 'writer'$/);
  expect(rows()).toEqual([{ role: 'admin' }]);
  expect(await perform(['reader'], ['admin'])).toMatch(/^INTERNAL_ERROR: .* it still has role 'admin'$/);
  expect(await perform([], ['admin'])).toBe('completed');
  expect(rows()).toEqual([{ role: 'reader' }]);
  expect(await perform(['reader'], [], '99')).toBe('ACCOUNT_NOT_FOUND: no user has the id 99');
  expect(await perform(["x'); drop table users; --"], [])).toBe('completed');
  expect(database.db.prepare('select count(*) as n from users').get()).toEqual({ n: 35 });
});

test('rolls back a statement that changes more rows than one account', async () => {
  const connector = define();
  await service.sync(connector, settings());
  const perform = (action: 'suspend_account' | 'unsuspend_account') =>
    service.perform(connector, settings(), 'user', action, { account: { id: '9' } });
  expect(await perform('suspend_account')).toBe('completed');
  expect(await perform('unsuspend_account')).toContain(
    'the statement changed 35 rows instead of one; it was rolled back',
  );
  expect(database.db.prepare('select state from users where id = 9').get()).toEqual({ state: 'locked' });
});

test('reports a database that may not be written', async () => {
  const connector = define((text) => text.replace('{DB_PATH}', '{DB_PATH}?mode=ro'));
  await service.sync(connector, settings());
  expect(
    await service.perform(connector, settings(), 'user', 'suspend_account', { account: { id: '9' } }),
  ).toMatch(/^PERMISSION_DENIED: .*readonly/);
});

test('keeps the entitlements of a resource apart', async () => {
  database.db.exec(`insert into roles values ('a#lead'), ('a')`);
  const two = (text: string) =>
    text.replace(
      '    grants:',
      `      - { id: lead, display_name: "resource.DisplayName + ' lead'" }\n    grants:`,
    );
  expect(await service.sync(define(two), settings())).toMatchObject({ code: 0 });
  const ids = service.inventory().role?.map(({ id }) => id);
  expect(ids).toEqual(expect.arrayContaining(['a%23lead', 'a#lead', 'a', 'a%23lead#lead', 'admin#lead']));
  expect(ids).toHaveLength(12);
});
