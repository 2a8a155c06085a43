import { fileURLToPath } from 'node:url';
import { silent } from '@gatehouse/connector';
import { asTable, runConformance } from '@gatehouse/connector/conformance';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connector } from './connector.ts';
import { listAccounts, type Roles, readAccount } from './roles.ts';
import { updateRole } from './tasks.ts';
import { fixture } from './test/conformance.ts';
import { readUnseen } from './unseen.ts';

let stage: Awaited<ReturnType<typeof fixture.start>>;
beforeAll(async () => {
  stage = await fixture.start();
});
afterAll(() => stage?.stop());

test('conforms on a real PostgreSQL server', { tags: ['long'], timeout: 180_000 }, async () => {
  const file = fileURLToPath(new URL('./connector.ts', import.meta.url));
  const findings = await runConformance({ connector, file, stage, writing: true });
  expect(
    findings.filter(({ outcome }) => outcome !== 'passed').map(({ id, detail }) => `${id}: ${detail}`),
    asTable(findings),
  ).toEqual([
    'read.html-is-an-error: the fixture has no html()',
    'read.missing-memberships: the fixture has no silence()',
    'read.missing-status: the fixture has no blindness()',
    'read.repeated-records: the fixture has no pages',
    'read.missing-tail: the fixture has no pages',
    'read.changed-while-read: the fixture has no pages',
    'read.groups-changed-while-read: the fixture has no pages.shiftGroups()',
    'read.members-changed-while-read: the fixture has no pages.shiftMembers()',
    'read.partial-account: PostgreSQL shows all roles and memberships to everybody',
    'read.partial-group: PostgreSQL shows all roles and memberships to everybody',
    'write.html-is-not-gone: the fixture has no html()',
  ]);
});

test('reports what PostgreSQL knows of a role, and no last sign-in, which it does not', async () => {
  const settings = { marker: 'gatehouse_users', ...stage.settings };
  const roles: Roles = await connector.connect(settings, {
    signal: new AbortController().signal,
    log: silent,
  });
  try {
    await roles.pool.query(`
      create role report_reader login valid until '2031-01-02 03:04:05+02' in role gatehouse_users;
      create role report_writer createrole valid until 'infinity' in role gatehouse_users;
      comment on role report_writer is 'reports@acme.example'`);
    const pages = await Array.fromAsync(listAccounts(roles));
    const accounts = pages.flatMap(({ records }) => records);
    const named = (name: string) => accounts.find(({ username }) => username === name);
    const none = {
      superuser: false,
      create_databases: false,
      create_roles: false,
      replication: false,
      bypass_row_security: false,
      valid_until: null,
    };
    const fields = {
      id: expect.stringMatching(/^\d+$/),
      memberships: { role: [] },
      assignments: { seat: [] },
    };
    expect(named('report_reader')).toEqual({
      ...fields,
      username: 'report_reader',
      email: null,
      status: 'active',
      attributes: { ...none, valid_until: '2031-01-02T01:04:05Z' },
    });
    expect(named('report_writer')).toEqual({
      ...fields,
      username: 'report_writer',
      email: 'reports@acme.example',
      status: 'suspended',
      attributes: { ...none, create_roles: true },
    });
    expect(named('person_1')?.attributes).toEqual(none);
    expect(await readAccount(roles, named('report_reader')?.id ?? '')).toEqual(named('report_reader'));
  } finally {
    await roles.pool.end();
  }
}, 180_000);

describe('roles that an administrator has made', () => {
  const context = { signal: new AbortController().signal, log: silent, resourceType: 'user' };
  let roles: Roles;
  let admin: pg.Client;
  beforeAll(async () => {
    roles = await connector.connect({ marker: 'gatehouse_users', ...stage.settings }, context);
    admin = new pg.Client(String(stage.settings.url).replace(/\/\/.*@/, '//admin:admin-password@'));
    await admin.connect();
  });
  afterAll(async () => {
    await roles?.pool.end();
    await admin?.end();
  });
  const idOf = async (name: string) =>
    String(
      (await admin.query('select oid::text as id from pg_roles where rolname = $1', [name])).rows[0]?.id,
    );

  test('show a connection limit of 0 as suspended, except of superusers, and keep it', async () => {
    await admin.query(`
      create role closed_login login connection limit 0 in role gatehouse_users;
      create role closed_super login superuser connection limit 0 in role gatehouse_users;
      create role narrow_login login connection limit 1 in role gatehouse_users;
      grant closed_login to gatehouse with admin option`);
    const statusOf = async (name: string) => (await readAccount(roles, await idOf(name)))?.status;
    expect(await statusOf('closed_login')).toBe('suspended');
    expect(await statusOf('closed_super')).toBe('active');
    expect(await statusOf('narrow_login')).toBe('active');
    const closed = { id: await idOf('closed_login') };
    await expect(connector.tasks?.unsuspend?.(roles, closed, context)).rejects.toThrow(
      'closed_login has a connection limit of 0',
    );
  });

  test('show roles in roles with what gives them, and name the giver when these should be revoked', async () => {
    await admin.query(`
      create role ledger_read; create role ledger_write in role ledger_read; create role ledger_owner in role ledger_write;
      create role other_read; grant other_read to ledger_owner;
      create role bookkeeper login in role gatehouse_users;
      grant ledger_read, ledger_owner, other_read to gatehouse with admin option;
      set role gatehouse; grant ledger_owner, other_read to bookkeeper; reset role`);
    const [read, write, owner, other] = [
      await idOf('ledger_read'),
      await idOf('ledger_write'),
      await idOf('ledger_owner'),
      await idOf('other_read'),
    ];
    const id = await idOf('bookkeeper');
    const held = async () => (await readAccount(roles, id))?.memberships?.role ?? [];
    const via = (giver: string | undefined) => ({ via: { slug: 'role', id: giver } });
    const all = [
      { id: read, name: 'ledger_read', ...via(write) },
      { id: write, name: 'ledger_write', ...via(owner) },
      { id: owner, name: 'ledger_owner' },
      { id: other, name: 'other_read' },
    ];
    expect((await held()).toSorted((a, b) => Number(a.id) - Number(b.id))).toEqual(all);
    const revoke = async (...ids: (string | undefined)[]) =>
      connector.tasks?.update?.(
        roles,
        { account: { id }, changes: { role: { added: [], removed: ids.map((one) => ({ id: one ?? '' })) } } },
        context,
      );
    await expect(revoke(read)).rejects.toThrow(
      'bookkeeper has the role ledger_read through the role ledger_write; revoke that instead',
    );
    await revoke(owner, other, read);
    expect(await held()).toEqual([]);
  });

  test('with a name that PostgreSQL would cut are neither found nor created', async () => {
    const name = 'x'.repeat(63);
    await admin.query(`create role ${name} login`);
    const account = { id: '', username: `${name}y` };
    await expect(connector.tasks?.find?.(roles, account, context)).rejects.toThrow('at most 63 bytes');
    await expect(connector.tasks?.create?.(roles, { account, memberships: {} }, context)).rejects.toThrow(
      'at most 63 bytes',
    );
    expect(await connector.tasks?.find?.(roles, { id: '', username: name }, context)).toBe(await idOf(name));
    await admin.query(`drop role ${name}`);
  });

  test('show a role that comes through a login role without via', async () => {
    await admin.query(`
      create role batch_read; create role batch login in role batch_read; create role operator login in role gatehouse_users, batch`);
    expect((await readAccount(roles, await idOf('operator')))?.memberships?.role).toEqual([
      { id: await idOf('batch_read'), name: 'batch_read' },
    ]);
  });
});

describe('memberships that others have granted', () => {
  const context = { signal: new AbortController().signal, log: silent, resourceType: 'user' };
  let roles: Roles;
  let admin: pg.Client;
  const idOf = async (name: string) =>
    String(
      (await admin.query('select oid::text as id from pg_roles where rolname = $1', [name])).rows[0]?.id,
    );
  const update = async (name: string, kind: 'added' | 'removed') => {
    const changes = { role: { added: [], removed: [], [kind]: [{ id: await idOf('payroll') }] } };
    await connector.tasks?.update?.(roles, { account: { id: await idOf(name) }, changes }, context);
  };
  const shown = async (name: string) => {
    const account = await readAccount(roles, await idOf(name));
    return [account?.memberships?.role?.map((each) => each.name), account?.attributes?.role_options];
  };
  const works = async (name: string) =>
    (await admin.query('select pg_has_role($1, $2, $3) as works', [name, 'payroll', 'usage'])).rows[0]?.works;

  beforeAll(async () => {
    roles = await connector.connect({ marker: 'gatehouse_users', ...stage.settings }, context);
    admin = new pg.Client(String(stage.settings.url).replace(/\/\/.*@/, '//admin:admin-password@'));
    await admin.connect();
    await admin.query(`
      create role payroll; grant payroll to gatehouse with admin option;
      create role ada login in role gatehouse_users; create role bob login in role gatehouse_users;
      create role dee login in role gatehouse_users; create role fay login noinherit in role gatehouse_users;
      set role gatehouse; grant payroll to ada with admin option; reset role;
      set role ada; grant payroll to bob; reset role;
      grant payroll to dee with inherit false, set false`);
  });
  afterAll(async () => {
    await roles?.pool.end();
    await admin?.end();
  });

  test('show options that limit them or give more', async () => {
    expect(await shown('ada')).toEqual([['payroll'], 'payroll: admin']);
    expect(await shown('bob')).toEqual([['payroll'], undefined]);
    expect(await shown('dee')).toEqual([['payroll'], 'payroll: inherit false, set false']);
  });

  test('name those who would lose the role as well', async () => {
    await expect(update('ada', 'removed')).rejects.toMatchObject({
      code: 'INTERNAL_ERROR',
      message:
        'ada still has the role payroll, because gatehouse granted it: dependent privileges exist (code 2BP01). ada has granted the role to bob, who would lose it as well: revoke it from them first',
    });
    expect(await shown('ada')).toEqual([['payroll'], 'payroll: admin']);
  });

  test('are revoked as their grantor, if the connector has its privileges', async () => {
    await admin.query('grant ada to gatehouse with inherit false');
    await expect(update('bob', 'removed')).rejects.toMatchObject({
      code: 'PERMISSION_DENIED',
      message: expect.stringMatching(
        /^bob still has the role payroll, because ada granted it: .*42501.*with inherit true\)$/,
      ),
    });
    await admin.query('grant ada to gatehouse with inherit true');
    await update('bob', 'removed');
    expect(await shown('bob')).toEqual([[], undefined]);
    await update('ada', 'removed');
    expect(await shown('ada')).toEqual([[], undefined]);
  });

  test('have an effect after they were granted', async () => {
    expect(await works('dee')).toBe(false);
    await update('dee', 'added');
    expect([await works('dee'), ...(await shown('dee'))]).toEqual([true, ['payroll'], undefined]);
    await update('fay', 'added');
    expect([await works('fay'), ...(await shown('fay'))]).toEqual([false, ['payroll'], undefined]);
  });
});

describe('roles that are not accounts', () => {
  const context = { signal: new AbortController().signal, log: silent, resourceType: 'user' };
  let roles: Roles;
  let admin: pg.Client;
  const idOf = async (name: string) =>
    String(
      (await admin.query('select oid::text as id from pg_roles where rolname = $1', [name])).rows[0]?.id,
    );
  beforeAll(async () => {
    roles = await connector.connect({ marker: 'gatehouse_users', ...stage.settings }, context);
    admin = new pg.Client(String(stage.settings.url).replace(/\/\/.*@/, '//admin:admin-password@'));
    await admin.connect();
  });
  afterAll(async () => {
    await roles?.pool.end();
    await admin?.end();
  });

  test('are counted, for each group and license, too', async () => {
    await admin.query(`
      create role vault; create role vault_inner; grant vault to vault_inner;
      create role hired login in role gatehouse_users, vault;
      create role app_one login in role vault; create role app_two login in role vault_inner;
      create role retired in role vault;
      insert into seats values ('studio', 'hired'), ('studio', 'app_one'), ('studio', 'fired'), ('studio', null)`);
    const unseen = await readUnseen(roles);
    const countOf = async (slug: string, id: string | null) =>
      unseen.filter((each) => each.slug === slug && each.id === id).map(({ rule, count }) => [rule, count]);
    expect(await countOf('role', await idOf('vault'))).toEqual([['filter', 2]]);
    expect(await countOf('role', await idOf('vault_inner'))).toEqual([['filter', 1]]);
    // The connector's own role.
    expect(await countOf('role', await idOf('team_red'))).toEqual([['filter', 1]]);
    expect((await countOf('seat', 'studio')).toSorted()).toEqual([
      ['filter', 1],
      ['foreign', 1],
    ]);
    const others = await admin.query(
      `select count(*)::int as count from pg_roles
        where rolcanlogin and rolname in ('admin', 'gatehouse', 'reader', 'app_one', 'app_two', 'batch')`,
    );
    expect(await countOf('user', null)).toEqual([['filter', others.rows[0]?.count]]);
    await admin.query(`delete from seats where license = 'studio'`);
  });

  test('and a seat is not taken for free without the table of seats', async () => {
    const changes = { seat: { added: [], removed: [{ id: 'analytics' }] } };
    await expect(updateRole({ ...roles, seats: undefined }, await idOf('person_1'), changes)).rejects.toThrow(
      'no seat table is configured',
    );
  });

  test('and the roles that the server needs are not changed by tasks', async () => {
    await admin.query(`
      grant gatehouse_users to admin, pg_monitor;
      create role second_super login superuser in role gatehouse_users`);
    expect(await readAccount(roles, await idOf('pg_monitor'))).toBeNull();
    const root = { id: await idOf('admin') };
    expect(root.id).toBe('10');
    for (const task of ['suspend', 'unsuspend', 'delete', 'resetPassword'] as const)
      await expect(connector.tasks?.[task]?.(roles, root, context)).rejects.toMatchObject({
        code: 'PERMISSION_DENIED',
        message: expect.stringMatching(/^admin is the first superuser of the server/),
      });
    const { rows } = await admin.query(
      `select oid::regrole::text as name from pg_roles where rolsuper and rolcanlogin and rolname <> 'second_super'`,
    );
    const others = (change: string) =>
      admin.query(rows.map(({ name }) => `alter role ${name} ${change}`).join(';'));
    await others('nologin');
    try {
      await expect(
        connector.tasks?.suspend?.(roles, { id: await idOf('second_super') }, context),
      ).rejects.toThrow('second_super is the last superuser that can sign in');
    } finally {
      await others('login');
      await admin.query('drop role second_super; revoke gatehouse_users from admin, pg_monitor');
    }
  });
});

test('does not report a revocation that PostgreSQL ignores', async () => {
  const settings = { marker: 'gatehouse_users', ...stage.settings };
  const context = { signal: new AbortController().signal, log: silent, resourceType: 'user' };
  const roles: Roles = await connector.connect(settings, context);
  try {
    const pages = await Array.fromAsync(listAccounts(roles));
    const person = pages.flatMap(({ records }) => records).find(({ username }) => username === 'person_7');
    const id = String(person?.id);
    const held = person?.memberships?.role ?? [];
    expect(held).toMatchObject([{ name: 'team_red' }]);
    const update = connector.tasks?.update?.(
      roles,
      { account: { id }, changes: { role: { added: [], removed: held } } },
      context,
    );
    await expect(update).rejects.toMatchObject({
      code: 'PERMISSION_DENIED',
      message: expect.stringMatching(/^person_7 still has the role team_red, because admin granted it/),
    });
    expect(await readAccount(roles, id)).toMatchObject({ memberships: { role: held } });
  } finally {
    await roles.pool.end();
  }
});

test('takes the access of a role that it cannot drop, and says why', async () => {
  const settings = { marker: 'gatehouse_users', ...stage.settings };
  const context = { signal: new AbortController().signal, log: silent, resourceType: 'user' };
  const roles: Roles = await connector.connect(settings, context);
  const urlOf = (who: string) => String(stage.settings.url).replace('gatehouse:gatehouse-password', who);
  const admin = new pg.Client(urlOf('admin:admin-password'));
  await admin.connect();
  const ada = new pg.Client(urlOf('Ada.Lee:secret').replace(/postgres$/, 'other'));
  const ended = new Promise((resolve) => ada.on('error', resolve));
  try {
    await admin.query('create database other');
    await admin.query(`create role "Ada.Lee" login password 'secret' in role gatehouse_users`);
    await admin.query('grant "Ada.Lee" to gatehouse with admin option');
    await admin.query('alter database other owner to "Ada.Lee"');
    await ada.connect();
    await ada.query('create table ledger (id int)');
    const { rows } = await admin.query(`select oid::text as id from pg_roles where rolname = 'Ada.Lee'`);
    const id = String(rows[0].id);
    const failure = await connector.tasks?.delete?.(roles, { id }, context)?.catch((error) => error);
    expect(failure).toMatchObject({ code: 'INTERNAL_ERROR' });
    expect(failure.message).toMatch(
      /role "Ada.Lee" cannot be dropped because some objects depend on it: .*other.*\. The role can no longer sign in/,
    );
    await ended;
    expect(await readAccount(roles, id)).toMatchObject({ username: 'Ada.Lee', status: 'suspended' });
  } finally {
    await ada.end();
    await admin.end();
    await roles.pool.end();
  }
});
