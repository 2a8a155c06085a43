// @module-tag engine
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { migrate } from '#kit/database/migrate.ts';
import { openDatabase } from '#kit/database/open.ts';
import { sql } from '#kit/sql.ts';
import { administer, createClusterDatabase } from '#test/citus.ts';
import { runCli } from '#test/cli.ts';
import { createTestDatabase, openTestDatabase } from '#test/database.ts';
import { addFirstOrganization } from '#test/organization.ts';
import { prepareCluster, requirePrepared } from './prepare.ts';
import { clusterStatus, rebalance } from './status.ts';

const prepared = inject('prepared');

describe.runIf(prepared.engine === 'citus')('a cluster', () => {
  const urls = prepared.engine === 'citus' ? prepared.urls : ([] as string[]);

  /** Creates an empty cluster database, and drops it after the test. */
  async function newCluster(): Promise<string> {
    const name = `test_${randomUUID().replaceAll('-', '')}`;
    onTestFinished(async () => {
      for (const url of urls) await administer(url, `drop database if exists ${name} with (force)`);
    });
    return createClusterDatabase(urls, name);
  }

  test('distributes an existing database without losing a row', async () => {
    const url = await newCluster();
    const before = await openDatabase({ url });
    await migrate(before);
    await addFirstOrganization(before);
    const rows = async (database: typeof before) => {
      const { rows: found } = await sql<{ row: string }>`
        select 'person ' || to_jsonb(u)::text as row from platform_user u
        union all select 'event ' || body from event
        union all select 'key ' || to_jsonb(k)::text from api_key k order by 1`.execute(database.db);
      return found.map(({ row }) => row);
    };
    const expected = await rows(before);
    await before.close();

    const done = await runCli({ url }, ['cluster', 'prepare', '--shards', '2']);

    expect(done).toMatchObject({ code: 0, stderr: '' });
    expect(done.stdout).toMatch(/^\d+ tables are distributed/);
    const after = await openDatabase({ url });
    onTestFinished(() => after.close());
    expect(after.engine).toBe('citus');
    expect(await rows(after)).toEqual(expected);
    expect(expected.length).toBeGreaterThan(3);
    expect((await runCli({ url }, ['cluster', 'prepare'])).stdout).toBe('The cluster is prepared already.\n');
  }, 180_000);

  test('continues a preparation that was interrupted, and keeps servers from starting until then', async () => {
    const url = await newCluster();
    const database = await openDatabase({ url });
    onTestFinished(() => database.close());
    await migrate(database);
    // The first run stops at a table that it cannot distribute.
    await database.exec(`create table broken (org_id uuid not null, id uuid primary key)`);

    await expect(prepareCluster(database.db, { shards: 2 })).rejects.toThrow();
    await database.exec('drop table broken');
    await expect(requirePrepared(database.db)).rejects.toThrow('was interrupted');
    await prepareCluster(database.db, { shards: 2 });
    await requirePrepared(database.db);

    const { rows } = await sql<{ n: number }>`
      select count(*) as n from pg_constraint
      where contype = 'f' and conparentid = 0 and connamespace = 'public'::regnamespace`.execute(database.db);
    expect(rows[0]?.n).toBeGreaterThan(50);
  }, 180_000);

  test('keeps servers from starting until the tables of an upgrade are distributed', async () => {
    const { options, remove } = await createTestDatabase('organization');
    onTestFinished(remove);
    const database = await openDatabase(options);
    onTestFinished(() => database.close());
    await requirePrepared(database.db);
    await database.exec('create table added (org_id uuid, id uuid, primary key (org_id, id))');

    await expect(requirePrepared(database.db)).rejects.toThrow('does not know: added.');
    expect(await prepareCluster(database.db)).toBe(1);
    await requirePrepared(database.db);
  }, 120_000);

  test('shows where each organization is, and moves them while they are written', async () => {
    const { database, options, close } = await openTestDatabase('organization');
    onTestFinished(close);

    const status = await clusterStatus(database.db);
    const shown = await runCli(options, ['cluster', 'status']);

    expect(status.nodes).toHaveLength(3);
    expect(status.places.map(({ slug }) => slug)).toEqual(['acme']);
    expect(shown.stdout).toContain(`acme  ${status.places[0]?.node}`);
    expect(await rebalance(database.db)).toBeGreaterThanOrEqual(0);
  }, 120_000);

  test('refuses a statement that is not for the shard of one organization', async () => {
    const { options, remove } = await createTestDatabase('organization');
    onTestFinished(remove);
    const client = new pg.Client({ connectionString: options.url });
    await client.connect();
    onTestFinished(() => client.end());
    // As the server sends it: citus-strict.ts lets the statements of tests pass.
    const query = Reflect.get(pg.Client.prototype, Symbol.for('gatehouse.query')) as (
      this: pg.Client,
      text: string,
    ) => Promise<unknown>;
    const ask = (text: string) => query.call(client, text);

    await expect(ask('select count(*) from account')).rejects.toThrow('multi-task query');
    await ask(`select count(*) from account where org_id = '${randomUUID()}'`);
  });
});

describe.runIf(prepared.engine === 'postgres')('without a cluster', () => {
  test('the commands say what is missing', async () => {
    const { options, remove } = await createTestDatabase('organization');
    onTestFinished(remove);

    expect(await runCli(options, ['cluster', 'prepare'])).toMatchObject({
      code: 1,
      stderr:
        'This database is not the coordinator of a Citus cluster: the extension citus is missing. See docs/guides/cluster.md.\n',
    });
    expect(await runCli(options, ['cluster', 'status'])).toMatchObject({
      code: 1,
      stderr:
        'This database is not a Citus cluster. Run "gatehouse-server cluster prepare" first. See docs/guides/cluster.md.\n',
    });
  });
});
