// @module-tag long
import fc from 'fast-check';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { sql } from '#kit/sql.ts';
import { snapshotOf } from '#test/history.ts';
import { addSyncedApp, openSyncTest, type SyncedApp, type SyncTest } from '#test/sync.ts';

/** Reverts random sessions, immediately or after other changes, and compares the inventory with that before. */
let service: SyncTest;
beforeAll(async () => {
  service = await openSyncTest();
  for (const n of [0, 1]) await service.call('POST', '/api/users/', { email: `e${n}@acme.example` });
});
afterAll(() => service.close());

const ref = fc.constantFrom('g', 'h', 'i');
const record = fc.record({
  id: fc.constantFrom('a', 'b', 'c', 'd'),
  email: fc.constantFrom('', 'e0@acme.example', 'e1@acme.example', 'e2@acme.example'),
  display_name: fc.constantFrom('X', 'Y'),
  status: fc.constantFrom('active', 'active', 'suspended', 'inactive'),
  memberships: fc
    .uniqueArray(ref, { maxLength: 2 })
    .map((ids) => ({ team: ids.map((id) => ({ id, name: id })) })),
  assignments: fc.constantFrom({}, { seat: [{ id: 's' }] }),
});
type Record = typeof record extends fc.Arbitrary<infer T> ? T : never;
const session = fc.record({
  records: fc.uniqueArray(record, { maxLength: 4, selector: ({ id }) => id }),
  ending: fc.constantFrom('complete' as const, 'complete' as const, 'abandon' as const),
});
type Session = typeof session extends fc.Arbitrary<infer T> ? T : never;

async function run(app: SyncedApp, { records, ending }: Session): Promise<string> {
  const id = await app.start();
  await app.push(id, 'person', records satisfies Record[]);
  await (ending === 'complete' ? app.complete(id) : app.abandon(id));
  return id;
}

const revert = async (app: SyncedApp, id: string) => {
  const { status, body } = await service.call('POST', `/api/apps/${app.id}/syncs/${id}/revert/`, {});
  expect(status, JSON.stringify(body)).toBe(200);
  return body;
};

/** The accounts that exist, by external id, with what they hold. */
async function accountsOf(app: SyncedApp) {
  const { rows } = await sql<{ id: string; state: string; held: string[] }>`
    select a.external_id as id, concat_ws(' ', a.email, a.display_name, a.status) as state,
      array(select e.external_id from membership m
        join entitlement e on e.org_id = ${service.orgId} and e.id = m.entitlement_id
        where m.org_id = ${service.orgId} and m.account_id = a.id order by 1) as held
    from account a where a.org_id = ${service.orgId} and a.app_id = ${app.id} and a.removed_at is null order by 1`.execute(
    service.database.db,
  );
  return new Map(rows.map(({ id, ...account }) => [id, account]));
}

const RUNS = inject('prepared').engine === 'citus' ? 6 : 20;

async function expectCounts(app: SyncedApp) {
  const { orgId, database } = service;
  const accounts = await sql<{ wrong: number }>`
    select count(*) as wrong from (
      select status, user_id is not null as linked, count(*) as n from account where app_id = ${app.id} group by 1, 2
      except
      select status, linked, sum(n) from account_count where app_id = ${app.id} group by 1, 2) as different`.execute(
    database.db,
  );
  expect(accounts.rows[0]?.wrong).toBe(0);
  const members = await sql<{ wrong: number }>`
    select count(*) as wrong from (
      select entitlement_id from (
        select entitlement_id, count(*) as n from membership where org_id = ${orgId} group by 1
        union all
        select entitlement_id, -sum(n) from member_count where org_id = ${orgId} group by 1
      ) as counts group by 1 having sum(n) <> 0) as different`.execute(database.db);
  expect(members.rows[0]?.wrong).toBe(0);
}

test('the revert of a session restores everything that was there before it', {
  timeout: 600_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(session, { maxLength: 2 }), session, async (earlier, nonsense) => {
      const app = await addSyncedApp(service);
      for (const one of earlier) await run(app, one);
      const before = await snapshotOf(service, app.id);
      const { conflicts } = await revert(app, await run(app, nonsense));
      expect(conflicts.count).toBe(0);
      expect(await snapshotOf(service, app.id)).toEqual(before);
      await expectCounts(app);
    }),
    { numRuns: RUNS },
  );
});

/** A session that pushed one account under this email, or none. */
const pushedAs = (email: Record['email'] | null): Session => ({
  records:
    email === null
      ? []
      : [
          {
            id: 'a',
            email,
            display_name: 'X',
            status: 'active',
            memberships: { team: [] },
            assignments: {},
          },
        ],
  ending: 'complete',
});

test('the revert of several sessions, newest first, restores everything that was there before them', {
  timeout: 600_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(session, fc.array(session, { minLength: 2, maxLength: 3 }), async (first, nonsense) => {
      const app = await addSyncedApp(service);
      await run(app, first);
      const before = await snapshotOf(service, app.id);
      const sessions: string[] = [];
      for (const one of nonsense) sessions.push(await run(app, one));
      for (const id of sessions.reverse()) await revert(app, id);
      expect(await snapshotOf(service, app.id)).toEqual(before);
      await expectCounts(app);
    }),
    {
      numRuns: RUNS / 2,
      examples: [
        [
          pushedAs('e2@acme.example'),
          [pushedAs('e1@acme.example'), pushedAs(null), pushedAs('e0@acme.example')],
        ],
      ],
    },
  );
});

test('the revert of a session touches nothing that has changed since', { timeout: 600_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(session, session, session, async (first, nonsense, later) => {
      const app = await addSyncedApp(service);
      await run(app, first);
      const before = await accountsOf(app);
      const id = await run(app, nonsense);
      const after = await accountsOf(app);
      await run(app, later);
      const since = await accountsOf(app);
      await revert(app, id);
      const reverted = await accountsOf(app);
      for (const key of ['a', 'b', 'c', 'd']) {
        const [was, is] = [after.get(key), since.get(key)];
        const isSame = JSON.stringify(was) === JSON.stringify(is);
        if (isSame) expect(reverted.get(key)).toEqual(before.get(key));
        else if (was?.state !== is?.state) expect(reverted.get(key)?.state).toEqual(is?.state);
        for (const group of ['g', 'h', 'i', 's']) {
          const held = [was, is, reverted.get(key)].map((account) => account?.held.includes(group) ?? false);
          if (held[0] !== held[1]) expect(held[2]).toBe(held[1]);
        }
      }
      await expectCounts(app);
    }),
    { numRuns: RUNS },
  );
});
