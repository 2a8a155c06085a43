import { asRead } from '#directory/people/as-read.ts';
import { PERSON_FIELDS } from '#directory/people/facts.ts';
import type { UndecidedSubjects } from '#directory/people/undecided.ts';
import type { Condition } from '#kit/cel.ts';
import { type Fields, plainFields, type Reads } from '#kit/cel-fields.ts';
import type { Undecided } from '#kit/cel-undecided.ts';
import type { OrgDb } from '#kit/database.ts';
import { filterInTurns, pacer } from '#kit/pacer.ts';
import type { RawBuilder } from '#kit/sql.ts';
import { CEL_DETAILS, DETAILS } from '../../../../protocol/src/records.ts';
import type { Trigger } from './filters.ts';
import type { VARIABLES } from './policy.ts';
import type { AccountFacts, AppFacts, PersonFacts, Wanted, Window } from './queries/targets.ts';
import * as queries from './queries/targets.ts';

/** The subject of a condition: a person in an app with one of their accounts there, or an orphaned account. */
export interface Target {
  user: PersonFacts | null;
  account: AccountFacts | null;
  app: AppFacts;
  /** Whether a grant concerns this account if the person has several in the app. */
  isMain: boolean;
}

/** The people or accounts that a trigger can concern. The stages of a trigger run in order. */
export type Stage =
  | { of: 'people'; status: PersonFacts['status'] | null }
  | { of: 'accounts'; orphaned: boolean };

export const STAGES: Record<Trigger, readonly Stage[]> = {
  'user.created': [{ of: 'people', status: 'active' }],
  'user.updated': [{ of: 'people', status: null }],
  'user.starts': [{ of: 'people', status: 'active' }],
  'user.ends': [{ of: 'people', status: null }],
  'user.deactivated': [{ of: 'people', status: 'deactivated' }],
  'user.reactivated': [{ of: 'people', status: 'active' }],
  'user.on_leave': [{ of: 'people', status: 'active' }],
  'user.back': [{ of: 'people', status: 'active' }],
  'account.discovered': [{ of: 'accounts', orphaned: false }],
  daily: [
    { of: 'people', status: null },
    { of: 'accounts', orphaned: true },
  ],
};

/** The apps of a policy's effects, and those in which it also concerns people without an account. */
export interface Reach {
  apps: readonly AppFacts[];
  granting: ReadonlySet<string>;
}

/** The parts of a policy that finding its matches needs. */
export interface MatchingPolicy {
  condition: Condition;
  /** The fields that the condition reads. */
  reads: Reads;
  wanted: Wanted;
  reach: Reach;
  /** The day in the organization's time zone, as conditions see it. */
  today: string;
  /** Whether the trigger still holds for person `u`: asked about the people who fired it. */
  holds?: RawBuilder<boolean>;
}

/** Where subjects that a condition does not decide are added. */
export type Undecideds = Pick<UndecidedSubjects, 'add'>;

/** The people or accounts of one window. */
interface Subjects {
  /** The last of their ids. Undefined if there are none. */
  last: string | undefined;
  /**
   * Returns their targets that the condition matches. Adds those that it does not decide to `undecided`. Loads accounts only for
   * people whom the condition does not rule out, and only the fields that it reads.
   */
  matching(undecided: Undecideds): Promise<Target[]>;
}

/** Reads one window, so that the next one can be read before the targets of this one are known. */
export async function readSubjects(
  db: OrgDb,
  policy: MatchingPolicy,
  stage: Stage,
  window: Window,
): Promise<Subjects> {
  const { last, targets } =
    stage.of === 'people'
      ? await targetsOfPeople(db, policy, stage.status, window)
      : await targetsOfAccounts(db, policy, stage.orphaned, window);
  return {
    last,
    matching: async (undecided) => {
      const { found, isDecided } = await targets(undecided);
      return isDecided ? found : filterInTurns(found, (target) => matches(policy, target, undecided));
    },
  };
}

function matches(policy: MatchingPolicy, target: Target, undecided: Undecideds): boolean {
  const decision = decide(policy, target);
  if (typeof decision === 'boolean') return decision;
  const { user, account, app } = target;
  undecided.add(user?.id ?? account?.id ?? app.id, user, decision);
  return false;
}

/** A condition on the person or the account is false where there is none: nothing is missing there. */
function decide(policy: MatchingPolicy, target: Target): boolean | Undecided {
  const { condition, reads } = policy;
  const decision = condition.decide(variablesOf(target, policy));
  if (typeof decision === 'boolean') return decision;
  const { user, account } = target;
  const isAbsent = (user === null && reads.has('user')) || (account === null && reads.has('account'));
  return isAbsent ? false : decision;
}

interface Found {
  last: string | undefined;
  /** `isDecided`: the condition has been evaluated, because it does not read the account. */
  targets(undecided: Undecideds): Promise<{ found: Target[]; isDecided: boolean }>;
}

async function targetsOfPeople(
  db: OrgDb,
  policy: MatchingPolicy,
  status: PersonFacts['status'] | null,
  window: Window,
): Promise<Found> {
  const people = await queries.peopleWithin(db, window, policy.wanted.person, {
    status,
    holds: policy.holds,
  });
  const ids = policy.reach.apps.map(({ id }) => id);
  const load: LoadAccounts = async (chosen) =>
    byPerson(await queries.accountsOf(db, chosen, ids, policy.wanted));
  return { last: people.at(-1)?.id, targets: (undecided) => targetsAmong(policy, people, undecided, load) };
}

/** Loads at least the accounts of these people, by person, with at least the fields that are wanted. */
export type LoadAccounts = (
  people: readonly PersonFacts[],
) => Promise<ReadonlyMap<string | null, AccountFacts[]>>;

export const byPerson = (accounts: readonly AccountFacts[]) =>
  Map.groupBy(accounts, ({ person_id }) => person_id);

/** Returns the targets of these people that the condition matches. */
export async function matchingAmong(
  policy: MatchingPolicy,
  people: readonly PersonFacts[],
  undecided: Undecideds,
  load: LoadAccounts,
): Promise<Target[]> {
  const { found, isDecided } = await targetsAmong(policy, people, undecided, load);
  return isDecided ? found : filterInTurns(found, (target) => matches(policy, target, undecided));
}

async function targetsAmong(
  policy: MatchingPolicy,
  people: readonly PersonFacts[],
  undecided: Undecideds,
  load: LoadAccounts,
): Promise<{ found: Target[]; isDecided: boolean }> {
  const { apps, granting } = policy.reach;
  const isDecided = !policy.reads.has('account');
  const appsOf = isDecided
    ? await matchingApps(policy, people, undecided)
    : new Map(people.map(({ id }) => [id, apps]));
  const chosen = people.filter(({ id }) => (appsOf.get(id)?.length ?? 0) > 0);
  if (chosen.length === 0) return { found: [], isDecided };
  const accounts = await load(chosen);
  const pace = pacer();
  const found: Target[] = [];
  for (const user of chosen) {
    const owned = accounts.get(user.id);
    if (owned === undefined && granting.size === 0) continue;
    const own = Map.groupBy(owned ?? [], ({ app_id }) => app_id);
    for (const app of appsOf.get(user.id) ?? []) {
      const there = own.get(app.id) ?? [];
      for (const account of there) found.push({ user, account, app, isMain: account === there[0] });
      if (there.length === 0 && granting.has(app.id)) found.push({ user, account: null, app, isMain: true });
    }
    await pace();
  }
  return { found, isDecided };
}

/** The apps for which a condition that does not read the account matches, by person. */
async function matchingApps(
  policy: MatchingPolicy,
  people: readonly PersonFacts[],
  undecided: Undecideds,
): Promise<Map<string, readonly AppFacts[]>> {
  const { apps } = policy.reach;
  const isSame = !policy.reads.has('app');
  const pace = pacer();
  const found = new Map<string, readonly AppFacts[]>();
  for (const user of people) {
    const matching: AppFacts[] = [];
    for (const app of isSame ? apps.slice(0, 1) : apps) {
      if (matches(policy, { user, account: null, app, isMain: true }, undecided)) matching.push(app);
      await pace();
    }
    if (!isSame) found.set(user.id, matching);
    else if (matching.length > 0) found.set(user.id, apps);
  }
  return found;
}

/** How often a condition may still be evaluated, and whether the caller still waits for the result. */
export interface Budget {
  left: number;
  isWanted: () => boolean;
}

/**
 * Returns the people whom the condition matches in at least one app, and at how many of them it looked: fewer than
 * given if the budget is used up.
 */
export async function matchingInSomeApp(
  db: OrgDb,
  policy: MatchingPolicy,
  people: readonly PersonFacts[],
  budget: Budget,
  undecided: UndecidedSubjects,
): Promise<{ matching: PersonFacts[]; looked: number }> {
  const { apps } = policy.reach;
  const ids = apps.map(({ id }) => id);
  const accounts = policy.reads.has('account')
    ? await queries.accountsOf(db, people, ids, policy.wanted)
    : [];
  const ofPerson = byPerson(accounts);
  const pace = pacer();
  const matching: PersonFacts[] = [];
  for (const [looked, user] of people.entries()) {
    const own = Map.groupBy(ofPerson.get(user.id) ?? [], ({ app_id }) => app_id);
    let decision: boolean | Undecided = false;
    for (const target of targetsOf(user, apps, own)) {
      if (budget.left === 0 || !budget.isWanted()) return { matching, looked };
      budget.left--;
      decision = decide(policy, target) || decision;
      await pace();
      if (decision === true) break;
    }
    if (decision === true) matching.push(user);
    else if (decision !== false) undecided.add(user.id, user, decision);
  }
  return { matching, looked: people.length };
}

function* targetsOf(
  user: PersonFacts,
  apps: readonly AppFacts[],
  own: ReadonlyMap<string, AccountFacts[]>,
): Generator<Target> {
  for (const app of apps) {
    const [main = null, ...others] = own.get(app.id) ?? [];
    yield { user, account: main, app, isMain: true };
    for (const account of others) yield { user, account, app, isMain: false };
  }
}

async function targetsOfAccounts(
  db: OrgDb,
  policy: MatchingPolicy,
  orphaned: boolean,
  window: Window,
): Promise<Found> {
  const isDecided = orphaned && !policy.reads.has('account');
  const nobody = (app: AppFacts): Target => ({ user: null, account: null, app, isMain: true });
  const apps = isDecided
    ? await filterInTurns(policy.reach.apps, (app) => decide(policy, nobody(app)) === true)
    : policy.reach.apps;
  if (apps.length === 0) return { last: undefined, targets: async () => ({ found: [], isDecided }) };
  const byId = new Map(apps.map((app) => [app.id, app]));
  const accounts = await queries.accountsWithin(db, window, [...byId.keys()], orphaned, policy.wanted);
  const targets = async () => ({ found: await withPeople(db, policy, accounts, byId), isDecided });
  return { last: accounts.at(-1)?.id, targets };
}

/** The targets of these accounts, which may have people. */
async function withPeople(
  db: OrgDb,
  { wanted }: MatchingPolicy,
  accounts: readonly AccountFacts[],
  apps: ReadonlyMap<string, AppFacts>,
): Promise<Target[]> {
  const linked = new Set(accounts.flatMap(({ person_id }) => person_id ?? []));
  const people = linked.size === 0 ? [] : await queries.peopleWithin(db, { ids: [...linked] }, wanted.person);
  const userOf = new Map(people.map((person) => [person.id, person]));
  return accounts.flatMap((account): Target[] => {
    const app = apps.get(account.app_id);
    const user = userOf.get(account.person_id ?? '') ?? null;
    // Linked to a person who has just been merged: a job moves the link.
    const isMoving = account.person_id !== null && user === null;
    return app === undefined || isMoving ? [] : [{ user, account, app, isMain: true }];
  });
}

/**
 * Returns the target as its condition sees it, without what it does not read. Every slug of the app is present, with an empty
 * list if unused.
 */
function variablesOf(
  { user, account, app }: Target,
  { today, reads, wanted }: MatchingPolicy,
): Record<string, unknown> {
  return {
    user: user && asRead(user),
    account: account === null || !reads.has('account') ? null : accountVariable(account, app, wanted),
    app: reads.has('app') ? { id: app.id, name: app.name, owner: app.owner } : null,
    today,
  };
}

const flags: Fields = Object.fromEntries(
  DETAILS.filter(({ cel, type }) => cel && type === 'flag').map(({ column }) => [column, 'bool' as const]),
);

/** The fields of these variables, for the check of a condition. Resource type slugs can have any name. */
export const FIELDS: Record<(typeof VARIABLES)[number], Fields | 'other'> = {
  user: PERSON_FIELDS,
  account: {
    ...plainFields('id', 'external_id', 'email', 'username', 'display_name', 'status', 'last_seen_at'),
    ...plainFields('days_since_sign_in', ...CEL_DETAILS),
    ...flags,
    attributes: 'any',
    memberships: 'any',
    assignments: 'any',
  },
  app: plainFields('id', 'name', 'owner'),
  today: 'other',
};

/** A field that the condition does not read may be missing. */
function accountVariable(
  { app_id, person_id, has_tasks, held, held_ids, ...account }: AccountFacts,
  { groups, licenses }: AppFacts,
  wanted: Wanted,
) {
  const idsBySlug = (slugs: string[]) =>
    Object.fromEntries(
      slugs.map((slug) => [slug, held.filter((one) => one.slug === slug).map((one) => one.id)]),
    );
  const read = (field: string, slugs: string[]) =>
    wanted.account.includes(field) ? { [field]: idsBySlug(slugs) } : {};
  return { ...account, ...read('memberships', groups), ...read('assignments', licenses) };
}
