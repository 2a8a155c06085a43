import type { NewEvent, NewEventOf } from '../events/record.ts';
import type { Cause } from '../identity/cause.ts';
import type { Ticket } from './ticket.ts';

type TicketEventType = Extract<NewEvent['type'], `ticket.${string}`>;
type Extra<T extends TicketEventType> = Omit<NewEventOf<T>['payload'], keyof ReturnType<typeof payloadOf>>;

/** The payload fields that all ticket.* events share. */
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
});

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
