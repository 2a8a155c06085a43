// @module-tag engine

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { setHistoryDays } from '#directory/access/organization-state.ts';
import { sql } from '#kit/sql.ts';
import { historyOf } from '#test/history.ts';
import { addSyncedApp, openSyncTest, people, type SyncedApp, type SyncTest } from '#test/sync.ts';
import { setTimes } from '#test/time.ts';
import { maintainHistory, prepareHistory } from './retention.ts';

let service: SyncTest;
beforeAll(async () => {
  service = await openSyncTest();
});
afterAll(() => service.close());

let app: SyncedApp;
beforeEach(async () => {
  app = await addSyncedApp(service);
});

const inTeams = (...ids: string[]) => ({ memberships: { team: ids.map((id) => ({ id })) } });
const teams = ['red', 'blue'].map((id) => ({ id, name: id }));
const one = (more: object = {}) => ({ team: teams, person: people(1, () => more) });

const db = () => service.database.db;

/** Times in seconds: Citus adds no intervals to columns in updates. */
const DAY = 86_400;
const YEAR = 365 * DAY;

/** Completes a task of an action on an account of the app. */
async function act(action: string, more: object = {}) {
  const { body: list } = await service.call('GET', `/api/accounts/?app=${app.id}`);
  const account = list.results[0].external_uuid;
  const task = await service.call('POST', '/api/tasks/', { app: app.id, account, action, ...more });
  const done = { status: 'completed', result: null, error: null };
  const reply = await app.bridge('PATCH', `/tasks/${task.body.external_uuid}/status/`, done);
  if (reply.status !== 200) throw new Error(JSON.stringify([task.body, reply.body]));
}

interface Period {
  what: string;
  not_before: string;
  since: string;
  seen_until: string;
  gone_by: string;
}

/** The periods of the app's accounts and memberships, in order, with times as text in microseconds. */
async function periods(appId = app.id): Promise<Period[]> {
  const { rows } = await sql<Period>`
    select what, coalesce(to_char(not_before, 'YYYY-MM-DD HH24:MI:SS.US'), '-') as not_before,
      to_char(since, 'YYYY-MM-DD HH24:MI:SS.US') as since,
      coalesce(to_char(seen_until, 'YYYY-MM-DD HH24:MI:SS.US'), to_char(since, 'YYYY-MM-DD HH24:MI:SS.US')) as seen_until,
      coalesce(to_char(gone_by, 'YYYY-MM-DD HH24:MI:SS.US'), '~') as gone_by
    from (
      select account_id::text as what, not_before, since, seen_until, gone_by from account_period
      where org_id = ${service.orgId} and app_id = ${appId}
      union all
      select id::text, not_before, since, null, null from account where org_id = ${service.orgId} and app_id = ${appId} and removed_at is null
      union all
      select account_id || ' ' || entitlement_id, not_before, since, seen_until, gone_by
      from membership_period where org_id = ${service.orgId} and app_id = ${appId} and known_to is null
      union all
      select account_id || ' ' || entitlement_id, m.not_before, granted_at, null, null
      from membership m join entitlement e on e.org_id = m.org_id and e.id = entitlement_id
      where m.org_id = ${service.orgId} and app_id = ${appId}
    ) all_periods
    order by what, all_periods.since, all_periods.gone_by`.execute(db());
  return rows;
}

/** A state is never possible while another one of the same account or membership is certain. */
async function expectNoContradiction() {
  const found = await periods();
  for (const [i, period] of found.entries()) {
    const next = found[i + 1];
    expect(
      period.since <= period.seen_until && period.seen_until <= period.gone_by,
      JSON.stringify(period),
    ).toBe(true);
    if (next?.what !== period.what) continue;
    expect(
      period.gone_by <= next.since,
      `ends before the next begins: ${JSON.stringify([period, next])}`,
    ).toBe(true);
    expect(period.seen_until <= next.not_before, `excludes the next: ${JSON.stringify([period, next])}`).toBe(
      true,
    );
  }
}

test('a state that a task confirmed excludes the next one until then', async () => {
  await app.sync(one());
  await act('unsuspend_account');
  await app.sync(one({ status: 'suspended' }));

  expect(await periods()).toHaveLength(2);
  await expectNoContradiction();
});

test('a membership that a task took away before the first completed sync was absent in between', async () => {
  const session = await app.start();
  await app.push(
    session,
    'person',
    people(1, () => inTeams('red')),
  );
  await app.abandon(session);
  await expect.poll(() => periods()).toHaveLength(2);
  await act('update_account', { changes: { team: { removed: ['red'] } } });
  await app.sync(one(inTeams('red')));

  expect(await periods()).toHaveLength(3);
  await expectNoContradiction();
});

test('accounts and memberships that flap by turns of tasks and syncs never contradict themselves', async () => {
  await app.sync(one(inTeams('red')));
  await act('suspend_account');
  await app.sync(one({ status: 'suspended', ...inTeams('blue') }));
  await act('update_account', { changes: { team: { removed: ['blue'], added: ['red'] } } });
  await app.sync(one(inTeams('red', 'blue')));
  await app.sync({ team: teams });
  await app.sync(one(inTeams('red')));
  await act('delete_account');
  await app.sync(one(inTeams('red')));

  await expectNoContradiction();
});

test('a session that started before a task and publishes after it never contradicts the task', async () => {
  await app.sync(one(inTeams('red')));
  const session = await app.start();
  await app.push(
    session,
    'person',
    people(1, () => inTeams('red', 'blue')),
  );
  await act('update_account', { changes: { team: { removed: ['red'] } } });
  await act('suspend_account');
  await app.complete(session);

  await expectNoContradiction();
});

test('a sync still ends periods after the clock was a year ahead and set back', async () => {
  await app.sync(one(inTeams('red')));
  await setTimes(
    db(),
    'inventory_change',
    { at: `${YEAR} seconds later`, completed_at: `${YEAR} seconds later` },
    { app_id: app.id },
  );
  await prepareHistory(db());

  await app.sync(one(inTeams('blue')));

  await expectNoContradiction();
});

test('the deletion of an organization keeps the periods of others in other partitions', async () => {
  const other = randomUUID();
  const insert = (orgId: string, months: number) =>
    sql`
    insert into account_link_period (org_id, account_id, user_id, since, ended_at)
    values (${orgId}, uuidv7(), uuidv7(), now(), now() + ${months} * interval '1 month')`.execute(db());
  await sql`delete from account_link_period`.execute(db());
  await insert(service.orgId, 0);
  await insert(other, 1);

  await sql`select delete_rows_of_organization('account_link_period', ${other}, 1000)`.execute(db());

  const { rows } = await sql<{ org_id: string }>`select org_id from account_link_period`.execute(db());
  expect(rows).toEqual([{ org_id: service.orgId }]);
});

test('an account that often changed does not hide the others from the history of a group', async () => {
  await app.sync({ team: teams, person: people(2, () => inTeams('red')) });
  await sql`
    insert into membership_period (org_id, account_id, entitlement_id, app_id, since, seen_until, gone_by, known_from,
      ended_at, ended_by)
    select m.org_id, m.account_id, m.entitlement_id, ${app.id}, t, t, t, t, t, m.change_id
    from (
      select m.* from membership m join entitlement e on e.org_id = m.org_id and e.id = m.entitlement_id
      where m.org_id = ${service.orgId} and e.app_id = ${app.id} order by account_id limit 1
    ) m, generate_series(now() - interval '600 days', now() - interval '1 day', interval '1 day') t`.execute(
    db(),
  );

  const from = new Date().toISOString();
  const group = `app=${app.id}&slug=team&resource=red`;
  const { body } = await service.call('GET', `/api/history/access/?${group}&from=${from}`);

  expect(body.results).toHaveLength(2);
});

test('a time whose periods have been deleted is not known, although a sync had completed', async () => {
  const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
  await app.sync({ team: teams, person: people(2, () => inTeams('red')) });
  await app.sync({ team: teams, person: people(1, () => inTeams('red')) });
  await sql`
    update inventory_change set started_at = seconds_after(started_at, ${-60 * DAY}), at = seconds_after(at, ${-60 * DAY}),
      completed_at = seconds_after(completed_at, ${-60 * DAY})
    where org_id = ${service.orgId} and app_id = ${app.id} and id = (
      select change_id from account
      where org_id = ${service.orgId} and app_id = ${app.id} and removed_at is null)`.execute(db());
  await setTimes(db(), 'account', { since: '60 days earlier' }, { app_id: app.id });
  for (const table of [sql`account_period`, sql`membership_period`])
    await sql`
      update ${table} set since = seconds_after(since, ${-60 * DAY}), known_from = seconds_after(known_from, ${-60 * DAY}),
        seen_until = seconds_after(seen_until, ${-40 * DAY}), gone_by = seconds_after(gone_by, ${-40 * DAY}),
        ended_at = seconds_after(ended_at, ${-40 * DAY}) where app_id = ${app.id}`.execute(db());
  const at = (days: number, path = `/api/accounts/?app=${app.id}&`) =>
    service.call('GET', `${path}as_of=${daysAgo(days)}`).then(({ body }) => body);
  expect(await at(50)).toMatchObject({ count: 2, coverage: [{ known: true }] });

  await setHistoryDays(db(), service.orgId, 30);
  await maintainHistory(db());
  await setHistoryDays(db(), service.orgId, null);

  expect(await at(50)).toMatchObject({ count: 1, coverage: [{ known: false, sync_before: null }] });
  expect(await at(20)).toMatchObject({ count: 1, coverage: [{ known: true }] });
  const changes = await service.call('GET', `/api/history/compare/?app=${app.id}&from=${daysAgo(50)}`);
  expect(changes.body.coverage).toMatchObject([{ known: false }]);
  const restored = await service.call('POST', '/api/restore/', { app: app.id, as_of: daysAgo(50) });
  expect(restored.body.coverage).toMatchObject([{ known: false }]);
});

test('memberships of an account that a sync did not push, but spared for a task, were not seen by it', async () => {
  await app.sync(one(inTeams('red')));
  const session = await app.start();
  await app.push(session, 'team', teams);
  await act('suspend_account');
  await app.complete(session);

  const { body } = await service.call(
    'GET',
    `/api/accounts/?app=${app.id}&as_of=${new Date().toISOString()}`,
  );
  expect(body.results).toMatchObject([
    { certainty: 'possible', memberships: { team: [{ id: 'red', certainty: 'possible' }] } },
  ]);
  const [account] = body.results;
  expect(account.memberships.team[0].bounds.seen_until < account.bounds.seen_until).toBe(true);
});

/** Returns a check that a part of the history, as known now, does not change later. */
async function remember(part: 'names' | 'memberships') {
  const { rows } = await sql<{ at: string }>`select clock_now()::text as at`.execute(db());
  const at = rows[0]?.at ?? '';
  const history = (await historyOf(service, app.id, at))[part];
  expect(history).not.toHaveLength(0);
  return async () => expect((await historyOf(service, app.id, at))[part]).toEqual(history);
}

test('a task that proves a group after the first sync began does not change what was known before', async () => {
  const first = await app.start();
  await app.push(first, 'team', teams);
  await app.push(first, 'person', people(1));
  await app.abandon(first);
  const beforeTask = await remember('names');
  const session = await app.start();
  await act('update_account', { changes: { team: { added: ['red'] } } });
  const beforeCompletion = await remember('names');

  await app.complete(session);

  await beforeTask();
  await beforeCompletion();
});

test('a sync that saw a membership does not change what was known before the first sync', async () => {
  const first = await app.start();
  await app.push(first, 'team', teams);
  await app.push(
    first,
    'person',
    people(1, () => inTeams('red')),
  );
  await app.abandon(first);
  const beforeSync = await remember('memberships');
  await app.sync(one(inTeams('red')));
  const session = await app.start();
  await app.push(session, 'team', teams);
  await act('update_account', { changes: { team: { added: ['blue'] } } });

  await app.complete(session);

  await beforeSync();
});
