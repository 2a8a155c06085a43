// @module-tag long
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '#kit/sql.ts';
import { addSyncedApp, openSyncTest, type SyncedApp, type SyncTest, untilEnded } from '#test/sync.ts';

/**
 * For random sessions and tasks, the plan that is read right before a session ends is what the history then shows that
 * the session did, also if the removal guard holds a part of it.
 */
let service: SyncTest;
beforeAll(async () => {
  service = await openSyncTest();
  for (const name of ['a', 'b', 'm']) await service.call('POST', '/api/users/', { email: emailOf(name) });
});
afterAll(() => service.close());

const emailOf = (name: string) => `${name}@x.example`;

const id = fc.constantFrom('a', 'b', 'c', 'é');
const teams = fc.uniqueArray(fc.constantFrom('g', 'h', 'i'), { maxLength: 2 });
const account = fc.record({
  id,
  email: fc.constantFrom('a', 'b', 'm', 'nobody').map(emailOf),
  display_name: fc.constantFrom('', 'X'),
  status: fc.constantFrom('active', 'active', 'active', 'inactive', 'suspended'),
  memberships: teams.map((ids) => ({ team: ids.map((one) => ({ id: one })) })),
  assignments: fc.constantFrom({}, { seat: [{ id: 's', name: 'Seat' }] }),
});
const push = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      slug: fc.constantFrom('person', 'person', 'bot'),
      records: fc.uniqueArray(account, { selector: (one) => one.id, maxLength: 4 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      slug: fc.constant('team'),
      records: fc.uniqueArray(fc.record({ id: fc.constantFrom('g', 'h'), name: fc.constantFrom('N', 'M') }), {
        selector: (one) => one.id,
        maxLength: 2,
      }),
    }),
  },
);
const taskOf = <const T extends string>(does: T) => fc.record({ does: fc.constant(does), id });
const step = fc.oneof(
  { weight: 5, arbitrary: push },
  { weight: 1, arbitrary: taskOf('invite') },
  { weight: 1, arbitrary: taskOf('suspend') },
  { weight: 1, arbitrary: taskOf('grant') },
);
const round = fc.record({
  before: fc.array(step, { maxLength: 2 }),
  steps: fc.array(step, { maxLength: 4 }),
  guarded: fc.boolean(),
  end: fc.constantFrom('complete', 'complete', 'complete', 'abandon'),
  approves: fc.boolean(),
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;
type Round = typeof round extends fc.Arbitrary<infer T> ? T : never;

async function take(app: SyncedApp, session: string | null, one: Step): Promise<void> {
  if ('does' in one) return changeAsTask(app.id, one.does, one.id);
  if (session === null) return;
  expect((await app.push(session, one.slug, one.records)).status).toBe(200);
}

/** Changes the inventory as a completed task does. */
async function changeAsTask(appId: string, does: 'invite' | 'suspend' | 'grant', name: string) {
  const { db } = service.database;
  if (does === 'invite')
    await sql`
      insert into account (org_id, app_id, resource_type_id, email, status, tasked_at)
      select a.org_id, a.id, t.id, ${emailOf(name)}, 'INVITED', clock_now()
      from app a join resource_type t on t.org_id = a.org_id and t.clone_group_id = a.clone_group_id and t.slug = 'person'
      where a.id = ${appId}`.execute(db);
  else if (does === 'suspend')
    await sql`
      update account set status = 'SUSPENDED', tasked_at = clock_now()
      where app_id = ${appId} and external_id = ${name} and removed_at is null`.execute(db);
  else
    await sql`
      insert into membership (org_id, account_id, entitlement_id, tasked_at)
      select a.org_id, a.id, e.id, clock_now() from account a
      join entitlement e on e.org_id = a.org_id and e.app_id = a.app_id and e.external_id = 'h' and e.active
      where a.org_id = ${service.orgId} and a.app_id = ${appId} and a.external_id = ${name} and a.removed_at is null
      on conflict (org_id, account_id, entitlement_id) do update set tasked_at = excluded.tasked_at`.execute(
      db,
    );
}

async function run(app: SyncedApp, { before, steps, guarded, end, approves }: Round): Promise<void> {
  const guard = guarded ? { percent: 30, at_least: 1 } : null;
  await service.call('PATCH', `/api/apps/${app.id}/`, { removal_guard: guard });
  for (const one of before) await take(app, null, one);
  const session = await app.start();
  for (const one of steps) await take(app, session, one);
  const planned = await read(app, session);

  if (end === 'abandon') {
    await app.abandon(session);
    const did = await read(app, session);
    expect(did.basis).toBe('history');
    // The guard may have withheld statuses.
    const isCertain = (row: string) => !guarded || !row.startsWith('{"type":"account","change":"changed"');
    expect(planned.rows).toEqual(expect.arrayContaining(did.rows.filter(isCertain)));
    expect(did.rows.filter((row) => row.includes('"removed"'))).toEqual([]);
    return;
  }
  const view = await app.complete(session);
  expect(view.held ?? null).toEqual(planned.held);
  const after = await read(app, session);
  expect(after.rows).toEqual(planned.rows);
  if (view.held === undefined) return expect(after.basis).toBe('history');

  expect(after).toMatchObject({ basis: 'plan', held: planned.held });
  const verb = approves ? 'approve' : 'reject';
  const body = approves ? { plan: after.plan } : undefined;
  const decided = await service.call('POST', `/api/apps/${app.id}/syncs/${session}/${verb}/`, body);
  expect(decided.status).toBe(approves ? 202 : 200);
  await untilEnded(app, session);
  const final = await read(app, session);
  expect(final.basis).toBe('history');
  expect(final.rows).toEqual(approves ? planned.rows : after.applied);
}

/** A status that was held is a change after those that were published: makes one of both, as in the plan before. */
function joined(rows: Row[]): Row[] {
  const ofAccount = Map.groupBy(rows, ({ type, change, account }) =>
    type === 'account' && change === 'changed' ? account?.id : undefined,
  );
  return [...ofAccount].flatMap(([id, [first, second, ...more]]) => {
    const all = ofAccount.get(id) ?? [];
    if (id === undefined || first === undefined || second === undefined) return all;
    expect(more).toEqual([]);
    const isInOrder = JSON.stringify(first.after) === JSON.stringify(second.before);
    const [before, after] = isInOrder ? [first, second] : [second, first];
    expect(after.before).toEqual(before.after);
    return [{ ...after, before: before.before }];
  });
}

/** Reads a plan. Its rows are without `applied` and the ids of accounts that did not exist yet. */
async function read(app: SyncedApp, session: string) {
  const { status, body } = await service.call('GET', `/api/apps/${app.id}/syncs/${session}/plan/?limit=200`);
  expect(status, JSON.stringify(body)).toBe(200);
  const { accounts, memberships, resources } = body.counts;
  const total = [accounts, memberships, resources].flatMap((part) => Object.values<number>(part));
  expect(total.reduce((sum, n) => sum + n, 0)).toBe(body.results.length);
  const results = body.results as Row[];
  const texts = (rows: Row[]) =>
    joined(rows)
      .map(({ type, change, account, resource, person, before, after }) =>
        JSON.stringify({
          type,
          change,
          account: account && { ...account, id: undefined },
          resource,
          person,
          before,
          after,
        }),
      )
      .sort();
  return {
    basis: body.basis as string,
    held: body.held,
    plan: body.plan as string | null,
    rows: texts(results),
    applied: texts(results.filter(({ applied }) => applied)),
  };
}
interface Row {
  type: string;
  change: string;
  applied: boolean;
  account: { id: string } | null;
  resource: object | null;
  person: object | null;
  before: object | null;
  after: object | null;
}

test('the plan of a session is what its history shows', { timeout: 180_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(round, { minLength: 2, maxLength: 5, size: 'max' }), async (rounds) => {
      const app = await addSyncedApp(service);
      for (const one of rounds) await run(app, one);
    }),
    { numRuns: service.database.engine === 'citus' ? 6 : 25 },
  );
});
