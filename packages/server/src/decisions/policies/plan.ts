import { MOST_SHOWN, type UndecidedPeople, UndecidedSubjects } from '#directory/people/undecided.ts';
import { keyOf, removable } from '#inventory/records/accounts/derived.ts';
import type { Derived } from '#inventory/records/accounts/derived-facts.ts';
import type { OrgDb } from '#kit/database.ts';
import { pacer } from '#kit/pacer.ts';
import { grantsOfDecision, openGrants } from '#reasons/grants/facts.ts';
import type { Access, GrantKind } from '#reasons/grants/grant.ts';
import { addToCounts, emptyCounts, type PlanCounts } from '#work/provisioning/plan-counts.ts';
import type { TakingTask } from '#work/provisioning/task.ts';
import { type DraftTask, grantedTo, tasksFor } from './effects.ts';
import type { PreparedPolicy } from './prepare.ts';
import type { Window } from './queries/targets.ts';
import * as queries from './queries/targets.ts';
import {
  addMissing,
  type MissingAccess,
  NOTHING_MISSING,
  revocationOf,
  type SomeMissing,
} from './revoked.ts';
import { readSubjects, STAGES, type Stage, type Target, type Undecideds } from './targets.ts';

interface Plan {
  count: number;
  counts: PlanCounts;
  taking: TakingTask[];
  tasks: PlannedTask[];
  /** Grants that begin without a task. */
  grants: PlannedGrant[];
  kept: SomeKept;
  missing: SomeMissing;
  undecided: UndecidedPeople;
}

/** A grant on what an account already has (D73). */
export interface PlannedGrant extends Access {
  app_id: string;
  /** The person or account that triggered the policy. */
  subject: string;
}

/** A task that a policy would create. */
export interface PlannedTask extends DraftTask {
  /** The person or account that triggered the policy. */
  subject: string;
}

/** Lets those of the planned tasks pass that may be created now. */
export interface TaskGate {
  sift(db: OrgDb, tasks: readonly PlannedTask[]): Promise<readonly PlannedTask[]>;
}

/** Access that a policy would revoke and that stays, because something else gives it (D68). */
export interface KeptAccess {
  account_id: string;
  email: string;
  app_name: string;
  resource: string;
  via: Derived['giver'];
}

/** The number of kept accesses, and the first of them. */
export interface SomeKept {
  count: number;
  kept: KeptAccess[];
}

/** Adds kept access, of which only what is shown stays in memory. */
export const addKept = ({ count, kept }: SomeKept, more: readonly KeptAccess[]): SomeKept => ({
  count: count + more.length,
  kept: [...kept, ...more.slice(0, MOST_SHOWN - kept.length)],
});

export const NOTHING_KEPT: SomeKept = { count: 0, kept: [] };

/** People or accounts whose tasks one transaction creates. */
export const BATCH = 500;

/** People or accounts that one statement reads while planning. */
const WINDOW = 2000;

/**
 * Plans all tasks that the policy would create for `subjects` (null: everyone its trigger can concern), and that `gate` lets pass. Returns their
 * number, what they would do, those that take something away, the first `keep` of them, and whom the condition does not decide.
 */
export async function planAll(
  db: OrgDb,
  policy: PreparedPolicy,
  subjects: readonly string[] | null,
  { keep, gate }: { keep: number; gate?: TaskGate },
): Promise<Plan> {
  const undecided = new UndecidedSubjects();
  const all = {
    counts: emptyCounts(),
    taking: [] as TakingTask[],
    tasks: [] as PlannedTask[],
    grants: [] as PlannedGrant[],
    kept: NOTHING_KEPT,
    missing: NOTHING_MISSING as SomeMissing,
  };
  for await (const { tasks: planned, grants, kept: more, missing } of planWindows(
    db,
    policy,
    subjects,
    undecided,
  )) {
    const tasks = gate === undefined ? planned : await gate.sift(db, planned);
    for (const { action, app, account, add, remove } of tasks) {
      addToCounts(all.counts, action, 1, { added: add.length, removed: remove.length });
      const takes = action === 'delete_account' || action === 'suspend_account' || remove.length > 0;
      if (takes && account !== null)
        all.taking.push({ app_id: app.id, account_id: account.id, action, removed: remove.length });
    }
    all.grants.push(...grants);
    all.kept = addKept(all.kept, more);
    all.missing = addMissing(all.missing, missing);
    all.tasks.push(...tasks.slice(0, keep - all.tasks.length));
  }
  return { count: all.counts.tasks, ...all, undecided: undecided.found() };
}

/**
 * Plans the same tasks, as many at a time as one statement reads. Adds the people whom the condition does not decide. Begins
 * with each window before the one before it is finished, so that PostgreSQL reads while this process evaluates conditions.
 */
export async function* planWindows(
  db: OrgDb,
  policy: PreparedPolicy,
  subjects: readonly string[] | null,
  undecided: UndecidedSubjects,
): AsyncGenerator<Planned> {
  const finish = async ({ planned, found }: Begun) => {
    const batch = await planned;
    for (const one of found) undecided.add(...one);
    return batch;
  };
  let before: Begun | undefined;
  for await (const begun of beginWindows(db, policy, subjects)) {
    if (before !== undefined) yield finish(before);
    before = begun;
  }
  if (before !== undefined) yield finish(before);
}

/** A window whose subjects have been read. */
interface Begun {
  planned: Promise<Planned>;
  /** Whom the condition does not decide. */
  found: Parameters<Undecideds['add']>[];
}

async function* beginWindows(
  db: OrgDb,
  policy: PreparedPolicy,
  subjects: readonly string[] | null,
): AsyncGenerator<Begun> {
  for (const stage of STAGES[policy.policy.trigger].keys()) {
    for (let start = 0, after: string | null = null; ; start += WINDOW) {
      const ids = subjects?.slice(start, start + WINDOW);
      const window = ids ? { ids } : { after, limit: WINDOW };
      const found: Begun['found'] = [];
      const begun = await beginBatch(db, policy, stage, window, { add: (...one) => found.push(one) });
      // The error is thrown where the window is finished, unless an earlier window has failed.
      begun.planned.catch(() => {});
      // A transaction has one connection.
      if (db.db.isTransaction) await begun.planned;
      yield { planned: begun.planned, found };
      after = begun.last ?? null;
      if (subjects === null ? after === null : start + WINDOW >= subjects.length) break;
    }
  }
}

interface Planned {
  tasks: PlannedTask[];
  grants: PlannedGrant[];
  kept: KeptAccess[];
  missing: MissingAccess[];
}

const NOTHING_PLANNED: Planned = { tasks: [], grants: [], kept: [], missing: [] };

/** Plans the tasks of one window. `last` is the last id that was looked at: undefined if none was left. */
export async function planBatch(
  db: OrgDb,
  policy: PreparedPolicy,
  stage: number,
  window: Window,
): Promise<Planned & { last: string | undefined }> {
  const { planned, last } = await beginBatch(db, policy, stage, window, new UndecidedSubjects());
  return { ...(await planned), last };
}

async function beginBatch(
  db: OrgDb,
  policy: PreparedPolicy,
  stage: number,
  window: Window,
  undecided: Undecideds,
): Promise<{ planned: Promise<Planned>; last: string | undefined }> {
  const kind = STAGES[policy.policy.trigger][stage];
  if (kind === undefined) return { planned: Promise.resolve(NOTHING_PLANNED), last: undefined };
  const { last, matching } = await readSubjects(db, policy, kind, window);
  return { planned: planTargets(db, policy, kind, matching(undecided)), last };
}

async function planTargets(
  db: OrgDb,
  policy: PreparedPolicy,
  kind: Stage,
  found: Promise<Target[]>,
): Promise<Planned> {
  const matching = await found;
  const ids = matching.flatMap(({ account }) => (account?.has_tasks ? [account.id] : []));
  const openOf = Map.groupBy(await queries.openWorkOn(db, ids), ({ account_id }) => account_id);
  const granted = await accountsGrantedByPeople(db, policy, ids);
  // The canceled task says why the account stays. One is enough: a daily policy would add one every day.
  const tried = await queries.ownAccountsTried(db, policy.policy.id, ids);
  const pace = pacer();
  const tasks: PlannedTask[] = [];
  const grants: PlannedGrant[] = [];
  const missing: MissingAccess[] = [];
  for (const target of matching) {
    const accountId = target.account?.id ?? '';
    const subject = (kind.of === 'people' ? target.user?.id : target.account?.id) ?? '';
    const open = openOf.get(accountId) ?? [];
    const drafts = tasksFor(policy, target, open, granted.has(accountId));
    const own = grantedTo(policy, target, open);
    for (const entitlement_id of own.held)
      grants.push({ app_id: target.app.id, account_id: accountId, entitlement_id, subject });
    for (const entitlement of own.missing) {
      const revoked = revocationOf(policy, target, entitlement?.entitlement_id ?? null);
      if (revoked !== undefined) missing.push({ target, entitlement, revoked });
    }
    for (const draft of drafts)
      if (!(tried.has(accountId) && endsAccount(draft))) tasks.push({ ...draft, subject });
    await pace();
  }
  const { tasks: left, kept } = await withoutDerived(db, tasks);
  return { tasks: left, grants: await notBegun(db, policy, grants), kept, missing };
}

/** Leaves out the grants that the policy has begun already. */
async function notBegun(
  db: OrgDb,
  { policy }: PreparedPolicy,
  grants: readonly PlannedGrant[],
): Promise<PlannedGrant[]> {
  if (grants.length === 0) return [];
  const ids = [...new Set(grants.map(({ account_id }) => account_id))];
  const begun = await grantsOfDecision(db, { kind: 'policy', id: policy.id }, ids);
  const known = new Set(begun.map(({ account_id, entitlement_id }) => `${account_id} ${entitlement_id}`));
  return grants.filter(({ account_id, entitlement_id }) => !known.has(`${account_id} ${entitlement_id}`));
}

/** Leaves out the removals of access that something else gives. Tasks without any other change are not needed. */
async function withoutDerived(db: OrgDb, tasks: PlannedTask[]): Promise<Pick<Planned, 'tasks' | 'kept'>> {
  const removals = tasks.flatMap(({ account, remove }) =>
    account === null ? [] : remove.map(({ entitlement_id }) => ({ account_id: account.id, entitlement_id })),
  );
  const { covered, kept } = await removable(db, removals);
  if (covered.length + kept.length === 0) return { tasks, kept: [] };
  const derived = new Map([...covered, ...kept].map((one) => [keyOf(one), one]));
  const stays = new Set(kept.map(keyOf));
  const left: PlannedTask[] = [];
  const keptAccess: KeptAccess[] = [];
  for (const task of tasks) {
    const { account, app } = task;
    const found = task.remove.flatMap(({ entitlement_id }) => {
      return derived.get(keyOf({ account_id: account?.id ?? '', entitlement_id })) ?? [];
    });
    const ids = new Set(found.map(({ entitlement_id }) => entitlement_id));
    const remove = task.remove.filter(({ entitlement_id }) => !ids.has(entitlement_id));
    if (found.length === 0 || remove.length + task.add.length > 0) left.push({ ...task, remove });
    for (const one of found.filter((held) => stays.has(keyOf(held))))
      keptAccess.push({
        account_id: one.account_id,
        email: account?.email ?? '',
        app_name: app.name,
        resource: one.name,
        via: one.giver,
      });
  }
  return { tasks: left, kept: keptAccess };
}

const endsAccount = ({ action }: DraftTask) => action === 'delete_account' || action === 'suspend_account';

const BY_PEOPLE: ReadonlySet<GrantKind> = new Set(['request', 'manual', 'restore']);

/** Accounts that a person granted, or granted something: a policy may not suspend them while their person is active. */
async function accountsGrantedByPeople(
  db: OrgDb,
  { policy }: PreparedPolicy,
  accountIds: string[],
): Promise<Set<string>> {
  if (accountIds.length === 0 || !policy.effects.some((effect) => effect.do === 'suspend')) return new Set();
  const byPeople = (await openGrants(db, accountIds)).filter(({ kind }) => BY_PEOPLE.has(kind));
  return new Set(byPeople.map(({ account_id }) => account_id));
}
