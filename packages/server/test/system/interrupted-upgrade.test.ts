// @module-tag long
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import pg from 'pg';
import { expect, inject, onTestFinished, test } from 'vitest';
import { createTestDatabase } from '../database.ts';
import { openNextRelease } from '../previous-release.ts';
import { remote } from '../remote.ts';
import { SECRET_KEY } from '../secrets.ts';
import { startService } from '../service.ts';
import { until } from '../until.ts';

const LOCK = 4711;
/** Both servers may create the first organization, with the same key. */
const KEY = `test-${randomUUID()}`;

test.runIf(inject('prepared').engine === 'postgres')(
  'kill -9 in the middle of a migration changes nothing, and two servers that start then apply it once',
  // It starts three processes, which takes long on a busy machine.
  { timeout: 300_000 },
  async () => {
    const { options: database, remove } = await createTestDatabase();
    onTestFinished(remove);
    const next = await openNextRelease(`
      create table added_later (a int);
      insert into added_later values (1);
      select pg_advisory_xact_lock(${LOCK});`);
    onTestFinished(next.remove);
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    onTestFinished(() => client.end());
    const migrations = async () => {
      const { rows } = await client.query('select name from schema_migration order by name');
      return rows.map(({ name }) => name);
    };
    const isWaiting = async () => {
      const { rows } = await client.query(
        `select from pg_stat_activity where wait_event = 'advisory' and datname = current_database()`,
      );
      return rows.length > 0;
    };

    // The migration waits for the lock, after it has created its table.
    await client.query(`select pg_advisory_lock(${LOCK})`);
    const killed = spawn(process.execPath, [join(next.main, '../program.ts'), 'organizations', 'list'], {
      env: { ...process.env, DATABASE_URL: database.url, GATEHOUSE_SECRET_KEY: SECRET_KEY },
      stdio: 'ignore',
    });
    await until('the migration to wait', isWaiting, Boolean, { seconds: 100 });
    const exited = once(killed, 'exit');
    killed.kill('SIGKILL');
    await exited;
    await until('the database to notice', isWaiting, (waiting) => !waiting);
    expect(await migrations()).toEqual(['0001_schema.sql']);
    expect((await client.query(`select to_regclass('added_later') as found`)).rows).toEqual([
      { found: null },
    ]);

    const command: [string, string] = [process.execPath, next.main];
    const starting = [1, 2].map(() => startService({ database, key: KEY, command }));
    onTestFinished(async () => {
      for (const service of await Promise.all(starting)) await service.kill();
    });
    await client.query(`select pg_advisory_unlock(${LOCK})`);
    const services = await Promise.all(starting);
    expect(await migrations()).toEqual(['0001_schema.sql', `${next.newest}_next.sql`]);
    expect((await client.query('select a from added_later')).rows).toEqual([{ a: 1 }]);
    for (const { url, key } of services)
      expect((await remote(url, key).call('GET', '/api/apps/')).status).toBe(200);
  },
);
