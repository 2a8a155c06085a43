import { hookPoint, type OrgTx } from '#kit/database.ts';
import type { Emptied } from './left-out.ts';
import type { OpenTask } from './queries/lock.ts';
import * as queries from './queries/on-hold.ts';
import { reasonSentences } from './reason-sentences.ts';

/** The answers of holds about tasks of policies (D78). The tasks that are missing here may run. */
export interface TaskGates {
  /** The hold that a task waits in, by the task. */
  waiting: ReadonlyMap<string, string>;
  /** The tasks whose hold was discarded. */
  discarded: ReadonlySet<string>;
}

/** Called whenever tasks that policies made, and that nobody has confirmed, might have their turn. */
export type HoldGateHook = (
  tx: OrgTx,
  tasks: readonly { id: string; account_id: string }[],
) => Promise<TaskGates>;

export const holdGateHooks = hookPoint<HoldGateHook>();

/**
 * Puts those of these tasks on hold whose people are in an open hold, however they came into the queue: retries of failed tasks and tasks
 * in place of others as well. Returns the tasks as they are then, and why those of discarded holds have nothing to do.
 */
export async function gateByHolds(
  tx: OrgTx,
  open: OpenTask[],
): Promise<{ open: OpenTask[]; discarded: ReadonlyMap<string, Emptied> }> {
  const candidates = open.filter(
    ({ status, by_policy, waits_for }) => status === 'scheduled' && by_policy && waits_for !== 'hold',
  );
  const waiting = new Map<string, string>();
  const discarded = new Map<string, Emptied>();
  if (candidates.length === 0) return { open, discarded };
  for (const hook of holdGateHooks.of(tx)) {
    const gates = await hook(tx, candidates);
    for (const [id, holdId] of gates.waiting) waiting.set(id, holdId);
    for (const id of gates.discarded)
      discarded.set(id, { reason: reasonSentences.task_hold_discarded(), isAway: false });
  }
  for (const [holdId, tasks] of Map.groupBy(waiting, ([, hold]) => hold))
    await queries.putOnHold(
      tx,
      holdId,
      tasks.map(([id]) => id),
    );
  return {
    open: open.map((task) => (waiting.has(task.id) ? { ...task, waits_for: 'hold' } : task)),
    discarded,
  };
}
