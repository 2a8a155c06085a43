import { rm } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { connectorFrom } from './build.ts';
import { parseDefinition } from './definition.ts';
import { ask, startPostgres } from './test/conformance.ts';
import { startService } from './test/testbed.ts';

/** Uses keys of newer definitions: parts of the connection, resource tokens, expandable grants and password rotation. */
const definition = `
app_name: Roles
connect: { scheme: postgres, host: 127.0.0.1, port: "\${DB_PORT}", database: postgres, user: "\${DB_USER}", password: "\${DB_PASSWORD}" }
resource_types:
  account:
    name: Accounts
    list:
      query: SELECT name, mail, created FROM people WHERE name > ?<Cursor> ORDER BY name LIMIT ?<Limit>
      pagination: { strategy: cursor, primary_key: name, page_size: 1000 }
      map:
        id: .name
        display_name: .name
        description: ""
        traits:
          user:
            emails: [.mail]
            status: active
            last_login: ".created != null ? string(.created) : ''"
    account_provisioning:
      schema:
        - { name: username, type: string, required: true }
        - { name: email, type: string, required: true }
        - { name: employee_id, type: string, required: false }
      credentials:
        no_password: { preferred: false }
        random_password: { max_length: 16, min_length: 12, preferred: true }
      validate:
        vars: { username: username, email: email }
        query: SELECT name, mail, created FROM people WHERE name = ?<username>
      create:
        vars:
          username: input.username
          email: input.email
          employee: "has(input.employee_id) ? input.employee_id : null"
          password: password
        queries:
          - INSERT INTO people (name, mail, employee, secret) VALUES (?<username>, ?<email>, ?<employee>, ?<password>)
    credential_rotation:
      credentials: { random_password: { preferred: true } }
      update:
        vars: { username: resource_id, password: password }
        queries:
          - UPDATE people SET secret = ?<password> WHERE name = ?<resource_id>
  role:
    name: Roles
    list: { query: "SELECT id, title FROM roles", map: { id: .id, display_name: .title } }
    static_entitlements:
      - { id: member, display_name: "resource.DisplayName + ' Role Member'" }
    grants:
      - query: |
          SELECT role, person FROM person_roles
          WHERE role::text = ?<resource.ID> AND (CASE WHEN ?<Cursor> = '' THEN TRUE ELSE person > ?<Cursor> END)
          ORDER BY person LIMIT ?<Limit>
        pagination: { strategy: cursor, primary_key: person, page_size: 7 }
        map:
          - { skip_if: .role != resource.ID, principal_id: .person, principal_type: account, entitlement_id: member }
  feature:
    name: Features
    gatehouse: { kind: license, max_count: .seats }
    list: { query: "SELECT id, name, seats FROM features", map: { id: .id, display_name: .name, traits: { feature: { profile: [{ x: .id }] } } } }
    static_entitlements:
      - { id: assigned, display_name: "'Assigned'", purpose: permission, grantable_to: [account, role] }
    grants:
      - query: SELECT feature, role FROM feature_roles
        map:
          - skip_if: "string(.feature) != resource.ID"
            principal_id: .role
            principal_type: role
            entitlement_id: assigned
            expandable: { entitlement_ids: ["'role:' + string(.role) + ':member'"], shallow: true }
  scope:
    name: Scopes
    list: { query: SELECT DISTINCT project FROM scopes, map: { id: .project, display_name: .project } }
    entitlements:
      query: SELECT project, level FROM scopes WHERE project = ?<resource.ID>
      map:
        - id: .level
          slug: .level
          display_name: .level + ' of ' + resource.DisplayName
          skip_if: .level == 'hidden'
          provisioning:
            vars: { who: principal.ID, what: resource.ID, level: entitlement.ID }
            grant:
              no_transaction: true
              reject_if: { query: "SELECT 1 AS n FROM people WHERE name = ?<who> AND mail = 'blocked'", reason: "'blocked people get no scopes'" }
              queries: ["INSERT INTO holders VALUES (?<what>, ?<level>, ?<who>)"]
            revoke:
              queries: ["DELETE FROM holders WHERE project = ?<what> AND level = ?<level> AND person = ?<who>"]
    grants:
      - query: SELECT project, level, person FROM holders
        map:
          - { skip_if: .project != resource.ID, principal_id: .person, principal_type: account, entitlement_id: .level }
`;
const tables = `
  drop schema public cascade; create schema public;
  create table people (name text primary key, mail text, created timestamptz default now(), employee text, secret text);
  create table roles (id int primary key, title text);
  create table person_roles (role int, person text);
  create table features (id int primary key, name text, seats int);
  create table feature_roles (feature int, role int);
  create table scopes (project text, level text);
  create table holders (project text, level text, person text);
  insert into people (name, mail) select 'p' || n, 'p' || n || '@acme.example' from generate_series(1, 40) n;
  insert into people (name, mail) values ('blocked', 'blocked');
  insert into roles values (1, 'One'), (2, 'Two');
  insert into person_roles select 1, 'p' || n from generate_series(1, 20) n;
  insert into features values (5, 'Export', 50);
  insert into feature_roles values (5, 1);
  insert into scopes values ('x', 'read'), ('x', 'write'), ('x', 'hidden'), ('x', 'member');
  insert into holders values ('x', 'write', 'p3'), ('x', 'member', 'p4');
`;

const connector = connectorFrom(parseDefinition(definition, 'roles.yml'));
let server: Awaited<ReturnType<typeof startPostgres>>;
let service: Awaited<ReturnType<typeof startService>>;
let admin: string;
const settings = (password = 'admin-password') => ({
  DB_PORT: String(server.port),
  DB_USER: 'admin',
  DB_PASSWORD: password,
  deliverTo: 'cat',
});
const account = (id: string) => service.inventory().account?.find((each) => each.id === id);

beforeAll(async () => {
  server = await startPostgres();
  admin = `postgres://admin:admin-password@127.0.0.1:${server.port}/postgres`;
}, 120_000);
afterAll(async () => {
  await server?.server.stop();
  await rm(server?.folder, { recursive: true, force: true });
});
beforeEach(async () => {
  await ask(admin, tables);
  service = await startService();
});
afterEach(() => service.stop());

test('reads resource tokens, expanded grants, licenses and entitlements of a query', async () => {
  expect(await service.sync(connector, settings())).toMatchObject({ code: 0 });
  expect(account('p20')).toMatchObject({
    memberships: { role: [{ id: '1', name: 'One' }] },
    assignments: { feature: [{ id: '5', name: 'Export' }] },
  });
  expect(account('p21')).toMatchObject({ memberships: { role: [] }, assignments: { feature: [] } });
  expect(service.inventory().feature).toEqual([expect.objectContaining({ id: '5', max_count: 50 })]);
  expect(
    service
      .inventory()
      .scope?.map(({ id, name }) => `${id} ${name}`)
      .sort(),
  ).toEqual(['x x', 'x#read read of x', 'x#write write of x']);
  expect(account('p3')).toMatchObject({ memberships: { scope: [{ id: 'x#write' }] } });
  expect(account('p4')).toMatchObject({ memberships: { scope: [{ id: 'x' }] } });
});

test('creates accounts, rotates passwords, and grants entitlements of a query', async () => {
  await service.sync(connector, settings());
  const perform = (
    ...task: Parameters<typeof service.perform> extends [unknown, unknown, ...infer Rest] ? Rest : never
  ) => service.perform(connector, settings(), ...task);
  const ada = { id: 'new', username: 'ada', email: 'ada@acme.example' };
  expect(
    await perform('account', 'create_account', { account: ada, memberships: { scope: [{ id: 'x#read' }] } }),
  ).toBe('completed');
  const secret = async () => (await ask(admin, `select secret, employee from people where name = 'ada'`))[0];
  const first = await secret();
  expect(first).toMatchObject({ secret: expect.stringMatching(/^.{16}$/), employee: null });
  expect(await perform('account', 'reset_password', { account: { id: 'ada' } })).toBe('completed');
  expect((await secret())?.secret).not.toBe(first?.secret);
  expect(await ask(admin, `select level from holders where person = 'ada'`)).toEqual([{ level: 'read' }]);
  const change = (id: string) => ({
    account: { id },
    changes: { scope: { added: [{ id: 'x#read' }], removed: [] } },
  });
  expect(await perform('account', 'update_account', change('blocked'))).toBe(
    'PERMISSION_DENIED: blocked people get no scopes',
  );
  // A grant that fails takes the new account with it.
  const grace = { id: 'new', username: 'grace', email: 'blocked' };
  const failed = await perform('account', 'create_account', {
    account: grace,
    memberships: { role: [{ id: '1' }] },
  });
  expect(failed).toBe(`INTERNAL_ERROR: the definition has no grant queries for role '1'`);
  expect(await ask(admin, `select from people where name = 'grace'`)).toEqual([]);
});

test('removes nothing after a wrong password, a missing table or a crash of the server', async () => {
  await service.sync(connector, settings());
  const before = service.inventory();
  expect(await service.sync(connector, settings('wrong'))).toMatchObject({
    code: 5,
    said: expect.stringContaining('nothing was removed: password authentication failed for user "admin"'),
  });
  await ask(admin, 'alter table people rename to persons');
  expect(await service.sync(connector, settings())).toMatchObject({
    code: 5,
    said: expect.stringContaining('roles.yml:8:14: relation "people" does not exist'),
  });
  await ask(admin, 'alter table persons rename to people');
  const system = await connector.connect(settings(), {} as never);
  const context = {
    from: undefined,
    signal: new AbortController().signal,
    log: console,
    skip: () => {},
  } as never;
  await ask(admin, `insert into people (name) select 'q' || n from generate_series(1, 5000) n`);
  const pages = connector.accounts.account?.list(system, context) as AsyncIterable<unknown>;
  const read = async () => {
    for await (const _ of pages) await server.server.stop();
  };
  await expect(read()).rejects.toThrow(/roles.yml:8:14: .*(?:connection|terminat)/i);
  await server.server.start();
  expect(service.inventory()).toEqual(before);
});

test('streams a large table', async () => {
  await ask(admin, `insert into people (name) select 'q' || n from generate_series(1, 100000) n`);
  const whole = connectorFrom(
    parseDefinition(
      definition
        .replace(' WHERE name > ?<Cursor> ORDER BY name LIMIT ?<Limit>', '')
        .replace('      pagination: { strategy: cursor, primary_key: name, page_size: 1000 }\n', ''),
    ),
  );
  const system = await whole.connect(settings(), {} as never);
  const context = {
    from: undefined,
    signal: new AbortController().signal,
    log: console,
    skip: () => {},
  } as never;
  const sizes = new Set<number>();
  let count = 0;
  for await (const page of whole.accounts.account?.list(system, context) ?? []) {
    const { length } = (page as { records: unknown[] }).records;
    sizes.add(length);
    count += length;
  }
  expect(count).toBe(100_041);
  expect(Math.max(...sizes)).toBe(1000);
});
