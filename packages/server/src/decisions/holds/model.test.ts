// @module-tag engine
import fc from 'fast-check';
import type { KyselyPlugin } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { firePolicies } from '#decisions/policies/fire.ts';
import { setHooks } from '#hooks.ts';
import { openDatabase } from '#kit/database/open.ts';
import { type Database, within } from '#kit/database.ts';
import { sql } from '#kit/sql.ts';
import { type HoldTest, openHoldTest, patchActive } from '#test/holds.ts';
import { eventsOf } from '#test/people.ts';

/*
 * People leave and come back, policies fire on two nodes that may die after any statement, a connector fetches tasks, and an
 * administrator decides, in any order. A model knows who is in the present window, and what was decided about the others.
 */

const PEOPLE = 14;
const LIMIT = 5;

let service: HoldTest;
let other: Database;
let ids: string[];
beforeAll(async () => {
  service = await openHoldTest({ own: true });
  const { database, options } = service;
  other = database.engine === 'postgres' ? await openDatabase(options) : database;
  setHooks(other.db);
  await service.call('PATCH', `/api/apps/${service.appId}/`, { removal_guard: null });
  await service.leavers();
});
afterAll(async () => {
  if (other !== service.database) await other.close();
  await service.close();
});

type Step =
  | { do: 'leave' | 'return'; people: number[] }
  | { do: 'fire'; nodes: number[] }
  | { do: 'die'; after: number }
  | { do: 'fetch' }
  | { do: 'decide'; verbs: ('confirm' | 'discard')[] };

const person = fc.integer({ min: 0, max: PEOPLE - 1 });
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('leave' as const),
      people: fc.uniqueArray(person, { minLength: 1, maxLength: 4 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('return' as const),
      people: fc.uniqueArray(person, { minLength: 1, maxLength: 3 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('fire' as const),
      nodes: fc.array(fc.integer({ min: 0, max: 1 }), { minLength: 1, maxLength: 3 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('die' as const), after: fc.integer({ min: 0, max: 25 }) }),
  },
  { weight: 2, arbitrary: fc.constant({ do: 'fetch' as const }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('decide' as const),
      verbs: fc.array(fc.constantFrom('confirm' as const, 'discard' as const), {
        minLength: 1,
        maxLength: 2,
      }),
    }),
  },
);

const fire = (node: Database) => firePolicies(within(node.db, service.orgId));

/** Fires policies on a node that dies after some statements, if it comes that far. */
async function die(after: number) {
  let left = after;
  const dying: KyselyPlugin = {
    transformQuery: ({ node }) => {
      if (left-- <= 0) throw new Error('died');
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  const db = other.db.withPlugin(dying);
  setHooks(db);
  await firePolicies(within(db, service.orgId)).catch((error: Error) => {
    if (error.message !== 'died') throw error;
  });
}

/** The expected state of the people: who is away, in the present window, discarded, or whose task the connector has. */
class Model {
  readonly away = new Set<number>();
  readonly window = new Set<number>();
  readonly discarded = new Set<number>();
  readonly taken = new Set<number>();
  isHeld = false;
  holds = 0;

  leave(n: number) {
    if (this.away.has(n)) return;
    this.away.add(n);
    this.window.add(n);
    if (this.isHeld || this.window.size < LIMIT) return;
    this.isHeld = true;
    this.holds++;
  }

  comeBack(n: number) {
    for (const all of [this.away, this.window, this.discarded]) all.delete(n);
  }

  decide(verb: 'confirm' | 'discard') {
    if (verb === 'discard') for (const n of this.window) this.discarded.add(n);
    this.window.clear();
    this.isHeld = false;
  }

  /** Whose tasks the connector must get in the end. */
  expected(): number[] {
    return [...this.away].filter((n) => !this.discarded.has(n) && !this.taken.has(n));
  }
}

async function fetchTasks(model: Model) {
  const { tasks } = (await service.bridge('GET', '/tasks/?status=pending&limit=1000')).body;
  for (const { id, payload } of tasks) {
    const n = ids.indexOf(payload.account.id);
    if (n < 0) continue;
    if (model.isHeld)
      expect(model.window.has(n) && !model.taken.has(n), `${n} was fetched from the hold`).toBe(false);
    model.taken.add(n);
    await service.bridge('PATCH', `/tasks/${id}/status/`, { status: 'completed' });
  }
}

async function decide(model: Model, verbs: ('confirm' | 'discard')[]) {
  const [hold] = await service.holds('?status=open');
  expect(hold !== undefined).toBe(model.isHeld);
  if (hold === undefined) return;
  expect(hold.affected).toBe(model.window.size);
  const replies = await Promise.all(verbs.map((verb) => service.decide(hold.external_uuid, verb)));
  const winners = verbs.filter((_, i) => replies[i]?.status === 200);
  expect(winners).toHaveLength(1);
  model.decide(winners[0] as 'confirm' | 'discard');
}

async function play(steps: readonly Step[], model: Model) {
  for (const one of steps) {
    switch (one.do) {
      case 'leave':
        await Promise.all(one.people.map((n) => patchActive(service.scim, ids[n] as string, false)));
        for (const n of one.people) model.leave(n);
        break;
      case 'return':
        await Promise.all(one.people.map((n) => patchActive(service.scim, ids[n] as string, true)));
        for (const n of one.people) model.comeBack(n);
        break;
      case 'fire':
        await Promise.all(one.nodes.map((node) => fire(node === 0 ? service.database : other)));
        break;
      case 'die':
        await die(one.after);
        break;
      case 'fetch':
        await fetchTasks(model);
        break;
      default:
        await decide(model, one.verbs);
    }
  }
}

test('any order of changes, firings, deaths and decisions takes the access of exactly those for whom it was confirmed', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 30 }), async (steps) => {
      // A decided hold, or none: a new client begins windows of its own.
      for (const { external_uuid } of await service.holds('?status=open'))
        await service.decide(external_uuid, 'discard');
      // The people of earlier runs would raise the limit.
      await sql`
        update platform_user set status = 'deactivated' where org_id = ${service.orgId} and role = 'member'`.execute(
        service.database.db,
      );
      await service.newClient();
      ids = await service.addUsers(PEOPLE);
      const held = (await eventsOf(service, 'people.change_held')).length;
      const model = new Model();
      await play(steps, model);
      if (model.isHeld) await decide(model, ['confirm']);
      await service.settled();
      const left = (await service.tasks('&status=pending'))
        .map(({ app_user }) => service.personOf(app_user.email))
        .map((id) => ids.indexOf(id))
        // A pending task stays when its person returns (D31).
        .filter((n) => model.away.has(n));
      expect(left.toSorted()).toEqual(model.expected().toSorted());
      expect(await service.tasks('&status=scheduled')).toEqual([]);
      expect((await eventsOf(service, 'people.change_held')).length - held).toBe(model.holds);
    }),
    { numRuns: (process.env.GATEHOUSE_TESTS ?? 'once') === 'once' ? 10 : 30 },
  );
}, 240_000);
