import { resource } from '#kit/http.ts';
import { requireAccessibleTicket, ticketDetails } from '../tickets.ts';
import { personal, reading, TicketItem, tag, ticketItem } from './schemas.ts';

/** Requests for access, with their conversation and decisions. */
export const tickets = resource({
  path: '/api/tickets/',
  tag,
  reading,
  managing: personal,
  id: 'ticket_id',
  find: requireAccessibleTicket,
  load: (call, { id }) => ticketDetails(call, id),
  schema: TicketItem,
  view: ticketItem,
});
