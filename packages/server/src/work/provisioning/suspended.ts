import type { PublishedHook } from '#inventory/records/sessions/session.ts';
import type { OrgTx } from '#kit/database.ts';
import type { Cause } from '#kit/identity.ts';
import type { Ended, Ending, NewSuspension } from '#reasons/suspensions/suspension.ts';
import {
  beginAgain,
  beginSuspensions,
  endDecided,
  endSuspensions,
} from '#reasons/suspensions/suspensions.ts';
import { type SuspendingTask, suspendingTasks, unsuspensionsOfFound } from './queries/suspended.ts';

/*
 * Tasks and suspensions (D73). A task that suspends an account begins a suspension when its turn comes. One that unsuspends it ends the
 * suspensions that its decision can end.
 */

/** Begins and ends suspensions with the tasks whose turn has come. */
export async function takeSuspensionTurns(tx: OrgTx, taskIds: readonly string[]): Promise<void> {
  if (taskIds.length === 0) return;
  for (const tasks of runsOf(await suspendingTasks(tx, taskIds)))
    if (tasks[0]?.action === 'suspend_account') await beginSuspensions(tx, tasks.map(suspensionOf));
    else
      for (const [first, all] of byDecision(tasks))
        await endSuspensions(
          tx,
          all.map(({ account_id }) => account_id),
          endingOf(first),
          endedBy(first),
        );
}

/**
 * Ends what a sync has begun for accounts that a task under way unsuspends: a connector reports what it has read before it carries that out.
 * If the task is canceled, these suspensions begin again.
 */
export const endFoundSuspensions: PublishedHook = async (tx, appId, _cause, changedBy) => {
  if (changedBy !== null) await takeSuspensionTurns(tx, await unsuspensionsOfFound(tx, appId, changedBy));
  return [];
};

/**
 * Follows tasks that are canceled: their suspension ends, or what they were to end begins again. The decision to suspend an account that is
 * suspended by now stands.
 */
export async function withdrawSuspensions(
  tx: OrgTx,
  taskIds: readonly string[],
  cause: Cause,
  { label, isSuspended = false }: { label: string; isSuspended?: boolean },
): Promise<void> {
  if (taskIds.length === 0) return;
  const found = await suspendingTasks(tx, taskIds);
  const areSuspended = found.filter(({ account_status }) => account_status === 'SUSPENDED');
  const [stands, ended] = [
    isSuspended ? areSuspended.filter(suspends) : [],
    isSuspended ? [] : found.filter(suspends),
  ];
  await beginSuspensions(tx, stands.map(suspensionOf));
  for (const [first, all] of byDecision(ended)) {
    const ending = endingOf(first);
    const kind = cause.actor.type === 'user' ? 'manual' : ending.kind;
    await endDecided(tx, all.map(suspensionOf), { ...ending, kind, label });
  }
  for (const task of found.filter((one) => !suspends(one) && isOrBecomesSuspended(one)))
    await beginAgain(tx, task.account_id, endingOf(task), task.created_at);
}

const isOrBecomesSuspended = ({ account_status, follows_suspension }: SuspendingTask) =>
  account_status === 'SUSPENDED' || follows_suspension;

const suspends = ({ action }: SuspendingTask) => action === 'suspend_account';

/** Splits tasks where the action changes. */
function runsOf(tasks: readonly SuspendingTask[]): SuspendingTask[][] {
  const runs: SuspendingTask[][] = [];
  for (const task of tasks) {
    const last = runs.at(-1);
    if (last !== undefined && last[0]?.action === task.action) last.push(task);
    else runs.push([task]);
  }
  return runs;
}

/** The tasks by their decision, each group with its first task. */
const byDecision = (tasks: readonly SuspendingTask[]): [SuspendingTask, SuspendingTask[]][] =>
  [...Map.groupBy(tasks, (task) => JSON.stringify([endingOf(task), task.leaving])).values()].map((all) => [
    all[0] as SuspendingTask,
    all,
  ]);

const suspensionOf = ({
  app_id,
  account_id,
  kind,
  source_id,
  label,
  decided_by,
  reason,
  leaving,
}: SuspendingTask): NewSuspension => ({
  ...{ app_id, account_id, source_id, label, decided_by, reason, leaving, since: null },
  kind: kind === 'review' || kind === 'policy' ? kind : 'manual',
});

const endingOf = ({ kind, source_id: id, label }: SuspendingTask): Ending => ({ kind, id, label });

const endedBy = ({ kind, leaving }: SuspendingTask): Ended =>
  leaving ? 'leaving' : kind === 'policy' ? 'by machines' : 'all';
