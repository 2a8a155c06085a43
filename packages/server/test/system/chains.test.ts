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
    async function goTo(chain: Taken[]) {
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
    let chains: Taken[][] = [[]];
    for (let left = steps; left > 0; left--) {
      const longer: Taken[][] = [];
      for (const chain of chains) {
        await goTo(chain);
        for (const way of await waysOf(tx, now())) {
          if (left === 1 && !way.step.ends) continue;
          found.tried++;
          const next = await take(way);
          if (next !== undefined) {
            const { digest, has_access } = await look(tx, next);
            const further = [...chain, wordsOfWay(way)];
            if (has_access) found.chains.push(further.map(([name, by]) => `${name} (${by})`).join(', '));
            else if (!seen.has(digest)) longer.push(further);
            seen.add(digest);
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

/** Returns what matters for the steps that follow, and whether the one who began has got access. */
async function look(tx: Db, { begins, ticket, identities }: State) {
  const org = service.orgId;
  const { rows } = await sql<{ digest: string; has_access: boolean }>`
    select concat(
      (select string_agg(concat(u.email, u.role, u.status), ',' order by u.email) from platform_user u where u.org_id = ${org}),
      (select string_agg(distinct concat(g.kind, r.email, f.email, g.provider, g.through), ',') from given_means g
        left join platform_user r on r.org_id = ${org} and r.id = g.receiver_id
        join platform_user f on f.org_id = ${org} and f.id = g.giver_id
        where g.org_id = ${org} and g.given_at > now() - interval '1 day'),
      (select string_agg(concat(a.external_id, h.email), ',' order by a.external_id, h.email) from account a
        left join platform_user h on h.org_id = ${org} and h.id = a.user_id where a.org_id = ${org}),
      (select string_agg(concat(t.action, t.status, b.email), ',' order by t.number) from task t
        join platform_user b on b.org_id = ${org} and b.id = t.created_by where t.org_id = ${org}),
      (select string_agg(d.email, ',' order by d.email) from absence x
        join platform_user d on d.org_id = ${org} and d.id = x.deputy_id where x.org_id = ${org}),
      (select status from ticket where org_id = ${org} and id = ${ticket})) as digest,
      exists (
        select from task t join account a on a.org_id = ${org} and a.id = t.account_id
        where t.org_id = ${org} and a.user_id = ${world.people[begins]} and t.status in ('scheduled', 'pending', 'completed'))
      or exists (
        select from ticket where org_id = ${org} and id = ${ticket} and status = 'APPROVED') as has_access`.execute(
    tx,
  );
  const row = rows[0] as { digest: string; has_access: boolean };
  return { ...row, digest: [row.digest, ...identities.map(wordsOf).sort()].join(' ') };
}

test.each([
  ['admin', 3],
  // Owners can do so much more that three steps take half a minute: `long` has them.
  ['owner', 2],
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
  ['owner', 3],
  ['owner', 4],
] as const)(
  'no chain of more steps gives an %s access: up to %i',
  { tags: ['long'], timeout: 1_200_000 },
  async (who, steps) => {
    expect((await search(who, steps)).chains).toEqual([]);
  },
);
