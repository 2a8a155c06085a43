// @module-tag long

import fc from 'fast-check';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { type Tx, transaction, within } from '#kit/database.ts';
import { sql } from '#kit/sql.ts';
import { addSyncedApp, inventoryOf, openSyncTest, type SyncedApp, type SyncTest } from '#test/sync.ts';
import {
  applyStatus,
  grantMemberships,
  markRemoved,
  mergeDuplicates,
  revokeAllMemberships,
  revokeMemberships,
} from '../accounts/queries/effects.ts';
import { beginTaskChange } from '../history/change.ts';

/** Accounts that were pushed as before are recognized by their digests and not compared (ADR 14). */
const prepared = inject('prepared');

let service: SyncTest;
beforeAll(async () => {
  service = await openSyncTest();
});
afterAll(() => service.close());

const person = (id: string, memberships: Record<string, { id: string; name?: string }[]> = {}) => ({
  id,
  email: `${id}@x.example`,
  memberships,
});

/** The external ids of the app's accounts that have a digest. */
async function digestsOf({ id }: SyncedApp): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select a.external_id as id from account_digest d join account a on a.org_id = d.org_id and a.id = d.account_id
    where d.org_id = ${service.orgId} and a.app_id = ${id} order by 1`.execute(service.database.db);
  return rows.map((row) => row.id);
}

const forgetAll = async ({ id }: SyncedApp) =>
  sql`delete from account_digest where org_id = ${service.orgId} and account_id in (
    select a.id from account a where a.org_id = ${service.orgId} and a.app_id = ${id})`.execute(
    service.database.db,
  );

const idOf = async (tx: Tx, table: 'account' | 'entitlement', app: SyncedApp, externalId: string) => {
  const { rows } = await sql<{ id: string }>`
    select id from ${sql.table(table)}
    where org_id = ${service.orgId} and app_id = ${app.id} and external_id = ${externalId} order by id limit 1`.execute(
    tx,
  );
  return rows[0]?.id;
};

/** Renames the accounts of the app and keeps their digests, past the guard of the test databases (test/digest-guard.ts). */
const renameUnseen = ({ id }: SyncedApp, name: string) =>
  transaction(service.database.db, async (tx) => {
    if (service.database.engine !== 'citus')
      await sql`set local session_replication_role = replica`.execute(tx);
    await sql`update account set display_name = ${name} where org_id = ${service.orgId} and app_id = ${id}`.execute(
      tx,
    );
  });

const TOUCHES = ['suspend', 'remove', 'grant', 'revoke', 'revoke all', 'merge'] as const;

/** Changes an account as a completed task does. */
const touch = (app: SyncedApp, how: (typeof TOUCHES)[number], externalId: string) =>
  transaction(within(service.database.db, service.orgId), async (tx) => {
    const account = await idOf(tx.db, 'account', app, externalId);
    const entitlement = await idOf(tx.db, 'entitlement', app, 'g');
    if (account === undefined) return;
    const change = await beginTaskChange(tx);
    if (how === 'suspend') await applyStatus(tx, change, [account], 'SUSPENDED');
    else if (how === 'remove') {
      await markRemoved(tx, change, [account]);
      await revokeAllMemberships(tx, change, account);
    } else if (how === 'revoke all') await revokeAllMemberships(tx, change, account);
    else if (how === 'merge') {
      const duplicate = await idOf(tx.db, 'account', app, 'c');
      if (duplicate !== undefined && duplicate !== account)
        await mergeDuplicates(tx, change, [{ account_id: account, duplicate_id: duplicate }]);
    } else if (entitlement !== undefined) {
      const effect = how === 'grant' ? grantMemberships : revokeMemberships;
      await effect(tx, change, account, [entitlement]);
    }
  });

test('an account that was pushed as before is not compared, in any order of its references', async () => {
  const app = await addSyncedApp(service);
  const [g, h] = [{ id: 'g' }, { id: 'h', name: 'H' }];
  await app.sync({ person: [person('a', { team: [g, h] }), person('b')] });
  expect(await digestsOf(app)).toEqual(['a', 'b']);
  // A change that no code makes: it shows whether the account is compared.
  await renameUnseen(app, 'Unseen');

  await app.sync({ person: [person('a', { team: [h, g] }), { ...person('b'), first_name: 'B' }] });
  const { rows } = await sql<{ id: string; name: string }>`
    select external_id as id, display_name as name from account
    where org_id = ${service.orgId} and app_id = ${app.id} order by 1`.execute(service.database.db);
  expect(rows).toEqual([
    { id: 'a', name: 'Unseen' },
    { id: 'b', name: '' },
  ]);
  const { memberships, entitlements } = await inventoryOf(service, app.id);
  expect(memberships).toEqual({ 'person:a': ['team:g', 'team:h'] });
  expect(Object.keys(entitlements)).toEqual(['team:g', 'team:h']);
});

test.skipIf(prepared.engine === 'citus')('a test database refuses a change that keeps a digest', async () => {
  const app = await addSyncedApp(service);
  const { db } = service.database;
  await app.sync({ person: [person('a', { team: [{ id: 'g' }] }), person('b')] });
  const ofApp = sql`(select a.id from account a where a.app_id = ${app.id})`;
  for (const change of [
    sql`update account set status = 'SUSPENDED' where app_id = ${app.id}`,
    sql`delete from membership where account_id in ${ofApp}`,
    sql`insert into membership (org_id, account_id, entitlement_id)
      select a.org_id, a.id, e.id from account a join entitlement e on e.app_id = a.app_id
      where a.app_id = ${app.id} and a.external_id = 'b'`,
  ])
    await expect(change.execute(db)).rejects.toThrow('keeps the digest');
  await sql`delete from account_digest where account_id in ${ofApp}`.execute(db);
  await sql`update account set status = 'SUSPENDED' where app_id = ${app.id}`.execute(db);
});

for (const how of TOUCHES) {
  test(`a task (${how}) forgets the digest of the account that it changes`, async () => {
    const app = await addSyncedApp(service);
    const records = ['a', 'b', 'c'].map((id) => person(id, { team: [{ id: 'g' }] }));
    await app.sync({ person: records });
    expect(await digestsOf(app)).toEqual(['a', 'b', 'c']);
    await touch(app, how, 'a');
    expect(await digestsOf(app)).not.toContain('a');
    expect(await digestsOf(app)).toContain('b');
  });
}

test('an account whose loss of a group is held has no digest, and a removed account has none', async () => {
  const app = await addSyncedApp(service);
  const team = [{ id: 'g' }, { id: 'h' }];
  await app.sync({ person: ['a', 'b', 'c'].map((id) => person(id, { team })) });
  await service.call('PATCH', `/api/apps/${app.id}/`, { removal_guard: { percent: 1, at_least: 1 } });
  const session = await app.start();
  await app.push(session, 'person', [person('a', { team: [{ id: 'g' }] }), person('b', { team })]);
  expect((await app.complete(session)).held).toBeDefined();
  expect(await digestsOf(app)).toEqual(['b', 'c']);

  await service.call('PATCH', `/api/apps/${app.id}/`, { removal_guard: null });
  await app.sync({ person: [person('b', { team })] });
  expect(await digestsOf(app)).toEqual(['b']);
});

test('the revert of a session forgets the digests of its app', async () => {
  const app = await addSyncedApp(service);
  await app.sync({ person: [person('a')] });
  const session = await app.sync({ person: [person('a'), person('b')] });
  const { status } = await service.call('POST', `/api/apps/${app.id}/syncs/${session}/revert/`, {});
  expect(status).toBe(200);
  expect(await digestsOf(app)).toEqual([]);
});

test('the last push of an account wins, whether it is the unchanged one or the other', async () => {
  const app = await addSyncedApp(service);
  const before = person('a', { team: [{ id: 'g' }] });
  const other = { ...person('a', { team: [{ id: 'h' }] }), display_name: 'Other' };
  await app.sync({ person: [before] });
  for (const [pages, groups] of [
    [[other, before], ['team:g']],
    [[before, other], ['team:h']],
  ] as const) {
    const session = await app.start();
    for (const record of pages) await app.push(session, 'person', [record]);
    await app.complete(session);
    expect((await inventoryOf(service, app.id)).memberships).toEqual({ 'person:a': groups });
  }
});

// Property ------------------------------------------------------------------------------------------------------

const id = fc.constantFrom('a', 'b', 'c');
const record = fc
  .record({
    id,
    display_name: fc.constantFrom('', 'X'),
    teams: fc.uniqueArray(fc.constantFrom('g', 'h'), { maxLength: 2 }),
    name: fc.constantFrom(undefined, undefined, 'N'),
  })
  .map(({ id: one, display_name, teams, name }) => ({
    ...person(one, { team: teams.map((team) => ({ id: team, ...(name === undefined ? {} : { name }) })) }),
    display_name,
  }));
const records = fc.uniqueArray(record, { selector: (one) => one.id, minLength: 1, maxLength: 3 });
const touches = fc.array(fc.record({ how: fc.constantFrom(...TOUCHES), id }), { maxLength: 1 });
const round = fc.record({
  /** Null pushes the records of the round before. */
  records: fc.option(records, { freq: 2, nil: null }),
  touchedBefore: touches,
  touchedDuring: touches,
  twice: fc.boolean(),
  guarded: fc.boolean(),
  end: fc.constantFrom('complete', 'complete', 'complete', 'abandon', 'revert'),
});
type Round = typeof round extends fc.Arbitrary<infer T> ? T : never;

async function run(app: SyncedApp, rounds: Round[], { forgets }: { forgets: boolean }): Promise<unknown[]> {
  const seen: unknown[] = [];
  let last: unknown[] = [person('a'), person('b')];
  for (const { records: given, touchedBefore, touchedDuring, twice, guarded, end } of rounds) {
    const guard = guarded ? { percent: 1, at_least: 1 } : null;
    await service.call('PATCH', `/api/apps/${app.id}/`, { removal_guard: guard });
    for (const one of touchedBefore) await touch(app, one.how, one.id);
    const session = await app.start();
    const earlier = last;
    last = given ?? last;
    await app.push(session, 'person', twice ? earlier : last);
    for (const one of touchedDuring) await touch(app, one.how, one.id);
    if (twice) await app.push(session, 'person', last);
    if (forgets) await forgetAll(app);
    const planned = await service.call('GET', `/api/apps/${app.id}/syncs/${session}/plan/?limit=1`);
    seen.push(planned.body.counts, planned.body.held);
    if (end === 'abandon') await app.abandon(session);
    else {
      const view = await app.complete(session);
      seen.push(view.counts, view.held);
      if (end === 'revert' && view.status === 'completed')
        await service.call('POST', `/api/apps/${app.id}/syncs/${session}/revert/`, {});
    }
    seen.push(await inventoryOf(service, app.id), await marksOf(app));
  }
  return seen;
}

/** A sync also writes marks of tasks and sightings, and ends periods. Returns the marks and the numbers of periods. */
async function marksOf({ id: appId }: SyncedApp): Promise<unknown> {
  const { rows } = await sql`
    select a.external_id, a.tasked_at is not null as tasked,
      (select count(*) from membership m where m.org_id = ${service.orgId} and m.account_id = a.id and m.tasked_at is not null) as granted,
      (select count(*) from membership m where m.org_id = ${service.orgId} and m.account_id = a.id and m.seen_until is not null) as unseen,
      (select count(*) from account_period p where p.org_id = ${service.orgId} and p.account_id = a.id) as states,
      (select count(*) from membership_period p where p.org_id = ${service.orgId} and p.account_id = a.id) as held
    from account a where a.org_id = ${service.orgId} and a.app_id = ${appId} order by 1, 2, 3, 4, 5, 6`.execute(
    service.database.db,
  );
  return rows;
}

test('random syncs between random tasks, with digests and without, leave the same inventory', {
  timeout: 600_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(round, { minLength: 2, maxLength: 5, size: 'max' }), async (rounds) => {
      const [one, other] = [await addSyncedApp(service), await addSyncedApp(service)];
      expect(await run(one, rounds, { forgets: false })).toEqual(await run(other, rounds, { forgets: true }));
    }),
    { numRuns: prepared.engine === 'citus' ? 5 : 15 },
  );
});
