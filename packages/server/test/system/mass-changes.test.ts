// @module-tag long

import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { maintainHistory } from '#inventory/records/history/retention.ts';
import { sql } from '#kit/sql.ts';
import { openProvisioningTest, type ProvisioningTest } from '../provisioning.ts';

const IDS = Array.from({ length: 24 }, (_, i) => `p${i}`);
const record = (id: string, teams = ['red', 'blue']) => ({
  id,
  email: `${id}@acme.example`,
  memberships: { team: teams.map((team) => ({ id: team })) },
});

let service: ProvisioningTest;
beforeAll(async () => {
  service = await openProvisioningTest(
    IDS.map((id) => record(id)),
    { own: true },
  );
});
afterAll(() => service.close());

const isPostgres = inject('prepared').engine === 'postgres';

/** Everything that changes many records in one request, and the tasks and links of the same accounts. */
test.runIf(isPostgres)(
  'syncs, reverts, restores, tasks, held tasks, links and retention at the same time never fail or deadlock',
  async () => {
    const { appId, call, bridge, database } = service;
    await call('PATCH', `/api/apps/${appId}/`, { removal_guard: { percent: 10, at_least: 2 } });
    const { body } = await call('GET', `/api/accounts/?app=${appId}&limit=200`);
    const accounts: string[] = body.results.map((one: { external_uuid: string }) => one.external_uuid);
    const people = await Promise.all(IDS.map((id) => service.addUser(`${id}@acme.example`)));
    const asOf = new Date().toISOString();
    const statuses: [string, number][] = [];
    const send = async (method: string, path: string, payload?: object) => {
      const reply = await (path.startsWith('/api')
        ? call(method, path, payload)
        : bridge(method, path, payload));
      statuses.push([
        `${method} ${path.replace(/[0-9a-f-]{36}/g, '*')} ${JSON.stringify(reply.body.detail)}`,
        reply.status,
      ]);
      return reply.body;
    };
    const pick = <T>(list: readonly T[], n: number) => list[n % list.length] as T;

    const sync = async (n: number) => {
      const { sync_id: id } = await send('POST', '/sync/');
      const left = IDS.filter((_, i) => (i + n) % 5 > 0).map((one) =>
        record(one, n % 2 ? ['red'] : undefined),
      );
      await send('PUT', `/sync/${id}/person/`, { records: left });
      await send('POST', `/sync/${id}/${n % 4 === 3 ? 'abandon' : 'complete'}/`);
    };
    const decideSyncs = async () => {
      const { results } = await send('GET', `/api/apps/${appId}/syncs/?limit=3`);
      for (const { sync_id, status } of results)
        await send(
          'POST',
          `/api/apps/${appId}/syncs/${sync_id}/${status === 'completing' ? 'approve' : 'revert'}/`,
          {},
        );
    };
    const tasks = async (n: number) => {
      const action = pick(['delete_account', 'suspend_account', 'update_account', 'unsuspend_account'], n);
      const changes =
        action === 'update_account' ? { changes: { team: { removed: ['red'], added: ['blue'] } } } : {};
      await send('POST', '/api/tasks/', { app: appId, account: pick(accounts, n * 7), action, ...changes });
      const { tasks: pending } = await send('GET', '/tasks/?status=pending');
      for (const { id } of pending.slice(0, 3))
        await send('PATCH', `/tasks/${id}/status/`, { status: 'completed', result: null, error: null });
    };
    const held = async (n: number) => {
      await send('POST', `/api/apps/${appId}/held-tasks/${n % 2 ? 'confirm' : 'reject'}/`, {});
      await send('GET', `/api/apps/${appId}/held-tasks/`);
    };
    const restore = (n: number) =>
      send(
        'POST',
        '/api/restore/',
        n % 2
          ? { app: appId, as_of: asOf, include_possible: true, dry_run: false }
          : { accounts: accounts.slice(0, 8), as_of: asOf, include_possible: true, dry_run: false },
      );
    const links = async (n: number) => {
      await send('PATCH', `/api/accounts/${pick(accounts, n * 3)}/`, {
        user: n % 2 ? pick(people, n) : null,
      });
      const person = pick(people, n * 5);
      await send('POST', `/api/users/${person}/${n % 2 ? 'deactivate' : 'reactivate'}/`);
    };
    const read = async () => {
      await send('GET', `/api/accounts/?app=${appId}&as_of=${new Date().toISOString()}`);
      await send('GET', `/api/history/compare/?app=${appId}&from=${asOf}`);
      await maintainHistory(database.db);
    };
    const deadlocks = async () => {
      await sql`select pg_stat_clear_snapshot()`.execute(database.db);
      const { rows } = await sql<{ n: number }>`
        select deadlocks as n from pg_stat_database where datname = current_database()`.execute(database.db);
      return rows[0]?.n;
    };
    const repeat = async (times: number, work: (n: number) => Promise<unknown>) => {
      for (let n = 0; n < times; n++) await work(n);
    };

    const before = await deadlocks();
    await Promise.all([
      repeat(7, sync),
      repeat(5, decideSyncs),
      repeat(14, tasks),
      repeat(10, (n) => tasks(n + 2)),
      repeat(8, held),
      repeat(5, restore),
      repeat(12, links),
      repeat(4, read),
    ]);

    const failures = statuses.filter(([, status]) => status >= 500);
    expect(failures).toEqual([]);
    expect.soft(await deadlocks()).toBe(before);
    const { rows: lost } = await sql<{ id: string }>`
      select l.source_id as id from access_loss l left join task t on t.id = l.source_id
      where l.open and t.status not in ('scheduled', 'pending')`.execute(database.db);
    expect(lost).toEqual([]);
    const { rows: overlapping } = await sql`
      select account_id from account_period where known_to is null and (seen_until > gone_by or since > seen_until)`.execute(
      database.db,
    );
    expect(overlapping).toEqual([]);
  },
  180_000,
);
