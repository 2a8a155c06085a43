import type { OrgTx } from '#kit/database.ts';
import type { Cause } from '#kit/identity.ts';
import type { NewEvent, NewEventOf } from '#log/events/record.ts';
import { findTickets } from './queries/views.ts';
import type { ClosedTicket } from './queries/write.ts';
import type { Ticket } from './ticket.ts';

type TicketEventType = Extract<NewEvent['type'], `ticket.${string}` | `request.${string}`>;
type Extra<T extends TicketEventType> = Omit<NewEventOf<T>['payload'], keyof ReturnType<typeof payloadOf>>;

/** The payload fields that all events of tickets share. */
const payloadOf = (ticket: Ticket) => ({
  app_id: ticket.app_id,
  app_name: ticket.app_name,
  ticket_id: ticket.id,
  label: ticket.label,
  ticket_type: ticket.type,
  requester_id: ticket.requester.external_uuid,
  requester_email: ticket.requester.email,
  user_id: ticket.user.external_uuid,
  email: ticket.user.email,
  account_id: ticket.account_id,
  requested: [...requestedIn(ticket.memberships, 'group'), ...requestedIn(ticket.assignments, 'license')],
});

const requestedIn = (refs: Ticket['memberships'], type: 'group' | 'license') =>
  Object.entries(refs).flatMap(([slug, all]) => all.map(({ id, name }) => ({ type, slug, id, name })));

export const ticketEvent = <T extends TicketEventType>(
  ticket: Ticket,
  { actor, source }: Cause,
  type: T,
  extra: Extra<T>,
): NewEvent =>
  ({
    type,
    actor,
    subject: { type: 'ticket', uuid: ticket.id },
    source,
    payload: { ...payloadOf(ticket), ...extra },
  }) as NewEvent;

/** Returns the events of tickets that were canceled or have expired without a decision. */
export async function closedEvents(
  tx: OrgTx,
  closed: readonly ClosedTicket[],
  causeOf: (ticket: Ticket) => Cause,
): Promise<NewEvent[]> {
  const closings = new Map(closed.map((closing) => [closing.id, closing]));
  return (await findTickets(tx, [...closings.keys()])).map((ticket) =>
    closings.get(ticket.id)?.status === 'EXPIRED'
      ? ticketEvent(ticket, causeOf(ticket), 'request.expired', {})
      : ticketEvent(ticket, causeOf(ticket), 'request.canceled', { reason: ticket.outcome?.text ?? null }),
  );
}
