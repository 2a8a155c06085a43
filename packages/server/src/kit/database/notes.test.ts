// @module-tag engine
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest';
import { openTestDatabase, type TestDatabase } from '#test/database.ts';
import { createHttp } from '../http/server.ts';
import { statusRoutes } from '../http/status.ts';
import { createLogger } from '../logger.ts';
import { findNotes } from './notes.ts';
import { openDatabase } from './open.ts';

let own: TestDatabase;
let name: string;

beforeAll(async () => {
  own = await openTestDatabase();
  const { rows } = await sql<{ name: string }>`select current_database()::text as name`.execute(
    own.database.db,
  );
  name = rows[0]?.name ?? '';
});
afterAll(() => own.close());

const readyz = async (path = '/readyz') => {
  const http = createHttp({ logger: createLogger('silent'), trustProxy: false });
  statusRoutes(http, { database: own.database });
  const { statusCode, body, headers } = await http.inject(path);
  return { statusCode, body, type: headers['content-type'] };
};

test('/readyz?verbose has a line for each check', async () => {
  const { statusCode, body, type } = await readyz('/readyz?verbose');

  expect(statusCode).toBe(200);
  expect(type).toBe('text/plain; charset=utf-8');
  expect(body.replace(/^durability: .*\n/gm, '')).toBe('database: ok\nsessions: ok\nwrites: ok\nready\n');
});

describe.runIf(inject('prepared').engine === 'postgres')('PostgreSQL', () => {
  /** Runs a statement until the end of the test, and the second one then. */
  async function change(statement: string, undo: string) {
    await own.database.exec(statement);
    onTestFinished(() => own.database.exec(undo));
  }

  /** Makes the database look as if it was created with another version of its collation. */
  const setVersion = (version: string) =>
    `update pg_database set datcollversion = ${version} where datname = current_database()`;

  test('has a note about a collation that changed, with the commands that mend it', async () => {
    await change(setVersion(`'0.9'`), setVersion('pg_database_collation_actual_version(oid)'));

    const [note] = await findNotes(own.database, 'named');
    const [plain, verbose] = [await readyz(), await readyz('/readyz?verbose')];

    expect(note?.about).toBe('collation');
    expect(note?.sentence).toMatch(/^Indexes of the database were built with version 0\.9 of its collation/);
    expect(note?.sentence).toContain(
      `reindex database "${name}"; alter database "${name}" refresh collation version;`,
    );
    expect(plain).toMatchObject({ statusCode: 200, body: '{"status":"ready"}' });
    expect(verbose.body).toMatch(
      /^collation: Indexes .*alter database "DATABASE" refresh collation version;$/m,
    );
    expect(verbose.body).not.toContain(name);
    expect(verbose.body).toMatch(/\nready\n$/);
  });

  test('has a note about a changed collation of a column', async () => {
    await change(
      `create collation other (provider = icu, locale = 'de'); create table sorted (name text collate other primary key);
       update pg_collation set collversion = '1' where collname = 'other'`,
      'drop table sorted; drop collation other',
    );

    const notes = await findNotes(own.database, 'named');

    expect(notes.map(({ sentence }) => sentence)).toContainEqual(
      expect.stringContaining('alter collation "other" refresh version;'),
    );
  });

  test('has notes about settings of the database that risk data or speed', async () => {
    const settings = ['synchronous_commit', 'enable_indexscan'];
    const all = (text: (setting: string) => string) =>
      settings.map((setting) => `alter database "${name}" ${text(setting)};`).join('');
    await change(
      all((setting) => `set ${setting} = off`),
      all((setting) => `reset ${setting}`),
    );
    const database = await openDatabase(own.options);
    onTestFinished(() => database.close());

    const notes = await findNotes(database, 'named');

    expect(notes).toContainEqual({
      about: 'durability',
      sentence: `synchronous_commit is off, so a crash of the database server can lose changes that Gatehouse has confirmed. Undo it with: alter database "${name}" reset synchronous_commit;`,
    });
    expect(notes).toContainEqual({
      about: 'planner',
      sentence: `enable_indexscan is off, so requests can be slow. Undo it with: alter database "${name}" reset enable_indexscan;`,
    });
  });

  test('/readyz says that the database has become read-only', async () => {
    // New transactions of the sessions that exist, too: as on a primary that has become a standby.
    const readings = await own.database.db.connection().execute(async (db) => {
      await sql`set default_transaction_read_only = on`.execute(db);
      const http = createHttp({ logger: createLogger('silent'), trustProxy: false });
      statusRoutes(http, { database: { ...own.database, db } });
      const [plain, verbose] = [await http.inject('/readyz'), await http.inject('/readyz?verbose')];
      await sql`reset default_transaction_read_only`.execute(db);
      return { plain, verbose };
    });

    expect(readings.plain.json()).toEqual({ status: 'writes failing' });
    expect(readings.verbose.statusCode).toBe(503);
    expect(readings.verbose.body).toMatch(/\nwrites: The database is read-only: .*\nwrites failing\n$/);
  });
});
