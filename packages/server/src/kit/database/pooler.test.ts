// @module-tag servers
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest';
import { runCli } from '#test/cli.ts';
import { createTestDatabase } from '#test/database.ts';
import { available, startPgbouncer } from '#test/pgbouncer.ts';
import { openReplicated } from '#test/replicated.ts';
import { createHttp } from '../http/server.ts';
import { statusRoutes } from '../http/status.ts';
import { createLogger } from '../logger.ts';
import { openDatabase } from './open.ts';
import { openReplica } from './replica.ts';

const logger = createLogger('silent');
const isHere = available && inject('prepared').engine === 'postgres';

describe.skipIf(!isHere)('behind PgBouncer (needs pgbouncer)', () => {
  let target = '';
  let remove: () => Promise<void>;

  beforeAll(async () => {
    const created = await createTestDatabase('organization');
    target = created.options.url as string;
    remove = created.remove;
  });
  afterAll(() => remove());

  async function start(settings: Record<string, string>, to = target) {
    const pooler = await startPgbouncer(to, settings);
    onTestFinished(() => pooler.remove());
    return pooler;
  }

  async function open(url: string) {
    const database = await openDatabase({ url });
    onTestFinished(() => database.close());
    return database;
  }

  test.each([
    ['the default settings', {}],
    ['ignore_startup_parameters', { ignore_startup_parameters: 'idle_in_transaction_session_timeout' }],
    ['one connection for each pool of ours', { default_pool_size: '2' }],
    ['sessions that it does not reset', { server_reset_query: '' }],
  ])('works in session mode with %s', async (_, settings) => {
    const { url } = await start({ pool_mode: 'session', ...settings });
    for (const _round of [1, 2]) {
      const database = await openDatabase({ url });
      const { rows } = await sql`
        select current_setting('idle_in_transaction_session_timeout') as stalled, current_setting('TimeZone') as zone`.execute(
        database.db,
      );
      expect(rows).toEqual([{ stalled: '1min', zone: 'UTC' }]);
      expect(await database.prepared('select $1::int as one', [1])).toEqual([{ one: 1 }]);
      await database.checkSessions();
      await database.close();
    }
  });

  test.each([
    ['transaction', {}],
    ['statement', {}],
    ['transaction', { default_pool_size: '1' }],
    ['transaction', { server_round_robin: '1' }],
    [
      'transaction',
      { ignore_startup_parameters: 'idle_in_transaction_session_timeout,extra_float_digits,options' },
    ],
    ['transaction', { server_reset_query_always: '1' }],
  ])('refuses to start in %s mode with %j', async (mode, settings) => {
    const { url } = await start({ pool_mode: mode, ...settings });

    for (const _round of [1, 2, 3])
      await expect(openDatabase({ url })).rejects.toThrow(
        'Set pool_mode = session for this database, or connect to PostgreSQL directly.',
      );
  });

  test('refuses to start if the pooler has several idle sessions', async () => {
    const { url } = await start({ pool_mode: 'transaction' });
    const others = Array.from({ length: 5 }, () => new pg.Client({ connectionString: url }));
    await Promise.all(others.map((other) => other.connect()));
    await Promise.all(others.map((other) => other.query('select pg_sleep(0.1)')));
    await Promise.all(others.map((other) => other.end()));

    await expect(openDatabase({ url })).rejects.toThrow('does not keep a session');
  });

  test('explains it to the operator who runs a command', async () => {
    const { url } = await start({ pool_mode: 'transaction' });

    expect(await runCli({ url }, ['organizations', 'list'])).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^DATABASE_URL leads to a connection pooler .* directly\.\n$/),
    });
  });

  test('/readyz says that the pooler was switched to transaction mode', async () => {
    const pooler = await start({ pool_mode: 'session' });
    const database = await open(pooler.url);
    const http = createHttp({ logger: logger, trustProxy: false });
    statusRoutes(http, { database });
    const before = await http.inject('/readyz');

    await pooler.change({ pool_mode: 'transaction' });
    const after = await http.inject('/readyz');
    const verbose = await http.inject('/readyz?verbose');

    expect([before.statusCode, before.json()]).toEqual([200, { status: 'ready' }]);
    expect([after.statusCode, after.json()]).toEqual([503, { status: 'sessions not kept' }]);
    expect(verbose.statusCode).toBe(503);
    expect(verbose.body).toMatch(
      /^database: ok\nsessions: .*Set pool_mode = session.*\nsessions not kept\n$/,
    );
  });

  test('refuses a replica behind a pooler in transaction mode', async () => {
    const servers = await openReplicated();
    onTestFinished(() => servers.close());
    const primary = await open(servers.url);
    const { url } = await start({ pool_mode: 'transaction' }, servers.server.url);

    await expect(openReplica(primary, { url, timeoutMs: 60_000, logger })).rejects.toThrow(
      'DATABASE_READ_URL leads to a connection pooler',
    );
  });
});
