import type { NewEvent } from '../events/record.ts';
import type { Cause } from '../identity/cause.ts';
import type { Db, Tx } from '../platform/database/open.ts';
import {
  cancelTasksOf,
  createTasks,
  lockAccountOf,
  type NewTask,
  openTasks,
  type Task,
} from '../provisioning/create.ts';
import type { TaskSource } from '../provisioning/task.ts';
import * as queries from './queries/write.ts';
import { shortLabel, type Ticket } from './ticket.ts';

/** What an approved ticket brought about. */
export interface Granted {
  accountId: string | null;
  /** Tasks of earlier tickets, made anew for another time. */
  moved: string[];
  /** What there is to say about it, if anything. */
  outcome: string | null;
  events: NewEvent[];
}

/**
 * Makes the tasks of an approved ticket (governance.md "Requests"). Access with an end is given and taken by tasks of
 * its own ticket, even where another ticket gives the same for a while: whichever ends last takes it away (provisioning,
 * Precondition last_holder). What the account has for good is neither given nor taken.
 */
export function grant(
  tx: Tx,
  orgId: string,
  ticket: Ticket,
  approverId: string,
  cause: Cause,
): Promise<Granted> {
  return ticket.type === 'EXTEND_ACCESS'
    ? extend(tx, orgId, ticket, approverId, cause)
    : give(tx, orgId, ticket, approverId, cause);
}

async function give(
  tx: Tx,
  orgId: string,
  ticket: Ticket,
  approverId: string,
  cause: Cause,
): Promise<Granted> {
  const known = await lockAccountOf(tx, orgId, ticket.app_id, ticket.user.external_uuid);
  const endings = known === undefined ? [] : await endingsOf(tx, orgId, known);
  const temporary = new Set(endings.flatMap(({ task }) => takenBy(task)));
  const wanted = await queries.wantedBy(tx, orgId, ticket.id, known ?? null);
  const missing = wanted
    .filter(({ id, active, held }) => active && (!held || temporary.has(id)))
    .map(({ id }) => id);
  const base = taskOf(ticket, approverId);
  const gives = {
    ...base,
    add: missing,
    executeAfter: ticket.start_time,
    preconditions: [{ kind: 'user_active' as const, user_id: ticket.user.external_uuid }],
  };
  const isNew = known === undefined;
  const first: NewTask[] = isNew
    ? [{ ...gives, action: 'create_account', userId: ticket.user.external_uuid }]
    : missing.length > 0
      ? [{ ...gives, action: 'update_account', accountId: known }]
      : [];
  // The account stays at least as long as this ticket needs it.
  const deletions = endings.filter(({ task }) => task.action === 'delete_account');
  const kept = await moveEnds(tx, orgId, deletions, { only: [], to: ticket.end_time }, ticket, cause);
  const given = await createTasks(tx, orgId, first, cause);
  const accountId = known ?? (given.tasks[0] as Task).account_id;
  const ends = ticket.end_time === null ? [] : endTasks(base, accountId, missing, ticket.end_time, isNew);
  const ended = await createTasks(tx, orgId, ends, cause);
  return {
    accountId,
    moved: kept.moved,
    outcome: outcomeOf(first.length > 0, wanted.length - wanted.filter(({ active }) => active).length),
    events: [...kept.events, ...given.events, ...ended.events],
  };
}

/** Takes away what the ticket gave; and the account, if that came with the ticket and nobody else needs it then. */
function endTasks(
  base: ReturnType<typeof taskOf>,
  accountId: string,
  remove: string[],
  executeAfter: Date,
  isNew: boolean,
): NewTask[] {
  const end = { ...base, accountId, executeAfter, preconditions: [{ kind: 'last_holder' as const }] };
  return [
    ...(remove.length > 0 ? [{ ...end, action: 'update_account' as const, remove }] : []),
    ...(isNew ? [{ ...end, action: 'delete_account' as const }] : []),
  ];
}

function outcomeOf(isGiven: boolean, gone: number): string | null {
  const lost =
    gone === 0 ? '' : `Not there any more: ${gone} of the groups and licenses that were asked for.`;
  if (isGiven) return lost || null;
  return `Nothing had to be done: the account has what was asked for. ${lost}`.trim();
}

/** Moves the end of what the account has for a time: all of it, or what the ticket names. */
async function extend(
  tx: Tx,
  orgId: string,
  ticket: Ticket,
  approverId: string,
  cause: Cause,
): Promise<Granted> {
  const accountId = await lockAccountOf(tx, orgId, ticket.app_id, ticket.user.external_uuid);
  const endings = accountId === undefined ? [] : await endingsOf(tx, orgId, accountId);
  const wanted = await queries.wantedBy(tx, orgId, ticket.id, accountId ?? null);
  const only = wanted.map(({ id }) => id);
  const by = { ...ticket, approverId };
  const { moved, events } = await moveEnds(tx, orgId, endings, { only, to: ticket.end_time }, by, cause);
  const outcome =
    moved.length > 0 ? null : 'Nothing had to be done: no access that was asked for ends before that.';
  return { accountId: accountId ?? null, moved, outcome, events };
}

/** A task at the end of time-bound access, which a ticket scheduled. */
export interface Ending {
  task: Task & { source: TaskSource };
  /** Whether extending these (none named: everything) moves it. */
  moves(entitlementIds: readonly string[]): boolean;
}

/** The ends that are ahead of an account. */
export async function endingsOf(db: Db, orgId: string, accountId: string): Promise<Ending[]> {
  const open = await openTasks(db, orgId, accountId);
  return open.flatMap((task) => {
    const { source, status, action } = task;
    if (source?.type !== 'ticket' || status !== 'scheduled') return [];
    const taken = takenBy(task);
    if (action !== 'delete_account' && taken.length === 0) return [];
    // An account that is to go stays as long as anything in it.
    const moves = (ids: readonly string[]) =>
      action === 'delete_account' || ids.length === 0 || taken.some((id) => ids.includes(id));
    return [{ task: { ...task, source }, moves }];
  });
}

const takenBy = ({ changes }: Task) =>
  changes.filter(({ added }) => !added).map(({ entitlement_id }) => entitlement_id);

/**
 * Puts these ends off, as far as they lie before `to` (null: for good) and concern `only` these (none: all). They
 * remain the doing of the ticket that gave the access, so that they still take exactly what that one gave.
 */
async function moveEnds(
  tx: Tx,
  orgId: string,
  endings: readonly Ending[],
  { only, to }: { only: readonly string[]; to: Date | null },
  by: Ticket,
  cause: Cause,
): Promise<{ moved: string[]; events: NewEvent[] }> {
  const reason = `${shortLabel(by)} moved the end.`;
  const events: NewEvent[] = [];
  const later: NewTask[] = [];
  const asBefore: NewTask[] = [];
  for (const { task, moves } of endings) {
    if (!moves(only) || (to !== null && task.execute_after >= to)) continue;
    events.push(...(await cancelTasksOf(tx, orgId, task.source, cause, reason, new Set([task.id]))));
    const taken = takenBy(task);
    const moving = only.length === 0 ? taken : taken.filter((id) => only.includes(id));
    const staying = taken.filter((id) => !moving.includes(id));
    const again = {
      appId: task.app_id,
      accountId: task.account_id,
      action: task.action as 'update_account' | 'delete_account',
      taskType: 'APPROVAL_WORKFLOW' as const,
      createdBy: task.creator?.id ?? null,
      source: task.source,
      preconditions: [{ kind: 'last_holder' as const }],
    };
    if (to !== null) later.push({ ...again, remove: moving, executeAfter: to, reason: by.label });
    if (staying.length > 0)
      asBefore.push({ ...again, remove: staying, executeAfter: task.execute_after, reason: task.reason });
  }
  const created = await createTasks(tx, orgId, [...later, ...asBefore], cause);
  events.push(...created.events);
  return { moved: created.tasks.slice(0, later.length).map(({ id }) => id), events };
}

const taskOf = (ticket: Ticket, approverId: string) => ({
  appId: ticket.app_id,
  taskType: 'APPROVAL_WORKFLOW' as const,
  createdBy: approverId,
  reason: ticket.label,
  source: { type: 'ticket' as const, id: ticket.id },
});
