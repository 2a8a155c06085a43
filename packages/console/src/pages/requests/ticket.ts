import { t } from '@lingui/core/macro';
import { chosenOf } from '../../access/chosen.ts';
import type { Answer } from '../../api/client.ts';
import { listed } from '../../kit/text/listed.ts';
import { personName } from '../../kit/text/words.ts';

export type Ticket = Answer<'/api/tickets/{ticket_id}/'>;

const TYPES: Record<Ticket['type'], string> = {
  NEW_ACCESS: t`New access`,
  MODIFY_ACCESS: t`Additional access`,
  EXTEND_ACCESS: t`Extension`,
};

export const typeLabel = ({ type }: Pick<Ticket, 'type'>) => TYPES[type] ?? type;

/** Returns "REQ-12" from the label "REQ-12: access to Payroll". */
export const shortLabel = ({ label }: Pick<Ticket, 'label'>) => label.split(':', 1)[0] ?? label;

/** Returns "REQ-12: access to Payroll for Ada Lovelace". The label of the API has the email instead of the name. */
export function titleOf(ticket: Pick<Ticket, 'label' | 'type' | 'app' | 'user'>): string {
  const name = shortLabel(ticket);
  const app = ticket.app.name;
  const person = personName(ticket.user);
  switch (ticket.type) {
    case 'MODIFY_ACCESS':
      return t`${name}: more access to ${app} for ${person}`;
    case 'EXTEND_ACCESS':
      return t`${name}: longer access to ${app} for ${person}`;
    default:
      return t`${name}: access to ${app} for ${person}`;
  }
}

/** Names the requested groups and licenses. */
export function requestedItems(ticket: Ticket): string {
  const names = chosenOf(ticket).map((one) =>
    [one.name || one.id, changeSince(ticket, one)].filter(Boolean).join(' '),
  );
  const access = names.join(', ');
  if (ticket.type === 'EXTEND_ACCESS')
    return access === '' ? t`Extension of all time-limited access` : t`Extension of ${access}`;
  return access || t`Account only`;
}

/** Returns a note if a requested group is gone, or has another name now, so that it is not granted. Otherwise empty. */
export function changeSince(
  { memberships, assignments }: Ticket,
  { slug, id }: { slug: string; id: string },
): string {
  const asked = (memberships[slug] ?? assignments[slug])?.find((one) => one.id === id);
  if (asked === undefined) return '';
  const name = asked.current_name;
  if (!asked.exists) return t`(no longer exists)`;
  return name === null ? '' : t`(now called “${name}”)`;
}

interface User {
  external_uuid: string;
  role: string;
}

const isParty = (ticket: Ticket, { external_uuid }: User) =>
  ticket.requester.external_uuid === external_uuid || ticket.user.external_uuid === external_uuid;

/** Whether the user may decide the request's current step. */
export const mayDecide = (ticket: Ticket, { external_uuid, role }: User) =>
  role !== 'auditor' &&
  ticket.ticket_status === 'PENDING' &&
  ticket.waiting_for.some((one) => one.external_uuid === external_uuid);

/** Administrators may override, but not a request that they filed, or that is by them or for them (docs/guides/requests.md). */
export const mayOverride = (ticket: Ticket, me: User) =>
  (me.role === 'owner' || me.role === 'admin') &&
  ticket.ticket_status === 'PENDING' &&
  !isParty(ticket, me) &&
  ticket.created_by.external_uuid !== me.external_uuid;

export const mayCancel = (ticket: Ticket, me: User) =>
  ticket.ticket_status === 'PENDING' &&
  (me.role === 'owner' || me.role === 'admin' || (me.role !== 'auditor' && isParty(ticket, me)));

/** Whether the user may answer the question of an approver. */
export const mayProvide = (ticket: Ticket, me: User) =>
  me.role !== 'auditor' && (isParty(ticket, me) || ticket.created_by.external_uuid === me.external_uuid);

/** Returns the absent or late approvers in whose place the user decides. */
export const representedBy = (ticket: Ticket, me: User | undefined) =>
  ticket.waiting_for.find(({ external_uuid }) => external_uuid === me?.external_uuid)?.on_behalf_of ?? [];

/** "you and Grace Hopper": the people in whose places the user decides. */
export const insteadOf = (ticket: Ticket, me: User | undefined) =>
  listed([t`you`, ...representedBy(ticket, me).map(personName)]);

/** Whether the user may ask for a later end date. */
export const mayExtend = (ticket: Ticket, me: User) =>
  ticket.ticket_status === 'APPROVED' &&
  ticket.end_time !== null &&
  new Date(ticket.end_time) > new Date() &&
  (me.role === 'owner' || me.role === 'admin' || (me.role !== 'auditor' && isParty(ticket, me)));
