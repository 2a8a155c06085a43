import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { connectorFrom } from './build.ts';
import { openComparison } from './comparison.ts';
import { parseDefinition } from './definition.ts';
import { openDriver } from './drivers/index.ts';
import { targetOf } from './dsn.ts';
import { planOf } from './plan.ts';
import { ask, startPostgres } from './test/conformance.ts';
import { startService } from './test/testbed.ts';

/** Holders are in capitals, and their column does not distinguish them. */
const definition = (holders: string) => `
app_name: App
connect: { dsn: "postgres://reader:secret@127.0.0.1:PORT/postgres" }
resource_types:
  user:
    name: Users
    list:
      query: select id, login from people
      map: { id: .login, display_name: .login, traits: { user: { login: .login } } }
  role:
    name: Roles
    list: { query: "select 'admin' as name", map: { id: .name, display_name: .name } }
    static_entitlements: [{ id: member, display_name: "'Member'" }]
    grants:
      - query: ${holders}
        map: [{ principal_id: .person, principal_type: user, entitlement_id: member }]
`;
const HOLDERS = 'select person, number from holders';
let postgres: Awaited<ReturnType<typeof startPostgres>>;
let admin: string;

beforeAll(async () => {
  postgres = await startPostgres();
  admin = `postgres://admin:admin-password@127.0.0.1:${postgres.port}/postgres`;
  await ask(
    admin,
    `create role reader login password 'secret';
     create table people (id int, login char(6)); insert into people values (1, 'ada'), (2, 'bob');
     create table holders (person varchar(9), number numeric(9, 2)); insert into holders values ('ada', 1), ('bob', 2)`,
  );
}, 60_000);

beforeEach(async () => {
  await ask(
    admin,
    'grant select on people, holders to reader; alter role reader reset all; alter role reader connection limit -1',
  );
});

afterAll(async () => {
  await postgres.server.stop();
  await rm(postgres.folder, { recursive: true, force: true });
});

/** Compares a column of the holders with one of the people, on a connection that opens now. */
async function compare([reference, id]: [string, string], holders = HOLDERS) {
  const document = parseDefinition(definition(holders).replace('PORT', String(postgres.port)), 'app.yml');
  const driver = await openDriver(targetOf(document.value.connect, {}));
  const [users, roles] = planOf(document).types;
  if (!users || !roles?.grants[0]) throw new Error('the definition has two types');
  const { query } = roles.grants[0];
  const session = await driver.connect();
  let connections = 0;
  const connect = () => {
    connections++;
    return driver.connect();
  };
  const comparison = openComparison({ document, session, driver: { ...driver, connect } });
  const once = () =>
    comparison.differentlyWritten(
      { query, inputs: {}, name: reference },
      { query: users.list, inputs: {}, name: id },
    );
  try {
    return [await once(), await once(), connections];
  } finally {
    await comparison.close();
    await session.close();
  }
}

test('compares columns on one connection, also after a comparison that the database refused', async () => {
  const found = new Map([
    ['ada', 'ada   '],
    ['bob', 'bob   '],
  ]);
  expect(await compare(['person', 'login'])).toEqual([found, found, 1]);
  // PostgreSQL has no operator for text and int.
  expect(await compare(['person', 'id'])).toEqual([new Map(), new Map(), 1]);
});

test('ends the listing if a privilege is missing', async () => {
  await ask(admin, 'revoke select on holders from reader');
  await expect(compare(['person', 'login'])).rejects.toThrow(/permission denied for table holders/);
});

test('ends the listing after a timeout', async () => {
  await ask(admin, `alter role reader set statement_timeout = '20ms'`);
  await expect(compare(['person', 'login'], `${HOLDERS}, pg_sleep(30)`)).rejects.toThrow(/statement timeout/);
});

test('ends the listing if the connection is lost', async () => {
  const ended = compare(['person', 'login'], `${HOLDERS}, pg_sleep(30)`).then(
    () => 'compared',
    (error: Error) => error.message,
  );
  const terminate = `select pg_terminate_backend(pid) from pg_stat_activity where usename = 'reader' and query like '%pg_sleep%' and state = 'active'`;
  await expect.poll(async () => (await ask(admin, terminate)).length, { timeout: 20_000 }).toBe(1);
  expect(await ended).toMatch(/terminat/);
});

test('a sync that cannot compare removes nothing', async () => {
  const service = await startService();
  try {
    const document = parseDefinition(definition(HOLDERS).replace('PORT', String(postgres.port)), 'app.yml');
    expect(await service.sync(connectorFrom(document))).toMatchObject({ code: 0 });
    const before = service.inventory();
    expect(before.user?.[0]).toMatchObject({ memberships: { role: [{ id: 'admin' }] } });
    await ask(admin, 'alter role reader connection limit 1');
    const { code, said } = await service.sync(connectorFrom(document));
    expect({ code, said }).toMatchObject({ code: 5, said: expect.stringContaining('too many connections') });
    expect(service.completed()).toBe(1);
    expect(service.inventory()).toEqual(before);
  } finally {
    await service.stop();
  }
});
