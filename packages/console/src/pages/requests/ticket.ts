import type { Answer } from '../../api/client.ts';
import { chosenOf } from '../../parts/resource-picker.tsx';

export type Ticket = Answer<'/api/tickets/{ticket_id}/'>;

const KINDS: Record<string, string> = {
  NEW_ACCESS: 'New access',
  MODIFY_ACCESS: 'More access',
  EXTEND_ACCESS: 'Longer access',
};

export const kindOf = ({ type }: Pick<Ticket, 'type'>) => KINDS[type] ?? type;

/** REQ-12, of the label. */
export const shortLabel = ({ label }: Pick<Ticket, 'label'>) => label.split(':', 1)[0] ?? label;

/** What is asked for, by name. */
export function askedWords(ticket: Ticket): string {
  const names = chosenOf(ticket).map(({ name, id }) => name || id);
  if (ticket.type === 'EXTEND_ACCESS') return `${names.join(', ') || 'All that has an end'}, for longer`;
  return names.join(', ') || 'An account';
}

interface Who {
  external_uuid: string;
  role: string;
}

const isTheirs = (ticket: Ticket, { external_uuid }: Who) =>
  ticket.requester.external_uuid === external_uuid || ticket.user.external_uuid === external_uuid;

/** Whether somebody may decide about the step that the ticket is at. */
export const mayDecide = (ticket: Ticket, { external_uuid, role }: Who) =>
  role !== 'auditor' &&
  ticket.ticket_status === 'PENDING' &&
  ticket.waiting_for.some((one) => one.external_uuid === external_uuid);

/** About their own request administrators may not, unless nobody else could (docs/requests.md). */
export const mayOverride = (ticket: Ticket, me: Who) =>
  (me.role === 'owner' || me.role === 'admin') &&
  ticket.ticket_status === 'PENDING' &&
  (!isTheirs(ticket, me) || ticket.waiting_for.length === 0);

export const mayCancel = (ticket: Ticket, me: Who) =>
  ticket.ticket_status === 'PENDING' &&
  (me.role === 'owner' || me.role === 'admin' || (me.role !== 'auditor' && isTheirs(ticket, me)));

/** Whether there is an end ahead that could be moved. */
export const mayExtend = (ticket: Ticket, me: Who) =>
  ticket.ticket_status === 'APPROVED' &&
  ticket.end_time !== null &&
  new Date(ticket.end_time) > new Date() &&
  (me.role === 'owner' || me.role === 'admin' || (me.role !== 'auditor' && isTheirs(ticket, me)));
