// @module-tag engine
import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import pg from 'pg';
import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { backUp, restore } from '#backup.ts';
import { readConfig } from '#config.ts';
import { type DatabaseOptions, openDatabase } from '#kit/database/open.ts';
import { sql } from '#kit/sql.ts';
import { runCli } from '#test/cli.ts';
import { createTestDatabase } from '#test/database.ts';
import { findPostgresTools } from '#test/postgres-tools.ts';
import { remote } from '#test/remote.ts';
import { SECRET_KEY } from '#test/secrets.ts';
import { startService } from '#test/service.ts';
import { addSyncedApp, type SyncedApp, syncedApp } from '#test/sync.ts';
import { temporaryFolder } from '#test/temporary.ts';

const prepared = inject('prepared');
const tools = prepared.engine === 'postgres' ? await findPostgresTools() : undefined;

const OTHER_KEY = Buffer.alloc(32, 7).toString('base64');

async function newFolder() {
  const folder = await mkdtemp(join(await temporaryFolder(), 'gatehouse-backup-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

async function newDatabase(template: 'migrated' | 'organization' = 'organization') {
  const { options, remove } = await createTestDatabase(template);
  onTestFinished(remove);
  return options;
}

async function start(database: DatabaseOptions) {
  const service = await startService({ database, environment: { GATEHOUSE_RATE_LIMITS: 'off' } });
  onTestFinished(() => service.kill());
  return service;
}

/** Returns all rows of all tables as text, by table. */
async function contentOf(options: DatabaseOptions): Promise<Record<string, string[]>> {
  const { db, close } = await openDatabase(options);
  try {
    const { rows: tables } = await sql<{ name: string }>`
      select format('%I.%I', schemaname, tablename) as name from pg_tables
      where schemaname in ('public', 'pgboss') order by 1`.execute(db);
    const content: Record<string, string[]> = {};
    for (const { name } of tables) {
      const { rows } = await sql<{ row: string }>`
        select t::text as row from ${sql.raw(name)} t order by 1`.execute(db);
      content[name] = rows.map(({ row }) => row);
    }
    return content;
  } finally {
    await close();
  }
}

/** Copies a database into an empty one, with the tools of its engine. Returns the copy. */
async function copy(source: DatabaseOptions): Promise<DatabaseOptions> {
  const folder = await newFolder();
  const file = join(folder, 'backup');
  if (source.url === undefined) {
    const dataDir = join(folder, 'restored');
    expect(await runCli(source, ['backup', file])).toMatchObject({ code: 0, stderr: '' });
    expect(await runCli({ dataDir }, ['restore', file])).toMatchObject({ code: 0, stderr: '' });
    return { dataDir };
  }
  const url = new URL(source.url);
  url.pathname = `restored_${randomUUID().replaceAll('-', '')}`;
  const admin = new pg.Client({ connectionString: (prepared as { adminUrl: string }).adminUrl });
  await admin.connect();
  await admin.query(`create database ${url.pathname.slice(1)} template template0`);
  onTestFinished(async () => {
    await admin.query(`drop database ${url.pathname.slice(1)} with (force)`);
    await admin.end();
  });
  await tools?.('pg_dump', '--format=custom', `--file=${file}`, source.url);
  await tools?.('pg_restore', '--exit-on-error', '--no-owner', `--dbname=${url.href}`, file);
  expect(await runCli({ url: url.href }, ['events', 'after-restore'])).toMatchObject({ code: 0 });
  return { url: url.href };
}

/** A restore moves them on purpose. */
const MOVED = ['public.event_gap', 'public.event_head', 'public.event_log_origin'];

const without = (content: Record<string, string[]>, names: string[]) =>
  Object.fromEntries(Object.entries(content).filter(([name]) => !names.includes(name)));

async function pushPeople(app: SyncedApp, ...names: string[]) {
  return app.sync({ person: names.map((id) => ({ id, email: `${id}@example.com` })) });
}

test('a restored database has the same rows, and its service goes on with sign-in, keys, cursors and syncs', {
  timeout: 240_000,
}, async ({ skip }) => {
  skip(prepared.engine === 'citus', 'Only the tools of its nodes can back up a cluster.');
  skip(
    prepared.engine === 'postgres' && tools === undefined,
    'pg_dump 18 is not installed. Set GATEHOUSE_CITUS_DIR, or install postgresql-client-18.',
  );
  const original = await newDatabase();
  const service = await start(original);
  const { call } = remote(service.url, prepared.key);
  const app = await addSyncedApp({ call });
  await pushPeople(app, 'ada', 'bob');
  const settings = { url: 'https://app.example/scim/v2' };
  const connector = { type: 'scim', settings, secrets: { token: 'correct horse' }, paused: true };
  expect((await call('POST', `/api/apps/${app.id}/connector/`, connector)).status).toBe(201);
  const first = (await call('GET', '/api/events/?limit=2')).body;
  await service.stop();
  const before = await contentOf(original);

  const restored = await copy(original);

  const after = await contentOf(restored);
  expect(without(after, MOVED)).toEqual(without(before, MOVED));
  expect(after['public.event_head']).not.toEqual(before['public.event_head']);
  expect(before['public.account']).toHaveLength(2);
  expect(before['public.connector_secret']).toHaveLength(1);

  const second = await start(restored);
  const there = remote(second.url, prepared.key);
  const signIn = await fetch(`${second.url}/org/acme/auth/sign-in/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: second.url },
    body: JSON.stringify({ email: 'admin@acme.example', password: 'correct horse battery staple' }),
  });
  expect(signIn.status).toBe(200);
  await pushPeople(syncedApp(there, app.id), 'ada', 'eve');
  expect(
    (await there.call('GET', `/api/accounts/?app=${app.id}&status=ACTIVE&sort=email`)).body,
  ).toMatchObject({
    results: [{ email: 'ada@example.com' }, { email: 'eve@example.com' }],
  });
  const delivered: string[] = first.results.map((event: { event_id: string }) => event.event_id);
  for (let cursor: string | null = first.next_cursor, empty = 0; empty < 2; ) {
    const page = (await there.call('GET', `/api/events/?limit=2&cursor=${cursor}`)).body;
    delivered.push(...page.results.map((event: { event_id: string }) => event.event_id));
    cursor = page.next_cursor;
    empty = page.results.length === 0 ? empty + 1 : 0;
  }
  const all = (await there.call('GET', '/api/events/?limit=200')).body.results;
  expect(delivered.toSorted()).toEqual(all.map((event: { event_id: string }) => event.event_id).toSorted());
});

test.runIf(prepared.engine === 'postgres')(
  'backup and restore name the guide if DATABASE_URL is set',
  async () => {
    const options = await newDatabase('migrated');

    for (const command of ['backup', 'restore']) {
      expect(await runCli(options, [command, '/nowhere/file'])).toEqual({
        code: 1,
        stdout: '',
        stderr:
          'This command is for the embedded database. With DATABASE_URL, use the tools of PostgreSQL: see "PostgreSQL" in docs/guides/backup.md.\n',
      });
    }
  },
);

const settings = ({ dataDir }: DatabaseOptions, key = SECRET_KEY) =>
  readConfig({ GATEHOUSE_DATA_DIR: dataDir, GATEHOUSE_SECRET_KEY: key });

describe.runIf(prepared.engine === 'pglite')('with the embedded database', { timeout: 240_000 }, () => {
  test('backup writes one private file without the key, and refuses to overwrite it', async () => {
    const database = await newDatabase();
    const folder = await newFolder();
    const file = join(folder, 'backup.tar.gz');
    const keyFile = join(database.dataDir as string, 'secret.key');
    await writeFile(keyFile, `${SECRET_KEY}\n`);

    const report = await backUp(settings(database, ''), file);

    expect(report).toContain(`Keep a copy of ${keyFile} in another place: a restore needs it.`);
    await expect(backUp(settings(database), file)).rejects.toThrow(`${file} already exists.`);
    expect(await readdir(folder)).toEqual(['backup.tar.gz']);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(gunzipSync(await readFile(file)).includes(SECRET_KEY)).toBe(false);
  });

  test('backup refuses a folder that a server uses, and a folder without a database', async () => {
    const database = await newDatabase();
    const folder = await newFolder();
    const file = join(folder, 'backup');
    const server = await openDatabase(database);
    onTestFinished(() => server.close());

    await expect(backUp(settings(database), file)).rejects.toThrow('is in use by another Gatehouse process');
    await expect(backUp(settings({ dataDir: folder }), file)).rejects.toThrow(
      `The data folder ${folder} has no database. Check GATEHOUSE_DATA_DIR.`,
    );
    expect(await readdir(folder)).toEqual([]);
  });

  test('a refused restore leaves the data folder without a database', async () => {
    const source = await newDatabase();
    const folder = await newFolder();
    const [file, newer, damaged, other] = ['backup', 'newer', 'damaged', 'other'].map((name) =>
      join(folder, name),
    ) as [string, string, string, string];
    await backUp(settings(source), file);
    const database = await openDatabase(source);
    await sql`insert into schema_migration (name) values ('9999_future.sql')`.execute(database.db);
    await database.close();
    await backUp(settings(source), newer);
    await writeFile(damaged, (await readFile(file)).subarray(0, 10_000));
    await writeFile(other, gzipSync('not a database'));
    const dataDir = join(folder, 'restored');
    await mkdir(dataDir);
    const to = { dataDir };
    const missing = join(folder, 'missing');

    await expect(restore(settings(to), newer)).rejects.toThrow('The database has migration 9999_future.sql');
    await expect(restore(settings(to), damaged)).rejects.toThrow(`${damaged} cannot be restored.`);
    await expect(restore(settings(to), other)).rejects.toThrow(`${other} cannot be restored.`);
    await expect(restore(settings(to), missing)).rejects.toThrow(`${missing} does not exist.`);
    await expect(restore(settings(to, OTHER_KEY), file)).rejects.toThrow('encrypted with the secret key');
    expect(await readdir(join(dataDir, 'pglite'))).toEqual([]);
    expect(await readdir(dataDir)).not.toContain('restoring');

    await writeFile(join(dataDir, 'secret.key'), `${SECRET_KEY}\n`);
    expect(await restore(settings(to, ''), file)).toContain('The event logs of 1 organization continue');
    await expect(restore(settings(to), file)).rejects.toThrow(
      `The data folder ${dataDir} already has a database.`,
    );
  });
});
