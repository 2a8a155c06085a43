import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { type DatabaseOptions, openDatabase } from '#kit/database/open.ts';
import { sql } from '#kit/sql.ts';
import { runCli } from '#test/cli.ts';
import { createEmptyDatabase } from '#test/database.ts';
import { remote } from '#test/remote.ts';
import { SECRET_KEY } from '#test/secrets.ts';
import { ROOT, type Service, startService } from '#test/service.ts';
import { addSyncedApp, type SyncedApp, syncedApp } from '#test/sync.ts';
import { temporaryFolder } from '#test/temporary.ts';
import { until } from '#test/until.ts';

const OWNER = { email: 'ada@acme.example', password: 'correct horse battery staple' };
const SETTINGS = {
  GATEHOUSE_RATE_LIMITS: 'off',
  GATEHOUSE_ADMIN_EMAIL: OWNER.email,
  GATEHOUSE_ADMIN_PASSWORD: OWNER.password,
};

/** The data folder of an installation that has been used, and the last responses of its service. */
let original: { dataDir: string; key: string; app: string; seen: Seen };

beforeAll(async () => {
  const dataDir = await mkdtemp(join(await temporaryFolder(), 'gatehouse-move-'));
  const service = await startService({ database: { dataDir }, environment: SETTINGS });
  const caller = remote(service.url, service.key);
  const times = [now()];
  await caller.call('POST', '/api/organization/sample/');
  const accounts = async (): Promise<number> => (await caller.call('GET', '/api/accounts/')).body.count;
  await until('the syncs of the sample company', accounts, (count) => count === 22, { seconds: 60 });
  const app = await addSyncedApp(caller);
  const settings = { url: 'https://app.example/scim/v2' };
  const connector = { type: 'scim', settings, secrets: { token: 'horse' }, paused: true };
  await caller.call('POST', `/api/apps/${app.id}/connector/`, connector);
  await pushPeople(app, 'ada', 'bob');
  times.push(now());
  await pushPeople(app, 'ada', 'o\\dd\t"name"\n');
  times.push(now());
  const knownAt = now();
  const paths = [
    ...['/api/apps/', '/api/users/?limit=100', '/api/tasks/', '/api/reviews/', '/api/policies/'],
    ...times.map((time) => `/api/accounts/?limit=100&as_of=${time}&known_at=${knownAt}`),
  ];
  const seen = await look(service, paths);
  const inUse = await move({ dataDir }, 'postgres://localhost:1/none');
  await service.stop();
  expect(inUse).toMatchObject({ code: 1, stderr: expect.stringContaining('is in use by another Gatehouse') });
  original = { dataDir, key: service.key, app: app.id, seen };
  return () => rm(dataDir, { recursive: true, force: true });
});

const now = () => new Date().toISOString();

const pushPeople = (app: SyncedApp, ...names: string[]) =>
  app.sync({
    person: names.map((id) => ({ id, email: `${id.replace(/\W/g, '')}@example.com`, username: id })),
  });

const move = ({ dataDir = '' }: DatabaseOptions, url: string, environment: Record<string, string> = {}) =>
  runCli({ url, dataDir }, ['move'], { environment });

interface Seen {
  /** Responses of the service, by path. */
  texts: Record<string, string>;
  /** The log, the newest event first. */
  events: string[];
}

/** Reads the paths, and the whole log. */
async function look({ url, key }: Pick<Service, 'url' | 'key'>, paths: string[]): Promise<Seen> {
  const get = async (path: string) =>
    (await fetch(`${url}/org/acme${path}`, { headers: { authorization: `Api-Key ${key}` } })).text();
  const texts: Seen['texts'] = {};
  for (const path of paths) texts[path] = (await get(path)).replaceAll(url, '');
  const events: string[] = [];
  for (let cursor = ''; ; ) {
    const page = JSON.parse(await get(`/api/events/?limit=200${cursor}`));
    if (page.results.length === 0) return { texts, events };
    events.push(...page.results.map((event: unknown) => JSON.stringify(event)));
    cursor = `&cursor=${page.next_cursor}`;
  }
}

/** Returns the data folder as it was when the service stopped. */
async function newCopy(): Promise<DatabaseOptions & { dataDir: string }> {
  const dataDir = await mkdtemp(`${original.dataDir}-`);
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  await cp(original.dataDir, dataDir, { recursive: true });
  return { dataDir };
}

/** Returns all rows of all tables as text, and the last value of each sequence. */
async function contentOf(options: DatabaseOptions): Promise<Record<string, string[]>> {
  const { db, close } = await openDatabase(options);
  try {
    const { rows: tables } = await sql<{ name: string }>`
      select format('%I.%I', schemaname, tablename) as name from pg_tables
      where schemaname in ('public', 'staging', 'pgboss')`.execute(db);
    const { rows: sequences } = await sql<{ text: string }>`
      select concat_ws(' ', schemaname, sequencename, last_value) as text from pg_sequences
      where schemaname in ('public', 'staging', 'pgboss')`.execute(db);
    const content: Record<string, string[]> = { sequences: sequences.map(({ text }) => text).sort() };
    for (const { name } of tables) {
      const { rows } = await sql<{ row: string }>`select t::text as row from ${sql.raw(name)} t`.execute(db);
      content[name] = rows.map(({ row }) => row).sort();
    }
    return content;
  } finally {
    await close();
  }
}

const tablesIn = async (url: string) => {
  const { db, close } = await openDatabase({ url });
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class where relnamespace not in ('pg_catalog'::regnamespace,
      'information_schema'::regnamespace, 'pg_toast'::regnamespace)`.execute(db);
  await close();
  return rows.map(({ name }) => name);
};

test('moves every row, and its service goes on with the same reads, log, sign-in and syncs', {
  timeout: 240_000,
}, async () => {
  const source = await newCopy();
  const before = await contentOf(source);
  const embedded = await openDatabase(source);
  await embedded.exec(`do $$ begin
    execute format('alter database %I set "TimeZone" = ''America/New_York''', current_database());
  end $$`);
  await embedded.close();
  const url = await createEmptyDatabase();

  const moved = await move(source, url);

  expect(moved).toMatchObject({ code: 0, stdout: expect.stringMatching(/^[\d,]+ rows of \d+ tables /) });
  expect(moved.stdout + moved.stderr).not.toContain(SECRET_KEY);
  const after = await contentOf({ url });
  expect(after['public.event_log_origin']).toEqual([]);
  expect({ ...after, 'public.event_log_origin': null }).toEqual({
    ...before,
    'public.event_log_origin': null,
  });
  expect(before['public.connector_secret']).toHaveLength(1);
  expect(before['pgboss.schedule']).not.toEqual([]);

  const refused = await runCli(source, ['organizations', 'list']);
  expect(refused).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('was moved to the database empty_'),
  });
  expect(await move(source, url)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('is not empty: it has pgboss.'),
  });
  expect(await runCli(source, ['organizations', 'list'])).toEqual(refused);

  const service = await startService({ database: { url }, environment: SETTINGS });
  onTestFinished(() => service.kill());
  const paths = Object.keys(original.seen.texts);
  const seen = await look({ url: service.url, key: original.key }, paths);
  expect(seen.texts).toEqual(original.seen.texts);
  expect(seen.events.slice(-original.seen.events.length)).toEqual(original.seen.events);
  const there = remote(service.url, original.key);
  await pushPeople(syncedApp(there, original.app), 'ada', 'eve');
  const { body } = await there.call('GET', `/api/accounts/?app=${original.app}&status=ACTIVE&sort=email`);
  expect(body).toMatchObject({ results: [{ email: 'ada@example.com' }, { email: 'eve@example.com' }] });
  const signIn = await fetch(`${service.url}/org/acme/auth/sign-in/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: service.url },
    body: JSON.stringify(OWNER),
  });
  expect(signIn.status).toBe(200);
  await service.stop();
  expect((await contentOf({ url }))['public.event_gap']).toEqual([]);
});

test('refuses databases that it cannot move, and changes none of them', { timeout: 120_000 }, async () => {
  const source = await newCopy();
  const url = await createEmptyDatabase();
  const other = await openDatabase({ url });
  await other.exec('create table invoice (id int)');
  const cases: [string, Awaited<ReturnType<typeof move>>][] = [
    ['it has public.invoice. Set DATABASE_URL to an empty database.', await move(source, url)],
    ['Set DATABASE_URL to the empty database', await move(source, '')],
    ['$(head -n 1', await move(source, url, { GATEHOUSE_SECRET_KEY: '' })],
    [
      'but GATEHOUSE_SECRET_KEY is the key',
      await move(source, url, { GATEHOUSE_SECRET_KEY: Buffer.alloc(32, 7).toString('base64') }),
    ],
    ['Nothing accepts connections at', await move(source, 'postgres://gatehouse:hush@127.0.0.1:1/gatehouse')],
    ['has no database. Check GATEHOUSE_DATA_DIR.', await move({ dataDir: ROOT }, url)],
  ];
  await other.exec('drop table invoice');
  const embedded = await openDatabase(source);
  await sql`delete from schema_migration`.execute(embedded.db);
  await embedded.close();
  cases.push(['was not last used by this release', await move(source, url)]);

  for (const [sentence, result] of cases) {
    expect(result).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining(sentence) });
    expect(result.stderr).not.toContain('hush');
  }
  await other.close();
  expect(await tablesIn(url)).toEqual([]);
});

test('a move that is killed leaves both databases as they were, and can be repeated', {
  tags: ['long'],
  timeout: 300_000,
}, async () => {
  const source = await newCopy();
  const url = await createEmptyDatabase();
  const before = await contentOf(source);
  for (const step of ['Creating the tables', 'Copying', 'Creating the indexes']) {
    await killAt(step, source, url);
    await expect.poll(() => tablesIn(url), { message: step }).toEqual([]);
    expect(await runCli(source, ['organizations', 'list']), step).toMatchObject({ code: 0 });
  }
  await killAt('Committing', source, url);
  const marked = await readFile(join(source.dataDir, 'moved-to-postgresql'), 'utf8').catch(() => undefined);
  if ((await tablesIn(url)).length === 0) expect(await move(source, url)).toMatchObject({ code: 0 });
  else expect(marked).toContain('the database empty_');
  const after = await contentOf({ url });
  expect({ ...after, 'public.event_log_origin': null }).toEqual({
    ...before,
    'public.event_log_origin': null,
  });
});

/** Runs the command in a process of its own, and kills it as soon as it reports the step. */
async function killAt(step: string, { dataDir = '' }: DatabaseOptions, url: string): Promise<void> {
  const child = spawn(process.execPath, ['packages/server/src/program.ts', 'move'], {
    cwd: ROOT,
    env: { ...process.env, DATABASE_URL: url, GATEHOUSE_DATA_DIR: dataDir, GATEHOUSE_SECRET_KEY: SECRET_KEY },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const exited = once(child, 'exit');
  for await (const line of createInterface(child.stderr)) if (line.startsWith(step)) child.kill('SIGKILL');
  expect(await exited, step).toEqual([null, 'SIGKILL']);
}
