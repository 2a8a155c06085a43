// @module-tag engine

import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { within } from '#kit/database.ts';
import { sql } from '#kit/sql.ts';
import { addSyncedApp, openSyncTest, type SyncedApp, type SyncTest } from '#test/sync.ts';
import { accountsHooks } from '../accounts/awaited.ts';
import { finishSession } from '../publication/finish.ts';

/** The hook for accounts whose external id is no longer awaited. */
let service: SyncTest;
beforeAll(async () => {
  service = await openSyncTest({ jobs: false });
});
afterAll(() => service.close());

let app: SyncedApp;
let calls: string[][];
beforeEach(async () => {
  app = await addSyncedApp(service);
  calls = [];
});

async function addAwaited(email: string, status: 'NEW' | 'INVITED'): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    insert into account (org_id, app_id, resource_type_id, email, status, tasked_at)
    select a.org_id, a.id, t.id, ${email}, ${status}, clock_now()
    from app a join resource_type t on t.org_id = a.org_id and t.clone_group_id = a.clone_group_id and t.slug = 'person'
    where a.id = ${app.id} returning id`.execute(service.database.db);
  return rows[0]?.id ?? '';
}

/** Completes a session of these accounts and does the work of its job. */
async function sync(records: { id: string; email: string }[]): Promise<void> {
  const session = await app.start();
  await app.push(session, 'person', records);
  await sql`
    update sync_session set status = 'completing', completing_at = clock_now() where id = ${session}`.execute(
    service.database.db,
  );
  const { db } = service.database;
  accountsHooks.set(db, [
    async ({ orgId }, ids) => {
      expect(orgId).toBe(service.orgId);
      calls.push(ids);
    },
  ]);
  await finishSession(within(db, service.orgId), session, { number: 1, last: false });
  expect(await app.view(session)).toMatchObject({ status: 'completed' });
}

test('is called with the accounts that a sync recognized', async () => {
  const recognized = await addAwaited('ann@x.example', 'NEW');
  await addAwaited('bob@x.example', 'NEW');

  await sync([
    { id: 'ann', email: 'ann@x.example' },
    { id: 'eve', email: 'eve@x.example' },
  ]);

  expect(calls).toEqual([[recognized]]);
});

test('is called with removed accounts that never had an external id', async () => {
  await sync([{ id: 'leaver', email: 'leaver@x.example' }]);
  const removed = await addAwaited('ann@x.example', 'INVITED');

  await sync([]);

  expect(calls).toEqual([[removed]]);
});

test('is not called for accounts whose external ids were known', async () => {
  await sync([{ id: 'ann', email: 'ann@x.example' }]);
  await sync([{ id: 'ann', email: 'new@x.example' }]);
  await sync([]);

  expect(calls).toEqual([]);
});
