import { closeLosses } from '#inventory/records/budget/budget.ts';
import { hookPoint, type OrgDb, type OrgTx } from '#kit/database.ts';
import type { Sentence } from '#kit/sentences.ts';
import type { NewEvent } from '#log/events/record.ts';
import { isDue, isHeld } from './plan.ts';
import type { OpenTask } from './queries/lock.ts';
import { putUndecided } from './queries/on-hold.ts';
import { policyTasks } from './queries/policy-gate.ts';
import { reasonSentences } from './reason-sentences.ts';
import type { PolicyTask } from './task.ts';

/** The answers of policies about their tasks (D74). The tasks that are missing here may run. */
export interface PolicyVerdicts {
  /** The tasks that their policies do not call for any more. */
  disagreed: ReadonlySet<string>;
  /** The tasks about which they do not decide any more. */
  undecided: ReadonlySet<string>;
  /** Returns the events that tell whom policies do not decide about. Only tasks that wait because of that are named. */
  tell(waiting: ReadonlySet<string>): NewEvent[];
}

/** Called before tasks of policies have their turn, and before connectors get them. */
export type PolicyGateHook = (db: OrgDb, tasks: readonly PolicyTask[]) => Promise<PolicyVerdicts>;

export const policyGateHooks = hookPoint<PolicyGateHook>();

interface Gated {
  open: OpenTask[];
  /** Why policies do not want tasks any more. */
  disagreed: ReadonlyMap<string, Sentence>;
  events: NewEvent[];
}

/** A task that is about to run, or that no connector has fetched. */
const isAboutToRun = (task: OpenTask) =>
  task.conditional && !isHeld(task) && (task.status === 'pending' ? !task.dispatched : isDue(task));

/**
 * Lets policies decide again about those of their tasks that are about to run (D74). What is undecided is not given, and not taken away
 * before an administrator confirms it: that waits from now on. Returns the tasks as they are then.
 */
export async function gateByPolicies(tx: OrgTx, open: OpenTask[]): Promise<Gated> {
  const ids = open.filter(isAboutToRun).map(({ id }) => id);
  const disagreed = new Map<string, Sentence>();
  const tasks = ids.length === 0 ? [] : await policyTasks(tx, ids);
  if (tasks.length === 0) return { open, disagreed, events: [] };
  const waiting = new Set<string>();
  const events: NewEvent[] = [];
  for (const hook of policyGateHooks.of(tx)) {
    const verdicts = await hook(tx, tasks);
    for (const { id, gives, is_confirmed } of tasks) {
      if (verdicts.disagreed.has(id)) disagreed.set(id, reasonSentences.task_not_wanted());
      else if (!verdicts.undecided.has(id)) continue;
      else if (gives) disagreed.set(id, reasonSentences.task_condition_undecided());
      else if (!is_confirmed) waiting.add(id);
    }
    events.push(...verdicts.tell(waiting));
  }
  if (waiting.size > 0) {
    await putUndecided(tx, [...waiting]);
    await closeLosses(tx, [...waiting], 'none');
  }
  return {
    open: open.map((task) =>
      waiting.has(task.id) ? { ...task, status: 'scheduled', waits_for: 'undecided' } : task,
    ),
    disagreed,
    events,
  };
}

/** Returns the accounts of those of these pending tasks that their policies would stop now. */
export async function accountsDisagreed(
  db: OrgDb,
  taskIds: readonly string[],
): Promise<{ app_id: string; account_id: string }[]> {
  const tasks = taskIds.length === 0 ? [] : await policyTasks(db, taskIds);
  if (tasks.length === 0) return [];
  const found: PolicyTask[] = [];
  for (const hook of policyGateHooks.of(db)) {
    const { disagreed, undecided } = await hook(db, tasks);
    found.push(
      ...tasks.filter(
        ({ id, gives, is_confirmed }) => disagreed.has(id) || (undecided.has(id) && (gives || !is_confirmed)),
      ),
    );
  }
  return found;
}
