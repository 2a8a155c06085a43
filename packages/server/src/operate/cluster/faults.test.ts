// @module-tag engine
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { migrate } from '#kit/database/migrate.ts';
import { openDatabase } from '#kit/database/open.ts';
import type { Database } from '#kit/database.ts';
import { sql } from '#kit/sql.ts';
import { createClusterDatabase, startCitus } from '#test/citus.ts';
import { overHttp } from '#test/faults.ts';
import { addFirstOrganization } from '#test/organization.ts';
import { type Service, startService } from '#test/service.ts';
import { addSyncedApp, people, untilEnded } from '#test/sync.ts';
import { temporaryFolder } from '#test/temporary.ts';
import { prepareCluster } from './prepare.ts';
import { clusterStatus, rebalance } from './status.ts';

const inTeams = (n: number) => ({ memberships: { team: [{ id: `t${n % 50}` }, { id: 'all' }] } });

// A cluster of its own: others would not survive the death of their worker.
describe.runIf(inject('prepared').engine === 'citus')('a cluster with one organization', () => {
  async function open() {
    const citus = await startCitus(['wal_level = logical'], await temporaryFolder());
    onTestFinished(() => citus.stop());
    const url = await createClusterDatabase(citus.urls, 'gatehouse');
    const empty = await openDatabase({ url });
    await migrate(empty);
    await prepareCluster(empty.db, { shards: 4 });
    await empty.close();
    const database = await openDatabase({ url, onError: () => {} });
    onTestFinished(() => database.close());
    const key = await addFirstOrganization(database);
    const service = await startService({
      database: { url },
      key,
      environment: { GATEHOUSE_RATE_LIMITS: 'off', LOG_LEVEL: 'error' },
    });
    onTestFinished(() => service.kill());
    return { citus, database, service };
  }

  /** The number of the node that has the organization's rows: 0 is the coordinator. */
  async function nodeOf(database: Database, urls: readonly string[]): Promise<number> {
    const [place] = (await clusterStatus(database.db)).places;
    return urls.findIndex((url) => place?.node.endsWith(`:${new URL(url).port}`));
  }

  const inventory = async ({ db }: Database) => {
    const { rows } = await sql<{ accounts: number; memberships: number }>`
      select (select count(*) from account where removed_at is null) as accounts,
        (select count(*) from membership) as memberships`.execute(db);
    return rows[0];
  };

  const callOf = (service: Service) => overHttp(service);

  test('loses nothing when the worker with its rows is killed during a publication', async () => {
    const { citus, database, service } = await open();
    const app = await addSyncedApp(callOf(service));
    await app.sync({ person: people(10) });
    const node = await nodeOf(database, citus.urls);
    const session = await app.start();
    const records = people(5000, inTeams);
    for (let i = 0; i < records.length; i += 100) {
      const { status } = await app.push(session, 'person', records.slice(i, i + 100));
      expect(status).toBe(200);
    }
    await app.bridge('POST', `/sync/${session}/complete/`);
    await sleep(300);

    await citus.kill(node);

    await expect.poll(async () => (await app.bridge('GET', `/sync/${session}/`)).status).toBe(503);
    await citus.start(node);
    expect(await untilEnded(app, session)).toMatchObject({ status: 'completed' });
    expect(await inventory(database)).toEqual({ accounts: 5000, memberships: 10_000 });
  }, 240_000);

  test('shows its rows, refuses writes and loses none while a worker without its rows is down', async () => {
    const { citus, database, service } = await open();
    const app = await addSyncedApp(callOf(service));
    const session = await app.start();
    expect((await app.push(session, 'person', people(50))).status).toBe(200);
    const other = 3 - (await nodeOf(database, citus.urls));

    await citus.kill(other);

    const { call } = callOf(service);
    expect(await call('GET', '/api/accounts/')).toMatchObject({ status: 200 });
    // The first one uses a connection that Citus has kept to the worker.
    for (let i = 0; i < 3; i++)
      expect((await app.push(session, 'person', people(50, undefined, 50))).status).toBe(503);
    expect((await app.bridge('POST', `/sync/${session}/complete/`)).status).toBe(202);
    await citus.start(other);
    expect(await untilEnded(app, session)).toMatchObject({ status: 'completed' });
    expect(await inventory(database)).toMatchObject({ accounts: 50 });
  }, 240_000);

  test('keeps its rows while it is moved to another node during a sync', async () => {
    const { citus, database, service } = await open();
    const app = await addSyncedApp(callOf(service));
    const before = await nodeOf(database, citus.urls);
    const session = await app.start();
    const pushing = (async () => {
      for (let i = 0; i < 3000; i += 100)
        expect((await app.push(session, 'person', people(100, inTeams, i))).status).toBe(200);
    })();
    // Without room on its node, the organization has to move.
    await sql`
      select citus_set_node_property(nodename, nodeport, 'shouldhaveshards', false) from pg_dist_node
      where nodeport = ${new URL(citus.urls[before] ?? '').port}::integer`.execute(database.db);

    expect(await rebalance(database.db)).toBeGreaterThan(0);

    await pushing;
    expect(await app.complete(session)).toMatchObject({ status: 'completed' });
    expect(await nodeOf(database, citus.urls)).not.toBe(before);
    expect(await inventory(database)).toEqual({ accounts: 3000, memberships: 6000 });
  }, 600_000);
});
