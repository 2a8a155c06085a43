import { hasNotStarted, workingDaysOf } from '#directory/people/facts.ts';
import type { OrgTx } from '#kit/database.ts';
import type { Cause } from '#kit/identity.ts';
import type { Sentence } from '#kit/sentences.ts';
import type { NewEvent } from '#log/events/record.ts';
import type { NewGrant } from '#reasons/grants/grant.ts';
import { beginGrants } from '#reasons/grants/grants.ts';
import { createTasks, lockAccountOf, type NewTask } from '#work/provisioning/create.ts';
import { planEnds } from '#work/provisioning/ends.ts';
import type { Task } from '#work/provisioning/task.ts';
import { extendedBy, temporaryAccess } from './endings.ts';
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
  const requested = await queries.requestedFor(tx, ticket.id, existing ?? null);
  const asAsked = requested.filter(isAsAsked);
  if (requested.length > 0 && asAsked.length === 0)
    return { accountId: existing ?? null, outcome: outcomeOf(requested, false), events: [] };
  if (existing === undefined) {
    const { tasks, events } = await createTasks(tx, [creation(ticket, approverId, asAsked)], cause);
    const accountId = (tasks[0] as Task).account_id;
    return { accountId, outcome: outcomeOf(requested, true), events };
  }
  const ending = new Set((await temporaryAccess(tx, existing)).map(({ entitlement_id }) => entitlement_id));
  // Access that ends by itself may be gone when the ticket begins.
  const isMissing = ({ id, held }: RequestedAccess) =>
    !held || (ticket.start_time !== null && ending.has(id));
  const missing = asAsked.filter(isMissing).map(({ id }) => id);
  const held = asAsked.filter((one) => !isMissing(one)).map(({ id }) => id);
  const isAccount = ticket.type === 'NEW_ACCESS';
  await beginGrants(tx, grantsOf(ticket, approverId, existing, [...held, ...(isAccount ? [null] : [])]));
  const given = await createTasks(tx, changes(ticket, approverId, existing, missing), cause);
  const ends = await planEnds(tx, [existing], cause);
  const isKept = held.some((id) => ending.has(id)) || (isAccount && ending.has(null));
  return {
    accountId: existing,
    outcome: outcomeOf(requested, missing.length > 0 || isKept),
    events: [...given.events, ...ends.events],
  };
}

/** Access of somebody who has not started begins on their first day (D85). */
async function beginningOf(tx: OrgTx, { user, start_time }: Ticket): Promise<Date | null> {
  const days = await workingDaysOf(tx, user.external_uuid);
  const first = days !== undefined && hasNotStarted(days) ? days.starts_at : null;
  return first === null || (start_time !== null && start_time > first) ? start_time : first;
}

const creation = (ticket: Ticket, approverId: string, asAsked: readonly RequestedAccess[]): NewTask => ({
  ...taskOf(ticket, approverId),
  action: 'create_account',
  userId: ticket.user.external_uuid,
  reservedAccountId: ticket.reserved_account_id,
  add: asAsked.map(({ id }) => id),
});

/** Gives the account what it lacks, unless something else has given it by then. */
const changes = (ticket: Ticket, approverId: string, accountId: string, missing: string[]): NewTask[] => {
  if (missing.length === 0) return [];
  const task = taskOf(ticket, approverId);
  const preconditions = [
    ...task.preconditions,
    ...(ticket.start_time === null ? [] : [{ kind: 'change_needed' as const }]),
  ];
  return [{ ...task, preconditions, action: 'update_account', accountId, add: missing }];
};

/** The grants of a ticket on access that needs no task. */
const grantsOf = (
  ticket: Ticket,
  approverId: string,
  accountId: string,
  entitlementIds: readonly (string | null)[],
): NewGrant[] =>
  entitlementIds.map((entitlement_id) => ({
    app_id: ticket.app_id,
    account_id: accountId,
    entitlement_id,
    kind: 'request',
    source_id: ticket.id,
    label: ticket.label,
    decided_by: approverId,
    starts_at: ticket.start_time,
    ends_at: ticket.end_time,
  }));

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
  const requested = await queries.requestedFor(tx, ticket.id, accountId ?? null);
  const only = requested.map(({ id }) => id);
  const access = accountId === undefined ? [] : await temporaryAccess(tx, accountId);
  const extended = extendedBy(access, { only, to: ticket.end_time });
  if (accountId === undefined || extended.length === 0) {
    const outcome = outcomeSentences.request_extends_nothing();
    return { accountId: accountId ?? ticket.account_id, outcome, events: [] };
  }
  const ids = extended.map(({ entitlement_id }) => entitlement_id);
  await beginGrants(tx, grantsOf({ ...ticket, start_time: null }, approverId, accountId, ids));
  return { accountId, outcome: null, events: (await planEnds(tx, [accountId], cause)).events };
}

const taskOf = (ticket: Ticket, approverId: string) => ({
  appId: ticket.app_id,
  taskType: 'APPROVAL_WORKFLOW' as const,
  createdBy: approverId,
  reason: reasonOf(ticket),
  source: { type: 'ticket' as const, id: ticket.id },
  label: ticket.label,
  executeAfter: ticket.start_time,
  until: ticket.end_time,
  preconditions: [{ kind: 'user_active' as const, user_id: ticket.user.external_uuid }],
});
