import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest';
import { createTestDatabase } from '#test/database.ts';
import { openDatabase } from './open.ts';
import { keepSessions } from './session.ts';

describe.runIf(inject('prepared').engine === 'postgres')('a session of PostgreSQL', () => {
  const role = `session_${crypto.randomUUID().slice(0, 8)}`;
  let url = '';
  let database = '';
  let admin: pg.Client;
  let remove: () => Promise<void>;

  beforeAll(async () => {
    const created = await createTestDatabase();
    remove = created.remove;
    const address = new URL(created.options.url as string);
    database = address.pathname.slice(1);
    admin = new pg.Client({ connectionString: address.href });
    await admin.connect();
    await admin.query(`create role ${role} login superuser password 'secret'`);
    address.username = role;
    address.password = 'secret';
    url = address.href;
  });

  afterAll(async () => {
    await admin.query(`drop role ${role}`);
    await admin.end();
    await remove();
  });

  /** Changes a setting until the end of the test. `whose` is a role or a database. */
  async function set(whose: string, name: string, value: string) {
    await admin.query(`alter ${whose} set ${name} = '${value}'`);
    onTestFinished(async () => {
      await admin.query(`alter ${whose} reset ${name}`);
    });
  }

  async function open() {
    const opened = await openDatabase({ url });
    onTestFinished(() => opened.close());
    return opened;
  }

  test.each([
    ['statement_timeout', '150ms', '0'],
    ['lock_timeout', '150ms', '0'],
    ['transaction_timeout', '10s', '0'],
    ['idle_session_timeout', '10s', '0'],
    ['idle_in_transaction_session_timeout', '10s', '1min'],
    ['default_transaction_isolation', 'serializable', 'read committed'],
    ['search_path', 'pg_temp', 'public'],
    ['TimeZone', 'Asia/Kathmandu', 'UTC'],
    ['DateStyle', 'German, DMY', 'ISO, MDY'],
    ['IntervalStyle', 'iso_8601', 'postgres'],
    ['bytea_output', 'escape', 'hex'],
    ['extra_float_digits', '-15', '1'],
    ['standard_conforming_strings', 'off', 'on'],
    ['array_nulls', 'off', 'on'],
    ['client_encoding', 'LATIN1', 'UTF8'],
    ['gin_fuzzy_search_limit', '5', '0'],
  ])('has its own %s, whatever the role has', async (name, value, own) => {
    await set(`role ${role}`, name, value);
    const opened = await open();

    const { rows } = await sql<{ value: string }>`
      select current_setting(${name}) as value`.execute(opened.db);
    const planned = await opened.prepared('select current_setting($1) as value', [name]);

    expect([...rows, ...planned]).toEqual([{ value: own }, { value: own }]);
  });

  test('gives job connections the same settings, and keeps the one that listens alive', async () => {
    await set(`role ${role}`, 'statement_timeout', '150ms');
    await set(`role ${role}`, 'idle_session_timeout', '4s');
    const { jobs } = await open();
    const pool = new pg.Pool(jobs);
    onTestFinished(() => pool.end());

    const { rows } = await pool.query(`select current_setting('statement_timeout') as value`);

    expect(rows).toEqual([{ value: '0' }]);
    expect(jobs.notifyHeartbeatIntervalMs).toBe(2000);
  });

  test('names each statement by its text', async () => {
    const opened = await open();
    const texts = [`select $1::int as "first"`, `select $1::int as "second"`];
    await opened.prepared(texts[0] as string, [1]);
    await opened.prepared(texts[1] as string, [2]);

    const [kept] = await opened.prepared(
      `select json_agg(name order by statement) as names from pg_prepared_statements where statement = any ($1)`,
      [texts],
    );

    expect(kept).toEqual({ names: [expect.stringMatching(/^planned-[\w-]{43}$/), expect.any(String)] });
    expect(new Set(kept?.names as string[]).size).toBe(2);
  });

  test('is its own on each connection, unless a pooler exchanges it', async () => {
    const own = new pg.Client({ connectionString: url, idle_in_transaction_session_timeout: 60_000 });
    const other = new pg.Client({ connectionString: url, idle_in_transaction_session_timeout: 60_000 });
    const bare = new pg.Client({ connectionString: url });
    const clients = [own, other, bare];
    await Promise.all(clients.map((client) => client.connect()));
    onTestFinished(async () => {
      await Promise.all(clients.map((client) => client.end()));
    });

    expect(await keepSessions(own, other)).toBe(true);
    expect(await keepSessions(own, own)).toBe(false);
    expect(await keepSessions(own, bare)).toBe(false);
  });

  test.each([
    ['role', 'default_transaction_read_only', 'on'],
    ['database', 'default_transaction_read_only', 'on'],
    ['role', 'session_replication_role', 'replica'],
  ])('stops the start if a %s has %s = %s', async (kind, name, value) => {
    const owner = kind === 'role' ? role : database;
    await set(`${kind} ${owner}`, name, value);

    await expect(openDatabase({ url })).rejects.toThrow(
      `Undo it with: alter ${kind} "${owner}" reset ${name};`,
    );
  });

  test('stops the start if the setting of a role is for one database', async () => {
    await set(`role ${role} in database ${database}`, 'default_transaction_read_only', 'on');

    await expect(openDatabase({ url })).rejects.toThrow(
      `Undo it with: alter role "${role}" in database "${database}" reset default_transaction_read_only;`,
    );
  });

  test('stops the start if the address has the setting', async () => {
    const address = new URL(url);
    address.searchParams.set('options', '-c default_transaction_read_only=on');

    await expect(openDatabase({ url: address.href })).rejects.toThrow(
      'Remove default_transaction_read_only from the address of the database',
    );
  });

  test('stops the start if the database has another encoding', async () => {
    const name = `latin_${crypto.randomUUID().slice(0, 8)}`;
    await admin.query(
      `create database ${name} encoding 'SQL_ASCII' locale_provider libc locale 'C' template template0`,
    );
    onTestFinished(async () => {
      await admin.query(`drop database ${name} with (force)`);
    });
    const address = new URL(url);
    address.pathname = name;

    await expect(openDatabase({ url: address.href })).rejects.toThrow('has the encoding SQL_ASCII');
  });

  test('stops the start if pg_trgm is in another schema', async () => {
    await admin.query('create schema extensions; alter extension pg_trgm set schema extensions');
    onTestFinished(async () => {
      await admin.query('alter extension pg_trgm set schema public; drop schema extensions');
    });

    await expect(openDatabase({ url })).rejects.toThrow('alter extension pg_trgm set schema public;');
  });
});
