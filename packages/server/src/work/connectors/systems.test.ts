// @module-tag long
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { openConnectorApp } from '#test/connectors.ts';
import { available, startOpenLdap } from '../../../../../connectors/ldap/test/conformance.ts';
import { makeCertificate } from '../../../../../connectors/ldap/test/tools.ts';

/** Each type of connector against a real system, from its settings to the accounts in the API, and with faults. */

// Each starts several processes, which takes long on a busy machine.
const LIMIT_MS = 600_000;
const PATIENCE = { timeout: 300_000 };
const prepared = inject('prepared');
const processes: number[] = [];
let runner: Awaited<ReturnType<typeof openConnectorApp>>;
beforeAll(async () => {
  runner = await openConnectorApp({ onStart: (pid) => processes.push(pid) });
});
afterAll(() => runner.close());

type App = Awaited<ReturnType<typeof runner.connect>>;

/** Tests, previews and syncs an app. Returns the accounts that the API then lists. */
async function takeIn(app: App, slug: string) {
  expect(await app.run('test')).toMatchObject({ state: 'succeeded', error: null, result: { ok: true } });
  const previewed = await app.run('preview');
  expect(previewed).toMatchObject({ state: 'succeeded', error: null });
  const type = previewed.result.types.find((one: { slug: string }) => one.slug === slug);
  expect(type).toMatchObject({ skipped: [], more: true });
  expect(await app.accounts()).toBe(0);
  expect(await app.run('sync')).toMatchObject({ state: 'succeeded', error: null });
  return (await runner.service.call('GET', `/api/accounts/?app=${app.id}&limit=200`)).body.results;
}

/** The first steps of a test that did not get as far as the credentials. */
const UNREACHED = [
  { step: 'reach', status: 'failed' },
  { step: 'sign_in', status: 'skipped' },
  { step: 'list', status: 'skipped' },
];

/** A sync that fails with one sentence and removes nothing. */
async function expectFault(app: App, sentence: RegExp | string, accounts: number) {
  const failed = await app.run('sync');
  expect(failed, failed.log).toMatchObject({ state: 'failed', error: expect.stringMatching(sentence) });
  expect(failed.error).toMatch(/^\S[^\n]*[.]$/);
  expect(await app.accounts()).toBe(accounts);
}

describe('REST', () => {
  const TOKEN = 'correct-horse-battery';
  const definition = `
name: desk
base_url: \${URL}
settings: { URL: address of the desk }
auth: { bearer: '\${TOKEN}' }
accounts:
  user:
    name: Users
    list: { get: /users, items: response.users, paginate: { by: page } }
    record: { id: item.id, username: item.name }
    actions:
      delete:
        - delete: /users/{{ account.id }}
`;
  const desk = { mode: 'ok' as 'ok' | 'half' | 'repeats' | 'hangs', users: [] as number[], waiting: 0 };
  let server: Server;
  let url: string;
  beforeAll(async () => {
    server = createServer((request, response) => {
      const { pathname, searchParams } = new URL(request.url ?? '/', 'http://desk.example');
      const reply = (status: number, body: object) =>
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
      if (request.headers.authorization !== `Bearer ${TOKEN}`) return reply(401, { message: 'Wrong token.' });
      if (request.method === 'DELETE') {
        desk.users = desk.users.filter((id) => pathname !== `/users/${id}`);
        return response.writeHead(204).end();
      }
      const page = desk.mode === 'repeats' ? 1 : Number(searchParams.get('page'));
      if (desk.mode === 'hangs' && page > 1) {
        desk.waiting += 1;
        return;
      }
      const users = desk.mode === 'half' ? desk.users.slice(0, desk.users.length / 2) : desk.users;
      return reply(200, {
        users: users.slice(10 * (page - 1), 10 * page).map((id) => ({ id: `${id}`, name: `user${id}` })),
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  beforeEach(() =>
    Object.assign(desk, { mode: 'ok', users: Array.from({ length: 40 }, (_, i) => i), waiting: 0 }),
  );
  afterEach(() => server.closeAllConnections());

  const connect = (more: object = {}) =>
    runner.connect({ type: 'rest', definition, settings: { URL: url }, secrets: { TOKEN }, ...more });

  test(
    'lists accounts, and carries out a task',
    async () => {
      const app = await connect({ carries_out_tasks: true });
      const accounts = await takeIn(app, 'user');
      expect(accounts).toHaveLength(40);

      const { external_uuid: account, username } = accounts[0];
      const { call } = runner.service;
      const task = await call('POST', '/api/tasks/', {
        app: app.id,
        account,
        action: 'delete_account',
        reason: 'A test',
      });
      expect(task.status, JSON.stringify(task.body)).toBe(201);

      const runs = async () => (await call('GET', `${app.path}runs/?kind=tasks`)).body.results;
      await expect.poll(async () => (await runs())[0]?.state, PATIENCE).toBe('succeeded');
      expect(desk.users).toHaveLength(39);
      expect(desk.users.map((id) => `user${id}`)).not.toContain(username);
    },
    LIMIT_MS,
  );

  test(
    'a fault ends the sync with a sentence and removes nothing',
    async () => {
      const app = await connect();
      expect(await app.run('sync')).toMatchObject({ state: 'succeeded' });

      desk.mode = 'half';
      await expectFault(app, '20 of 40 accounts would be removed', 40);
      const { call } = runner.service;
      const { body: stopped } = await call('GET', `${app.path}runs/?kind=sync&limit=1`);
      expect(stopped.results).toMatchObject([{ stopped_by_guard: true, accepts_removals: false }]);
      desk.mode = 'repeats';
      await expectFault(app, 'returned the same page twice', 40);
      desk.mode = 'hangs';
      const run = await app.start('sync');
      await expect.poll(() => desk.waiting, PATIENCE).toBeGreaterThan(0);
      process.kill(Number(processes.at(-1)), 'SIGKILL');
      expect(await app.ended(run)).toMatchObject({
        state: 'failed',
        error: 'The process of the connector was killed (SIGKILL).',
      });
      expect(await app.accounts()).toBe(40);
      desk.mode = 'ok';
      await runner.service.call('PATCH', app.path, { secrets: { TOKEN: 'mistaken' } });
      await expectFault(app, /returned 401 \(the credentials were rejected: Wrong token[.]\)/, 40);
    },
    LIMIT_MS,
  );

  test(
    'a person can accept the removals that the guard has stopped',
    async () => {
      desk.mode = 'ok';
      const app = await connect();
      await app.run('sync');
      const all = await app.accounts();
      desk.mode = 'half';
      expect(await app.run('sync')).toMatchObject({
        state: 'failed',
        result: { outcome: 'stopped_by_guard' },
      });
      const { call } = runner.service;

      expect(
        (await call('POST', `${app.path}run/`, { kind: 'tasks', accept_removals: true })).body.detail,
      ).toContain('Only a sync');
      const { body: run } = await call('POST', `${app.path}run/`, { kind: 'sync', accept_removals: true });

      expect(await app.ended(`${app.path}runs/${run.id}/`)).toMatchObject({
        state: 'succeeded',
        accepts_removals: true,
        stopped_by_guard: false,
      });
      expect(await app.accounts()).toBe(Math.floor(all / 2));
      const { body } = await call('GET', '/api/events/?event_type=connector.run_requested&limit=1');
      expect(body.results[0].payload).toMatchObject({ kind: 'sync', accepts_removals: true });
    },
    LIMIT_MS,
  );

  test(
    'is not reached where nothing listens',
    async () => {
      const app = await connect({ settings: { URL: 'http://127.0.0.1:1' } });

      expect((await app.run('test')).result.steps.slice(0, 3)).toMatchObject(UNREACHED);
    },
    LIMIT_MS,
  );

  test(
    'is refused an address that the operator does not list',
    async () => {
      const strict = await openConnectorApp({}, []);
      try {
        const app = await strict.connect({
          type: 'rest',
          definition,
          settings: { URL: url },
          secrets: { TOKEN },
        });
        for (const kind of ['test', 'sync'])
          expect(await app.run(kind)).toMatchObject({
            state: 'failed',
            error: expect.stringMatching(/^[^\n]*127\.0\.0\.1[^\n]* is not public[^\n]*[.]$/),
          });
      } finally {
        await strict.close();
      }
    },
    LIMIT_MS,
  );
});

describe.runIf(prepared.engine === 'postgres')('SQL with PostgreSQL', () => {
  const definition = readFileSync(
    join(import.meta.dirname, '../../../../../connectors/sql/examples/members.yml'),
    'utf8',
  );
  const admin = new URL(prepared.engine === 'postgres' ? prepared.adminUrl : 'postgresql://none');
  const name = `desk_${process.pid}`;
  const ask = async (text: string, database = name) => {
    const url = new URL(admin);
    url.pathname = `/${database}`;
    const client = new pg.Client({ connectionString: url.href });
    await client.connect();
    return client.query(text).finally(() => client.end());
  };
  beforeAll(async () => {
    await ask(`create database ${name}`, 'postgres');
    await ask(`
      create table members (id integer primary key, login text, email text, given_name text, family_name text,
        state text default 'open', secret text);
      create table teams (key text primary key, title text);
      create table team_members (team text, member_id integer, is_lead boolean);
      create table team_teams (outer_team text, inner_team text);
      insert into members select n, 'user' || n, 'user' || n || '@acme.example', 'User', 'N' || n
        from generate_series(1, 80) n;
      create role ${name} login password 'reader-password';
      grant select on all tables in schema public to ${name};`);
  });
  afterAll(async () => {
    await ask(`drop database ${name} with (force)`, 'postgres');
    await ask(`drop role ${name}`, 'postgres');
  });

  test(
    'lists accounts, and a fault ends the sync with a sentence and removes nothing',
    async () => {
      const settings = { DB_USER: name, DB_HOST: admin.hostname, DB_PORT: admin.port, DB_NAME: name };
      const secrets = { DB_PASSWORD: 'reader-password' };
      const app = await runner.connect({ type: 'sql', definition, settings, secrets });

      expect(await takeIn(app, 'member')).toHaveLength(80);

      await ask('alter table members rename to people');
      await expectFault(app, /: definition-sync[.]yml:\d+:\d+: relation "members" does not exist/, 80);
      await ask('alter table people rename to members');
      await ask('delete from members where id > 40');
      await expectFault(app, '40 of 80 accounts would be removed', 80);
      await runner.service.call('PATCH', app.path, { secrets: { DB_PASSWORD: 'mistaken' } });
      await expectFault(app, 'password authentication failed for user', 80);
    },
    LIMIT_MS,
  );
});

describe.skipIf(!available)(
  'LDAP over TLS with a private CA (needs slapd, ldap-utils and openssl)',
  { tags: ['servers'] },
  () => {
    test(
      'lists accounts, and an expired or unknown certificate ends the sync with a sentence',
      async () => {
        const folder = await mkdtemp(join(tmpdir(), 'gatehouse-ldap-'));
        const start = async (days?: number) => {
          const certificate = await makeCertificate(folder, 'IP:127.0.0.1', days);
          const stage = await startOpenLdap({ certificate });
          const { url, bindPassword, bindDn, users, groups, licenses } = stage.tlsSettings;
          const ca = readFileSync(certificate.certificate, 'utf8');
          return {
            stage,
            settings: { url, bindDn, users, groups, licenses, ca },
            secrets: { bindPassword },
          };
        };
        const valid = await start();
        let app: App;
        try {
          app = await runner.connect({ type: 'ldap', settings: valid.settings, secrets: valid.secrets });
          expect(await takeIn(app, 'person')).toHaveLength(150);
          const { call } = runner.service;
          await call('PATCH', app.path, { secrets: { bindPassword: 'mistaken' } });
          await expectFault(app, 'the bind DN or its password is wrong', 150);
          await call('PATCH', app.path, { settings: { ca: null }, secrets: valid.secrets });
          await expectFault(app, 'The certificate of 127.0.0.1 is not signed by a trusted authority', 150);
        } finally {
          await valid.stage.stop();
        }
        const expired = await start(-1);
        try {
          const { settings, secrets } = expired;
          await runner.service.call('PATCH', app.path, { settings, secrets });
          await expectFault(app, 'The certificate of 127.0.0.1 has expired', 150);
          expect((await app.run('test')).result.steps.slice(0, 3)).toMatchObject(UNREACHED);
        } finally {
          await expired.stage.stop();
          await rm(folder, { recursive: true, force: true });
        }
      },
      LIMIT_MS,
    );
  },
);
