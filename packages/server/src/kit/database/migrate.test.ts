// @module-tag engine
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, describe, expect, inject, onTestFinished, test } from 'vitest';
import { openTestDatabase } from '#test/database.ts';
import { until } from '#test/until.ts';
import { migrate, pendingMigrations } from './migrate.ts';
import { openDatabase } from './open.ts';

const FOLDER = new URL('../../../migrations/', import.meta.url);

const { database, close } = await openTestDatabase();
afterAll(close);

test('migrating a migrated database changes nothing', async () => {
  const applied = () => sql`select name, applied_at from schema_migration order by name`.execute(database.db);
  const before = await applied();

  await migrate(database);

  expect(await pendingMigrations(database.db)).toEqual([]);
  expect((await applied()).rows).toEqual(before.rows);
  expect(before.rows.length).toBeGreaterThan(0);
});

test('rejects a database that a newer version migrated', async () => {
  await sql`insert into schema_migration (name) values ('9999_future.sql')`.execute(database.db);
  onTestFinished(async () => {
    await sql`delete from schema_migration where name = '9999_future.sql'`.execute(database.db);
  });

  await expect(migrate(database)).rejects.toThrow(
    'The database has migration 9999_future.sql, with which this version cannot run. Start the newer Gatehouse that created it.',
  );
  // A second attempt does not wait for the first.
  await expect(migrate(database)).rejects.toThrow('9999_future.sql');
});

test('a server also runs on a database whose newer migrations allow it', async () => {
  const newest =
    (await readdir(FOLDER))
      .filter((name) => name.endsWith('.sql'))
      .sort()
      .at(-1) ?? '';
  const own = newest.slice(0, 4);
  onTestFinished(async () => {
    await sql`delete from schema_migration where name like '999%'`.execute(database.db);
  });

  await sql`insert into schema_migration (name, runs_with) values ('9998_expand.sql', ${own})`.execute(
    database.db,
  );
  expect(await pendingMigrations(database.db)).toEqual([]);
  await migrate(database);

  await sql`insert into schema_migration (name, runs_with) values ('9999_contract.sql', '9998')`.execute(
    database.db,
  );
  await expect(migrate(database)).rejects.toThrow('9999_contract.sql, with which this version cannot run');
});

test('a migration says with which earlier servers it works', async () => {
  const folder = await migrationsOf({
    '0001_first.sql': 'create table rolling (a int);',
    '0002_expand.sql': '-- runs-with: 0001\nalter table rolling add column b int;',
    '0003_contract.sql': 'alter table rolling drop column a;',
  });
  const { database: empty, close: closeEmpty } = await openTestDatabase();
  onTestFinished(closeEmpty);
  await sql`truncate schema_migration`.execute(empty.db);

  await migrate(empty, folder);

  const { rows } = await sql`select name, runs_with from schema_migration order by name`.execute(empty.db);
  expect(rows).toEqual([
    { name: '0001_first.sql', runs_with: null },
    { name: '0002_expand.sql', runs_with: '0001' },
    { name: '0003_contract.sql', runs_with: null },
  ]);
  for (const line of ['-- runs-with: 0004', '-- runs-with: 4', '-- runs-with: all']) {
    const wrong = await migrationsOf({ '0004_wrong.sql': line });
    await sql`truncate schema_migration`.execute(empty.db);
    await expect(migrate(empty, wrong)).rejects.toThrow('0004_wrong.sql: runs-with must be the number');
  }
});

test('a later migration is applied to a database with the first ones, and keeps its rows', async () => {
  const { database: earlier, close: closeEarlier } = await openTestDatabase();
  onTestFinished(closeEarlier);
  const folder = await withOneMore('create table added_later (a int);');
  await sql`insert into organization (slug, name) values ('kept', 'Kept')`.execute(earlier.db);
  const [pending = ''] = await pendingMigrations(earlier.db, folder);

  await migrate(earlier, folder);

  expect(pending).toMatch(/^\d{4}_next\.sql$/);
  expect(await pendingMigrations(earlier.db, folder)).toEqual([]);
  expect((await sql`select a from added_later`.execute(earlier.db)).rows).toEqual([]);
  expect((await sql`select name from organization where slug = 'kept'`.execute(earlier.db)).rows).toEqual([
    { name: 'Kept' },
  ]);
});

/** Returns a folder with the migrations of this server, and one more. */
async function withOneMore(text: string): Promise<URL> {
  const names = (await readdir(FOLDER)).filter((name) => name.endsWith('.sql'));
  const own = names.map(async (name) => [name, await readFile(new URL(name, FOLDER), 'utf8')]);
  const next = `${String(names.length + 1).padStart(4, '0')}_next.sql`;
  return migrationsOf({ ...Object.fromEntries(await Promise.all(own)), [next]: text });
}

/** Writes migrations into a folder. */
async function migrationsOf(files: Record<string, string>): Promise<URL> {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-migrations-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  return pathToFileURL(`${folder}/`);
}

test('a migration that fails changes nothing and is still pending', async () => {
  const folder = await migrationsOf({
    '0001_first.sql': 'create table rolling (a int);',
    '0002_check.sql': `insert into rolling values (1);
      do $$ begin raise exception 'Two people have the same email.'; end $$;`,
  });
  const { database: empty, close: closeEmpty } = await openTestDatabase();
  onTestFinished(closeEmpty);
  await sql`truncate schema_migration`.execute(empty.db);

  await expect(migrate(empty, folder)).rejects.toThrow('Two people have the same email.');

  expect(await pendingMigrations(empty.db, folder)).toEqual(['0002_check.sql']);
  expect((await sql`select a from rolling`.execute(empty.db)).rows).toEqual([]);
});

test('rejects a database from before the first release, and leaves it as it is', async () => {
  const { database: earlier, close: closeEarlier } = await openTestDatabase();
  onTestFinished(closeEarlier);
  const names = ['0001_init.sql', '0002_events.sql', '0131_networks_of_connectors.sql'];
  const refused =
    'The database was created before the first release of Gatehouse: it has the migration 0001_init.sql. No version can upgrade it. Set DATABASE_URL to an empty database, or GATEHOUSE_DATA_DIR to an empty folder, and import the data again.';
  await sql`truncate schema_migration`.execute(earlier.db);
  for (const name of names)
    await sql`insert into schema_migration (name, runs_with) values (${name}, '0060')`.execute(earlier.db);

  await expect(migrate(earlier)).rejects.toThrow(refused);
  // As the oldest of them are.
  await sql`alter table schema_migration drop column runs_with`.execute(earlier.db);
  await expect(migrate(earlier)).rejects.toThrow(refused);

  const { rows } = await sql<{ name: string }>`select name from schema_migration order by 1`.execute(
    earlier.db,
  );
  expect(rows.map(({ name }) => name)).toEqual(names);
});

const prepared = inject('prepared');
describe.runIf(prepared.engine === 'postgres')('on PostgreSQL', () => {
  test('needs no superuser', async () => {
    const admin = new pg.Client({ connectionString: (prepared as { adminUrl: string }).adminUrl });
    await admin.connect();
    await admin.query(`create role plain login password 'plain'`);
    await admin.query('create database plain owner plain');
    const url = new URL((prepared as { adminUrl: string }).adminUrl);
    Object.assign(url, { username: 'plain', password: 'plain', pathname: 'plain' });
    const database = await openDatabase({ url: url.href });
    onTestFinished(async () => {
      await database.close();
      await admin.query('drop database plain with (force)');
      await admin.query('drop role plain');
      await admin.end();
    });

    await migrate(database);

    expect(await pendingMigrations(database.db)).toEqual([]);
  });

  test('several nodes that start at the same time migrate an empty database once', async () => {
    const admin = new pg.Client({ connectionString: (prepared as { adminUrl: string }).adminUrl });
    await admin.connect();
    await admin.query('create database empty');
    const url = new URL((prepared as { adminUrl: string }).adminUrl);
    url.pathname = 'empty';
    const nodes = await Promise.all([1, 2, 3].map(() => openDatabase({ url: url.href })));
    onTestFinished(async () => {
      await Promise.all(nodes.map((node) => node.close()));
      await admin.query('drop database empty with (force)');
      await admin.end();
    });

    await Promise.all(nodes.map((node) => migrate(node)));

    for (const node of nodes) expect(await pendingMigrations(node.db)).toEqual([]);
    const { rows } = await sql<{ repeated: boolean }>`
      select count(*) > count(distinct name) as repeated from schema_migration`.execute(nodes[0]!.db);
    expect(rows).toEqual([{ repeated: false }]);
  });

  test('several nodes that start at the same time apply a later migration once', async () => {
    const { options, close: closeEarlier } = await openTestDatabase();
    onTestFinished(closeEarlier);
    // It fails if it is applied twice.
    const folder = await withOneMore('create table added_later (a int); insert into added_later values (1);');
    const nodes = await Promise.all([1, 2, 3].map(() => openDatabase(options)));
    onTestFinished(async () => {
      await Promise.all(nodes.map((node) => node.close()));
    });

    await Promise.all(nodes.map((node) => migrate(node, folder)));

    const { rows } = await sql`select a from added_later`.execute(nodes[0]!.db);
    expect(rows).toEqual([{ a: 1 }]);
  });

  test('a migration that waits for a lock does not make others wait, and is applied later', async () => {
    const { database: own, options, close: closeOwn } = await openTestDatabase();
    onTestFinished(closeOwn);
    const other = new pg.Client({ connectionString: options.url });
    const reader = new pg.Client({ connectionString: options.url });
    await Promise.all([other.connect(), reader.connect()]);
    onTestFinished(async () => {
      await Promise.all([other.end(), reader.end()]);
    });
    await sql`create table rolling (a int)`.execute(own.db);
    await own.exec('delete from schema_migration');
    const folder = await migrationsOf({ '0001_expand.sql': 'alter table rolling add column b int;' });
    await other.query('begin; select * from rolling');
    const isWaiting = async () => {
      const { rows } = await sql`select from pg_stat_activity where wait_event_type = 'Lock'
        and query like '%table rolling%' and datname = current_database()`.execute(own.db);
      return rows.length > 0;
    };

    let migrated = false;
    const migrating = migrate(own, folder).then(() => {
      migrated = true;
    });
    for (let attempts = 0; attempts < 2; attempts++) {
      await until('the migration to wait for the table', isWaiting);
      // Waits behind the migration, until that gives up. The open transaction goes on.
      await reader.query('select * from rolling');
    }
    expect(migrated).toBe(false);
    await other.query('commit');
    await migrating;

    expect(await pendingMigrations(own.db, folder)).toEqual([]);
    expect((await reader.query('select b from rolling')).rows).toEqual([]);
  });
});
