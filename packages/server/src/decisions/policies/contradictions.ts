import { Type } from 'typebox';
import type { PersonName } from '#directory/people/facts.ts';
import { PersonReference, personReference } from '#directory/people/reference.ts';
import { MOST_SHOWN, UndecidedSubjects } from '#directory/people/undecided.ts';
import type { OrgDb } from '#kit/database.ts';
import { Component, Uuid } from '#kit/schemas.ts';
import { ALL_APPS, type Effect, grantedAndRevoked, OPPOSITES, type PolicySpec } from './policy.ts';
import { type PreparedPolicy, preparePolicy } from './prepare.ts';
import { enabledPolicies } from './queries/policies.ts';
import { readSubjects, STAGES, type Target } from './targets.ts';

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
const NO_ID = '00000000-0000-0000-0000-000000000000';

/**
 * Returns the enabled policies that would undo what a policy does, with the people whom both concern: everybody, or only those among
 * `people`.
 */
export async function contradictionsOf(
  db: OrgDb,
  draft: Draft,
  people: readonly string[] | null = null,
): Promise<Contradiction[]> {
  const others = (await enabledPolicies(db)).filter(({ id }) => id !== draft.id);
  const opposing = others.flatMap((policy) => {
    const effects = opposites(draft.effects, policy.effects);
    return effects.length === 0 ? [] : [{ policy, effects }];
  });
  const found: Contradiction[] = [];
  for (const { policy, effects } of opposing) {
    const own = await concerned(db, { ...draft, effects: effects.map(([one]) => one) }, people);
    if (own.size === 0) continue;
    const theirs = { ...policy, effects: effects.map(([, other]) => other) };
    const both = await concerned(db, theirs, people, own);
    if (both.size === 0) continue;
    const names = [
      ...new Map(
        [...both.values()].flatMap((one) => (one === null ? [] : [[one.id, one] as const])),
      ).values(),
    ];
    const subjects = new Set([...both.keys()].map((key) => key.split(' ')[0]));
    found.push({ policy, count: subjects.size, people: names.slice(0, MOST_SHOWN) });
  }
  return found;
}

/** The people and accounts of nobody that a policy concerns, by `<person or account> <app>`. `among`: only these. */
async function concerned(
  db: OrgDb,
  spec: Draft,
  people: readonly string[] | null,
  among?: ReadonlyMap<string, unknown>,
): Promise<Map<string, PersonName | null>> {
  const prepared = await preparePolicy(db, {
    name: '',
    delay: null,
    recheck: true,
    enabled: true,
    ...spec,
    effects: [...spec.effects],
    id: spec.id ?? NO_ID,
  });
  const gives = spec.effects.every(({ do: kind }) => kind === 'grant' || kind === 'unsuspend');
  const found = new Map<string, PersonName | null>();
  for await (const targets of matchingTargets(db, prepared, people))
    for (const { user, account, app } of targets) {
      const key = `${user?.id ?? account?.id} ${app.id}`;
      // A policy gives nothing to people who have left.
      const isMet = (among?.has(key) ?? true) && !(gives && user?.status === 'deactivated');
      if (isMet) found.set(key, user);
    }
  return found;
}

/** Reads the targets that a policy matches, as many people at a time as one statement reads. */
async function* matchingTargets(
  db: OrgDb,
  prepared: PreparedPolicy,
  people: readonly string[] | null,
): AsyncGenerator<Target[]> {
  const undecided = new UndecidedSubjects();
  for (const stage of STAGES[prepared.policy.trigger]) {
    if (people !== null && stage.of === 'accounts') continue;
    for (let start = 0, after: string | null = null; ; start += WINDOW) {
      const ids = people?.slice(start, start + WINDOW);
      const window = ids ? { ids } : { after, limit: WINDOW };
      const { last, matching } = await readSubjects(db, prepared, stage, window);
      yield matching(undecided);
      after = last ?? null;
      if (people === null ? after === null : start + WINDOW >= people.length) break;
    }
  }
}

/** Whether two policies would undo what the other does. */
export const oppose = (one: Pick<PolicySpec, 'effects'>, other: Pick<PolicySpec, 'effects'>): boolean =>
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
