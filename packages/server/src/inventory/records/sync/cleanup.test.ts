// @module-tag engine

import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { within } from '#kit/database.ts';
import { sql } from '#kit/sql.ts';
import { eventsOf } from '#test/people.ts';
import {
  addSyncedApp,
  inventoryOf,
  openSyncTest,
  people,
  type SyncedApp,
  type SyncTest,
} from '#test/sync.ts';
import { finishSession } from '../publication/finish.ts';

/** Starts a service whose database refuses to deactivate `stuck` accounts and to insert `broken` ones. */
async function openFailingTest(options: { jobs: boolean }): Promise<SyncTest> {
  const test = await openSyncTest({ ...options, own: true });
  const { exec } = test.database;
  await exec(
    `create function refuse() returns trigger language plpgsql as $$ begin raise exception 'the disk is full'; end $$`,
  );
  await exec(`create trigger refuse_removal before update on account for each row
    when (new.status = 'INACTIVE' and new.external_id = 'stuck') execute function refuse()`);
  await exec(`create trigger refuse_insert before insert on account for each row
    when (new.external_id = 'broken') execute function refuse()`);
  return test;
}

const STUCK = { id: 'stuck', email: 'stuck@x.example', memberships: { team: [{ id: 'g' }] } };

test('a cleanup that fails five times ends in CLEANUP_FAILED and keeps published records (D22)', async () => {
  const service = await openFailingTest({ jobs: true });
  onTestFinished(service.close);
  await service.sync({ person: [STUCK, ...people(3)] });
  const before = await service.bridge('GET', '/');
  const session = await service.start();
  await service.push(session, 'person', [
    ...people(2, () => ({ display_name: 'New' })),
    { id: 'joiner', username: 'j' },
  ]);

  // Makes waiting retries due immediately, as if the clock had jumped ahead.
  const hurry = setInterval(() => {
    sql`update pgboss.job set start_after = now() where name = 'sync.finish' and state = 'retry'`
      .execute(service.database.db)
      .catch(() => {});
  }, 50);
  const view = await service.complete(session).finally(() => clearInterval(hurry));

  const { rows } = await sql`
    select retry_count from pgboss.job where name = 'sync.finish' order by created_on desc limit 1`.execute(
    service.database.db,
  );
  expect(rows).toEqual([{ retry_count: 4 }]);
  expect(view).toMatchObject({
    status: 'error',
    error: {
      error_code: 'CLEANUP_FAILED',
      message: 'Cleanup failed 5 times; the last failure: the disk is full',
    },
    finished_at: expect.any(String),
    counts: { created: 1, updated: 2, unchanged: 0, removed: 0 },
  });
  expect(await service.inventory()).toEqual({
    accounts: {
      'person:joiner': 'ACTIVE',
      'person:p0': 'ACTIVE',
      'person:p1': 'ACTIVE',
      'person:p2': 'ACTIVE',
      'person:stuck': 'ACTIVE',
    },
    entitlements: { 'team:g': '' },
    memberships: { 'person:stuck': ['team:g'] },
  });
  expect((await service.bridge('GET', '/')).body).toEqual(before.body);
  const failed = (await eventsOf(service, 'app.sync.')).filter(({ payload }) => payload.sync_id === session);
  expect(failed.map(({ event_type }) => event_type)).toEqual(['app.sync.started', 'app.sync.failed']);
  expect(failed[1]).toMatchObject({
    actor: { type: 'system', uuid: null },
    subject: { type: 'app', uuid: service.id },
    source: { type: 'sync', uuid: session },
    payload: { app_id: service.id, reason: 'cleanup_failed', error_code: 'CLEANUP_FAILED' },
  });
});

describe('run by run', () => {
  let service: SyncTest;
  beforeAll(async () => {
    service = await openFailingTest({ jobs: false });
  });
  afterAll(() => service.close());

  let app: SyncedApp;
  beforeEach(async () => {
    app = await addSyncedApp(service);
    await service.database.exec('alter table account enable trigger refuse_removal');
  });

  const inventory = () => inventoryOf(service, app.id);
  const finish = (session: string, number: number) =>
    finishSession(within(service.database.db, service.orgId), session, {
      number,
      last: number === 5,
    });
  /** Does the same as complete, without sending the job. */
  const accept = (session: string) =>
    sql`update sync_session set status = 'completing', completing_at = clock_now() where id = ${session}`.execute(
      service.database.db,
    );
  const pushed = async (...records: unknown[]) => {
    const session = await app.start();
    await app.push(session, 'person', records);
    return session;
  };
  const synced = async (...records: unknown[]) => {
    const session = await pushed(...records);
    await accept(session);
    await finish(session, 1);
  };

  test('a failed run changes nothing, and a later run finishes the session once', async () => {
    await synced(STUCK, ...people(3));
    const session = await pushed(...people(1));
    await accept(session);
    const before = await inventory();

    await expect(finish(session, 1)).rejects.toThrow('the disk is full');
    await expect(finish(session, 2)).rejects.toThrow('the disk is full');

    expect(await app.view(session)).toMatchObject({ status: 'completing', counts: { removed: 0 } });
    expect(await inventory()).toEqual(before);
    await service.database.exec('alter table account disable trigger refuse_removal');
    await finish(session, 3);
    const view = await app.view(session);
    await finish(session, 4);
    expect(view).toMatchObject({
      status: 'completed',
      counts: { created: 0, updated: 0, unchanged: 1, removed: 4 },
      membership_counts: { removed: 1 },
    });
    expect(await app.view(session)).toEqual(view);
    const events = (await eventsOf(service, '')).filter(({ payload }) => payload.sync_id === session);
    expect(events.map(({ event_type }) => event_type).sort()).toEqual([
      'account.deprovisioned',
      'account.deprovisioned',
      'account.deprovisioned',
      'account.group.removed',
      'app.sync.completed',
      'app.sync.started',
    ]);
  });

  test('a new sync retries the removal (protocol 7.3)', async () => {
    await synced(STUCK);
    const session = await pushed(...people(1));
    await accept(session);
    await finish(session, 5);
    expect(await app.view(session)).toMatchObject({ status: 'error' });
    await service.database.exec('alter table account disable trigger refuse_removal');

    await synced(...people(1));

    expect((await inventory()).accounts).toEqual({ 'person:p0': 'ACTIVE', 'person:stuck': 'INACTIVE' });
  });

  test('a run after the end changes nothing', async () => {
    await synced(STUCK);
    const session = await pushed();
    await accept(session);
    await finish(session, 5);
    const view = await app.view(session);
    await service.database.exec('alter table account disable trigger refuse_removal');

    await finish(session, 1);

    expect(await app.view(session)).toEqual(view);
    expect((await inventory()).accounts).toEqual({ 'person:stuck': 'ACTIVE' });
  });

  test('two simultaneous runs finish the session once', async () => {
    await synced(...people(4));
    const session = await pushed(...people(1));
    await accept(session);

    await Promise.all([finish(session, 1), finish(session, 1), finish(session, 2)]);

    expect(await app.view(session)).toMatchObject({ status: 'completed', counts: { removed: 3 } });
    const completed = (await eventsOf(service, 'app.sync.completed')).filter(
      ({ payload }) => payload.sync_id === session,
    );
    expect(completed).toHaveLength(1);
  });

  test('a publication that fails for good publishes nothing and keeps the progress', async () => {
    await synced(...people(2));
    const before = await inventory();
    const session = await pushed(...people(1), { id: 'broken', username: 'b' });
    await accept(session);

    await expect(finish(session, 4)).rejects.toThrow('the disk is full');
    await finish(session, 5);

    const view = await app.view(session);
    expect(view).toMatchObject({ status: 'error', error: { error_code: 'CLEANUP_FAILED' }, counts: null });
    expect(view.progress[0]).toMatchObject({ slug: 'person', synced_count: 2 });
    expect(await inventory()).toEqual(before);
  });

  test('abandoning returns 500 if the publication fails, and can be retried', async () => {
    const session = await pushed({ id: 'broken', username: 'b' });

    expect(await app.abandon(session)).toMatchObject({ status: 500, body: { detail: expect.any(String) } });
    expect(await app.view(session)).toMatchObject({ status: 'in_progress' });
    expect((await inventory()).accounts).toEqual({});
    await app.push(session, 'person', [{ id: 'whole', username: 'w' }]);
    await service.database.exec('alter table account disable trigger refuse_insert');
    expect(await app.abandon(session)).toMatchObject({ status: 204 });
    await service.database.exec('alter table account enable trigger refuse_insert');
    expect((await inventory()).accounts).toEqual({ 'person:broken': 'ACTIVE', 'person:whole': 'ACTIVE' });
  });

  test('a newer session completes even if the cleanup of an earlier one fails (D21)', async () => {
    await synced(STUCK, ...people(2));
    const earlier = await pushed(...people(2));
    await accept(earlier);
    const newer = await pushed(STUCK, ...people(1));
    await accept(newer);

    await expect(finish(newer, 4)).rejects.toThrow('the disk is full');
    expect(await app.view(newer)).toMatchObject({ status: 'completing', counts: null });
    await finish(newer, 5);

    expect(await app.view(earlier)).toMatchObject({ status: 'error' });
    expect(await app.view(newer)).toMatchObject({ status: 'completed', counts: { removed: 1 } });
    expect((await inventory()).accounts).toEqual({
      'person:p0': 'ACTIVE',
      'person:p1': 'INACTIVE',
      'person:stuck': 'ACTIVE',
    });
  });
});
