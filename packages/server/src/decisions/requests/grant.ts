import { hasNotStarted, workingDaysOf } from '#directory/people/facts.ts';
import type { OrgTx } from '#kit/database.ts';
import type { Cause } from '#kit/identity.ts';
import type { Sentence } from '#kit/sentences.ts';
import type { NewEvent } from '#log/events/record.ts';
import { createTasks, lockAccountOf, type NewTask } from '#work/provisioning/create.ts';
import type { Task } from '#work/provisioning/task.ts';
import { ENDING, moveEndings, removedBy, scheduledEndings } from './endings.ts';
import type { RequestedAccess } from './queries/write.ts';
import * as queries from './queries/write.ts';
import { outcomeSentences } from './sentences.ts';
import { reasonOf, type Ticket } from './ticket.ts';

/** The result of an approved ticket. */
export interface Granted {
  /** Null if nothing was granted to a person without an account. */
  accountId: string | null;
  /** New tasks that replace the scheduled removals of earlier tickets. */
  moved: string[];
  /** A sentence for the ticket if the result is not the obvious one. */
  outcome: Sentence | null;
  events: NewEvent[];
}

/**
 * Creates the tasks of an approved ticket (protocol 13). Each ticket for temporary access has its own grant and removal
 * tasks, even if another ticket gives the same access for a while: the removal that is due last removes the access
 * (precondition last_holder). Access that the account already has permanently is neither granted nor removed.
 */
export function createTicketTasks(
  tx: OrgTx,
  ticket: Ticket,
  approverId: string,
  cause: Cause,
): Promise<Granted> {
  return ticket.type === 'EXTEND_ACCESS'
    ? extendAccess(tx, ticket, cause)
    : grantAccess(tx, ticket, approverId, cause);
}

async function grantAccess(tx: OrgTx, ticket: Ticket, approverId: string, cause: Cause): Promise<Granted> {
  const existing = await lockAccountOf(tx, ticket.app_id, ticket.user.external_uuid);
  const endings = existing === undefined ? [] : await scheduledEndings(tx, existing);
  const temporary = new Set(endings.flatMap(({ task }) => removedBy(task)));
  const requested = await queries.requestedFor(tx, ticket.id, existing ?? null);
  const asAsked = requested.filter(isAsAsked);
  if (requested.length > 0 && asAsked.length === 0)
    return { accountId: existing ?? null, moved: [], outcome: outcomeOf(requested, false), events: [] };
  const missing = asAsked.filter(({ id, held }) => !held || temporary.has(id)).map(({ id }) => id);
  const base = taskOf(ticket, approverId);
  const grants = grantTasks(
    base,
    { ...ticket, start_time: await beginningOf(tx, ticket) },
    existing,
    missing,
  );
  // The account stays at least as long as this ticket needs it.
  const deletions = endings.filter(({ task }) => task.action === 'delete_account');
  const kept = await moveEndings(tx, deletions, { only: [], to: ticket.end_time }, ticket, cause);
  const granted = await createTasks(tx, grants, cause);
  const accountId = existing ?? (granted.tasks[0] as Task).account_id;
  const removals =
    ticket.end_time === null
      ? []
      : removalTasks(base, accountId, missing, ticket.end_time, existing === undefined);
  const scheduled = await createTasks(tx, removals, cause);
  return {
    accountId,
    moved: kept.moved,
    outcome: outcomeOf(requested, grants.length > 0),
    events: [...kept.events, ...granted.events, ...scheduled.events],
  };
}

/** Access of somebody who has not started begins on their first day (D85). */
async function beginningOf(tx: OrgTx, { user, start_time }: Ticket): Promise<Date | null> {
  const days = await workingDaysOf(tx, user.external_uuid);
  const first = days !== undefined && hasNotStarted(days) ? days.starts_at : null;
  return first === null || (start_time !== null && start_time > first) ? start_time : first;
}

type TaskBase = ReturnType<typeof taskOf>;

/** One task that creates the account, or gives the existing account what it lacks. */
function grantTasks(
  base: TaskBase,
  ticket: Ticket,
  existing: string | undefined,
  missing: string[],
): NewTask[] {
  const userId = ticket.user.external_uuid;
  const grant = {
    ...base,
    add: missing,
    executeAfter: ticket.start_time,
    preconditions: [{ kind: 'user_active' as const, user_id: userId }],
  };
  if (existing === undefined)
    return [{ ...grant, action: 'create_account', userId, reservedAccountId: ticket.reserved_account_id }];
  return missing.length > 0 ? [{ ...grant, action: 'update_account', accountId: existing }] : [];
}

/** Removes what the ticket granted, and the account if the ticket created it and nobody else needs it by then. */
function removalTasks(
  base: TaskBase,
  accountId: string,
  remove: string[],
  executeAfter: Date,
  isNew: boolean,
): NewTask[] {
  const end = { ...base, accountId, executeAfter, preconditions: ENDING };
  return [
    ...(remove.length > 0 ? [{ ...end, action: 'update_account' as const, remove }] : []),
    ...(isNew ? [{ ...end, action: 'delete_account' as const }] : []),
  ];
}

/** A group that is gone cannot be granted. One with another name is another one for people: nobody asked for it. */
const isAsAsked = ({ active, name, current_name }: RequestedAccess) => active && name === current_name;

/** Says what was not granted, or that nothing was. Null if everything was granted. */
function outcomeOf(requested: readonly RequestedAccess[], hasTask: boolean): Sentence | null {
  const others = requested.filter((one) => !isAsAsked(one));
  const lost = others.map(({ active, name, current_name }) =>
    active
      ? outcomeSentences.requested_renamed({ name, current_name })
      : outcomeSentences.requested_gone({ name }),
  );
  if (hasTask) return lost.length === 0 ? null : outcomeSentences.request_outcomes({ parts: lost });
  const isNothing = others.length > 0 && others.length === requested.length;
  const none = isNothing
    ? outcomeSentences.request_granted_nothing()
    : outcomeSentences.request_grants_nothing();
  return outcomeSentences.request_outcomes({ parts: [none, ...lost] });
}

/** Moves the end of the account's temporary access: all of it, or only what the ticket names. */
async function extendAccess(tx: OrgTx, ticket: Ticket, cause: Cause): Promise<Granted> {
  const accountId = await lockAccountOf(tx, ticket.app_id, ticket.user.external_uuid);
  const endings = accountId === undefined ? [] : await scheduledEndings(tx, accountId);
  const requested = await queries.requestedFor(tx, ticket.id, accountId ?? null);
  const only = requested.map(({ id }) => id);
  const { moved, events } = await moveEndings(tx, endings, { only, to: ticket.end_time }, ticket, cause);
  const outcome = moved.length > 0 ? null : outcomeSentences.request_extends_nothing();
  return { accountId: accountId ?? ticket.account_id, moved, outcome, events };
}

const taskOf = (ticket: Ticket, approverId: string) => ({
  appId: ticket.app_id,
  taskType: 'APPROVAL_WORKFLOW' as const,
  createdBy: approverId,
  reason: reasonOf(ticket),
  source: { type: 'ticket' as const, id: ticket.id },
});
