import { readdir, readFile } from 'node:fs/promises';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, describe, expect, inject, onTestFinished, test } from 'vitest';
import { openTestDatabase } from '../../../test/database.ts';
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
    'The database has migration 9999_future.sql, which this version does not include. Start the newer Gatehouse that created it.',
  );
  // A second attempt does not wait for the first.
  await expect(migrate(database)).rejects.toThrow('9999_future.sql');
});

test('changes nothing if two people have the same email in different spellings', {
  timeout: 120_000,
}, async () => {
  const earlier = await openDatabase({ dataDir: 'memory://' });
  onTestFinished(() => earlier.close());
  const names = (await readdir(FOLDER)).filter((name) => name.endsWith('.sql')).sort();
  await sql`create table schema_migration (
    name text primary key, applied_at timestamptz not null default now())`.execute(earlier.db);
  const released = names.filter((name) => name < '0026');
  for (const name of released) {
    await earlier.exec(await readFile(new URL(name, FOLDER), 'utf8'));
    await sql`insert into schema_migration (name) values (${name})`.execute(earlier.db);
  }
  await earlier.exec(`
    insert into organization (slug, name, sign_in_secret) values ('acme', 'Acme', 'secret');
    insert into platform_user (org_id, email, username)
    select id, email, email from organization, (values ('straße@x.example'), ('strasse@x.example')) e (email);`);

  await expect(migrate(earlier)).rejects.toThrow(
    'These people have the same email in different spellings: strasse@x.example and straße@x.example.',
  );
  expect(await pendingMigrations(earlier.db)).toEqual(names.filter((name) => name >= '0026'));
});

const prepared = inject('prepared');
describe.runIf(prepared.engine === 'postgres')('on PostgreSQL', () => {
  test('several nodes that start at once migrate an empty database once', async () => {
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

    await Promise.all(nodes.map(migrate));

    for (const node of nodes) expect(await pendingMigrations(node.db)).toEqual([]);
    const { rows } = await sql<{ repeated: boolean }>`
      select count(*) > count(distinct name) as repeated from schema_migration`.execute(nodes[0]!.db);
    expect(rows).toEqual([{ repeated: false }]);
  });
});
