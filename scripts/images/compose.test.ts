import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { until } from '../../packages/server/test/until.ts';
import { ROOT } from './bases.ts';
import { IMAGE } from './build.ts';
import { type Container, call, containerOf, untilReady } from './container.ts';
import { environment, HOME, podman, tryPodman } from './podman.ts';

const run = promisify(execFile);
const FOLDER = join(HOME, 'compose');
const KEY = 'gh-key-of-the-composed-server-000000000';
const PASSWORD = 'c0ffee00c0ffee00c0ffee00';

/** Values that differ from the defaults, and with which the server starts. */
const SETTINGS: Record<string, string> = {
  GATEHOUSE_SECRET_KEY: Buffer.alloc(32, 1).toString('base64'),
  GATEHOUSE_SECRET_KEY_OLD: Buffer.alloc(32, 2).toString('base64'),
  GATEHOUSE_ORG: 'acme',
  GATEHOUSE_API_KEY: KEY,
  GATEHOUSE_PUBLIC_URL: 'https://gatehouse.example.com',
  DATABASE_READ_URL: '',
  GATEHOUSE_ADMIN_EMAIL: 'owner@acme.example',
  GATEHOUSE_ADMIN_PASSWORD: 'correct horse battery staple',
  GATEHOUSE_TRUST_PROXY: '1',
  GATEHOUSE_ALLOW_PRIVATE_ADDRESSES: '10.0.0.0/8',
  GATEHOUSE_PROXY: 'http://proxy.example.com:3128',
  GATEHOUSE_NO_PROXY: 'app.internal',
  GATEHOUSE_RATE_LIMITS: 'events=61',
  GATEHOUSE_SYNC_QUOTAS: 'pages=100001',
  GATEHOUSE_CONNECTOR_RUNS: '1',
  GATEHOUSE_CONNECTOR_ISOLATION: 'permission',
  GATEHOUSE_REQUEST_EXPIRY_DAYS: '31',
  GATEHOUSE_SESSION_HOURS: '13',
  GATEHOUSE_BREACHED_PASSWORDS: '',
  GATEHOUSE_SMTP_URL: 'smtp://mail.example.com:587',
  GATEHOUSE_MAIL_FROM: 'gatehouse@acme.example',
  GATEHOUSE_TASK_RETRIES: '61,301',
  LOG_LEVEL: 'debug',
};

/**
 * Replaces the variables of a Compose file, `${NAME:-default}` and `${NAME:?message}`, as Compose does with a file `.env`. Debian 12's
 * podman-compose, 1.0.3, does not understand an empty default.
 */
const withSettings = (file: string) =>
  file.replace(/\$\{(\w+):(?:-(.*?)|\?(.*?))\}/g, (_, name, byDefault = '', message) => {
    const value = { ...SETTINGS, POSTGRES_PASSWORD: PASSWORD }[name as string] || byDefault;
    if (value === '' && message !== undefined) throw new Error(`${name}: ${message}`);
    return value;
  });

/** It also waits for no health check, so Gatehouse restarts until PostgreSQL is there. */
const compose = (...args: string[]) =>
  run('podman-compose', ['--project-name', 'composed', ...args], { cwd: FOLDER, env: environment() });

const idOf = (service: string) =>
  podman('ps', '--all', '--quiet', '--no-trunc', '--filter', `label=com.docker.compose.service=${service}`);

const isMissing = inject('noContainers') !== undefined;

/** The tests use the services of those before. */
describe.skipIf(isMissing)('compose.yaml', { shuffle: false }, () => {
  let gatehouse: Container;

  /** Starts the services of the file, with the built image, and at any free port. */
  beforeAll(async () => {
    const file = parse(withSettings(await readFile(join(ROOT, 'compose.yaml'), 'utf8')));
    const { build, ...service } = file.services.gatehouse;
    file.services.gatehouse = { ...service, image: IMAGE, ports: ['127.0.0.1::8080'] };
    await mkdir(FOLDER, { recursive: true });
    await writeFile(join(FOLDER, 'compose.yaml'), stringify(file));
    await compose('up', '--detach');
    gatehouse = await containerOf(await idOf('gatehouse'));
    await untilReady(gatehouse);
  });
  afterAll(() => compose('down', '--volumes'));

  test('starts both services', async () => {
    expect(await call(gatehouse, KEY, '/api/v1/bridge/apps/', { name: 'Desk' })).toMatchObject({
      status: 201,
    });
    expect(await gatehouse.output()).toContain('created the organization "acme"');
  });

  test('passes every setting to Gatehouse', async () => {
    const { output } = await gatehouse.exec('env');
    const passed = Object.fromEntries(output.split('\n').map((line) => line.split(/=(.*)/s)));
    const { environment: named } = parse(await readFile(join(ROOT, 'compose.yaml'), 'utf8')).services
      .gatehouse;

    expect(Object.keys({ ...SETTINGS, DATABASE_URL: '' }).sort()).toEqual(Object.keys(named).sort());
    // podman-compose leaves out empty ones.
    const given = Object.fromEntries(Object.entries(SETTINGS).filter(([, value]) => value !== ''));
    expect(passed).toMatchObject({
      ...given,
      DATABASE_URL: `postgresql://gatehouse:${PASSWORD}@postgres/gatehouse`,
    });
  });

  test('has a health check of PostgreSQL that holds once it takes connections from other containers', async () => {
    const { services } = parse(await readFile(join(ROOT, 'compose.yaml'), 'utf8'));
    const [, ...check] = services.postgres.healthcheck.test;
    const id = await idOf('postgres');

    expect(await tryPodman('exec', id, ...check)).toMatchObject({ code: 0 });
    expect(check).toContain('--host=127.0.0.1');
  });

  test('runs a connector, which reaches a service of the same network', async () => {
    const statement = 'create role gatehouse_users; create role ada login in role gatehouse_users';
    const psql = ['psql', '--host=127.0.0.1', '--username=gatehouse', `--command=${statement}`];
    const password = `--env=PGPASSWORD=${PASSWORD}`;
    expect(await tryPodman('exec', password, await idOf('postgres'), ...psql)).toMatchObject({ code: 0 });
    const { body: app } = await call(gatehouse, KEY, '/api/v1/bridge/apps/', { name: 'Database' });
    const path = `/api/apps/${app.id}/connector/`;
    const secrets = { url: `postgresql://gatehouse:${PASSWORD}@postgres/gatehouse` };
    const made = await call(gatehouse, KEY, path, { type: 'postgres', settings: {}, secrets });
    expect(made).toMatchObject({ status: 201 });

    const started = await call(gatehouse, KEY, `${path}run/`, { kind: 'sync' });
    const ended = await until(
      'the sync',
      async () => (await call(gatehouse, KEY, `${path}runs/${started.body.id}/`)).body,
      ({ ended_at }) => ended_at !== null,
      { seconds: 100, everyMs: 300 },
    );

    expect(ended).toMatchObject({ state: 'succeeded', error: null, counts: { pushed: { user: 1 } } });
  });

  test('Gatehouse ends with the exit code 0 behind the init process, and PostgreSQL as well', async () => {
    expect(await gatehouse.stop(30)).toBe(0);
    expect(await (await containerOf(await idOf('postgres'))).stop(30)).toBe(0);
  });

  test('keeps its data when PostgreSQL is killed and the services are made again', async () => {
    await compose('up', '--detach');
    await podman('kill', '--signal=KILL', await idOf('postgres'));
    await compose('down');
    await compose('up', '--detach');
    gatehouse = await containerOf(await idOf('gatehouse'));
    await untilReady(gatehouse);

    const { body } = await call(gatehouse, KEY, '/api/v1/bridge/apps/');
    expect(body.results.map(({ name }: { name: string }) => name)).toContain('Desk');
  });
});
