import { type UndecidedPeople, UndecidedSubjects } from '#directory/people/undecided.ts';
import type { OrgDb } from '#kit/database.ts';
import { addToCounts, emptyCounts, type PlanCounts } from '#work/provisioning/plan-counts.ts';
import type { TakingTask } from '#work/provisioning/task.ts';
import type { DraftTask } from './effects.ts';
import { addKept, NOTHING_KEPT, type SomeKept } from './kept.ts';
import type { PlannedGrant, PlannedSuspension, PlannedTask, TaskGate } from './planned.ts';
import type { PreparedPolicy } from './prepare.ts';
import { addMissing, NOTHING_MISSING, type SomeMissing } from './revoked.ts';
import { planWindows } from './windows.ts';

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

/** People or accounts whose tasks one transaction creates. */
export const BATCH = 500;

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
