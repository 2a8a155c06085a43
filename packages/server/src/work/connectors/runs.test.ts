import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, relative } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { setConnectorNetworks } from '#directory/access/organization-state.ts';
import { createRunKey } from '#directory/access/run-keys.ts';
import { transaction, within } from '#kit/database.ts';
import { createLogger } from '#kit/logger.ts';
import { sql } from '#kit/sql.ts';
import { openTestApp, type TestApp } from '#test/app.ts';
import { openConnectorApp } from '#test/connectors.ts';
import { ORG } from '#test/organization.ts';
import { organizationOf } from '#test/people.ts';
import { secrets } from '#test/secrets.ts';
import { setTimes } from '#test/time.ts';
import { runChild } from './child.ts';
import { CONNECTORS } from './isolation.ts';
import { carryOut } from './run.ts';
import { queueDue, takeOver } from './worker.ts';

const TOKEN = 'correct-horse-battery';

/** An application with SCIM whose behavior a test chooses. */
const application = { mode: 'ok' as 'ok' | 'half' | 'hangs' | 'broken' | 'binary', users: 40, waiting: 0 };
let server: Server;
let origin: string;
let runner: Awaited<ReturnType<typeof openConnectorApp>>;
let service: TestApp;
let folder: string;
let processes: number[];
const limits: { preview?: number; stall?: number } = {};

beforeAll(async () => {
  server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost');
    const reply = (status: number, body: object) =>
      response.writeHead(status, { 'content-type': 'application/scim+json' }).end(JSON.stringify(body));
    if (application.mode === 'hangs') {
      application.waiting += 1;
      return;
    }
    if (request.headers.authorization !== `Bearer ${TOKEN}`)
      return reply(401, { detail: `The token ${request.headers.authorization} is wrong.` });
    if (application.mode === 'broken') return reply(500, { detail: 'The database is gone.' });
    if (application.mode === 'binary') return reply(500, { detail: 'Page 1\0 is gone.' });
    const count = application.mode === 'half' ? application.users / 2 : application.users;
    const all = url.pathname.endsWith('/Users')
      ? Array.from({ length: count }, (_, i) => ({
          id: `u${i}`,
          userName: `user${i}`,
          active: true,
          emails: [{ value: `user${i}@acme.example`, primary: true }],
        }))
      : [];
    const start = Number(url.searchParams.get('startIndex') ?? 1);
    const Resources = all.slice(start - 1, start - 1 + Number(url.searchParams.get('count') ?? 100));
    return reply(200, {
      totalResults: all.length,
      startIndex: start,
      itemsPerPage: Resources.length,
      Resources,
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  processes = [];
  runner = await openConnectorApp({ limits, onStart: (pid) => processes.push(pid) });
  ({ service, folder } = runner);
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await runner.close();
});
beforeEach(() => {
  application.mode = 'ok';
  application.waiting = 0;
});
afterEach(() => server.closeAllConnections());

const connect = (change: object = {}) =>
  runner.connect({ type: 'scim', settings: { url: origin }, secrets: { token: TOKEN }, ...change });

test('syncs an app with a key that ends with the run', async () => {
  const app = await connect();

  const run = await app.run('sync');

  expect(run).toMatchObject({ state: 'succeeded', error: null, counts: { pushed: { user: 40 } } });
  expect(await app.accounts()).toBe(40);
  expect((await service.call('GET', app.path)).body).toMatchObject({
    last_success_at: expect.any(String),
    last_run: { id: run.id, state: 'succeeded' },
  });
  const { rows } = await sql<{ scopes: string[]; revoked: boolean; apps: string[] }>`
    select scopes, revoked_at is not null as revoked,
      array(select app_id::text from api_key_app a where a.org_id = k.org_id and a.key_id = k.id) as apps
    from api_key k where connector_run_id = ${run.id}`.execute(service.database.db);
  expect(rows).toEqual([{ scopes: ['bridge'], revoked: true, apps: [app.id] }]);
  expect(JSON.stringify((await service.call('GET', '/api/api-keys/')).body)).not.toContain('Connector run');
});

test('links a sync to the run that made it', async () => {
  const app = await connect();

  const runs = [await app.run('sync'), await app.run('sync')];

  const syncs = (await service.call('GET', `/api/apps/${app.id}/syncs/`)).body.results;
  expect(syncs.map(({ run_id }: { run_id: string }) => run_id)).toEqual([runs[1]?.id, runs[0]?.id]);
  const { sync_id } = (await service.call('POST', `/api/v1/bridge/apps/${app.id}/sync/`)).body;
  const elsewhere = (await service.call('GET', `/api/apps/${app.id}/syncs/${sync_id}/`)).body;
  expect(elsewhere).not.toHaveProperty('run_id');
  const found = await service.call('GET', `${app.path}runs/?run_id=${runs[0]?.id}`);
  expect(found.body).toMatchObject({ count: 1, results: [{ id: runs[0]?.id }] });
});

test('tests a connector step by step, and previews its records', async () => {
  const app = await connect();

  const tested = await app.run('test');
  expect(tested).toMatchObject({
    state: 'succeeded',
    result: {
      ok: true,
      steps: [
        { step: 'reach', status: 'ok' },
        { step: 'sign_in', status: 'ok' },
        { step: 'list', type: 'group', message: 'There are no records.' },
        { step: 'list', type: 'entitlement', status: 'ok' },
        {
          step: 'list',
          type: 'user',
          status: 'ok',
          message: expect.stringMatching(/^The first page has \d+ records/),
        },
      ],
    },
  });

  const previewed = await app.run('preview');
  expect(previewed.state).toBe('succeeded');
  const users = previewed.result.types.find(({ slug }: { slug: string }) => slug === 'user');
  expect(users).toMatchObject({ more: true, skipped: [] });
  expect(users.records).toHaveLength(20);
  expect(users.records[0]).toMatchObject({ id: 'u0', email: 'user0@acme.example' });
  expect(await app.accounts()).toBe(0);
});

test('reports a wrong password in one sentence, and shows it nowhere', async () => {
  const wrong = 'wrong-token-of-mine';
  const app = await connect({ secrets: { token: wrong } });

  const tested = await app.run('test');
  const synced = await app.run('sync');

  expect(tested).toMatchObject({
    state: 'failed',
    result: {
      steps: [
        { step: 'reach', status: 'ok' },
        { step: 'sign_in', status: 'failed', message: 'The token Bearer [redacted] is wrong.' },
        ...Array(3).fill({ step: 'list', status: 'skipped' }),
      ],
    },
  });
  expect(synced).toMatchObject({
    state: 'failed',
    error: expect.stringContaining('The token Bearer [redacted] is wrong.'),
  });
  const events = (await service.call('GET', '/api/events/?catalog=all&limit=200')).body;
  const { rows } = await sql`select * from connector_run where app_id = ${app.id}`.execute(
    service.database.db,
  );
  for (const shown of [tested, synced, events, rows]) {
    expect(JSON.stringify(shown)).not.toContain(wrong);
    expect(JSON.stringify(shown)).not.toContain('gh_');
  }
});

test('shows no secret in the arguments or the environment of the process', async () => {
  const app = await connect();
  application.mode = 'hangs';
  processes.length = 0;
  const run = await app.start('test');
  await expect.poll(() => application.waiting, { timeout: 20_000 }).toBeGreaterThan(0);

  const pid = processes.at(-1);
  const shown = await Promise.all(
    ['cmdline', 'environ'].map((name) => readFile(`/proc/${pid}/${name}`, 'utf8')),
  );
  expect(shown[1]).toContain('GATEHOUSE_URL=');
  for (const text of shown) {
    expect(text).not.toContain(TOKEN);
    expect(text).not.toContain('gh_');
    expect(text).not.toContain('SECRET_KEY');
    expect(text).not.toContain('DATABASE_URL');
  }
  await service.call('POST', `${run}cancel/`);
  expect(await app.ended(run)).toMatchObject({ state: 'cancelled', error: null });
});

test('ends a process that hangs when its time is over', async () => {
  const app = await connect();
  application.mode = 'hangs';
  limits.preview = 2000;

  const run = await app.run('preview');
  delete limits.preview;

  expect(run).toMatchObject({
    state: 'timed_out',
    error: 'The run took longer than 2 seconds, so Gatehouse ended it.',
  });
});

test('ends a run that sends nothing to Gatehouse for long', async () => {
  const app = await connect();
  application.mode = 'hangs';
  limits.stall = 1;

  const run = await app.run('preview');
  delete limits.stall;

  expect(run).toMatchObject({
    state: 'timed_out',
    error: expect.stringMatching(/^The connector sent nothing to Gatehouse for .*, so Gatehouse ended it\.$/),
  });
});

test('notices that the process was killed', async () => {
  const app = await connect();
  application.mode = 'hangs';
  processes.length = 0;
  const run = await app.start('sync');
  await expect.poll(() => application.waiting, { timeout: 20_000 }).toBeGreaterThan(0);

  process.kill(Number(processes.at(-1)), 'SIGKILL');

  expect(await app.ended(run)).toMatchObject({
    state: 'failed',
    error: 'The process of the connector was killed (SIGKILL).',
  });
});

test('removes nothing when the source fails or returns half its records', async () => {
  const app = await connect();
  await app.run('sync');

  application.mode = 'broken';
  expect(await app.run('sync')).toMatchObject({
    state: 'failed',
    error: expect.stringContaining('The database is gone.'),
  });
  application.mode = 'half';
  const half = await app.run('sync');

  expect(half).toMatchObject({ state: 'failed', error: expect.stringContaining('20') });
  expect(await app.accounts()).toBe(40);
});

test('a node without the state of earlier syncs removes nothing when the source returns half its records', async () => {
  const app = await connect();
  await app.run('sync');
  const { orgId } = await organizationOf(service);
  await rm(join(folder, orgId, app.id), { recursive: true });

  application.mode = 'half';
  const half = await app.run('sync');

  expect(half).toMatchObject({ state: 'failed', error: expect.stringContaining('20 of 40') });
  expect(await app.accounts()).toBe(40);
});

test('writes no definition through a link that a connector left in its folder', async () => {
  const definition = `
name: desk
base_url: '\${URL}'
settings: { URL: address of the desk }
accounts:
  user: { name: Users, list: { get: /users, items: response.users }, record: { id: item.id } }`;
  const app = await runner.connect({ type: 'rest', definition, settings: { URL: 'http://10.1.2.3' } });
  const { orgId } = await organizationOf(service);
  const kept = join(folder, 'kept');
  await writeFile(kept, 'kept');
  await mkdir(join(folder, orgId, app.id), { recursive: true });
  await symlink(kept, join(folder, orgId, app.id, 'definition-test.yml'));

  const run = await app.run('test');

  expect(run).toMatchObject({ error: expect.stringContaining('not public') });
  expect(await readFile(kept, 'utf8')).toBe('kept');
});

test('refuses private addresses that the operator does not list', async () => {
  const app = await connect({ settings: { url: 'http://127.0.0.2:8080/' } });

  expect(await app.run('test')).toMatchObject({
    state: 'failed',
    error: expect.stringContaining('which is not public'),
    result: {
      steps: expect.arrayContaining([expect.objectContaining({ step: 'reach', status: 'failed' })]),
    },
  });
});

test('an organization with a list of its own reaches the private addresses on it only', async () => {
  const { db } = service.database;
  const { orgId } = await organizationOf(service);
  onTestFinished(() => setConnectorNetworks(db, orgId, null));
  const app = await connect();

  await setConnectorNetworks(db, orgId, ['10.1.2.3']);
  const refused = await app.run('test');
  await setConnectorNetworks(db, orgId, ['127.0.0.0/8']);
  const allowed = await app.run('test');

  expect(refused).toMatchObject({ state: 'failed', error: expect.stringContaining('which is not public') });
  expect(allowed).toMatchObject({ state: 'succeeded' });
});

test('takes over the run of a dead node once, and its key no longer works', async () => {
  const app = await connect({ paused: true });
  const { db } = service.database;
  const runId = randomUUID();
  const { orgId, ownerId: userId } = await organizationOf(service);
  const request = { appId: app.id, userId, runId };
  const { id: keyId, key } = await transaction(within(db, orgId), (tx) => createRunKey(tx, request, 60));
  const useKey = async () =>
    (await service.call('GET', `/api/v1/bridge/apps/${app.id}/`, undefined, { key })).status;
  expect(await useKey()).toBe(200);
  const { id: other } = (await service.call('POST', '/api/v1/bridge/apps/', { name: 'Payroll' })).body;
  for (const path of [
    `/api/v1/bridge/apps/${other}/`,
    '/api/events/',
    '/api/users/',
    '/api/api-keys/',
    app.path,
    `/api/apps/${app.id}/`,
  ])
    expect((await service.call('GET', path, undefined, { key })).status, path).toBeOneOf([403, 404]);
  await sql`
    insert into connector_run (org_id, id, app_id, kind, state, node, key_id, started_at, leased_until)
    values (${orgId}, ${runId}, ${app.id}, 'preview', 'running', ${randomUUID()}, ${keyId}, clock_now(),
      clock_now() - interval '1 second')`.execute(db);
  const lost = `${app.path}runs/${runId}/`;

  await Promise.all([takeOver(db), takeOver(db), takeOver(db)]);

  expect(await useKey()).toBe(401);
  expect(await app.read(lost)).toMatchObject({ state: 'lost', error: expect.stringContaining('has died') });
  const { results } = (await service.call('GET', `${app.path}runs/?kind=preview`)).body;
  expect(results).toHaveLength(2);
  const again = results.find(({ id }: { id: string }) => id !== runId);
  expect(await app.ended(`${app.path}runs/${again.id}/`)).toMatchObject({ state: 'succeeded' });
});

/** Makes the lease of the unfinished runs of an app end now. */
const expire = (appId: string) =>
  setTimes(service, 'connector_run', { leased_until: '1 second ago' }, { app_id: appId, state: 'running' });

test('a node that lost its run to another one ends the process, whose key no longer works', async () => {
  const app = await connect();
  application.mode = 'hangs';
  processes.length = 0;
  const run = await app.start('sync');
  await expect.poll(() => application.waiting, { timeout: 20_000 }).toBeGreaterThan(0);
  const pid = Number(processes.at(-1));

  await expire(app.id);
  await takeOver(service.database.db);

  expect(await app.read(run)).toMatchObject({ state: 'lost' });
  const keys = sql<{ revoked: boolean }>`
    select revoked_at is not null as revoked from api_key where connector_run_id = ${run.split('/').at(-2)}`;
  expect((await keys.execute(service.database.db)).rows).toEqual([{ revoked: true }]);
  const isRunning = () =>
    readFile(`/proc/${pid}/cmdline`, 'utf8').then(
      (text) => text !== '',
      () => false,
    );
  await expect.poll(isRunning, { timeout: 20_000 }).toBe(false);
  const { results } = (await service.call('GET', `${app.path}runs/?kind=sync`)).body;
  expect(results).toHaveLength(2);
  const again = `${app.path}runs/${results[0].id}/`;
  await service.call('POST', `${again}cancel/`);
  await app.ended(again);
});

test('a node that stalls before it starts the process starts none, and creates no key', async () => {
  const idle = await openTestApp({ own: true });
  const { db } = idle.database;
  try {
    const { id: appId } = (await idle.call('POST', '/api/v1/bridge/apps/', { name: 'Desk' })).body;
    const path = `/api/apps/${appId}/connector/`;
    await idle.call('POST', path, { type: 'scim', settings: { url: origin }, secrets: { token: TOKEN } });
    const { id } = (await idle.call('POST', `${path}test/`)).body;
    const started: number[] = [];
    const { orgId } = await organizationOf(idle);
    const open = async (...given: Parameters<typeof secrets.open>) => {
      await setTimes(db, 'connector_run', { leased_until: '1 second ago' }, { org_id: orgId });
      await takeOver(db);
      return secrets.open(...given);
    };

    await carryOut(
      {
        db,
        secrets: Object.assign(Object.create(secrets) as typeof secrets, { open }),
        logger: createLogger('silent'),
        node: randomUUID(),
        folder,
        baseUrl: (slug) => `http://127.0.0.1:1/org/${slug}`,
        allowPrivateAddresses: [],
        onStart: (pid) => started.push(pid),
      },
      { org_id: orgId, org_slug: ORG, app_id: appId, id, kind: 'test', accepts_removals: false },
      new AbortController().signal,
    );

    expect(started).toEqual([]);
    const keys = await sql`select from api_key where connector_run_id is not null`.execute(db);
    expect(keys.rows).toEqual([]);
    const { results } = (await idle.call('GET', `${path}runs/`)).body;
    expect(results.map(({ state }: { state: string }) => state)).toEqual(['queued', 'lost']);
  } finally {
    await idle.close();
  }
});

test('a run that was lost three times in a row is not queued again', async () => {
  const idle = await openTestApp({ own: true });
  const { db } = idle.database;
  try {
    const { id: appId } = (await idle.call('POST', '/api/v1/bridge/apps/', { name: 'Desk' })).body;
    const path = `/api/apps/${appId}/connector/`;
    await idle.call('POST', path, { type: 'scim', settings: { url: origin }, secrets: { token: TOKEN } });
    await idle.call('POST', `${path}run/`, { kind: 'sync' });
    const lose = async () => {
      await sql`update connector_run set state = 'running', leased_until = clock_now() - interval '1 second'
        where state = 'queued'`.execute(db);
      await takeOver(db);
      return (await idle.call('GET', `${path}runs/?state=queued`)).body.count;
    };

    expect([await lose(), await lose(), await lose(), await lose()]).toEqual([1, 1, 0, 0]);
    expect((await idle.call('GET', `${path}runs/`)).body.count).toBe(3);
  } finally {
    await idle.close();
  }
});

test('stores the end of a run whose system returns characters that PostgreSQL cannot store', async () => {
  const app = await connect();
  application.mode = 'binary';

  expect(await app.run('sync')).toMatchObject({
    state: 'failed',
    error: expect.stringContaining('Page 1 is gone.'),
  });
});

test('nodes that race for a due connector queue one sync', async () => {
  const app = await connect({ schedule: { every_minutes: 60 } });
  const { db } = service.database;
  await setTimes(db, 'connector', { next_sync_at: 'now' }, { app_id: app.id });

  await Promise.all(Array.from({ length: 5 }, () => queueDue(db)));

  const { count, results } = (await service.call('GET', `${app.path}runs/`)).body;
  expect([count, results[0]]).toMatchObject([1, { kind: 'sync', requested_by: null }]);
  await app.ended(`${app.path}runs/${results[0].id}/`);
  const { next_sync_at } = (await service.call('GET', app.path)).body;
  expect(Date.parse(next_sync_at)).toBeGreaterThan(Date.now() + 59 * 60_000);
});

test('pauses, and reports an overdue sync', async () => {
  const app = await connect({ schedule: { every_minutes: 10 } });
  const { db } = service.database;
  await setTimes(db, 'connector', { scheduled_since: '31 minutes ago' }, { app_id: app.id });

  expect((await service.call('GET', app.path)).body.overdue).toBe(true);
  const paused = (await service.call('PATCH', app.path, { paused: true })).body;
  expect(paused).toMatchObject({ overdue: false, next_sync_at: null, schedule: { every_minutes: 10 } });
  const resumed = (await service.call('PATCH', app.path, { paused: false })).body;
  expect(resumed).toMatchObject({ overdue: false, next_sync_at: expect.any(String) });
});

test('pending tasks start a run that carries them out', async () => {
  const app = await connect({ carries_out_tasks: true });
  await app.run('sync');
  const { results } = (await service.call('GET', `/api/accounts/?app=${app.id}`)).body;
  const task = await service.call('POST', '/api/tasks/', {
    app: app.id,
    account: results[0].external_uuid,
    action: 'suspend_account',
    reason: 'A test',
  });
  expect(task.status, JSON.stringify(task.body)).toBe(201);

  const runs = async () => (await service.call('GET', `${app.path}runs/?kind=tasks`)).body.results;
  await expect.poll(async () => (await runs())[0]?.state, { timeout: 30_000 }).toBe('succeeded');
  expect((await runs())[0].counts).toMatchObject({ completed: expect.any(Number) });
});

test('a run fails with a sentence when the person for whom it acts has left', async () => {
  const app = await connect();
  await sql`update connector set acts_for = ${randomUUID()} where app_id = ${app.id}`.execute(
    service.database.db,
  );

  expect(await app.run('sync')).toMatchObject({
    state: 'failed',
    error: expect.stringContaining('no longer an active administrator'),
  });
});

const child = async (text: string, more: object = {}) => {
  const file = join(folder, 'program.ts');
  await writeFile(file, text);
  return runChild({
    program: relative(CONNECTORS, file),
    args: [],
    input: {},
    env: {},
    folder,
    memory: 600,
    limitMs: 120_000,
    signal: new AbortController().signal,
    secrets: [],
    ...more,
  });
};

test('ends a process that leaks memory', { tags: ['long'], timeout: 240_000 }, async () => {
  const buffers = await child('const all = []; setInterval(() => all.push(Buffer.alloc(5e7, 1)), 10);', {
    memory: 300,
  });
  const objects = await child(
    'const all: unknown[] = []; for (;;) all.push(Array(1000).fill({}).map(() => ({})));',
  );

  expect([buffers.ending, objects.ending]).toEqual(['out_of_memory', 'out_of_memory']);
});

test('a process cannot read files of the machine, start programs or use local sockets', async () => {
  const { output } = await child(`
    import { readFileSync, writeFileSync } from 'node:fs';
    import { execSync } from 'node:child_process';
    import { connect } from 'node:net';
    import { Worker } from 'node:worker_threads';
    const attempt = (work: () => unknown) => { try { work(); return 'done'; } catch (error) { return error.code; } };
    const socket = await new Promise((resolve) => connect('/var/run/docker.sock').on('error', (error) => resolve(error.code)));
    console.log(JSON.stringify([
      attempt(() => readFileSync('/etc/passwd')), attempt(() => readFileSync('${join(CONNECTORS, '../data')}')),
      attempt(() => writeFileSync('${join(CONNECTORS, 'types.json')}', '')), attempt(() => execSync('true')),
      attempt(() => new Worker('x', { eval: true })), socket,
    ]));`);

  expect(JSON.parse(output ?? '')).toEqual([...Array(5).fill('ERR_ACCESS_DENIED'), 'EACCES']);
});

test('hides secrets in what a process prints, and keeps only the end of its log', async () => {
  const secret = 'p"ss wörd';
  const { log, output } = await child(
    `const { secret } = JSON.parse(await new Response(process.stdin as never).text());
     for (let i = 0; i < 20_000; i++) console.error('line ' + i + ' ' + secret);
     console.log(JSON.stringify({ secret, url: 'db://x:' + encodeURIComponent(secret) + '@host/' }));`,
    { input: { secret }, secrets: [secret] },
  );

  expect(log.length).toBeLessThanOrEqual(64 * 1024);
  expect(log).toContain('line 19999 [redacted]');
  for (const text of [log, output]) {
    expect(text).not.toContain('wörd');
    expect(text).not.toContain('w%C3%B6rd');
  }
});
