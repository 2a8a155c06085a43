// @module-tag servers
import { rm } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { connectorFrom } from './build.ts';
import { parseDefinition } from './definition.ts';
import { ask, startPostgres } from './test/conformance.ts';
import { missingMariaDb, startMariaDb } from './test/mariadb.ts';
import { createDatabase, startService } from './test/testbed.ts';

/** A database of each engine. `run` executes statements. */
type Server = { dsn: string; run(sql: string): Promise<unknown>; stop(): Promise<unknown> };

const engines: Record<string, { missing?: string | undefined; start(): Promise<Server> }> = {
  SQLite: {
    async start() {
      const { db, path, close } = createDatabase('select 1');
      return {
        dsn: `sqlite:${path}`,
        run: async (sql) => db.exec(sql),
        stop: async () => close(),
      };
    },
  },
  MariaDB: {
    missing: missingMariaDb,
    async start() {
      const server = await startMariaDb();
      await server.admin.query(
        `create database app; create user app identified by 'secret'; grant all on app.* to app; use app`,
      );
      return {
        dsn: `mysql://app:secret@127.0.0.1:${server.port}/app`,
        run: (sql) => server.admin.query(sql),
        stop: () => server.stop(),
      };
    },
  },
  PostgreSQL: {
    async start() {
      const { server, port, folder } = await startPostgres();
      const url = `postgres://admin:admin-password@127.0.0.1:${port}/postgres`;
      return {
        dsn: `${url}?sslmode=disable`,
        run: (sql) => ask(url, sql),
        async stop() {
          await server.stop();
          await rm(folder, { recursive: true, force: true });
        },
      };
    },
  },
};

const paged = (query: string, key: string, start: string | number = '') => `
app_name: App
connect: { dsn: "SERVER" }
resource_types:
  user:
    name: Users
    list:
      query: ${JSON.stringify(query)}
      pagination: { strategy: cursor, primary_key: ${key}, page_size: 2, start: ${JSON.stringify(start)} }
      map: { id: .id, display_name: .login, traits: { user: { login: .login } } }
`;

let service: Awaited<ReturnType<typeof startService>>;
beforeEach(async () => {
  service = await startService();
});
afterEach(() => service.stop());

const noServer: Server = { dsn: '', run: async () => {}, stop: async () => {} };

describe.each(Object.entries(engines))('%s', (name, { missing, start }) => {
  describe.skipIf(missing)(`pages${missing ? ` (${missing})` : ''}`, () => {
    let server = noServer;
    beforeAll(async () => {
      server = await start();
    }, 120_000);
    afterAll(() => server.stop());
    const types: Record<string, string> = {
      SQLite: 'text collate nocase',
      MariaDB: 'varchar(40) character set utf8mb4 collate utf8mb4_general_ci',
    };
    const type = types[name] ?? 'varchar(40)';

    const run = async (definition: string) => {
      // No number is greater than an empty text, so SQLite needs another start.
      const text = name === 'SQLite' ? definition.replace('start: ""', 'start: "!"') : definition;
      const connector = connectorFrom(parseDefinition(text.replace('SERVER', server.dsn), 'app.yml'));
      const check = await service.check(connector);
      const sync = await service.sync(connector);
      return { check, sync, ids: (service.inventory().user ?? []).map(({ id }) => id).sort() };
    };
    const people = async (columns: string, ...rows: string[]) => {
      await server.run('drop table if exists users');
      await server.run(`create table users (${columns})`);
      for (const row of rows) await server.run(`insert into users values (${row})`);
    };
    const expectRefused = async (definition: string, why: RegExp) => {
      const { check, sync, ids } = await run(definition);
      expect(check).toMatchObject({ code: 1, said: expect.stringMatching(why) });
      expect(sync).toMatchObject({ code: 5, said: expect.stringMatching(why) });
      expect(sync.said).toMatch(/nothing was removed/);
      expect(service.completed()).toBe(0);
      return ids;
    };

    test('list all rows of a key that is unique', async () => {
      await people(`id int, login ${type}`, "1, 'ada'", "2, 'Bob'", "3, 'cid'", "10, 'dan'", "9, 'Eve'");
      const sql = 'select id, login from users where login > ?<Cursor> order by login limit ?<Limit>';
      expect(await run(paged(sql, 'login'))).toMatchObject({
        check: { code: 0 },
        sync: { code: 0 },
        ids: ['1', '10', '2', '3', '9'],
      });
      const down = 'select id, login from users where id < ?<Cursor> order by id desc limit ?<Limit>;';
      expect(await run(paged(down, 'id', 99))).toMatchObject({ sync: { code: 0 } });
    });

    test('refuse a key that is not unique', async () => {
      await people(
        `id int, login ${type}, updated varchar(20)`,
        "1, 'a', '2026-01-01'",
        "2, 'b', '2026-01-02'",
        "3, 'c', '2026-01-02'",
        "4, 'd', '2026-01-03'",
      );
      await expectRefused(
        paged('select * from users where updated > ?<Cursor> order by updated limit ?<Limit>', 'updated'),
        /app.yml:8:14: the query has 4 rows, but "updated" has only 3 different values that are not empty/,
      );
    });

    test('refuse a key that is empty in some rows', async () => {
      await people(`id int, login ${type}`, "1, 'a'", '2, null', "3, 'c'", '4, null', "5, 'e'");
      await expectRefused(
        paged(
          'select id, login from users u where u.login > ?<Cursor> order by u.login limit ?<Limit>',
          'login',
        ),
        /the query has 5 rows, but "login" has only 3 different values/,
      );
    });

    test('refuse another order than that of the key', async () => {
      await people(`id int, login ${type}`, "1, 'c'", "2, 'd'", "3, 'a'", "4, 'b'", "5, 'e'");
      await expectRefused(
        paged('select id, login from users where id > ?<Cursor> order by login limit ?<Limit>', 'id', 0),
        /the pages do not have all rows in the order of "id"/,
      );
    });

    test('refuse a condition that repeats the last row', async () => {
      await people(`id int, login ${type}`, "1, 'a'", "2, 'b'", "3, 'c'");
      const sql = 'select id, login from users where id >= ?<Cursor> order by id limit ?<Limit>';
      const { sync } = await run(paged(sql, 'id', 0));
      expect(sync.code).not.toBe(0);
      expect(service.completed()).toBe(0);
    });

    test('follow numbers that arrive as texts', async () => {
      await people(
        `id bigint, login ${type}, rank_of decimal(20, 2)`,
        "1, 'a', 9",
        "2, 'b', 10",
        "3, 'c', 100",
        "90071992547409931, 'd', 101",
        "90071992547409932, 'e', 102",
      );
      const by = (key: string) =>
        paged(`select * from users where ${key} > ?<Cursor> order by ${key} limit ?<Limit>`, key, 0);
      for (const key of ['id', 'rank_of'])
        expect(await run(by(key))).toMatchObject({
          check: { code: 0 },
          sync: { code: 0 },
          ids: ['1', '2', '3', '90071992547409931', '90071992547409932'],
        });
    });

    test('follow times with microseconds', async () => {
      const time = name === 'SQLite' ? 'text' : name === 'MariaDB' ? 'datetime(6)' : 'timestamp(6)';
      await people(
        `id int, login ${type}, seen ${time}`,
        ...[1, 2, 3, 4, 5].map((n) => `${n}, 'p${n}', '2026-01-01 10:00:00.00000${n}'`),
      );
      expect(
        await run(
          paged(
            'select * from users where seen > ?<Cursor> order by seen limit ?<Limit>',
            'seen',
            '1970-01-01 00:00:00',
          ),
        ),
      ).toMatchObject({ check: { code: 0 }, sync: { code: 0 }, ids: ['1', '2', '3', '4', '5'] });
    });

    if (name !== 'PostgreSQL')
      test.each([
        ['capitals', "'Ann'", "'ann'", "'ANN'", "'bob'"],
        ...(name === 'MariaDB' ? [['spaces and accents', "'ann'", "'ann '", "'änn'", "'bob'"]] : []),
      ])('refuse keys that differ by %s only', async (_, ...logins) => {
        await people(`id int, login ${type}`, ...logins.map((login, n) => `${n}, ${login}`));
        await expectRefused(
          paged('select id, login from users where login > ?<Cursor> order by login limit ?<Limit>', 'login'),
          /the query has 4 rows, but "login" has only 2 different values that are not empty, as the database compares/,
        );
      });

    test('match grants whose ids are written differently, and report those of nobody', async () => {
      await people(
        name === 'PostgreSQL' ? 'id int, login char(6)' : `id int, login ${type}`,
        "1, 'ada'",
        "2, 'bob'",
      );
      await server.run('drop table if exists roles; drop table if exists holders');
      await server.run(`create table roles (name ${type}); insert into roles values ('admin'), ('reader')`);
      await server.run(
        `create table holders (role ${type}, person ${name === 'PostgreSQL' ? 'varchar(9)' : type}, number ${name === 'PostgreSQL' ? 'numeric(9, 2)' : 'decimal(9, 2)'})`,
      );
      const [upper, person] = name === 'PostgreSQL' ? ['admin', 'ada'] : ['ADMIN', 'ADA'];
      await server.run(
        `insert into holders values ('${upper}', '${person}', 1), ('reader', 'bob', 2), ('reader', 'gone', 7), ('nothing', 'bob', 2)`,
      );
      const definition = (id: string, principal: string) => `
app_name: App
connect: { dsn: "SERVER" }
resource_types:
  user:
    name: Users
    list:
      query: select id, login from users
      map: { id: ${id}, display_name: .login, traits: { user: { login: .login } } }
  role:
    name: Roles
    list: { query: select name from roles, map: { id: .name, display_name: .name } }
    static_entitlements:
      - id: member
        display_name: "'Member'"
        provisioning:
          vars: { who: principal.ID, what: resource.ID }
          grant: { queries: ["insert into holders (role, ${principal.slice(1)}) values (?<what>, ?<who>)"] }
          revoke: { queries: ["delete from holders where role = ?<what> and ${principal.slice(1)} = ?<who>"] }
    grants:
      - query: select * from holders
        map:
          - { skip_if: .role != resource.ID, principal_id: ${principal}, principal_type: user, entitlement_id: member }
`;
      for (const [id, principal, example] of [
        ['.id', '.number', name === 'SQLite' ? '7' : '7.00'],
        ['.login', '.person', 'gone'],
      ] as const) {
        const text = definition(id, principal);
        const connector = connectorFrom(parseDefinition(text.replace('SERVER', server.dsn), 'app.yml'));
        const { code, said } = await service.sync(connector);
        expect({ code, said }).toMatchObject({ code: 0 });
        expect(said).toContain(
          `grants name 1 user that the list does not have, for example "${example}"; these grants are left out`,
        );
        expect(said).toContain('grants name 1 role that the list does not have, for example "nothing"');
        const roles = (service.inventory().user ?? [])
          .map(({ username, memberships }) => [
            String(username).trim(),
            (memberships as { role: { id: string }[] }).role.map((each) => each.id),
          ])
          .sort();
        expect(roles).toEqual([
          ['ada', ['admin']],
          ['bob', ['reader']],
        ]);
      }
      const connector = connectorFrom(
        parseDefinition(definition('.login', '.person').replace('SERVER', server.dsn), 'app.yml'),
      );
      const ada = service.inventory().user?.find(({ username }) => String(username).trim() === 'ada');
      expect(
        await service.perform(connector, {}, 'user', 'update_account', {
          account: { id: String(ada?.id) },
          changes: { role: { added: [], removed: [{ id: 'admin' }] } },
        }),
      ).toBe('completed');
      const left = await service.sync(connector);
      expect(left.code).toBe(0);
      expect(service.inventory().user?.find(({ id }) => id === ada?.id)).toMatchObject({
        memberships: { role: [] },
      });
    });
  });
});

describe('ids of bytes', () => {
  const binary = (dsn: string, convert: string) => `
app_name: App
connect: { dsn: "${dsn}" }
resource_types:
  user:
    name: Users
    list:
      query: select id, login, is_on from users where id > ?<Cursor> order by id limit ?<Limit>
      pagination: { strategy: cursor, primary_key: id, page_size: 2, start: "${dsn.startsWith('sqlite') ? '0' : ''}" }
      map: { id: .id, display_name: .login, traits: { user: { login: .login, status: .is_on } } }
    gatehouse:
      exists: select 1 from users where id = ${convert}
      delete: { queries: ["delete from users where id = ${convert}"] }
`;
  const ids = [
    '00112233445566778899aabbccddeeff',
    '6162636465666768696a6b6c6d6e6f70',
    'ff00ff00ff00ff00ff00ff00ff00ff00',
  ];
  const expectBothWays = async (dsn: string, convert: string, written: (id: string) => string) => {
    const connector = connectorFrom(parseDefinition(binary(dsn, convert), 'app.yml'));
    expect(await service.check(connector)).toMatchObject({ code: 0 });
    expect(await service.sync(connector)).toMatchObject({ code: 0 });
    const listed = () => service.inventory().user?.map(({ id, status }) => `${id} ${status}`);
    expect(listed()).toEqual(ids.map((id, n) => `${written(id)} ${n === 1 ? 'inactive' : 'active'}`));
    for (const id of ids)
      expect(
        await service.perform(connector, {}, 'user', 'delete_account', { account: { id: written(id) } }),
      ).toBe('completed');
  };

  test('have one spelling in SQLite, which unhex() converts back', async () => {
    const database = createDatabase('create table users (id blob, login text, is_on int)');
    try {
      for (const [n, id] of ids.entries())
        database.db.exec(`insert into users values (x'${id}', 'p${n}', ${n === 1 ? 0 : 1})`);
      const naive = connectorFrom(parseDefinition(binary(`sqlite:${database.path}`, '?<id>'), 'app.yml'));
      await service.sync(naive);
      expect(
        await service.perform(naive, {}, 'user', 'delete_account', { account: { id: String(ids[0]) } }),
      ).toMatch(/the list has the account 0011.*does not find it; .*UNHEX/);
      await expectBothWays(`sqlite:${database.path}`, 'unhex(?<id>)', (id) => id);
      expect(new DatabaseSync(database.path).prepare('select count(*) as n from users').get()).toEqual({
        n: 0,
      });
    } finally {
      database.close();
    }
  });

  test.skipIf(missingMariaDb)(
    'have one spelling in MariaDB, which UNHEX() converts back',
    async () => {
      const server = await startMariaDb();
      try {
        await server.admin.query(
          `create database app; create user app identified by 'secret'; grant all on app.* to app; use app;
         create table users (id binary(16) primary key, login varchar(40), is_on bit(1));`,
        );
        for (const [n, id] of ids.entries())
          await server.admin.query(`insert into users values (x'${id}', 'p${n}', ${n === 1 ? 0 : 1})`);
        await expectBothWays(`mysql://app:secret@127.0.0.1:${server.port}/app`, 'UNHEX(?<id>)', (id) => id);
      } finally {
        await server.stop();
      }
    },
    120_000,
  );

  test('are spelled as PostgreSQL reads them', async () => {
    const { server, port, folder } = await startPostgres();
    try {
      const url = `postgres://admin:admin-password@127.0.0.1:${port}/postgres`;
      await ask(url, 'create table users (id bytea primary key, login text, is_on int)');
      for (const [n, id] of ids.entries())
        await ask(url, `insert into users values ('\\x${id}', 'p${n}', ${n === 1 ? 0 : 1})`);
      await expectBothWays(`${url}?sslmode=disable`, '?<id>', (id) => `\\x${id}`);
    } finally {
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    }
  }, 120_000);
});
