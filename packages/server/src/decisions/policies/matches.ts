import { asRead } from '#directory/people/as-read.ts';
import { type UndecidedPeople, UndecidedSubjects } from '#directory/people/undecided.ts';
import type { OrgDb } from '#kit/database.ts';
import { type Call, localTime, requireAllApps } from '#kit/identity.ts';
import { pacer } from '#kit/pacer.ts';
import { type Contradiction, contradictionsOf } from './contradictions.ts';
import type { Trigger } from './filters.ts';
import { type ConditionOwner, checkCondition } from './policies.ts';
import type { Effect } from './policy.ts';
import { matchingPolicy } from './prepare.ts';
import type { PersonFacts } from './queries/targets.ts';
import * as queries from './queries/targets.ts';
import { type MatchingPolicy, matchingInSomeApp, STAGES } from './targets.ts';

export interface Matches {
  /** How many people match, of those that were looked at. */
  count: number;
  of: number;
  /** Whether there are more people than were looked at. */
  more: boolean;
  /** The first that match. */
  people: PersonFacts[];
  /** Those whom the condition does not decide. */
  undecided: UndecidedPeople;
  /** The policies that would undo the effects for some of those who match. */
  contradicts: Contradiction[];
}

export interface MatchQuestion {
  /** The policy that is written, if it exists. */
  policy: string | null;
  effects: readonly Effect[];
  condition: string;
  of: ConditionOwner;
  trigger: Trigger;
  /** The apps of the effects; null: all. */
  apps: readonly string[] | null;
}

const WINDOW = 500;
const SHOWN = 10;
/** A form asks after every pause in typing, so one answer must stay cheap: accounts cost far more than people. */
const MOST_PEOPLE = 10_000;
const MOST_WITH_ACCOUNTS = 2000;
/** A condition on accounts is evaluated for each person in each app, so the number of people alone bounds nothing. */
const MOST_EVALUATIONS = 50_000;

/**
 * Counts the people whom a condition matches, for a form in which it is written. Does a bounded amount of work, and stops
 * when `isWanted` is false. With a condition on accounts, somebody matches who matches in one of the apps.
 */
export async function peopleMatching(
  call: Call,
  question: MatchQuestion,
  isWanted: () => boolean = () => true,
): Promise<Matches> {
  requireAllApps(call.principal, 'policies');
  checkCondition(question.condition, question.of);
  const policy = await prepare(call, question);
  const readsAccounts = policy.reads.has('account') || policy.reads.has('app');
  const most = readsAccounts ? MOST_WITH_ACCOUNTS : MOST_PEOPLE;
  const stage = STAGES[question.trigger].find(({ of }) => of === 'people');
  const status = stage?.of === 'people' ? stage.status : null;
  const budget = { left: MOST_EVALUATIONS, isWanted };
  const matched: string[] = [];
  const found: Omit<Matches, 'undecided' | 'contradicts'> = { count: 0, of: 0, more: false, people: [] };
  const undecided = new UndecidedSubjects();
  for (let after: string | null = null; isWanted(); ) {
    const limit = Math.min(WINDOW, most + 1 - found.of);
    const window = { after, limit };
    const people: PersonFacts[] = await queries.peopleWithin(call, window, policy.wanted.person, { status });
    const chosen = people.slice(0, most - found.of);
    const { matching, looked } = readsAccounts
      ? await matchingInSomeApp(call, policy, chosen, budget, undecided)
      : await matchingPeople(policy, chosen, undecided);
    found.count += matching.length;
    found.of += looked;
    found.more = looked < people.length;
    matched.push(...matching.map(({ id }) => id));
    found.people.push(...matching.slice(0, SHOWN - found.people.length));
    after = people.at(-1)?.id ?? null;
    if (found.more || people.length < limit) break;
  }
  const draft = { ...question, id: question.policy, offset_days: null };
  const contradicts =
    matched.length === 0 || !isWanted() ? [] : await contradictionsOf(call, draft, matched.sort());
  return { ...found, undecided: undecided.found(), contradicts };
}

async function prepare(db: OrgDb, { condition, apps: ids }: MatchQuestion): Promise<MatchingPolicy> {
  const apps = await queries.appsAmong(db, ids);
  return matchingPolicy(condition, { apps, granting: apps }, (await localTime(db)).today);
}

async function matchingPeople(
  { condition, today }: MatchingPolicy,
  people: PersonFacts[],
  undecided: UndecidedSubjects,
) {
  const pace = pacer();
  const matching: PersonFacts[] = [];
  for (const user of people) {
    const decision = condition.decide({ user: asRead(user), today });
    if (decision === true) matching.push(user);
    else if (decision !== false) undecided.add(user.id, user, decision);
    await pace();
  }
  return { matching, looked: people.length };
}
