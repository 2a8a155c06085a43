import { MOST_SHOWN, type UndecidedPeople, UndecidedSubjects } from '#directory/people/undecided.ts';
import { keyOf, removable } from '#inventory/records/accounts/derived.ts';
import type { Derived } from '#inventory/records/accounts/derived-facts.ts';
import type { GrantKind } from '#inventory/records/accounts/grant-kinds.ts';
import type { OrgDb } from '#kit/database.ts';
import { pacer } from '#kit/pacer.ts';
import { openGrants } from '#reasons/grants/facts.ts';
import { type OpenSuspension, openSuspensions } from '#reasons/suspensions/facts.ts';
import { addToCounts, emptyCounts, type PlanCounts } from '#work/provisioning/plan-counts.ts';
import type { TakingTask } from '#work/provisioning/task.ts';
import { type DraftTask, type SuspensionChange, suspensionChange, tasksFor } from './effects.ts';
import type { PreparedPolicy } from './prepare.ts';
import type { Window } from './queries/targets.ts';
import * as queries from './queries/targets.ts';
import { readSubjects, STAGES, type Stage, type Target, type Undecideds } from './targets.ts';

interface Plan {
  count: number;
  counts: PlanCounts;
  taking: TakingTask[];
  tasks: PlannedTask[];
  suspensions: PlannedSuspension[];
  kept: SomeKept;
  undecided: UndecidedPeople;
  /** How many people of these tasks have not started. */
  not_started: number;
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

/** Lets those of the planned tasks and suspensions pass that may be created now. */
export interface TaskGate {
  sift(db: OrgDb, tasks: readonly PlannedTask[]): Promise<readonly PlannedTask[]>;
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
    kept: NOTHING_KEPT,
  };
  const ahead = new Set<string>();
  for await (const { tasks: planned, suspensions, kept: more } of planWindows(
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
    all.kept = addKept(all.kept, more);
    all.suspensions.push(...((await gate?.siftSuspensions(db, suspensions)) ?? suspensions));
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
  kept: KeptAccess[];
}

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
  if (kind === undefined)
    return { planned: Promise.resolve({ tasks: [], suspensions: [], kept: [] }), last: undefined };
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
  for (const target of matching) {
    const accountId = target.account?.id ?? '';
    const subject = (kind.of === 'people' ? target.user?.id : target.account?.id) ?? '';
    const suspensions = suspensionsOf.get(accountId) ?? [];
    const isGranted = granted.has(accountId);
    const drafts = tasksFor(policy, target, openOf.get(accountId) ?? [], { isGranted, suspensions });
    for (const change of suspensionChange(policy, target, suspensions)) changes.push({ ...change, subject });
    for (const draft of drafts)
      if (!(tried.has(accountId) && endsAccount(draft))) tasks.push({ ...draft, subject });
    await pace();
  }
  return { ...(await withoutDerived(db, tasks)), suspensions: changes };
}

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

/** Leaves out the removals of access that something else gives. Tasks without any other change are not needed. */
async function withoutDerived(db: OrgDb, tasks: PlannedTask[]): Promise<Omit<Planned, 'suspensions'>> {
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
