import { Type } from 'typebox';
import type { PersonName } from '#directory/people/facts.ts';
import { PersonReference, personReference } from '#directory/people/reference.ts';
import { MOST_SHOWN } from '#directory/people/undecided.ts';
import type { OrgDb } from '#kit/database.ts';
import { localTime } from '#kit/identity.ts';
import { Component, Uuid } from '#kit/schemas.ts';
import {
  ALL_APPS,
  type Effect,
  grantedAndRevoked,
  hasEffect,
  OPPOSITES,
  type Policy,
  type PolicySpec,
} from './policy.ts';
import { matchingPolicy } from './prepare.ts';
import { enabledPolicies } from './queries/policies.ts';
import { type AppFacts, accountsOf, appsAmong, peopleWithin, type Wanted } from './queries/targets.ts';
import {
  byPerson,
  type LoadAccounts,
  type MatchingPolicy,
  matchingAmong,
  readSubjects,
  STAGES,
  type Stage,
  type Target,
} from './targets.ts';

/** A policy that would undo what another one does, and for whom (D77). */
export interface Contradiction {
  policy: { id: string; name: string };
  /** The people, and accounts of nobody. */
  count: number;
  /** The first of the people. */
  people: PersonName[];
}

/** The effects of a policy with an id, or of a new one. */
export type Draft = Pick<PolicySpec, 'trigger' | 'offset_days' | 'condition'> & {
  id: string | null;
  effects: readonly Effect[];
};

/** People that one statement reads. */
const WINDOW = 2000;

/** The people, and accounts of nobody, that a policy concerns, with the apps in which it does. */
type Concerned = Map<string, { person: PersonName | null; apps: Set<string> }>;

/** An enabled policy with effects that undo some of another one, and those whom both concern. */
interface Opposing {
  policy: Policy;
  matching: Matching;
  /** Those whom the other one concerns. */
  own: Concerned;
  both: Concerned;
}

/** A policy as it decides about some of its effects. */
type Matching = MatchingPolicy & Pick<PolicySpec, 'trigger'> & { gives: boolean };

/**
 * Returns the enabled policies that would undo what a policy does, with the people whom both concern: everybody, or only those among
 * `people`. Reads the people of all these policies together.
 */
export async function contradictionsOf(
  db: OrgDb,
  draft: Draft,
  people: readonly string[] | null = null,
): Promise<Contradiction[]> {
  const others = (await enabledPolicies(db)).filter((other) => other.id !== draft.id && oppose(draft, other));
  if (others.length === 0) return [];
  const [apps, { today }] = [await appsAmong(db, null), await localTime(db)];
  const concernedBy = new Map<string, Concerned>();
  const opposing: Opposing[] = [];
  for (const policy of others) {
    const effects = opposites(draft.effects, policy.effects);
    const ours = effects.map(([one]) => one);
    const key = JSON.stringify(ours);
    const own =
      concernedBy.get(key) ??
      (await concerned(db, matchingFor({ ...draft, effects: ours }, apps, today), people));
    concernedBy.set(key, own);
    const theirs = { ...policy, effects: effects.map(([, other]) => other) };
    opposing.push({ policy, matching: matchingFor(theirs, apps, today), own, both: new Map() });
  }
  await addPeople(db, opposing);
  if (people === null) await addAccounts(db, opposing);
  return opposing.flatMap(({ policy, both }) => {
    const names = [...both.values()].flatMap(({ person }) => person ?? []);
    return both.size === 0 ? [] : [{ policy, count: both.size, people: names.slice(0, MOST_SHOWN) }];
  });
}

/** Whether the trigger of the policy has fired for somebody does not matter. */
function matchingFor(
  { condition, trigger, effects }: Pick<PolicySpec, 'condition' | 'trigger'> & Effects,
  all: readonly AppFacts[],
  today: string,
): Matching {
  const apps = all.filter(({ id }) => effects.some(({ app }) => app === ALL_APPS || app === id));
  const granting = apps.filter((app) => app.takes_accounts && hasEffect(effects, app.id, 'grant'));
  const gives = effects.every(({ do: kind }) => kind === 'grant' || kind === 'unsuspend');
  return { ...matchingPolicy(condition, { apps, granting }, today), trigger, gives };
}

/** Adds a target, unless a policy would give something to somebody who has left, or `among` is without them. */
function add(found: Concerned, { gives }: Matching, { user, account, app }: Target, among?: Concerned) {
  const id = user?.id ?? account?.id ?? '';
  if ((among && !among.get(id)?.apps.has(app.id)) || (gives && user?.status === 'deactivated')) return;
  const one = found.get(id) ?? { person: user, apps: new Set() };
  found.set(id, { ...one, apps: one.apps.add(app.id) });
}

/** Returns those whom a policy concerns: of everybody, or of these people. */
async function concerned(
  db: OrgDb,
  matching: Matching,
  people: readonly string[] | null,
): Promise<Concerned> {
  const found: Concerned = new Map();
  for (const stage of STAGES[matching.trigger])
    if (people === null) await addAll(db, { matching, stage, found });
    else if (stage.of === 'people') await addAll(db, { matching, stage, found, ids: people });
  return found;
}

interface Search {
  matching: Matching;
  stage: Stage;
  found: Concerned;
  among?: Concerned;
  /** Only these people or accounts. */
  ids?: readonly string[];
}

/** Adds all targets of a stage, as many people or accounts at a time as one statement reads. */
async function addAll(db: OrgDb, { matching, stage, found, among, ids }: Search): Promise<void> {
  if (ids?.length === 0) return;
  for (let start = 0, after: string | null = null; ; start += WINDOW) {
    const window = ids ? { ids: ids.slice(start, start + WINDOW) } : { after, limit: WINDOW };
    const subjects = await readSubjects(db, matching, stage, window);
    for (const target of await subjects.matching(NOBODY)) add(found, matching, target, among);
    after = subjects.last ?? null;
    if (ids === undefined ? after === null : start + WINDOW >= ids.length) return;
  }
}

const NOBODY = { add: () => {} };

/** Adds the people whom both concern. All policies decide about the same rows. */
async function addPeople(db: OrgDb, opposing: readonly Opposing[]): Promise<void> {
  const ids = [
    ...new Set(opposing.flatMap(({ own }) => [...own].flatMap(([id, { person }]) => (person ? [id] : [])))),
  ];
  const { apps, wanted } = together(opposing.map(({ matching }) => matching));
  for (let start = 0; start < ids.length; start += WINDOW) {
    const window = { ids: ids.slice(start, start + WINDOW) };
    const everybody = await peopleWithin(db, window, wanted.person);
    let accounts: ReturnType<LoadAccounts> | undefined;
    const load: LoadAccounts = () => (accounts ??= accountsOf(db, everybody, apps, wanted).then(byPerson));
    for (const { matching, own, both } of opposing)
      for (const stage of STAGES[matching.trigger]) {
        if (stage.of === 'accounts') continue;
        const people = everybody.filter(
          ({ id, status }) => own.has(id) && (stage.status ?? status) === status,
        );
        for (const target of await matchingAmong(matching, people, NOBODY, load))
          add(both, matching, target, own);
      }
  }
}

/** The apps of several policies, and the fields that one of them reads. */
function together(policies: readonly Matching[]): { apps: string[]; wanted: Wanted } {
  const all = <T>(of: (policy: Matching) => readonly T[]) => [...new Set(policies.flatMap(of))];
  return {
    apps: all(({ reach }) => reach.apps.map(({ id }) => id)),
    wanted: {
      person: all(({ wanted }) => wanted.person),
      account: all(({ wanted }) => wanted.account),
      held: policies.some(({ wanted }) => wanted.held),
    },
  };
}

/** Adds the accounts of nobody, and what policies about accounts concern. */
async function addAccounts(db: OrgDb, opposing: readonly Opposing[]): Promise<void> {
  for (const { matching, own, both } of opposing)
    for (const stage of STAGES[matching.trigger]) {
      if (stage.of === 'people') continue;
      const orphans = [...own].flatMap(([id, { person }]) => (person ? [] : [id]));
      const ids = stage.orphaned ? orphans : undefined;
      if (own.size > 0) await addAll(db, { matching, stage, found: both, among: own, ...(ids && { ids }) });
    }
}

interface Effects {
  effects: readonly Effect[];
}

/** Whether two policies would undo what the other does. */
export const oppose = (one: Effects, other: Effects): boolean =>
  opposites(one.effects, other.effects).length > 0;

/** Returns the pairs of effects of two policies that undo each other. */
function opposites(own: readonly Effect[], theirs: readonly Effect[]): [Effect, Effect][] {
  return own.flatMap((one) =>
    theirs.flatMap((other): [Effect, Effect][] => {
      const app = sharedApp(one.app, other.app);
      return app !== null && (undoes(one, other) || undoes(other, one))
        ? [[narrowed(one, app), narrowed(other, app)]]
        : [];
    }),
  );
}

const narrowed = (effect: Effect, app: string): Effect => ({ ...effect, app });

function sharedApp(one: string, other: string): string | null {
  if (one === ALL_APPS) return other;
  return other === ALL_APPS || one === other ? one : null;
}

function undoes(one: Effect, other: Effect): boolean {
  if (OPPOSITES.some(([a, b]) => one.do === a && other.do === b)) return true;
  return one.do === 'grant' && other.do === 'revoke' && grantedAndRevoked(one, other) !== undefined;
}

export const Contradicts = Type.Array(
  Component('PolicyContradiction', {
    policy: Type.Object({ external_uuid: Uuid, name: Type.String() }),
    count: Type.Integer({
      description: 'The people whom both policies concern, and accounts without a person.',
    }),
    people: Type.Array(PersonReference, { description: `The first ${MOST_SHOWN} people.` }),
  }),
  {
    description:
      'Enabled policies that would undo what this one does, with the people whom both concern now.',
  },
);

export const contradictsView = (found: readonly Contradiction[]) =>
  found.map(({ policy: { id, name }, count, people }) => ({
    policy: { external_uuid: id, name },
    count,
    people: people.map(personReference),
  }));
