// @module-tag servers
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { connectorFrom } from './build.ts';
import { readDefinition } from './definition.ts';
import { missingMariaDb, startMariaDb } from './test/mariadb.ts';
import { startService } from './test/testbed.ts';
import { wordpress } from './test/wordpress.ts';

/** A folder with the examples of baton-sql, which are not part of this repository. */
const others = process.env.BATON_SQL_EXAMPLES ?? '';
const own = fileURLToPath(new URL('./examples/wordpress-roles.yml', import.meta.url));
const theirs = join(others, 'wordpress.yml');
const examples = [
  { name: 'our definition', file: own, reason: undefined },
  {
    name: 'wordpress.yml of baton-sql',
    file: theirs,
    reason:
      others && existsSync(theirs) ? undefined : 'BATON_SQL_EXAMPLES names no folder with wordpress.yml',
  },
];

// In this order: the last test kills the server, which takes long to start.
describe.skipIf(missingMariaDb)(
  `MariaDB${missingMariaDb ? ` (${missingMariaDb})` : ''}`,
  { shuffle: false },
  () => {
    let server: Awaited<ReturnType<typeof startMariaDb>>;
    let service: Awaited<ReturnType<typeof startService>>;
    const settings = (password = 'p@ss:w/rd?') => ({
      DB_USERNAME: 'gatehouse',
      DB_PASSWORD: password,
      DB_HOST: '127.0.0.1',
      DB_PORT: String(server.port),
      DB_NAME: 'wordpress',
    });
    const rolesOf = (id: string) => {
      const account = service.inventory().user?.find((each) => each.id === id);
      return (account?.memberships as { role?: { id: string }[] } | undefined)?.role?.map((each) => each.id);
    };
    const stored = async (id: string) => {
      const [rows] = await server.admin.query(
        'select meta_key, meta_value from wp_usermeta where user_id = ?',
        [id],
      );
      return (rows as { meta_key: string; meta_value: string }[]).map(
        (row) => `${row.meta_key}=${row.meta_value}`,
      );
    };

    beforeAll(async () => {
      server = await startMariaDb();
    }, 120_000);
    afterAll(() => server?.stop());
    beforeEach(async () => {
      await server.admin.query(wordpress);
      await server.admin.query(
        `create or replace user gatehouse identified by 'p@ss:w/rd?'; grant select, insert, update, delete on wordpress.* to gatehouse;
       create or replace user reader identified by 'p@ss:w/rd?'; grant select on wordpress.* to reader`,
      );
      service = await startService();
    });
    afterEach(() => service.stop());

    describe.each(examples)('with $name', ({ file, reason }) => {
      const connector = () => connectorFrom(readDefinition(file));

      test.skipIf(reason)(`lists users and roles${reason ? ` (skipped: ${reason})` : ''}`, async () => {
        expect(await service.sync(connector(), settings())).toMatchObject({ code: 0 });
        const { user = [], role = [] } = service.inventory();
        expect(role.map(({ id, name }) => `${id} ${name}`).sort()).toEqual([
          'administrator Administrator',
          'editor Editor',
          'subscriber Subscriber',
        ]);
        expect(user).toHaveLength(252);
        expect(user.find(({ id }) => id === '2')).toMatchObject({
          username: 'person2',
          email: 'person2@acme.example',
          status: 'active',
        });
        expect([rolesOf('1'), rolesOf('2'), rolesOf('252')]).toEqual([
          ['administrator'],
          ['editor'],
          ['subscriber'],
        ]);
      });

      test.skipIf(reason)('grants and revokes a role', async () => {
        await service.sync(connector(), settings());
        const update = (id: string, added: string[], removed: string[]) =>
          service.perform(connector(), settings(), 'user', 'update_account', {
            account: { id },
            changes: {
              role: {
                added: added.map((each) => ({ id: each })),
                removed: removed.map((each) => ({ id: each })),
              },
            },
          });
        expect(await update('1', ['editor'], ['administrator'])).toBe('completed');
        expect(await stored('1')).toEqual(['nickname=person1', 'wp_capabilities=a:1:{s:6:"editor";b:1;}']);
        // The user no longer has this role, so the statement that removes all roles must not run.
        expect(await update('1', [], ['administrator'])).toBe('completed');
        expect(await stored('1')).toHaveLength(2);
        expect(await update('1', [], ['editor'])).toBe('completed');
        expect(await stored('1')).toEqual(['nickname=person1']);
        expect(await update('999', ['editor'], [])).toBe('ACCOUNT_NOT_FOUND: no user has the id 999');
        const weak = { ...settings(), DB_USERNAME: 'reader' };
        const change = {
          account: { id: '3' },
          changes: { role: { added: [{ id: 'editor' }], removed: [] } },
        };
        expect(await service.perform(connector(), weak, 'user', 'update_account', change)).toMatch(
          /^PERMISSION_DENIED: .*wordpress.*DELETE command denied/,
        );
      });
    });

    test('creates and deletes an account', async () => {
      const connector = connectorFrom(readDefinition(own));
      await service.sync(connector, settings());
      const account = {
        id: 'new',
        username: 'ada',
        email: 'ada@acme.example',
        first_name: 'Ada',
        last_name: 'Lovelace',
      };
      const create = () =>
        service.perform(connector, settings(), 'user', 'create_account', {
          account,
          memberships: { role: [{ id: 'editor' }] },
        });
      expect(await create()).toBe('completed');
      const [rows] = await server.admin.query("select ID from wp_users where user_login = 'ada'");
      const id = String((rows as { ID: number }[])[0]?.ID);
      expect(service.inventory().user).toContainEqual(expect.objectContaining({ id, username: 'ada' }));
      expect(await stored(id)).toEqual(['wp_capabilities=a:1:{s:6:"editor";b:1;}']);
      expect(await create()).toContain('ACCOUNT_ALREADY_EXISTS');
      const remove = () =>
        service.perform(connector, settings(), 'user', 'delete_account', { account: { id } });
      expect(await remove()).toBe('completed');
      expect(await stored(id)).toEqual([]);
      expect(await remove()).toContain('ACCOUNT_NOT_FOUND');
    });

    test('removes nothing after a wrong password or a crash of the server', async () => {
      const connector = connectorFrom(readDefinition(own));
      await service.sync(connector, settings());
      const before = service.inventory();
      expect(await service.sync(connector, settings('wrong'))).toMatchObject({
        code: 5,
        said: expect.stringContaining("nothing was removed: Access denied for user 'gatehouse'"),
      });
      // The list waits for the lock of the table until the server ends.
      await server.admin.query('lock tables wordpress.wp_users write');
      const ended = service.sync(connector, settings());
      await expect
        .poll(async () => {
          const [rows] = await server.admin.query(
            `select count(*) as n from information_schema.processlist where user = 'gatehouse' and state like 'Waiting%'`,
          );
          return (rows as { n: number }[])[0]?.n;
        })
        .toBe(1);
      server.admin.on('error', () => {});
      await server.crash();
      expect(await ended).toMatchObject({
        code: 5,
        said: expect.stringMatching(/nothing was removed: .*connection/i),
      });
      expect(service.inventory()).toEqual(before);
    });
  },
);
