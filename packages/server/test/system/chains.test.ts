import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { setHooks } from '#hooks.ts';
import type { Db } from '#kit/database.ts';
import { DomainError } from '#kit/errors.ts';
import { type Call, callBy, type Role, SCOPES } from '#kit/identity.ts';
import { sql } from '#kit/sql.ts';
import { type Gained, type Identity, type State, type Step, stepsOf, type World } from '#test/chain-steps.ts';
import { addPersonWithKey } from '#test/people.ts';
import { openRequestsTest, type RequestsTest } from '#test/requests.ts';
import { takeViolations } from '../lock-recorder.ts';

/**
 * Searches for chains of steps at whose end somebody has given themselves access, with nobody's help (D76). The one who begins
 * can act as everybody to whose sign-in, mailbox or key they have got. All steps are in one transaction, of which each is a part that
 * is rolled back, so that chains share their beginnings. Shorter chains come first, and each state is searched once, with the most steps left.
 */

let service: RequestsTest;
let world: World;
const keys: Record<string, string> = {};
const names = new Map<string, string>();

beforeAll(async () => {
  service = await openRequestsTest();
  const people: Partial<World['people']> = {};
  for (const [name, role] of [
    ['admin', 'admin'],
    ['owner', 'owner'],
    ['other', 'admin'],
    ['approver', 'member'],
  ] as const) {
    const { id, key } = await addPersonWithKey(service, role, { email: `${name}@chain.example` });
    people[name] = id;
    keys[name] = key;
    names.set(id, name);
  }
  const emails = {
    admin: 'admin@chain.example',
    owner: 'owner@chain.example',
    nobody: 'nobody@acme.example',
  };
  await service.sync(Object.entries(emails).map(([id, email]) => ({ id, email, username: id })));
  const { rows } = await sql<{ id: string; external_id: string }>`
    select id, external_id from account where org_id = ${service.orgId}`.execute(service.database.db);
  const accounts = Object.fromEntries(rows.map(({ id, external_id }) => [external_id, id]));
  world = { appId: service.appId, people, accounts } as World;
  await service.route([{ approvers: [world.people.approver] }]);
});
afterAll(async () => {
  // The steps of a chain are transactions of their own in a server, so their locks have no common order.
  takeViolations();
  await service.close();
});

class Over extends Error {}

/** A database whose transactions are parts of one that is never committed. */
function nestedIn(tx: Db): Db {
  const nested: Db = new Proxy(tx, {
    get(target, key) {
      if (key === 'transaction')
        return () => ({ execute: (work: (tx: Db) => unknown) => work(nestedIn(tx)) });
      const value = Reflect.get(target, key);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  setHooks(nested);
  return nested;
}

interface Found {
  tried: number;
  chains: string[];
}

/** A step, and the words of the identity that takes it. The ids of people who are made differ each time, the words do not. */
type Taken = readonly [step: string, by: string];

interface Chain {
  taken: Taken[];
  /** The state at its end. */
  now: Looked;
}

/** `forgetful`: nobody remembers who gave whom the means to act. */
async function search(begins: State['begins'], steps: number, { forgetful = false } = {}): Promise<Found> {
  const body = { user: world.people[begins], type: 'MODIFY_ACCESS', memberships: { team: ['red'] } };
  const asked = await service.ask(body, { key: keys[begins] as string });
  expect(asked.status).toBe(201);
  const ticket = asked.body.external_uuid as string;
  const found: Found = { tried: 0, chains: [] };
  const identities = [{ person: world.people[begins] }];
  await undone(async (tx, db) => {
    // The current chain, and the states before, between and after its steps. Each state has a savepoint.
    const path: Taken[] = [];
    const states: State[] = [{ world, begins, ticket, identities, made: [] }];
    const save = () => sql.raw(`savepoint after_${path.length}`).execute(tx);
    const undo = () => sql.raw(`rollback to savepoint after_${path.length}`).execute(tx);
    const now = () => states[path.length] as State;

    /** Returns undefined for a step that is refused. */
    async function take({ step, identity, role }: Way): Promise<State | undefined> {
      const gained = await outcomeOf(step, callOf(db, identity, role));
      if (gained === undefined) return undefined;
      const { identities, made } = now();
      for (const id of gained.made ?? []) names.set(id, `made-${made.length}`);
      if (forgetful) await sql`delete from given_means where org_id = ${service.orgId}`.execute(tx);
      return {
        ...now(),
        identities: distinct([...identities, ...(gained.identities ?? [])]),
        made: [...made, ...(gained.made ?? [])],
      };
    }

    /** Undoes the steps that the chain does not share with the current one, and takes its others. */
    async function goTo(chain: readonly Taken[]) {
      while (path.some((taken, at) => taken !== chain[at])) path.pop();
      await undo();
      for (const taken of chain.slice(path.length)) {
        const way = (await waysOf(tx, now())).find((one) => `${wordsOfWay(one)}` === `${taken}`);
        states[path.length + 1] = (await take(way as Way)) as State;
        path.push(taken);
        await save();
      }
    }

    await save();
    const seen = new Set<string>();
    let chains: Chain[] = [{ taken: [], now: await look(tx, now()) }];
    for (let left = steps; left > 0; left--) {
      const longer: Chain[] = [];
      for (const chain of chains) {
        await goTo(chain.taken);
        for (const way of await waysOf(tx, now())) {
          if (left === 1 && !canEnd(chain.now, way, seen)) continue;
          found.tried++;
          const next = await take(way);
          if (next !== undefined) {
            const looked = await look(tx, next);
            const taken = [...chain.taken, wordsOfWay(way)];
            if (looked.has_access) found.chains.push(taken.map(([name, by]) => `${name} (${by})`).join(', '));
            else if (!seen.has(looked.digest)) longer.push({ taken, now: looked });
            seen.add(looked.digest);
          }
          await undo();
        }
      }
      chains = longer;
    }
  });
  await service.act(ticket, 'cancel', {});
  return found;
}

/** Calls `work` in a transaction that is never committed. */
const undone = (work: (tx: Db, db: Db) => Promise<void>) =>
  service.database.db
    .transaction()
    .execute(async (tx) => {
      await work(tx as never, nestedIn(tx as never));
      throw new Over();
    })
    .catch((error: unknown) => {
      if (!(error instanceof Over)) throw error;
    });

const nameOf = (id: string) => names.get(id) ?? id;
const wordsOf = ({ person, from, provider }: Identity) =>
  [
    nameOf(person),
    from === undefined ? '' : ' by a key',
    provider === undefined ? '' : ' by a provider',
  ].join('');
const distinct = (identities: Identity[]) => [
  ...new Map(identities.map((one) => [JSON.stringify(one), one])).values(),
];

/** Returns undefined for a step that was refused. */
const outcomeOf = (step: Step, call: Call): Promise<Gained | undefined> =>
  step.run(call).catch((error: unknown) => {
    if (error instanceof DomainError) return undefined;
    throw error;
  });

const ROLES: Record<Step['by'], Role[]> = {
  anybody: ['owner', 'admin', 'auditor', 'member'],
  administrators: ['owner', 'admin'],
  owners: ['owner'],
};

interface Way {
  step: Step;
  identity: Identity;
  role: Role;
}

const wordsOfWay = ({ step, identity }: Way): Taken => [step.name, wordsOf(identity)];

/** Returns the steps that routes admit, each with an identity that can take it. */
async function waysOf(tx: Db, state: State): Promise<Way[]> {
  const { rows } = await sql<{ id: string; role: Role }>`
    select id, role from platform_user where org_id = ${service.orgId} and status = 'active'`.execute(tx);
  const roles = new Map(rows.map(({ id, role }) => [id, role]));
  const actors = state.identities.flatMap((identity) => {
    const role = roles.get(identity.person);
    return role === undefined ? [] : [{ identity, role }];
  });
  return stepsOf(state, nameOf).flatMap((step) =>
    actors.filter(({ role }) => ROLES[step.by].includes(role)).map((actor) => ({ step, ...actor })),
  );
}

function callOf(db: Db, { person, from, provider }: Identity, role: Role): Call {
  const isKey = from !== undefined;
  return callBy(db, {
    orgId: service.orgId,
    orgSlug: service.org,
    keyId: isKey ? randomUUID() : null,
    sessionId: isKey ? null : randomUUID(),
    userId: person,
    role,
    scopes: new Set(SCOPES.filter((scope) => scope !== 'scim')),
    apps: 'all',
    recentlyConfirmed: true,
    transferredFrom: from ?? null,
    provider: provider ?? null,
  });
}

type Means = [
  kind: string,
  receiver: string | null,
  giver: string,
  provider: string | null,
  through: string | null,
];

/** The state that matters for the steps that follow: everything, and everything but who gave whom what. */
interface Looked {
  digest: string;
  rest: string;
  emails: string;
  means: Means[];
  has_tasks: boolean;
  /** Whether the one who began has access. */
  has_access: boolean;
}

/** A person by their address. That somebody took their mailbox is one of the identities. */
const who = (user: string) => sql`replace(split_part(${sql.ref(`${user}.email`)}, '@', 1), 'taken-', '')`;

async function look(tx: Db, { begins, ticket, identities }: State): Promise<Looked> {
  const org = service.orgId;
  const { rows } = await sql<Omit<Looked, 'digest'>>`
    select concat_ws(' ',
      (select string_agg(concat(${who('u')}, u.role, u.status), ',' order by ${who('u')}) from platform_user u
        where u.org_id = ${org}),
      (select string_agg(concat(a.external_id, ${who('h')}), ',' order by a.external_id) from account a
        left join platform_user h on h.org_id = ${org} and h.id = a.user_id where a.org_id = ${org}),
      (select string_agg(concat(t.action, t.status, ${who('b')}), ',' order by t.number) from task t
        join platform_user b on b.org_id = ${org} and b.id = t.created_by where t.org_id = ${org}),
      (select string_agg(${who('d')}, ',' order by ${who('d')}) from absence x
        join platform_user d on d.org_id = ${org} and d.id = x.deputy_id where x.org_id = ${org}),
      (select status from ticket where org_id = ${org} and id = ${ticket})) as rest,
      (select string_agg(u.email, ',' order by u.email) from platform_user u where u.org_id = ${org}) as emails,
      coalesce((
        select jsonb_agg(distinct jsonb_build_array(g.kind, g.receiver_id, g.giver_id, g.provider, g.through)) from given_means g
        where g.org_id = ${org} and g.given_at > now() - interval '1 day'), '[]') as means,
      exists (select from task t where t.org_id = ${org}) as has_tasks,
      exists (
        select from task t join account a on a.org_id = ${org} and a.id = t.account_id
        where t.org_id = ${org} and a.user_id = ${world.people[begins]} and t.status in ('scheduled', 'pending', 'completed'))
      or exists (
        select from ticket where org_id = ${org} and id = ${ticket} and status = 'APPROVED') as has_access`.execute(
    tx,
  );
  const looked = rows[0] as Omit<Looked, 'digest'>;
  // People who are made have other ids each time.
  const means = looked.means.map((one) => one.map((word) => nameOf(word ?? '')) as Means);
  const others = [...words(means), ...identities.map(wordsOf).sort()];
  return { ...looked, means, digest: [looked.rest, looked.emails, ...others].join(' ') };
}

const words = (means: readonly Means[]) => means.map((one) => one.join(':')).sort();

/** Whether a step can be the last one, and was not tried where all that matters for it was the same. */
function canEnd({ rest, means, has_tasks }: Looked, { step, identity }: Way, tried: Set<string>): boolean {
  if (step.ends === 'never' || (step.ends === 'with a task' && !has_tasks)) return false;
  if (!step.byCaller) return true;
  const outcome = [step.name, wordsOf(identity), rest, ...words(meansBehind(means, identity))].join(' ');
  return !tried.has(outcome) && tried.add(outcome) !== undefined;
}

/** Returns what led to an identity, link by link. */
function meansBehind(means: readonly Means[], { person, from, provider }: Identity): Means[] {
  const behind = new Set([person, from, provider].map((one) => nameOf(one ?? '')));
  behind.delete('');
  const found = new Set<Means>();
  for (let size = -1; size < behind.size; ) {
    size = behind.size;
    for (const one of means) {
      const [, receiver, giver, changed, through] = one;
      if (!behind.has(receiver ?? '') && !behind.has(changed ?? '')) continue;
      found.add(one);
      for (const word of [giver, through ?? '']) if (word !== '') behind.add(word);
    }
  }
  return [...found];
}

test.each([
  ['admin', 3],
  ['owner', 3],
] as const)('no chain of steps gives an %s access: up to %i', async (who, steps) => {
  const { tried, chains } = await search(who, steps);

  expect(chains).toEqual([]);
  expect(tried).toBeGreaterThan(100);
});

test('the search finds the chains if nobody remembers who gave whom the means to act', async () => {
  const { chains } = await search('admin', 2, { forgetful: true });

  expect(chains).toContain('make a link for approver (admin), approve (approver)');
  expect(chains).toContain('change the email of approver (admin), approve (approver)');
});

test.each([
  ['admin', 4],
  ['owner', 4],
] as const)(
  'no chain of more steps gives an %s access: up to %i',
  { tags: ['long'], timeout: 1_200_000 },
  async (who, steps) => {
    expect((await search(who, steps)).chains).toEqual([]);
  },
);
