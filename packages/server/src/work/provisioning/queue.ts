import { lockAccounts } from '#inventory/records/accounts/account-facts.ts';
import { giveUpCreation } from '#inventory/records/accounts/task-operations.ts';
import { closeLosses } from '#inventory/records/budget/budget.ts';
import type { OrgTx } from '#kit/database.ts';
import type { Cause } from '#kit/identity.ts';
import type { NewEvent } from '#log/events/record.ts';
import { appHoldHooks } from './app-holds.ts';
import { overBudget } from './budget.ts';
import { planEnds } from './ends.ts';
import { budgetExceeded, createdEvent, taskEvent } from './events.ts';
import { followDeletion, giveBack, giveUp, giveUpAccounts, takeAway } from './given.ts';
import { gateByHolds } from './hold-gate.ts';
import { type Emptied, type LeftOut, leaveOutOutdated } from './left-out.ts';
import { ACCOUNT_GONE, isDue, isHeld, type Plan, planOf, takesAccount } from './plan.ts';
import { gateByPolicies } from './policy-gate.ts';
import { insertResumed, type Resumed } from './queries/insert.ts';
import { lockOpenTasks, type OpenTask } from './queries/lock.ts';
import { PRECONDITIONS, type PreconditionKind } from './queries/preconditions/index.ts';
import { spareRemovals, unmetPreconditions } from './queries/preconditions.ts';
import { accountsOfDeletions, removalsPreemptedBy } from './queries/returned.ts';
import { blockTasks, type Ending, endTasks, makePending } from './queries/update.ts';
import { tasksByIds } from './queries/views.ts';
import { reasonSentences } from './reason-sentences.ts';
import { takeSuspensionTurns, withdrawSuspensions } from './suspended.ts';
import type { Action, Task } from './task.ts';

export interface Advanced {
  /** The tasks named in `read`, in order of creation. */
  tasks: Task[];
  /** For the caller to record, last. */
  events: NewEvent[];
}

/**
 * Gives the open tasks of these accounts their turn (D28, D31). Those of people in a hold wait in it (D78). Policies decide
 * again about theirs (D74). Tasks whose groups are no
 * longer what was decided leave them out first. Every operation that creates, ends or wakes tasks calls
 * it once, after its own changes; the promoter calls it when tasks become due. The caller holds the apps. `read` names
 * tasks that the caller wants to read as they are afterwards.
 */
export async function advanceQueue(
  tx: OrgTx,
  accountIds: readonly string[],
  cause: Cause,
  read: readonly string[] = [],
): Promise<Advanced> {
  const ids = [...new Set(accountIds)];
  const accounts = await lockAccounts(tx, ids);
  const { open: gated, discarded } = await gateByHolds(tx, await lockOpenTasks(tx, ids));
  const { open, disagreed, events: undecided } = await gateByPolicies(tx, gated);
  const leftOut = await leaveOutOutdated(tx, open);
  const emptied = new Map([...leftOut.emptied, ...discarded]);
  const unmet = await checkPreconditions(tx, open, emptied);
  const isOwn = new Set(accounts.flatMap(({ id, is_own }) => (is_own ? id : [])));
  const stopped = open.filter(
    (task) =>
      unmet.has(task.id) ||
      emptied.has(task.id) ||
      disagreed.has(task.id) ||
      (isOwn.has(task.account_id) && takesAccount(task)),
  );
  const due = open.filter(
    (task) =>
      isDue(task) && !isHeld(task) && !unmet.has(task.id) && !emptied.has(task.id) && !disagreed.has(task.id),
  );
  const held = await overBudget(
    tx,
    due,
    new Set(accounts.map(({ app_id }) => app_id)),
    stopped.map(({ id }) => id),
  );
  const plan = planOf(accounts, open, { emptied, unmet, disagreed, held });

  await endTasks(tx, plan.endings);
  if (plan.endings.length > 0)
    await closeLosses(
      tx,
      plan.endings.map(({ id }) => id),
      'none',
    );
  await blockTasks(tx, plan.blocks);
  await makePending(tx, plan.pending);
  await giveUpCreation(tx, plan.neverCreated);
  await giveUpAccounts(tx, plan.neverCreated, cause);
  const removed = new Set(accounts.flatMap(({ id, removed_at }) => (removed_at === null ? [] : [id])));
  const regranted = await followGrants(tx, { open, plan, added: leftOut.added, removed }, cause);

  const changed = [...plan.endings, ...plan.announcements, ...[...held].map((id) => ({ id }))].map(
    ({ id }) => id,
  );
  const returned = await putBackPreempted(tx, plan.endings, cause);
  const views = await tasksByIds(tx, [...new Set([...read, ...changed])]);
  const wanted = new Set(read);
  const heldOf = Map.groupBy(
    views.filter(({ id }) => held.has(id)),
    ({ app_id }) => app_id,
  );
  for (const [appId, tasks] of [...heldOf].sort())
    for (const hook of appHoldHooks.of(tx)) await hook.begin(tx, appId, tasks.length);
  const exceeded = [...heldOf].map(([appId, tasks]) =>
    budgetExceeded(appId, tasks[0]?.app_name ?? '', tasks.length),
  );
  const events = [...eventsOf(plan, views, cause), ...exceeded, ...undecided, ...returned, ...regranted];
  return { tasks: views.filter(({ id }) => wanted.has(id)), events };
}

/** A task that gives is canceled because the access is there: its decision stands (D73), as for an account that exists no longer. */
const NEEDLESS = reasonSentences.task_change_needless().code;

const SUSPENDING: ReadonlySet<Action> = new Set(['suspend_account', 'unsuspend_account']);
/** A task that suspends an account is canceled because the account is suspended: its decision stands (D73). */
const STATUS_CHANGED = reasonSentences.task_account_status_changed().code;
/** A policy that unsuspends an account ends what it can, and the account stays suspended. */
const SUSPENDED_OTHERWISE = reasonSentences.task_suspended_otherwise().code;

/**
 * Ends the grants of what is not given after all, and those on what tasks take away whose turn has come for the first time (D73). Those that
 * wait for a confirmation have not had their turn. Suspensions begin and end in the same way. Returns the events of the ends that are planned
 * again.
 */
async function followGrants(
  tx: OrgTx,
  {
    open,
    plan,
    added,
    removed,
  }: {
    open: readonly OpenTask[];
    plan: Plan;
    added: readonly LeftOut[];
    /** The accounts that have existed and do not any more. */
    removed: ReadonlySet<string>;
  },
  cause: Cause,
): Promise<NewEvent[]> {
  const turns = plan.blocks.filter(({ waits_for }) => waits_for !== 'confirmation');
  const begun = new Set([...plan.pending, ...turns.map(({ id }) => id)]);
  const first = open.filter(
    ({ id, status, waits_for }) => begun.has(id) && status === 'scheduled' && waits_for === null,
  );
  const idsOf = (tasks: readonly OpenTask[]) => tasks.map(({ id }) => id);
  const suspending = new Set(idsOf(open.filter(({ action }) => SUSPENDING.has(action))));
  await takeSuspensionTurns(
    tx,
    idsOf(first).filter((id) => suspending.has(id)),
  );
  const taskOf = new Map(open.map((task) => [task.id, task]));
  const events = await takeAway(tx, idsOf(first.filter(({ takes_away }) => takes_away)), cause);
  for (const { id, status, reason } of plan.endings) {
    if (status !== 'cancelled') continue;
    const [code, label] = [reason?.code ?? '', reason?.text ?? ''];
    const task = taskOf.get(id) as OpenTask;
    const isGone = code === ACCOUNT_GONE.code;
    if (isGone && task.action === 'delete_account') events.push(...(await followDeletion(tx, task, cause)));
    else if (!isGone) events.push(...(await giveBack(tx, [id], cause)));
    if (isGone ? !removed.has(task.account_id) : code !== NEEDLESS)
      events.push(...(await giveUp(tx, [id], cause, label)));
    if (code === SUSPENDED_OTHERWISE) await takeSuspensionTurns(tx, [id]);
    else if (suspending.has(id))
      await withdrawSuspensions(tx, [id], cause, { label, isSuspended: code === STATUS_CHANGED });
  }
  const some = [...new Set(added.map(({ task_id }) => task_id))];
  return [...events, ...(await giveUp(tx, some, cause, '', added))];
}

/**
 * Creates the removals again that deletions have preempted, if these are canceled after all: the account stays, and the removals were
 * decided as well. Returns the events.
 */
async function putBackPreempted(tx: OrgTx, endings: readonly Ending[], cause: Cause): Promise<NewEvent[]> {
  const cancelled = endings
    .filter(({ status, reason }) => status === 'cancelled' && reason?.code !== ACCOUNT_GONE.code)
    .map(({ id }) => id);
  return putBackPreemptedBy(tx, cancelled, cause);
}

/** Does the same for deletions that were canceled. */
export async function putBackPreemptedBy(
  tx: OrgTx,
  cancelled: readonly string[],
  cause: Cause,
): Promise<NewEvent[]> {
  if (cancelled.length === 0) return [];
  const preempted = await removalsPreemptedBy(tx, cancelled);
  const ends = await planEnds(tx, await accountsOfDeletions(tx, cancelled), cause);
  if (preempted.length === 0) return ends.events;
  return [...ends.events, ...(await queueResumed(tx, await insertResumed(tx, preempted), cause))];
}

/** Puts tasks that take the place of others into the queue. Returns the events. */
export async function queueResumed(
  tx: OrgTx,
  resumed: readonly Resumed[],
  cause: Cause,
): Promise<NewEvent[]> {
  const { tasks, events } = await advanceQueue(
    tx,
    resumed.map(({ account_id }) => account_id),
    cause,
    resumed.map(({ id }) => id),
  );
  return [...tasks.map((task) => createdEvent(task, cause)), ...events];
}

/** The reasons for tasks that are checked again each time before a connector gets the task (D74). */
const OF_PEOPLE: readonly PreconditionKind[] = ['user_active', 'user_inactive'];

/** Kinds that do not ask what the account is or holds: the task before, which is under way, may change that. */
const NOT_OF_STATE = (Object.keys(PRECONDITIONS) as PreconditionKind[]).filter(
  (kind) => kind !== 'account_status' && kind !== 'change_needed' && kind !== 'not_derived',
);

/**
 * Returns the due tasks with a precondition that does not hold (D31), and those that can still be stopped and whose reason is gone: the
 * person is back or has left (D74), or they would take away the last member of a group whose risk is high (D66).
 */
async function checkPreconditions(
  tx: OrgTx,
  open: readonly OpenTask[],
  emptied: ReadonlyMap<string, Emptied>,
): Promise<ReadonlyMap<string, PreconditionKind>> {
  const idsOf = (tasks: readonly OpenTask[]) =>
    tasks.filter(({ id, conditional }) => conditional && !emptied.has(id)).map(({ id }) => id);
  const busy = new Set(open.flatMap(({ status, account_id }) => (status === 'pending' ? [account_id] : [])));
  const due = open.filter(isDue);
  const [behind, next] = [
    idsOf(due.filter(({ account_id }) => busy.has(account_id))),
    idsOf(due.filter(({ account_id }) => !busy.has(account_id))),
  ];
  const waiting = open.filter(({ status, dispatched }) => status === 'pending' && !dispatched);
  if (due.length > 0) await spareRemovals(tx, [...behind, ...next]);
  return new Map([
    ...(await unmetPreconditions(tx, next)),
    ...(await unmetPreconditions(tx, behind, NOT_OF_STATE)),
    ...(await unmetPreconditions(tx, idsOf(waiting), OF_PEOPLE)),
    ...(await unmetPreconditions(tx, idsOf(waiting.filter(takesAccount)), ['not_last_member'])),
  ]);
}

function eventsOf(plan: Plan, views: readonly Task[], cause: Cause): NewEvent[] {
  const tasks = new Map(views.map((task) => [task.id, task]));
  const events: NewEvent[] = [];
  for (const { id, status, preempted_by } of plan.endings) {
    const task = tasks.get(id);
    if (task === undefined) continue;
    events.push(
      status === 'preempted' && preempted_by !== null
        ? taskEvent(task, cause, 'task.preempted', { preempted_by })
        : taskEvent(task, cause, 'task.cancelled', { reason: task.ended_reason?.text ?? null }),
    );
  }
  for (const { id, blockedBy, reason } of plan.announcements) {
    const task = tasks.get(id);
    if (task === undefined) continue;
    events.push(taskEvent(task, cause, 'task.dispatch_blocked', { blocked_by: blockedBy, reason }));
  }
  return events;
}
