import { hasNotStarted, workingDaysOf } from '#directory/people/facts.ts';
import type { OrgTx } from '#kit/database.ts';
import type { Cause } from '#kit/identity.ts';
import type { Sentence } from '#kit/sentences.ts';
import type { NewEvent } from '#log/events/record.ts';
import { apply } from '#proposals/apply.ts';
import type { Change, Decision, HeldGrant } from '#proposals/change.ts';
import { propose } from '#proposals/propose.ts';
import { temporaryAccess } from '#reasons/grants/temporary.ts';
import { lockAccountOf } from '#work/provisioning/create.ts';
import type { Task } from '#work/provisioning/task.ts';
import { extendedBy } from './endings.ts';
import type { RequestedAccess } from './queries/write.ts';
import * as queries from './queries/write.ts';
import { outcomeSentences } from './sentences.ts';
import { reasonOf, type Ticket } from './ticket.ts';

/** The result of an approved ticket. */
export interface Granted {
  /** Null if nothing was granted to a person without an account. */
  accountId: string | null;
  /** A sentence for the ticket if the result is not the obvious one. */
  outcome: Sentence | null;
  events: NewEvent[];
}

/**
 * Carries out an approved ticket (protocol 13): begins its grants, with tasks for what the account lacks. The access it already has stays at
 * least until the ticket ends (D73).
 */
export async function createTicketTasks(
  tx: OrgTx,
  ticket: Ticket,
  approverId: string,
  cause: Cause,
): Promise<Granted> {
  if (ticket.type === 'EXTEND_ACCESS') return extendAccess(tx, ticket, approverId, cause);
  return grantAccess(tx, { ...ticket, start_time: await beginningOf(tx, ticket) }, approverId, cause);
}

async function grantAccess(tx: OrgTx, ticket: Ticket, approverId: string, cause: Cause): Promise<Granted> {
  const existing = await lockAccountOf(tx, ticket.app_id, ticket.user.external_uuid);
  const requested = await queries.requestedFor(tx, ticket.id);
  const asAsked = requested.filter(isAsAsked);
  if (requested.length > 0 && asAsked.length === 0)
    return { accountId: existing ?? null, outcome: outcomeOf(requested, false), events: [] };
  const wanted = changeOf(ticket, approverId, existing, asAsked);
  const isAccount = existing !== undefined && ticket.type === 'NEW_ACCESS';
  const needsChange = existing === undefined || asAsked.length > 0;
  const proposal = await propose(tx, needsChange ? [wanted] : []);
  const own = isAccount ? [heldBy(ticket, approverId, existing, null)] : [];
  const held = [...proposal.held, ...own];
  const ending = existing === undefined ? [] : await temporaryAccess(tx, [existing]);
  const isKept = held.some((one) => ending.some((other) => other.entitlement_id === one.entitlement_id));
  const { tasks, events } = await apply(tx, { changes: proposal.changes, held }, cause);
  return {
    accountId: existing ?? (tasks[0] as Task).account_id,
    outcome: outcomeOf(requested, tasks.length > 0 || isKept),
    events,
  };
}

/** Access of somebody who has not started begins on their first day (D85). */
async function beginningOf(tx: OrgTx, { user, start_time }: Ticket): Promise<Date | null> {
  const days = await workingDaysOf(tx, user.external_uuid);
  const first = days !== undefined && hasNotStarted(days) ? days.starts_at : null;
  return first === null || (start_time !== null && start_time > first) ? start_time : first;
}

const changeOf = (
  ticket: Ticket,
  approverId: string,
  accountId: string | undefined,
  asAsked: readonly RequestedAccess[],
): Change => ({
  decision: decisionOf(ticket, approverId),
  action: accountId === undefined ? 'create_account' : 'update_account',
  app: { id: ticket.app_id },
  user: { id: ticket.user.external_uuid },
  account: accountId === undefined ? null : { id: accountId },
  add: asAsked.map(({ id }) => ({ entitlement_id: id })),
  remove: [],
  executeAfter: ticket.start_time,
  until: ticket.end_time,
  reservedAccountId: ticket.reserved_account_id,
});

/** The grant of a ticket on access that needs no task. */
const heldBy = (
  ticket: Ticket,
  approverId: string,
  accountId: string,
  entitlement_id: string | null,
): HeldGrant => ({
  decision: decisionOf(ticket, approverId),
  app: { id: ticket.app_id },
  account: { id: accountId },
  entitlement_id,
  from: ticket.start_time,
  until: ticket.end_time,
});

const decisionOf = (ticket: Ticket, decidedBy: string): Decision => ({
  ...{ kind: 'request', id: ticket.id, label: ticket.label, decidedBy },
  reason: reasonOf(ticket),
});

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

/** Keeps temporary access of the account for longer: all of it, or only what the ticket names. */
async function extendAccess(tx: OrgTx, ticket: Ticket, approverId: string, cause: Cause): Promise<Granted> {
  const accountId = await lockAccountOf(tx, ticket.app_id, ticket.user.external_uuid);
  const only = (await queries.requestedFor(tx, ticket.id)).map(({ id }) => id);
  const access = accountId === undefined ? [] : await temporaryAccess(tx, [accountId]);
  const extended = extendedBy(access, { only, to: ticket.end_time });
  if (accountId === undefined || extended.length === 0) {
    const outcome = outcomeSentences.request_extends_nothing();
    return { accountId: accountId ?? ticket.account_id, outcome, events: [] };
  }
  const now = { ...ticket, start_time: null };
  const held = extended.map(({ entitlement_id }) => heldBy(now, approverId, accountId, entitlement_id));
  return { accountId, outcome: null, events: (await apply(tx, { changes: [], held }, cause)).events };
}
