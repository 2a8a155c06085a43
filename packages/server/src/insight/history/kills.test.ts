// @module-tag long
// @module-tag engine

import { expect, inject, onTestFinished, test, vi } from 'vitest';
import { type DatabaseOptions, openDatabase } from '#kit/database/open.ts';
import type { Database } from '#kit/database.ts';
import { sql } from '#kit/sql.ts';
import { createTestDatabase } from '#test/database.ts';
import { overHttp, stallBefore } from '#test/faults.ts';
import { historyOf } from '#test/history-lines.ts';
import { type Service, startService } from '#test/service.ts';
import { addSyncedApp, people, type SyncedApp, syncedApp, untilEnded } from '#test/sync.ts';

/**
 * These tests kill the service with SIGKILL between two statements that change the inventory, and start it again. The
 * interrupted change must be absent or complete, and its repetition must leave the history that an app has for which
 * the same happened without a kill.
 */

// Each starts the service twice, which takes long on a busy machine.
vi.setConfig({ testTimeout: 180_000 });

type Call = ReturnType<typeof overHttp>['call'];

/** Something that changes the inventory, in three parts. The kill comes while `act` is being carried out. */
interface Story {
  /** Returns the id that the other parts need. */
  prepare(call: Call, app: SyncedApp): Promise<string>;
  act(call: Call, app: SyncedApp, id: string): Promise<unknown>;
  /** Completes the story after a kill. By default, `act` is repeated. */
  finish?(call: Call, app: SyncedApp, id: string): Promise<unknown>;
  /** Whether the history may differ from that before `act`: the restarted service continues on its own, or the commit was on its way. */
  continues?: true;
}

const inTeam = (id: string) => () => ({ memberships: { team: [{ id }] } });
const changed = people(2, (n) => ({ ...inTeam('new')(), ...(n === 1 ? { status: 'suspended' } : {}) }));

const sent = async (answer: Promise<{ status: number; body: unknown }>) => {
  const { status, body } = await answer;
  expect(status, JSON.stringify(body)).toBeLessThan(300);
  return body;
};

const sync: Story = {
  prepare: async (_, app) => {
    const session = await app.start();
    await app.push(session, 'person', changed);
    return session;
  },
  act: (_, app, session) => app.complete(session),
  finish: async (_, app, session) =>
    expect(await untilEnded(app, session)).toMatchObject({ status: 'completed' }),
  continues: true,
};

const accountIn = async (call: Call, app: SyncedApp): Promise<string> =>
  (await call('GET', `/api/accounts/?app=${app.id}&email=p0@`)).body.results[0].external_uuid;

const report: Story = {
  prepare: async (call, app) => {
    const account = await accountIn(call, app);
    const changes = { team: { added: ['new'], removed: ['old'] } };
    const task = { app: app.id, action: 'update_account', account, changes };
    return (await call('POST', '/api/tasks/', task)).body.external_uuid;
  },
  act: (_, app, task) => sent(complete(app, task)),
};

const complete = (app: SyncedApp, task: string) =>
  app.bridge('PATCH', `/tasks/${task}/status/`, { status: 'completed', result: {} });

/** The events are sent together with the commit, which PostgreSQL may carry out after the kill. Then the repetition is refused. */
const recordedReport: Story = {
  ...report,
  finish: async (_, app, task) => expect([200, 409]).toContain((await complete(app, task)).status),
  continues: true,
};

const suspension: Story = {
  ...report,
  prepare: async (call, app) => {
    const account = await accountIn(call, app);
    const task = { app: app.id, action: 'suspend_account', account };
    return (await call('POST', '/api/tasks/', task)).body.external_uuid;
  },
};

const revert: Story = {
  prepare: (_, app) => app.sync({ person: changed }),
  act: (call, app, session) => sent(call('POST', `/api/apps/${app.id}/syncs/${session}/revert/`, {})),
};

const restore: Story = {
  prepare: async (_, app) => {
    const at = new Date().toISOString();
    await app.sync({ person: people(4, inTeam('old')), team: [{ id: 'new', name: 'new' }] });
    await app.sync({ person: people(4, inTeam('new')), team: [{ id: 'old', name: 'old' }] });
    return at;
  },
  act: (call, app, at) => sent(call('POST', '/api/restore/', { app: app.id, as_of: at, dry_run: false })),
  finish: async (call, app, at) => {
    await restore.act(call, app, at);
    const { tasks } = (await app.bridge('GET', '/tasks/?status=pending')).body;
    expect(tasks).toHaveLength(4);
    for (const { id } of tasks) await report.act(call, app, id);
  },
};

const isPublished = `(select count(*) from inventory_change where kind = 'sync') > 1`;
const isRemoving = `(select count(*) from inventory_change where kind = 'removal') > 1`;
const isReported = `exists (select from task where status = 'completed')`;
const isReverting = `exists (select from inventory_change where kind = 'revert')`;
const isRestoring = `exists (select from access_restore where applied_at is not null)`;

const KILLS: [string, Story, point: string, condition: string][] = [
  ['a publication closes the states of accounts', sync, 'insert on account_period', isPublished],
  ['a publication adds memberships', sync, 'insert on membership', isPublished],
  ['a publication records its events', sync, 'update on event_head', isPublished],
  ['a cleanup closes the states of removed accounts', sync, 'insert on account_period', isRemoving],
  ['a cleanup ends its session', sync, 'update on inventory_change', isRemoving],
  ['a task report closes memberships', report, 'insert on membership_period', isReported],
  ['a task report closes the state of an account', suspension, 'insert on account_period', isReported],
  ['a task report records its events', recordedReport, 'update on event_head', isReported],
  ['a revert brings memberships back', revert, 'insert on membership', isReverting],
  ['a revert records its events', revert, 'update on event_head', isReverting],
  ['a restore creates tasks', restore, 'insert on task', isRestoring],
];

// PGlite runs the same statements in the same transactions, at a multiple of the time: one kill in each story is enough.
const kills =
  inject('prepared').engine === 'pglite'
    ? KILLS.filter(([, story], index) => KILLS.findIndex(([, other]) => other === story) === index)
    : KILLS;

// The lock of a hold does not reach the shards of a cluster.
test.skipIf(inject('prepared').engine === 'citus').for(kills)(
  'a kill before %s leaves no gap in the history and no period twice',
  async ([, story, point, condition]) => {
    const { options, remove } = await createTestDatabase();
    onTestFinished(remove);
    const stall = await stallBefore(options, point, condition);
    const first = await start(options);
    const { call } = overHttp(first);
    const app = await newApp(call);
    const id = await story.prepare(call, app);
    const before = await periodsOf(call, app);
    story.act(call, app, id).catch(() => {});
    await stall.untilReached(first);
    await first.kill();
    await stall.lift();

    const second = await start(options, first.key);
    const again = overHttp(second).call;
    const same = syncedApp({ call: again }, app.id);
    if (!story.continues) expect(await periodsOf(again, same)).toEqual(before);
    await (story.finish ?? story.act)(again, same, id);
    const twin = await newApp(again);
    const twinId = await story.prepare(again, twin);
    if (story.continues) await story.act(again, twin, twinId);
    else await (story.finish ?? story.act)(again, twin, twinId);
    await second.stop();

    const database = await openDatabase(options);
    onTestFinished(() => database.close());
    await expectNoGaps(database);
    const history = await linesOf(database, app);
    expect(history).toEqual(await linesOf(database, twin));
    expect(history.length).toBeGreaterThan(4);
  },
);

async function start(database: DatabaseOptions, key?: string): Promise<Service> {
  const service = await startService({ database, ...(key === undefined ? {} : { key }) });
  onTestFinished(() => service.kill());
  return service;
}

async function newApp(call: Call): Promise<SyncedApp> {
  const app = await addSyncedApp({ call });
  await app.sync({ person: people(4, inTeam('old')), team: [{ id: 'new', name: 'new' }] });
  return app;
}

const periodsOf = async (call: Call, app: SyncedApp): Promise<unknown> =>
  (await call('GET', `/api/history/access/?app=${app.id}&limit=200`)).body.results;

/**
 * The history in words. Tasks have no numbers, because they count those of both apps. A record that a task changed was
 * last seen a moment after the task's change began, which has no name.
 */
async function linesOf({ db }: Database, app: SyncedApp): Promise<string[]> {
  const { rows } = await sql<{ org_id: string }>`select org_id from app where id = ${app.id}`.execute(db);
  const lines = await historyOf({ database: { db } as Database, orgId: rows[0]?.org_id ?? '' }, app.id);
  return lines.map((line) => line.replaceAll(/task \d+|\d{4}-\d\d-\d\d [\d:.+]+/g, 'task'));
}

/** Expects that the rows of the inventory and the closed periods are one history without overlaps. */
async function expectNoGaps({ db }: Database): Promise<void> {
  const { rows } = await sql<{ fault: string; n: number }>`
    with period as (
      select account_id, null::uuid as entitlement_id, since, gone_by, began_by, ended_by, id from account_period
      where known_to is null
      union all
      select id, null, since, null, change_id, null, id from account where removed_at is null and status <> 'NEW'
      union all
      select account_id, entitlement_id, since, gone_by, began_by, ended_by, id from membership_period where known_to is null
      union all
      select account_id, entitlement_id, granted_at, null, change_id, null, null from membership
    ), fault as (
      select 'overlap' as fault from (
        select since, lag(coalesce(gone_by, 'infinity')) over (
          partition by account_id, entitlement_id order by since, gone_by nulls last) as former from period) p
      where former > since
      union all
      select 'membership of a removed account' from membership m join account a on a.id = m.account_id
      where a.removed_at is not null
      union all
      select 'cause without a change' from period p
      where (began_by is not null and not exists (select from inventory_change c where c.id = p.began_by))
        or (ended_by is not null and not exists (select from inventory_change c where c.id = p.ended_by))
      union all
      select 'period without a cause' from period where began_by is null
      union all
      select 'removed account without a closed period' from account a
      where a.removed_at is not null and not exists (select from account_period p where p.account_id = a.id)
      union all
      select 'publication that never ended' from inventory_change
      where kind = 'sync' and completed_at is null and reverted_at is null
    )
    select fault, count(*) as n from fault group by fault`.execute(db);
  expect(rows).toEqual([]);
}
