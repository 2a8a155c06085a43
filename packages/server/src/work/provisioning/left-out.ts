import type { OrgTx } from '#kit/database.ts';
import type { Sentence } from '#kit/sentences.ts';
import { leaveOut, type Outdated, outdatedChanges, unwantedCreations } from './queries/left-out.ts';
import type { OpenTask } from './queries/lock.ts';
import { leftOutSentences, reasonSentences } from './reason-sentences.ts';

/**
 * Marks the changes of tasks that are about to run and are no longer what somebody decided, so that the tasks leave them out: a
 * group that is gone or has another name now is not granted, and neither is what would be over by now. A group that is gone is removed if it returns (D31). Access that something else gives stays (D68).
 * Silence does not remove the last member of a group whose risk is high (D66). Returns the tasks with nothing left to do, and
 * why, and what tasks do not give. A task with nothing left must not run: it would create an account for nothing, or fail in the connector.
 */
export async function leaveOutOutdated(
  tx: OrgTx,
  open: readonly OpenTask[],
): Promise<{ emptied: ReadonlyMap<string, Emptied>; added: LeftOut[] }> {
  const ids = open.filter(isAboutToRun).map(({ id }) => id);
  if (ids.length === 0) return { emptied: new Map(), added: [] };
  const unwanted = await unwantedCreations(tx, ids);
  const emptied = new Map<string, Emptied>(
    unwanted.map((id) => [id, { reason: reasonSentences.task_time_over(), isAway: false }]),
  );
  const found = await outdatedChanges(tx, ids);
  if (found.length === 0) return { emptied, added: [] };
  const outdated = found.map((change) => ({ ...change, isAway: isAway(change) }));
  const tasks = [...Map.groupBy(outdated, ({ task_id }) => task_id)].map(([id, changes]) => ({
    id,
    isEmpty: changes.length === changes[0]?.of && !changes.every(isOfWantedAccount),
    parts: changes.map(sentence),
    isAway: changes.some(({ isAway }) => isAway),
  }));
  await leaveOut(tx, outdated, tasks);
  const waiting = new Set(open.flatMap(({ id, awaits_return }) => (awaits_return ? id : [])));
  for (const { id, parts, isAway } of tasks.filter(({ isEmpty }) => isEmpty))
    emptied.set(id, {
      reason: reasonSentences.task_nothing_left({ parts }),
      isAway: isAway || waiting.has(id),
    });
  return { emptied, added: found.filter(({ added }) => added) };
}

/** A removal of a group that is gone, or that something else gives. That may pass (D31). */
const isAway = ({ added, active, given_by }: Outdated) => !added && (!active || given_by !== null);

/** A part of a new account whose time is over, while the time of the account is not. */
const isOfWantedAccount = ({ is_over, creates_wanted }: Outdated) => is_over && creates_wanted;

/** A group or license that a task does not give. */
export type LeftOut = Pick<Outdated, 'task_id' | 'entitlement_id'>;

/** Why a task has nothing left to do. */
export interface Emptied {
  reason: Sentence;
  isAway: boolean;
}

/** A pending task that no connector has seen can still be stopped. */
const isAboutToRun = ({ status, due, dispatched }: OpenTask) => (status === 'pending' ? !dispatched : due);

function sentence({
  active,
  last_of,
  given_by,
  revoked,
  is_over,
  name,
  current_name,
  id,
}: Outdated): Sentence {
  const known = name || current_name || id;
  if (given_by !== null) return leftOutSentences.left_out_derived({ name: known, giver: given_by });
  if (!active) return leftOutSentences.left_out_gone({ name: known });
  if (last_of !== null) return leftOutSentences.left_out_last_member({ group: last_of });
  if (revoked) return leftOutSentences.left_out_revoked({ name: known });
  if (is_over) return leftOutSentences.left_out_over({ name: known });
  return leftOutSentences.left_out_renamed({ name: known, current_name });
}
