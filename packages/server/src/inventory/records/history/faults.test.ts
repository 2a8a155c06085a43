// @module-tag engine

import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { sql } from '#kit/sql.ts';
import { historyOf } from '#test/history-lines.ts';
import { addSyncedApp, openSyncTest, type SyncedApp, type SyncTest } from '#test/sync.ts';
import { setTimes } from '#test/time.ts';

/** The history after faults and odd sequences. Times are named as in historyOf. */
let service: SyncTest;
let app: SyncedApp;
beforeAll(async () => {
  service = await openSyncTest({ own: true });
});
afterAll(() => service.close());
beforeEach(async () => {
  await sql`delete from inventory_change where kind = 'task'`.execute(service.database.db);
  app = await addSyncedApp(service);
});

const record = (id: string, teams: string[] = [], more: object = {}) => ({
  id,
  email: `${id}@pushed.example`,
  memberships: { team: teams.map((team) => ({ id: team })) },
  ...more,
});
const sync = (...person: object[]) => app.sync({ person });
const history = () => historyOf(service, app.id);
const guard = (removal_guard: object | null) =>
  service.call('PATCH', `/api/apps/${app.id}/`, { removal_guard });

async function task(action: string, more: object): Promise<string> {
  const { body } = await service.call('POST', '/api/tasks/', { app: app.id, action, ...more });
  return body.external_uuid;
}
const report = (id: string, result: object | null = null) =>
  app.bridge('PATCH', `/tasks/${id}/status/`, { status: 'completed', result });
async function account(externalId: string): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    select id from account where app_id = ${app.id} and external_id = ${externalId}`.execute(
    service.database.db,
  );
  return rows[0]?.id ?? '';
}
async function addPerson(email: string): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    insert into platform_user (org_id, email, username, first_name, last_name)
    values (${service.orgId}, ${email}, ${email}, 'Ann', 'Other') returning id`.execute(service.database.db);
  return rows[0]?.id ?? '';
}

test('a removed account that is pushed again under its external id gets a second period', async () => {
  await sync(record('a', ['g']));
  await sync();
  await sync(record('a', ['g']));

  expect(await history()).toEqual([
    'a ACTIVE: not before unknown, since sync 1, until sync 1, gone by start 2',
    'a ACTIVE: not before start 2, since sync 3, until sync 3',
    'a in g: not before unknown, since sync 1, until sync 1, gone by start 2',
    'a in g: not before start 2, since sync 3, until sync 3',
  ]);
});

test('memberships of a group that vanishes and returns end and begin again', async () => {
  await app.sync({ team: [{ id: 'g', name: 'G' }], person: [record('a', ['g'])] });
  await app.sync({ team: [], person: [record('a')] });
  await app.sync({ team: [{ id: 'g', name: 'G' }], person: [record('a', ['g'])] });

  expect(await history()).toEqual([
    'a ACTIVE: not before unknown, since sync 1, until sync 3',
    'a in g: not before unknown, since sync 1, until sync 1, gone by start 2',
    'a in g: not before start 2, since sync 3, until sync 3',
  ]);
});

test('a membership that a task removed and a sync finds again was absent at the time of the task', async () => {
  await sync(record('a', ['g']));
  await report(
    await task('update_account', { account: await account('a'), changes: { team: { removed: ['g'] } } }),
  );
  await sync(record('a', ['g']));

  expect(await history()).toEqual([
    'a ACTIVE: not before unknown, since sync 1, until sync 2',
    'a in g: not before unknown, since sync 1, until task 1, gone by task 1',
    'a in g: not before task 1, since sync 2, until sync 2',
  ]);
});

test('memberships of an account that only a task kept were last seen by the sync before', async () => {
  await sync(record('a', ['g']), record('b', ['g']));
  const session = await app.start();
  await report(await task('suspend_account', { account: await account('a') }));
  await app.push(session, 'person', [record('b', ['g'])]);
  await app.complete(session);

  const memberships = async () => (await history()).filter((line) => line.includes(' in g:'));
  expect(await memberships()).toEqual([
    'a in g: not before unknown, since sync 1, until sync 1',
    'b in g: not before unknown, since sync 1, until sync 2',
  ]);
  await sync(record('a', ['g']), record('b', ['g']));
  expect(await memberships()).toEqual([
    'a in g: not before unknown, since sync 1, until sync 3',
    'b in g: not before unknown, since sync 1, until sync 3',
  ]);
});

test('a session that ended in error proves what it pushed, and does not count as a sighting of the rest', async () => {
  await guard({ percent: 1, at_least: 1 });
  await sync(record('a'), record('b'));
  const session = await app.start();
  await app.push(session, 'person', [record('a', [], { display_name: 'X' })]);
  await app.complete(session);
  await service.call('POST', `/api/apps/${app.id}/syncs/${session}/reject/`);

  expect(await history()).toEqual([
    'a ACTIVE: not before unknown, since sync 1, until sync 1, gone by start 2',
    'a ACTIVE X: not before sync 1, since sync 2, until sync 2',
    'b ACTIVE: not before unknown, since sync 1, until sync 1',
  ]);
});

test('held removals that are approved end periods at the start of their session', async () => {
  await guard({ percent: 1, at_least: 1 });
  await sync(record('a'), record('b', ['g']));
  const session = await app.start();
  await app.push(session, 'person', [record('a')]);
  await app.complete(session);
  await service.call('POST', `/api/apps/${app.id}/syncs/${session}/approve/`);
  await expect.poll(async () => (await app.view(session)).status).toBe('completed');

  expect(await history()).toEqual([
    'a ACTIVE: not before unknown, since sync 1, until sync 2',
    'b ACTIVE: not before unknown, since sync 1, until sync 1, gone by start 2',
    'b in g: not before unknown, since sync 1, until sync 1, gone by start 2',
  ]);
});

test('an abandoned session proves presence and never absence, and a superseded one proves nothing', async () => {
  await sync(record('a'));
  const abandoned = await app.start();
  await app.push(abandoned, 'person', [record('b')]);
  await app.abandon(abandoned);
  await app.push(await app.start(), 'person', [record('c')]);
  await sync(record('a'), record('c'));

  expect(await history()).toEqual([
    'a ACTIVE: not before unknown, since sync 1, until sync 3',
    'b ACTIVE: not before start 1, since sync 2, until sync 2, gone by start 3',
    'c ACTIVE: not before start 1, since sync 3, until sync 3',
  ]);
});

test('times keep their order when the clock is set back', async () => {
  await sync(record('a', ['g']));
  await setTimes(
    service,
    'inventory_change',
    { at: '1 hour later', completed_at: '1 hour later' },
    { app_id: app.id },
  );
  await sync(record('a', [], { status: 'suspended' }));
  await sync(record('a', ['g'], { status: 'suspended' }));

  const { rows } = await sql<{ ordered: boolean }>`
    select bool_and(at > previous) as ordered from (
      select at, lag(at) over (order by id) as previous from inventory_change where app_id = ${app.id} and kind <> 'removal'
    ) c where previous is not null`.execute(service.database.db);
  expect(rows).toEqual([{ ordered: true }]);
  const periods = await sql<{ wrong: number }>`
    select count(*) as wrong from (
      select not_before, since, seen_until, gone_by from account_period where app_id = ${app.id}
      union all select not_before, since, seen_until, gone_by from membership_period where app_id = ${app.id}
    ) p where not_before > since or since > seen_until or seen_until > gone_by`.execute(service.database.db);
  expect(periods.rows).toEqual([{ wrong: 0 }]);
  expect(await history()).toHaveLength(4);
});

test('a pending account that a sync recognizes may have existed before its task', async () => {
  await sync();
  await sync();
  const email = 'late@x.example';
  await task('create_account', { user: await addPerson(email) });
  await sync(record('n', [], { email }));

  expect(await history()).toEqual([
    'n ACTIVE: not before start 2, since sync 3, until sync 3',
    'n NEW: not before task 1, since task 1, until task 1, gone by start 3',
  ]);
});

test('a merged duplicate leaves its whole history to the account that a task created', async () => {
  await sync();
  const created = await task('create_account', { user: await addPerson('erin@x.example') });
  await sync(record('e', ['g'], { email: 'e.rin@other.example' }));
  await sync(record('e', ['h'], { email: 'e.rin@other.example', display_name: 'E' }));
  const before = await sql<{ at: string }>`select clock_now()::text as at`.execute(service.database.db);
  const id = await account('e');
  await report(created, { account: { id: 'e' } });

  expect(await account('e')).not.toBe(id);
  const merged = await history();
  expect(merged).toHaveLength(4);
  expect(merged[1]).toMatch(/^e ACTIVE: not before sync 2, since sync 3, until /);
  expect(merged.toSpliced(1, 1)).toEqual([
    'e ACTIVE: not before start 1, since sync 2, until sync 2, gone by start 3',
    'e in g: not before start 1, since sync 2, until sync 2, gone by start 3',
    'e in h: not before start 2, since sync 3, until sync 3',
  ]);
  // The duplicate was known until then.
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from account_period
    where account_id = ${id} and known_from <= ${before.rows[0]?.at}::timestamptz and known_to > ${before.rows[0]?.at}::timestamptz`.execute(
    service.database.db,
  );
  expect(rows).toEqual([{ n: 2 }]);
});

test('an account was awaited until its record was first seen, however the record changed before it was chosen', async () => {
  const email = 'finn@x.example';
  await sync();
  const created = await task('create_account', { user: await addPerson(email) });
  await report(created);
  await sync(record('f1', [], { email }), record('f2', [], { email }));
  await sync(record('f1', [], { email, display_name: 'F' }), record('f2', [], { email }));
  const { rows } = await sql<{ id: string }>`
    select id from account where app_id = ${app.id} and external_id is null`.execute(service.database.db);

  const reply = await service.call('POST', `/api/accounts/${rows[0]?.id}/correlate/`, { external_id: 'f1' });

  expect(reply.status).toBe(200);
  expect(await history()).toEqual([
    'f1 ACTIVE: not before start 1, since sync 2, until sync 2, gone by start 3',
    'f1 ACTIVE: not before sync 2, since sync 3, until sync 3',
    'f1 INVITED: not before task 2, since task 2, until sync 2, gone by sync 2',
    'f1 NEW: not before task 1, since task 1, until task 2, gone by task 2',
    'f2 ACTIVE: not before start 1, since sync 2, until sync 3',
  ]);
});

test('a publication that is rolled back leaves no trace in the history', async () => {
  await sync(record('a', ['g']));
  const { database } = service;
  await database.exec(
    `create function refuse_period() returns trigger language plpgsql as $$ begin raise exception 'the disk is full'; end $$`,
  );
  await database.exec(
    'create trigger refuse_period before insert on membership_period for each row execute function refuse_period()',
  );
  const session = await app.start();
  await app.push(session, 'person', [record('a', [], { status: 'suspended' }), record('b')]);
  await app.bridge('POST', `/sync/${session}/complete/`);
  await expect
    .poll(
      async () => {
        const { rows } = await sql<{ n: number }>`
        select count(*) as n from pgboss.job where name = 'sync.finish' and state = 'retry'`.execute(
          database.db,
        );
        return rows[0]?.n;
      },
      { timeout: 20_000 },
    )
    .toBeGreaterThan(0);
  const failed = await history();
  await database.exec('drop function refuse_period cascade');
  await sql`update pgboss.job set start_after = now() where name = 'sync.finish' and state = 'retry'`.execute(
    database.db,
  );
  await expect.poll(async () => (await app.view(session)).status, { timeout: 20_000 }).toBe('completed');

  expect(failed).toEqual([
    'a ACTIVE: not before unknown, since sync 1, until sync 1',
    'a in g: not before unknown, since sync 1, until sync 1',
  ]);
  expect(await history()).toEqual([
    'a ACTIVE: not before unknown, since sync 1, until sync 1, gone by start 2',
    'a SUSPENDED: not before sync 1, since sync 2, until sync 2',
    'a in g: not before unknown, since sync 1, until sync 1, gone by start 2',
    'b ACTIVE: not before start 1, since sync 2, until sync 2',
  ]);
});
