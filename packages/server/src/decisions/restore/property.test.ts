// @module-tag long
import fc from 'fast-check';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { sql } from '#kit/sql.ts';
import { addSyncedApp, openSyncTest, type SyncedApp, type SyncTest } from '#test/sync.ts';

/**
 * For random syncs: after a restore, the work of a connector and a complete sync, everybody has exactly the access that
 * they had right before the restore, and all that they had at the time and that can be restored.
 */
let service: SyncTest;
let users: string[];
beforeAll(async () => {
  service = await openSyncTest();
  const people = ['a', 'b', 'c'].map((name) => service.call('POST', '/api/users/', { email: emailOf(name) }));
  users = (await Promise.all(people)).map(({ body }) => body.external_uuid);
});
afterAll(() => service.close());

/** The number of random sequences. */
const RUNS = inject('prepared').engine === 'citus' ? 6 : 20;

const emailOf = (name: string) => `${name}@acme.example`;

/** An account in the external system, with its access. `d` belongs to nobody. */
interface State {
  status: 'active' | 'suspended';
  team: string[];
  seat: string[];
}
type World = Partial<Record<'a' | 'b' | 'c' | 'd', State>>;

const state = fc.record({
  status: fc.constantFrom('active' as const, 'active' as const, 'suspended' as const),
  team: fc.uniqueArray(fc.constantFrom('g', 'h'), { maxLength: 2 }),
  seat: fc.uniqueArray(fc.constantFrom('s'), { maxLength: 1 }),
});
const world: fc.Arbitrary<World> = fc.record(
  { a: state, b: state, c: state, d: state },
  { requiredKeys: [] },
);
const story = fc.record({
  former: world,
  /** The changes until the restore, one sync each. */
  later: fc.array(world, { minLength: 1, maxLength: 3 }),
  /** Whether the restore asks for the app or for each person. */
  by: fc.constantFrom('app', 'users'),
});

const refs = (ids: string[]) => ids.map((id) => ({ id }));
/** Groups and licenses that exist all the time: those that vanish cannot be restored. */
const RESOURCES = { team: ['g', 'h'].map((id) => ({ id, name: id })), seat: [{ id: 's', name: 's' }] };

const push = (app: SyncedApp, accounts: External[]) =>
  app.sync({
    ...RESOURCES,
    person: accounts.map(({ id, email, status, team, seat }) => ({
      id,
      email,
      status,
      memberships: { team: refs(team) },
      assignments: { seat: refs(seat) },
    })),
  });

interface External extends State {
  id: string;
  email: string;
}

const externals = (one: World): External[] =>
  Object.entries(one).map(([id, account]) => ({ id, email: emailOf(id), ...account }));

/** Carries out all tasks in the external system and reports them. Returns the system's accounts. */
async function work(app: SyncedApp, before: External[]): Promise<External[]> {
  const system = new Map(before.map((account) => [account.id, structuredClone(account)]));
  for (;;) {
    const { tasks } = (await app.bridge('GET', '/tasks/?status=pending')).body;
    if (tasks.length === 0) return [...system.values()];
    for (const { id, action, payload } of tasks) {
      const { email } = payload.account;
      const key = action === 'create_account' ? `new-${email}` : payload.account.id;
      if (action === 'create_account')
        system.set(key, { id: key, email, status: 'active', team: [], seat: [] });
      const account = system.get(key) as External;
      if (action === 'unsuspend_account') account.status = 'active';
      else expect(['create_account', 'update_account']).toContain(action);
      for (const slug of ['team', 'seat'] as const) {
        const { added = [], removed = [] } = payload.changes?.[slug] ?? {};
        expect(removed).toEqual([]);
        const given: { id: string }[] = [...added, ...(payload.memberships?.[slug] ?? [])];
        account[slug] = [...new Set([...account[slug], ...given.map((one) => one.id)])];
      }
      const result = action === 'create_account' ? { account: { id: key } } : {};
      const reported = await app.bridge('PATCH', `/tasks/${id}/status/`, { status: 'completed', result });
      expect(reported.status, JSON.stringify(reported.body)).toBe(200);
    }
  }
}

type Access = Record<string, { status: string; held: string[] }>;

/** The accounts that exist, by email. */
async function accessOf(app: SyncedApp): Promise<Access> {
  const { rows } = await sql<{ email: string; status: string; held: string[] }>`
    select a.email, a.status, array(
      select e.external_id from membership m
      join entitlement e on e.org_id = ${service.orgId} and e.id = m.entitlement_id
      where m.org_id = ${service.orgId} and m.account_id = a.id order by 1) as held
    from account a where a.org_id = ${service.orgId} and a.app_id = ${app.id} and a.removed_at is null`.execute(
    service.database.db,
  );
  return Object.fromEntries(rows.map(({ email, ...access }) => [email, access]));
}

/** The access after a restore: what there is now, with everything that was there then and can be restored. */
function restored(then: World, now: World, isRestorable: (name: string) => boolean): Access {
  const all: Access = {};
  for (const name of ['a', 'b', 'c', 'd'] as const) {
    const [was, is] = [isRestorable(name) ? then[name] : undefined, now[name]];
    // An account that nobody owned cannot be created again, and a suspended one would give no access.
    const comesBack = was?.status === 'active' && name !== 'd';
    if (is === undefined && !comesBack) continue;
    const isActive = was?.status === 'active' || is?.status === 'active';
    const held = [was, is].flatMap((one) => [...(one?.team ?? []), ...(one?.seat ?? [])]);
    all[emailOf(name)] = { status: isActive ? 'ACTIVE' : 'SUSPENDED', held: [...new Set(held)].sort() };
  }
  return all;
}

test('a restore, the work of the connector and a sync bring back all earlier access and take nothing away', {
  timeout: 600_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(story, async ({ former, later, by }) => {
      const app = await addSyncedApp(service);
      await push(app, externals(former));
      const asOf = await now();
      await push(app, externals(former));
      for (const one of later) await push(app, externals(one));

      const scope = by === 'app' ? { app: app.id } : { users };
      const { status, body } = await service.call('POST', '/api/restore/', {
        ...scope,
        as_of: asOf,
        dry_run: false,
      });
      expect(status, JSON.stringify(body)).toBe(200);
      const present = later.at(-1) as World;
      await push(app, await work(app, externals(present)));

      expect(await accessOf(app)).toEqual(restored(former, present, (name) => by === 'app' || name !== 'd'));
      const again = await service.call('POST', '/api/restore/', { app: app.id, as_of: asOf });
      if (by === 'app') expect(again.body.results).toEqual([]);
    }),
    { numRuns: RUNS },
  );
});

/** The time of the database. */
async function now(): Promise<string> {
  const { rows } = await sql<{ now: string }>`
    select to_char(clock_now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as now`.execute(
    service.database.db,
  );
  return rows[0]?.now ?? '';
}
