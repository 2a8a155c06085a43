import type { NewEvent } from '../events/record.ts';
import type { Cause } from '../identity/cause.ts';
import type { Tx } from '../platform/database/open.ts';
import { taskEvent } from './events.ts';
import { tasksByIds } from './queries/views.ts';
import * as queries from './queries/write.ts';
import type { Precondition } from './task.ts';

const REASON: Record<Precondition['kind'] | 'gone', string> = {
  gone: 'The account is gone, or never came to be.',
  user_active: 'The person is not active any more.',
  user_inactive: 'The person is active again.',
  account_status: 'The account is in another state by now.',
  change_needed: 'The account has what the task would give, and lacks what it would take away.',
  not_regranted: 'The access was granted again meanwhile.',
  last_holder: 'Another decision gives the access for longer.',
};

interface Decision {
  endings: queries.Ending[];
  blocks: { id: string; waits_for: 'account' | 'external_id' }[];
  /** Of the blocked, those of whom it has not been told. */
  told: { id: string; blockedBy: string | null }[];
  pending: string[];
}

/**
 * Gives the accounts' tasks their turn, as far as it has come (D28, D31): called wherever a task is made, ends, or
 * falls due. The caller holds the apps; what changed is answered as events, which the caller records last.
 */
export async function takeTurns(
  tx: Tx,
  orgId: string,
  accountIds: string[],
  cause: Cause,
): Promise<NewEvent[]> {
  const accounts = await queries.lockAccounts(tx, orgId, accountIds);
  const open = await queries.lockOpenTasks(tx, orgId, accountIds);
  if (open.length === 0) return [];
  const conditional = open.filter((task) => task.conditional && task.status === 'scheduled' && task.due);
  const broken = await lookAgain(
    tx,
    orgId,
    conditional.map(({ id }) => id),
  );
  const byAccount = Map.groupBy(open, ({ account_id }) => account_id);
  const decision: Decision = { endings: [], blocks: [], told: [], pending: [] };
  for (const account of accounts) decide(account, byAccount.get(account.id) ?? [], broken, decision);

  await queries.endTasks(tx, orgId, decision.endings);
  await queries.blockTasks(tx, orgId, decision.blocks);
  await queries.makePending(tx, orgId, decision.pending);
  if (decision.endings.length > 0) await queries.buryUnborn(tx, orgId, accountIds);
  return eventsOf(tx, orgId, decision, cause);
}

/** Which of these tasks make no sense any more (D31). The others lose what they are not to take away any more. */
async function lookAgain(tx: Tx, orgId: string, ids: string[]): Promise<Map<string, Precondition['kind']>> {
  if (ids.length === 0) return new Map();
  await queries.spareHeld(tx, orgId, ids);
  return queries.brokenPreconditions(tx, orgId, ids);
}

/** What happens to the open tasks of one account now: broken ones go, a delete clears the way, the oldest is next. */
function decide(
  account: queries.AccountState,
  open: queries.OpenTask[],
  broken: ReadonlyMap<string, Precondition['kind']>,
  decision: Decision,
): void {
  const left = new Map(open.map((task) => [task.id, task]));
  const end = (id: string, status: 'cancelled' | 'preempted', reason: string | null, by: string | null) => {
    left.delete(id);
    decision.endings.push({ id, status, reason, preempted_by: by });
  };

  for (const { id } of dueOf(left)) {
    const kind = broken.get(id);
    if (kind !== undefined) end(id, 'cancelled', REASON[kind], null);
  }
  // A delete clears the way when its turn first comes: what was asked for since waits behind it.
  for (const { id, action, told } of dueOf(left)) {
    const comesUp = action === 'delete_account' && !told && left.has(id);
    const inItsWay = comesUp
      ? [...left.values()].filter((other) => other.id !== id && !other.dispatched)
      : [];
    for (const other of inItsWay) end(other.id, 'preempted', null, id);
  }
  if (isGone(account, left)) {
    for (const { id, action } of dueOf(left)) {
      if (action !== 'create_account') end(id, 'cancelled', REASON.gone, null);
    }
  }
  promote(account, left, decision);
}

const dueOf = (left: Map<string, queries.OpenTask>) =>
  [...left.values()].filter(({ status, due }) => status === 'scheduled' && due);

/** Removed; or never there, and not about to be created. */
function isGone(
  { removed_at, external_id, status }: queries.AccountState,
  left: Map<string, queries.OpenTask>,
) {
  if (removed_at !== null) return true;
  const unborn = external_id === null && (status === 'NEW' || status === 'INACTIVE');
  return unborn && ![...left.values()].some(({ action }) => action === 'create_account');
}

/** The oldest due task that can be done becomes pending; the others wait for it, or for the account's id. */
function promote(account: queries.AccountState, left: Map<string, queries.OpenTask>, decision: Decision) {
  let busy = [...left.values()].find(({ status }) => status === 'pending')?.id ?? null;
  for (const task of dueOf(left)) {
    const idIsMissing = task.action !== 'create_account' && account.external_id === null;
    const waits = busy !== null ? 'account' : idIsMissing ? 'external_id' : null;
    if (waits === null) {
      decision.pending.push(task.id);
      busy = task.id;
    } else if (task.waits_for !== waits) {
      decision.blocks.push({ id: task.id, waits_for: waits });
      if (!task.told) decision.told.push({ id: task.id, blockedBy: busy });
    }
  }
}

async function eventsOf(tx: Tx, orgId: string, decision: Decision, cause: Cause): Promise<NewEvent[]> {
  const ids = [...decision.endings.map(({ id }) => id), ...decision.told.map(({ id }) => id)];
  const views = new Map((await tasksByIds(tx, orgId, ids)).map((task) => [task.id, task]));
  const events: NewEvent[] = [];
  for (const { id, status, preempted_by } of decision.endings) {
    const task = views.get(id);
    if (task === undefined) continue;
    events.push(
      status === 'preempted' && preempted_by !== null
        ? taskEvent(task, cause, 'task.preempted', { preempted_by })
        : taskEvent(task, cause, 'task.cancelled', { reason: task.ended_reason }),
    );
  }
  for (const { id, blockedBy } of decision.told) {
    const task = views.get(id);
    if (task === undefined) continue;
    const reason =
      blockedBy === null
        ? "The external system's id of the account is not known yet."
        : 'Another task of the account is pending.';
    events.push(taskEvent(task, cause, 'task.dispatch_blocked', { blocked_by: blockedBy, reason }));
  }
  return events;
}
