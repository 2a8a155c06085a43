import type { AccountState } from '#inventory/records/accounts/account.ts';
import type { Sentence } from '#kit/sentences.ts';
import type { Emptied } from './left-out.ts';
import type { OpenTask } from './queries/lock.ts';
import { PRECONDITIONS, type PreconditionKind } from './queries/preconditions/index.ts';
import type { Block, Ending } from './queries/update.ts';
import { reasonSentences } from './reason-sentences.ts';
import type { TaskType } from './task.ts';

/** The kinds of decisions that end access later: they hold when the connector signs in with another account (D66). */
const WAIT_FOR_CONNECTOR: ReadonlySet<TaskType> = new Set(['POLICY', 'APPROVAL_WORKFLOW']);
export const ACCOUNT_GONE = reasonSentences.task_account_gone();

/** Preconditions that a sync may have missed, or that may come to hold: the account, its access, its status, or its givers. */
const PASSES: ReadonlySet<PreconditionKind> = new Set(['account_status', 'change_needed', 'not_derived']);

/** The changes to make to the open tasks of some accounts. */
export interface Plan {
  endings: Ending[];
  blocks: Block[];
  announcements: Announcement[];
  pending: string[];
  /** The accounts that no task is about to create any more. */
  neverCreated: string[];
}

/** A blocked task whose task.dispatch_blocked event is still to be recorded. */
interface Announcement {
  id: string;
  blockedBy: string | null;
  reason: string;
}

/** The tasks, by id, that cannot take their turn: they have nothing left to do, a precondition does not hold, or the budget is used. */
interface Stops {
  emptied: ReadonlyMap<string, Emptied>;
  unmet: ReadonlyMap<string, PreconditionKind>;
  /** Why the policies of tasks no longer want them (D74). */
  disagreed: ReadonlyMap<string, Sentence>;
  held: ReadonlySet<string>;
}

export const takesAccount = ({ action }: OpenTask) =>
  action === 'delete_account' || action === 'suspend_account';

export const isDue = ({ status, due }: OpenTask) => status === 'scheduled' && due;

/** Whether an administrator has yet to confirm the task, or the hold that it is part of (D46, D74, D78). */
export const isHeld = ({ waits_for }: OpenTask) =>
  waits_for === 'confirmation' || waits_for === 'hold' || waits_for === 'undecided';

type OpenTasks = Map<string, OpenTask>;

const dueOf = (left: OpenTasks) => [...left.values()].filter(isDue);

const OVER_BUDGET =
  "The app's daily budget of removals does not allow it. An administrator has to confirm the task.";

const isBeingCreated = (left: OpenTasks) =>
  [...left.values()].some(({ action }) => action === 'create_account');

/** Plans the changes to the open tasks of these accounts, in the order of the accounts. */
export function planOf(accounts: readonly AccountState[], open: readonly OpenTask[], stops: Stops): Plan {
  const byAccount = Map.groupBy(open, ({ account_id }) => account_id);
  const plans = accounts.map((account) => planOfAccount(account, byAccount.get(account.id) ?? [], stops));
  return {
    endings: plans.flatMap(({ endings }) => endings),
    blocks: plans.flatMap(({ blocks }) => blocks),
    announcements: plans.flatMap(({ announcements }) => announcements),
    pending: plans.flatMap(({ pending }) => pending),
    neverCreated: plans.flatMap(({ neverCreated }) => neverCreated),
  };
}

function planOfAccount(account: AccountState, open: readonly OpenTask[], stops: Stops): Plan {
  const { held } = stops;
  const left: OpenTasks = new Map(open.map((task) => [task.id, task]));
  const endings: Ending[] = [];
  const end = (ending: Ending) => {
    left.delete(ending.id);
    endings.push(ending);
  };
  const cancel = (id: string, reason: Sentence, awaits_return = false) =>
    end({ id, status: 'cancelled', reason, preempted_by: null, awaits_return });

  for (const stop of stopsOf(account, open, stops)) cancel(...stop);
  const ready = () => dueOf(left).filter((task) => !isHeld(task) && !held.has(task.id));
  for (const [id, deletion] of preemptedBy(left, ready())) {
    end({ id, status: 'preempted', reason: null, preempted_by: deletion, awaits_return: false });
  }
  if (isGone(account, left)) {
    for (const { id, action, takes_away } of dueOf(left))
      if (action !== 'create_account') cancel(id, ACCOUNT_GONE, takes_away && account.removed_at !== null);
  }
  const overBudget = dueOf(left).filter((task) => held.has(task.id));
  const turns = turnsOf(account, left, ready());
  return {
    endings,
    blocks: [...overBudget.map(({ id }) => ({ id, waits_for: 'confirmation' as const })), ...turns.blocks],
    announcements: [
      ...overBudget.flatMap(({ id, announced }) =>
        announced ? [] : [{ id, blockedBy: null, reason: OVER_BUDGET }],
      ),
      ...turns.announcements,
    ],
    pending: turns.pending,
    neverCreated: account.status === 'NEW' && !isBeingCreated(left) ? [account.id] : [],
  };
}

/** The tasks of an account that must not run, each with the reason, and whether it is created again when something returns. */
function* stopsOf(
  account: AccountState,
  open: readonly OpenTask[],
  { emptied, unmet, disagreed }: Stops,
): Generator<[id: string, reason: Sentence, awaitsReturn?: boolean]> {
  for (const task of open) {
    const { id, takes_away } = task;
    const nothingToDo = emptied.get(id);
    const kind = unmet.get(id);
    const disagreement = disagreed.get(id);
    if (isOfConnector(account, task))
      yield [id, reasonSentences.task_of_own_connector(), WAIT_FOR_CONNECTOR.has(task.task_type)];
    else if (nothingToDo !== undefined) yield [id, nothingToDo.reason, nothingToDo.isAway];
    else if (kind !== undefined) yield [id, PRECONDITIONS[kind].reason, takes_away && PASSES.has(kind)];
    else if (disagreement !== undefined) yield [id, disagreement];
  }
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
function turnsOf(
  account: AccountState,
  left: OpenTasks,
  ready: readonly OpenTask[],
): Pick<Plan, 'blocks' | 'announcements' | 'pending'> {
  const blocks: Block[] = [];
  const announcements: Announcement[] = [];
  const pending: string[] = [];
  let busy = [...left.values()].find(({ status }) => status === 'pending')?.id ?? null;
  for (const task of ready) {
    const idIsMissing = task.action !== 'create_account' && account.external_id === null;
    const waitsFor = busy !== null ? 'account' : idIsMissing ? 'external_id' : null;
    if (waitsFor === null) {
      pending.push(task.id);
      busy = task.id;
    } else if (task.waits_for !== waitsFor) {
      blocks.push({ id: task.id, waits_for: waitsFor });
      const reason =
        busy === null
          ? "The external system's id of the account is not known yet."
          : 'Another task of the account is pending.';
      if (!task.announced) announcements.push({ id: task.id, blockedBy: busy, reason });
    }
  }
  return { blocks, announcements, pending };
}
