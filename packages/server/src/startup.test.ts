// @module-tag engine

import { chmod, mkdtemp, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readConfig } from '#config.ts';
import { SIGN_IN_SECRET, sealSignInSecrets } from '#directory/access/organization-state.ts';
import { type DatabaseOptions, openDatabase } from '#kit/database/open.ts';
import { type Database, within } from '#kit/database.ts';
import { sql } from '#kit/sql.ts';
import { sealCursorKeys } from '#log/events/cursor-keys.ts';
import { openEventLog } from '#log/events/log.ts';
import { openData } from '#startup.ts';
import { createTestDatabase, openTestDatabase } from '#test/database.ts';
import { SECRET_KEY, secrets } from '#test/secrets.ts';
import { startService } from '#test/service.ts';
import { temporaryFolder } from '#test/temporary.ts';

const OTHER_KEY = Buffer.alloc(32, 7).toString('base64');
const PLAIN = 'a sign-in secret of an earlier version';
const CURSOR_KEY = Buffer.alloc(32, 5);

/** Adds an organization as earlier versions stored it: with its secrets in plain text. */
async function addEarlierOrganization({ db }: Database, slug: string): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    insert into organization (slug, name, sign_in_secret) values (${slug}, ${slug}, ${PLAIN})
    returning id`.execute(db);
  const id = rows[0]?.id ?? '';
  await sql`insert into event_cursor_key (org_id, key_id, secret) values (${id}, 1, ${CURSOR_KEY})`.execute(
    db,
  );
  return id;
}

async function storedIn({ db }: Database, id: string) {
  const { rows } = await sql<{ sealed: string | null; plain: string | null; cursor: Uint8Array | null }>`
    select o.sealed_sign_in_secret as sealed, o.sign_in_secret as plain, k.secret as cursor
    from organization o join event_cursor_key k on k.org_id = o.id where o.id = ${id}`.execute(db);
  return rows[0];
}

test('encrypts the secrets of an earlier version, on two nodes at the same time and again after a crash', async () => {
  const { database, close } = await openTestDatabase();
  onTestFinished(close);
  const { db } = database;
  const ids = [await addEarlierOrganization(database, 'one'), await addEarlierOrganization(database, 'two')];
  let calls = 0;
  const crashing = {
    ...secrets,
    seal: (...input: Parameters<typeof secrets.seal>) => {
      if (calls++ > 0) throw new Error('The process ends.');
      return secrets.seal(...input);
    },
  };

  await expect(sealSignInSecrets(db, crashing)).rejects.toThrow('The process ends.');
  const half = await Promise.all(ids.map((id) => storedIn(database, id)));
  expect(half.map((row) => row?.plain)).toEqual([null, PLAIN]);
  expect(half[1]?.sealed).toBeNull();

  await Promise.all([1, 2].flatMap(() => [sealSignInSecrets(db, secrets), sealCursorKeys(db, secrets)]));

  for (const id of ids) {
    const row = await storedIn(database, id);
    expect(row).toMatchObject({ plain: null, cursor: null });
    expect((await secrets.open(within(db, id), SIGN_IN_SECRET, row?.sealed ?? '')).toString()).toBe(PLAIN);
    const { keyring } = openEventLog(database, secrets, () => new Error());
    expect((await keyring.keysFor(id, undefined)).secrets.get(1)).toEqual(CURSOR_KEY);
  }
});

test('refuses to start with another key, and loses nothing', async () => {
  const { options, remove } = await createTestDatabase('organization');
  onTestFinished(remove);
  const open = (key: string) =>
    openData(
      readConfig({
        DATABASE_URL: options.url,
        GATEHOUSE_DATA_DIR: options.dataDir,
        GATEHOUSE_SECRET_KEY: key,
      }),
    );

  // As if this version had another migration, which a process with another key must not apply.
  const newest = await withDatabase(options, takeNewestMigration);
  await expect(open(OTHER_KEY)).rejects.toThrow(
    /^The secrets in this database are encrypted with the secret key \w{16}, but GATEHOUSE_SECRET_KEY is the key \w{16}\. .* Nothing was changed\.$/,
  );
  await withDatabase(options, ({ db }) =>
    sql`insert into schema_migration (name) values (${newest})`.execute(db),
  );
  const { database } = await open(SECRET_KEY);
  await database.close();
});

async function withDatabase<T>(options: DatabaseOptions, work: (database: Database) => Promise<T>) {
  const database = await openDatabase(options);
  return work(database).finally(() => database.close());
}

async function takeNewestMigration({ db }: Database): Promise<string> {
  const { rows } = await sql<{ name: string }>`
    delete from schema_migration where name = (select max(name) from schema_migration) returning name`.execute(
    db,
  );
  return rows[0]?.name ?? '';
}

test('refuses a database from before the first release', async () => {
  const { options, remove } = await createTestDatabase();
  onTestFinished(remove);
  await withDatabase(options, ({ db }) =>
    sql`update schema_migration set name = '0001_init.sql'`.execute(db),
  );

  await expect(startService({ database: options })).rejects.toThrow(
    /^The service ended with 1:\nThe database was created before the first release of Gatehouse: .* import the data again\.\n$/,
  );
});

test('refuses PostgreSQL without a key, with the command that makes one', async () => {
  const environment = { GATEHOUSE_SECRET_KEY: '', DATABASE_URL: 'postgres://127.0.0.1:9/none' };

  await expect(startService({ database: {}, environment })).rejects.toThrow(
    'GATEHOUSE_SECRET_KEY is required with DATABASE_URL: it encrypts the secrets in the database. Make one with "openssl rand -base64 32"',
  );
});

test('keeps the key of an embedded database in a file that only its user can read', {
  tags: ['long'],
  timeout: 300_000,
}, async () => {
  const dataDir = join(await mkdtemp(join(await temporaryFolder(), 'gatehouse-key-')), 'data');
  onTestFinished(() => rm(join(dataDir, '..'), { recursive: true }));
  const start = () => startService({ database: { dataDir }, environment: { GATEHOUSE_SECRET_KEY: '' } });
  const file = join(dataDir, 'secret.key');

  await (await start()).stop();
  const key = await readFile(file, 'utf8');
  expect(Buffer.from(key, 'base64')).toHaveLength(32);
  expect(await othersMayUse(dataDir)).toEqual([]);

  // An earlier version created the folder for everybody.
  await chmod(dataDir, 0o755);
  await chmod(file, 0o644);
  const second = await start();
  expect(await othersMayUse(dataDir)).toEqual([]);
  await second.stop();
  expect(second.output()).not.toContain(key.trim());
  expect(await readFile(file, 'utf8')).toBe(key);

  await rename(file, `${file}.lost`);
  await expect(start()).rejects.toThrow(/secret\.key is missing\. Restore the file from your backup/);
  expect(await readdir(dataDir)).not.toContain('secret.key');
});

/**
 * Returns the files of a folder, and the folder, that other users may read or change. A connector with a user of its own has to pass
 * through the folder.
 */
async function othersMayUse(folder: string): Promise<string[]> {
  const names = ['.', ...(await readdir(folder))];
  const modes = await Promise.all(names.map(async (name) => (await stat(join(folder, name))).mode & 0o066));
  return names.filter((_, i) => modes[i] !== 0);
}
