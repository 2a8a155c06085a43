import { MOST_SHOWN, type UndecidedPeople, UndecidedSubjects } from '#directory/people/undecided.ts';
import { keyOf, removable } from '#inventory/records/accounts/derived.ts';
import type { Derived } from '#inventory/records/accounts/derived-facts.ts';
import type { GrantKind } from '#inventory/records/accounts/grant-kinds.ts';
import type { OrgDb } from '#kit/database.ts';
import { pacer } from '#kit/pacer.ts';
import { grantsOfDecision, openGrants } from '#reasons/grants/facts.ts';
import { type OpenSuspension, openSuspensions } from '#reasons/suspensions/facts.ts';
import { addToCounts, emptyCounts, type PlanCounts } from '#work/provisioning/plan-counts.ts';
import type { TakingTask } from '#work/provisioning/task.ts';
import { type DraftTask, grantedTo, type SuspensionChange, suspensionChange, tasksFor } from './effects.ts';
import type { PreparedPolicy } from './prepare.ts';
import type { Entitlement, Window } from './queries/targets.ts';
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
  suspensions: PlannedSuspension[];
  /** Grants that begin without a task. */
  grants: PlannedGrant[];
  kept: SomeKept;
  missing: SomeMissing;
  undecided: UndecidedPeople;
  /** How many people of these tasks have not started. */
  not_started: number;
}

/** A grant on what an account already has (D73). */
export interface PlannedGrant {
  app: Target['app'];
  user: Target['user'];
  account: NonNullable<Target['account']>;
  entitlement_id: string | null;
  /** The person or account that triggered the policy. */
  subject: string;
}

/** A task that a policy would create. */
export interface PlannedTask extends DraftTask {
  /** The person or account that triggered the policy. */
  subject: string;
}

/** A suspension that a policy would begin or end without a task. */
export interface PlannedSuspension extends SuspensionChange {
  /** The person or account that triggered the policy. */
  subject: string;
}

/** Lets those of the planned tasks, grants and suspensions pass that may be created now. */
export interface TaskGate {
  sift(db: OrgDb, tasks: readonly PlannedTask[]): Promise<readonly PlannedTask[]>;
  siftGrants(db: OrgDb, planned: readonly PlannedGrant[]): Promise<readonly PlannedGrant[]>;
  siftSuspensions(db: OrgDb, planned: readonly PlannedSuspension[]): Promise<readonly PlannedSuspension[]>;
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
    suspensions: [] as PlannedSuspension[],
    grants: [] as PlannedGrant[],
    kept: NOTHING_KEPT,
    missing: NOTHING_MISSING as SomeMissing,
  };
  const ahead = new Set<string>();
  for await (const { tasks: planned, grants, suspensions, kept: more, missing } of planWindows(
    db,
    policy,
    subjects,
    undecided,
  )) {
    const tasks = gate === undefined ? planned : await gate.sift(db, planned);
    addAhead(ahead, tasks, policy.today);
    for (const { action, app, account, add, remove } of tasks) {
      addToCounts(all.counts, action, 1, { added: add.length, removed: remove.length });
      const takes = action === 'delete_account' || action === 'suspend_account' || remove.length > 0;
      if (takes && account !== null)
        all.taking.push({ app_id: app.id, account_id: account.id, action, removed: remove.length });
    }
    all.grants.push(...((await gate?.siftGrants(db, grants)) ?? grants));
    all.kept = addKept(all.kept, more);
    all.suspensions.push(...((await gate?.siftSuspensions(db, suspensions)) ?? suspensions));
    all.missing = addMissing(all.missing, missing);
    all.tasks.push(...tasks.slice(0, keep - all.tasks.length));
  }
  return { count: all.counts.tasks, ...all, undecided: undecided.found(), not_started: ahead.size };
}

/** Adds the people of the tasks whose first day lies ahead. */
export function addAhead(ahead: Set<string>, tasks: readonly DraftTask[], today: string): void {
  for (const { user } of tasks) if (user?.start_date != null && user.start_date > today) ahead.add(user.id);
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
  suspensions: PlannedSuspension[];
  grants: PlannedGrant[];
  kept: KeptAccess[];
  missing: MissingAccess[];
}

const NOTHING_PLANNED: Planned = { tasks: [], suspensions: [], grants: [], kept: [], missing: [] };

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
  const suspensionsOf = await suspensionsFor(db, policy, matching);
  const pace = pacer();
  const tasks: PlannedTask[] = [];
  const changes: PlannedSuspension[] = [];
  const grants: PlannedGrant[] = [];
  const missing: MissingAccess[] = [];
  for (const target of matching) {
    const { account } = target;
    const accountId = account?.id ?? '';
    const subject = (kind.of === 'people' ? target.user?.id : account?.id) ?? '';
    const open = openOf.get(accountId) ?? [];
    const suspensions = suspensionsOf.get(accountId) ?? [];
    const drafts = tasksFor(policy, target, open, { isGranted: granted.has(accountId), suspensions });
    for (const change of suspensionChange(policy, target, suspensions)) changes.push({ ...change, subject });
    const own = grantedTo(policy, target, open);
    grants.push(...grantsOn(target, own.held, subject));
    missing.push(...missingFor(policy, target, own.missing));
    for (const draft of drafts)
      if (!(tried.has(accountId) && endsAccount(draft))) tasks.push({ ...draft, subject });
    await pace();
  }
  const { tasks: left, kept } = await withoutDerived(db, tasks);
  return { tasks: left, suspensions: changes, grants: await notBegun(db, policy, grants), kept, missing };
}

const grantsOn = (
  { app, user, account }: Target,
  held: readonly (string | null)[],
  subject: string,
): PlannedGrant[] =>
  account === null ? [] : held.map((entitlement_id) => ({ app, user, account, entitlement_id, subject }));

const missingFor = (
  policy: PreparedPolicy,
  target: Target,
  wanted: readonly (Entitlement | null)[],
): MissingAccess[] =>
  wanted.flatMap((entitlement) => {
    const revoked = revocationOf(policy, target, entitlement?.entitlement_id ?? null);
    return revoked === undefined ? [] : { target, entitlement, revoked };
  });

/** Returns the suspensions of the accounts that the policy could suspend or unsuspend. */
async function suspensionsFor(
  db: OrgDb,
  { policy: { effects } }: PreparedPolicy,
  targets: readonly Target[],
): Promise<Map<string, OpenSuspension[]>> {
  if (!effects.some(({ do: kind }) => kind === 'suspend' || kind === 'unsuspend')) return new Map();
  const ids = targets.flatMap(({ account }) =>
    account !== null && (account.status === 'SUSPENDED' || account.has_tasks) ? [account.id] : [],
  );
  const open = ids.length === 0 ? [] : await openSuspensions(db, ids);
  return Map.groupBy(open, ({ account_id }) => account_id);
}

/** Leaves out the grants that the policy has begun already. */
async function notBegun(
  db: OrgDb,
  { policy }: PreparedPolicy,
  grants: readonly PlannedGrant[],
): Promise<PlannedGrant[]> {
  if (grants.length === 0) return [];
  const ids = [...new Set(grants.map(({ account }) => account.id))];
  const begun = await grantsOfDecision(db, { kind: 'policy', id: policy.id }, ids);
  const known = new Set(begun.map(({ account_id, entitlement_id }) => `${account_id} ${entitlement_id}`));
  return grants.filter(({ account, entitlement_id }) => !known.has(`${account.id} ${entitlement_id}`));
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
