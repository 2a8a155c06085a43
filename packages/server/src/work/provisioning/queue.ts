import type { AccountState } from '../../inventory/records/account.ts';
import { lockAccounts } from '../../inventory/records/account-facts.ts';
import { closeLosses } from '../../inventory/records/budget/budget.ts';
import { giveUpCreation } from '../../inventory/records/task-operations.ts';
import type { OrgTx } from '../../kit/database/organization.ts';
import type { Cause } from '../../kit/identity/cause.ts';
import type { NewEvent } from '../../log/events/record.ts';
import { overBudget } from './budget.ts';
import { budgetExceeded, createdEvent, taskEvent } from './events.ts';
import { type Emptied, leaveOutOutdated } from './left-out.ts';
import { insertResumed, type Resumed } from './queries/insert.ts';
import { lockOpenTasks, type OpenTask } from './queries/lock.ts';
import { PRECONDITIONS, type PreconditionKind } from './queries/preconditions/index.ts';
import { spareRemovals, unmetPreconditions } from './queries/preconditions.ts';
import { removalsPreemptedBy } from './queries/returned.ts';
import { type Block, blockTasks, type Ending, endTasks, makePending } from './queries/update.ts';
import { tasksByIds } from './queries/views.ts';
import { OWN_ACCOUNT, type Task, type TaskType } from './task.ts';

/** The kinds of decisions that end access later: they hold when the connector signs in with another account (D66). */
const WAIT_FOR_CONNECTOR: ReadonlySet<TaskType> = new Set(['POLICY', 'APPROVAL_WORKFLOW']);
const ACCOUNT_GONE = 'The account no longer exists, or was never created.';

/** Preconditions that a sync may have missed, or that may come to hold: the account, its access, its status, or its givers. */
const PASSES: ReadonlySet<PreconditionKind> = new Set(['account_status', 'change_needed', 'not_derived']);

/** The changes to make to the open tasks of some accounts. */
interface Plan {
  endings: Ending[];
  blocks: Block[];
  /** The blocked tasks whose task.dispatch_blocked event is still to be recorded. */
  announcements: { id: string; blockedBy: string | null; reason: string }[];
  pending: string[];
}

export interface Advanced {
  /** The tasks named in `read`, in order of creation. */
  tasks: Task[];
  /** For the caller to record, last. */
  events: NewEvent[];
}

/**
 * Gives the open tasks of these accounts their turn (D28, D31). Tasks whose groups are no longer what was decided leave
 * them out first. Every operation that creates, ends or wakes tasks calls
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
  const open = await lockOpenTasks(tx, ids);
  const emptied = await leaveOutOutdated(tx, open);
  const unmet = await checkPreconditions(tx, open, emptied);
  const isOwn = new Set(accounts.flatMap(({ id, is_own }) => (is_own ? id : [])));
  const stopped = open.filter(
    (task) =>
      unmet.has(task.id) || emptied.has(task.id) || (isOwn.has(task.account_id) && takesAccount(task)),
  );
  const due = open.filter(
    (task) => isDue(task) && !isHeld(task) && !unmet.has(task.id) && !emptied.has(task.id),
  );
  const held = await overBudget(
    tx,
    due,
    new Set(accounts.map(({ app_id }) => app_id)),
    stopped.map(({ id }) => id),
  );
  const plan: Plan = { endings: [], blocks: [], announcements: [], pending: [] };
  const neverCreated: string[] = [];
  const byAccount = Map.groupBy(open, ({ account_id }) => account_id);
  for (const account of accounts) {
    const left = planAccount(account, byAccount.get(account.id) ?? [], { emptied, unmet, held }, plan);
    if (account.status === 'NEW' && !isBeingCreated(left)) neverCreated.push(account.id);
  }

  await endTasks(tx, plan.endings);
  if (plan.endings.length > 0)
    await closeLosses(
      tx,
      plan.endings.map(({ id }) => id),
      'none',
    );
  await blockTasks(tx, plan.blocks);
  await makePending(tx, plan.pending);
  await giveUpCreation(tx, neverCreated);

  const changed = [...plan.endings, ...plan.announcements, ...[...held].map((id) => ({ id }))].map(
    ({ id }) => id,
  );
  const returned = await putBackPreempted(tx, plan.endings, cause);
  const views = await tasksByIds(tx, [...new Set([...read, ...changed])]);
  const wanted = new Set(read);
  const exceeded = [
    ...Map.groupBy(
      views.filter(({ id }) => held.has(id)),
      ({ app_id }) => app_id,
    ),
  ].map(([appId, tasks]) => budgetExceeded(appId, tasks[0]?.app_name ?? '', tasks.length));
  const events = [...eventsOf(plan, views, cause), ...exceeded, ...returned];
  return { tasks: views.filter(({ id }) => wanted.has(id)), events };
}

/**
 * Creates the removals again that deletions have preempted, if these are canceled after all: the account stays, and the removals were
 * decided as well. Returns the events.
 */
async function putBackPreempted(tx: OrgTx, endings: readonly Ending[], cause: Cause): Promise<NewEvent[]> {
  const cancelled = endings
    .filter(({ status, reason }) => status === 'cancelled' && reason !== ACCOUNT_GONE)
    .map(({ id }) => id);
  const preempted = await removalsPreemptedBy(tx, cancelled);
  if (preempted.length === 0) return [];
  return queueResumed(tx, await insertResumed(tx, preempted), cause);
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

/**
 * Returns the due tasks with a precondition that does not hold (D31), and those that can still be stopped and would take away the last
 * member of a group whose risk is high (D66).
 */
async function checkPreconditions(
  tx: OrgTx,
  open: readonly OpenTask[],
  emptied: ReadonlyMap<string, Emptied>,
): Promise<ReadonlyMap<string, PreconditionKind>> {
  const idsOf = (tasks: readonly OpenTask[]) =>
    tasks.filter(({ id, conditional }) => conditional && !emptied.has(id)).map(({ id }) => id);
  const due = idsOf(open.filter(isDue));
  const waiting = idsOf(
    open.filter((task) => task.status === 'pending' && !task.dispatched && takesAccount(task)),
  );
  if (due.length > 0) await spareRemovals(tx, due);
  return new Map([
    ...(await unmetPreconditions(tx, due)),
    ...(await unmetPreconditions(tx, waiting, 'not_last_member')),
  ]);
}

const takesAccount = ({ action }: OpenTask) => action === 'delete_account' || action === 'suspend_account';

const isDue = ({ status, due }: OpenTask) => status === 'scheduled' && due;

/** Whether an administrator has yet to confirm the task (D46). */
const isHeld = ({ waits_for }: OpenTask) => waits_for === 'confirmation';

type OpenTasks = Map<string, OpenTask>;

const dueOf = (left: OpenTasks) => [...left.values()].filter(isDue);

const OVER_BUDGET =
  "The app's daily budget of removals does not allow it. An administrator has to confirm the task.";

const isBeingCreated = (left: OpenTasks) =>
  [...left.values()].some(({ action }) => action === 'create_account');

/** Plans what happens to the open tasks of one account now. Returns the tasks that stay open. */
function planAccount(
  account: AccountState,
  open: readonly OpenTask[],
  {
    emptied,
    unmet,
    held,
  }: {
    emptied: ReadonlyMap<string, Emptied>;
    unmet: ReadonlyMap<string, PreconditionKind>;
    held: ReadonlySet<string>;
  },
  plan: Plan,
): OpenTasks {
  const left: OpenTasks = new Map(open.map((task) => [task.id, task]));
  const end = (ending: Ending) => {
    left.delete(ending.id);
    plan.endings.push(ending);
  };
  const cancel = (id: string, reason: string, awaits_return = false) =>
    end({ id, status: 'cancelled', reason, preempted_by: null, awaits_return });

  for (const task of open) {
    const nothingToDo = emptied.get(task.id);
    if (isOfConnector(account, task)) cancel(task.id, OWN_ACCOUNT, WAIT_FOR_CONNECTOR.has(task.task_type));
    else if (nothingToDo !== undefined) cancel(task.id, nothingToDo.words, nothingToDo.isAway);
  }
  for (const { id, takes_away } of [...left.values()]) {
    const kind = unmet.get(id);
    if (kind !== undefined) cancel(id, PRECONDITIONS[kind].reason, takes_away && PASSES.has(kind));
  }
  const ready = () => dueOf(left).filter((task) => !isHeld(task) && !held.has(task.id));
  for (const [id, deletion] of preemptedBy(left, ready())) {
    end({ id, status: 'preempted', reason: null, preempted_by: deletion, awaits_return: false });
  }
  if (isGone(account, left)) {
    for (const { id, action, takes_away } of dueOf(left))
      if (action !== 'create_account') cancel(id, ACCOUNT_GONE, takes_away && account.removed_at !== null);
  }
  for (const { id, announced } of dueOf(left).filter((task) => held.has(task.id))) {
    plan.blocks.push({ id, waits_for: 'confirmation' });
    if (!announced) plan.announcements.push({ id, blockedBy: null, reason: OVER_BUDGET });
  }
  promote(account, left, ready(), plan);
  return left;
}

/** Whether the task would suspend or delete the account with which the connector signs in, and no connector has seen it. */
const isOfConnector = ({ is_own }: AccountState, task: OpenTask) =>
  is_own && !task.dispatched && takesAccount(task);

/**
 * A delete_account preempts every undispatched task of its account when it first becomes due: later tasks wait behind
 * it. Returns the preempted tasks, each with the task that preempts it.
 */
function preemptedBy(left: OpenTasks, ready: readonly OpenTask[]): Map<string, string> {
  const preempted = new Map<string, string>();
  for (const deletion of ready) {
    if (deletion.action !== 'delete_account' || deletion.announced || preempted.has(deletion.id)) continue;
    for (const { id, dispatched } of left.values()) {
      if (id !== deletion.id && !dispatched && !preempted.has(id)) preempted.set(id, deletion.id);
    }
  }
  return preempted;
}

/** Whether the account is removed, or does not exist and is not about to be created. */
function isGone({ removed_at, external_id, status }: AccountState, left: OpenTasks) {
  if (removed_at !== null) return true;
  const neverCreated = external_id === null && (status === 'NEW' || status === 'INACTIVE');
  return neverCreated && !isBeingCreated(left);
}

/** The oldest due task that can run becomes pending. The others wait for it, or for the account's external id. */
function promote(account: AccountState, left: OpenTasks, ready: readonly OpenTask[], plan: Plan) {
  let busy = [...left.values()].find(({ status }) => status === 'pending')?.id ?? null;
  for (const task of ready) {
    const idIsMissing = task.action !== 'create_account' && account.external_id === null;
    const waitsFor = busy !== null ? 'account' : idIsMissing ? 'external_id' : null;
    if (waitsFor === null) {
      plan.pending.push(task.id);
      busy = task.id;
    } else if (task.waits_for !== waitsFor) {
      plan.blocks.push({ id: task.id, waits_for: waitsFor });
      const reason =
        busy === null
          ? "The external system's id of the account is not known yet."
          : 'Another task of the account is pending.';
      if (!task.announced) plan.announcements.push({ id: task.id, blockedBy: busy, reason });
    }
  }
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
        : taskEvent(task, cause, 'task.cancelled', { reason: task.ended_reason }),
    );
  }
  for (const { id, blockedBy, reason } of plan.announcements) {
    const task = tasks.get(id);
    if (task === undefined) continue;
    events.push(taskEvent(task, cause, 'task.dispatch_blocked', { blocked_by: blockedBy, reason }));
  }
  return events;
}
