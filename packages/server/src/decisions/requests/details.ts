import type { OrgDb } from '#kit/database.ts';
import { type Detail, date, named, quote, someOf } from '#log/notices/draft.ts';
import type { DetailOptions } from '#log/notices/notices.ts';
import * as views from './queries/views.ts';
import type { Ticket } from './ticket.ts';

const MOST_ITEMS = 10;
const MOST_APPROVERS = 5;
const DAY_MS = 24 * 3_600_000;

/** Returns what a channel shows about requests that wait for a decision, by request. Decided ones are missing. */
export async function ticketDetails(
  db: OrgDb,
  ids: readonly string[],
  options: DetailOptions,
): Promise<Map<string, Detail[]>> {
  const tickets = await views.findTickets(db, [...ids]);
  const pending = tickets.filter(({ status }) => status === 'PENDING');
  return new Map(pending.map((ticket) => [ticket.id, detailsOf(ticket, options)]));
}

function detailsOf(ticket: Ticket, { expiryDays, showReasons }: DetailOptions): Detail[] {
  const { user, requester, created_by, app_name, start_time, end_time, initial_comment } = ticket;
  const isForSelf = user.external_uuid === requester.external_uuid;
  const isFiled = created_by.external_uuid !== requester.external_uuid;
  const { steps, step, waiting_for } = ticket;
  const expires = new Date(ticket.created_at.getTime() + expiryDays * DAY_MS);
  return [
    { label: 'Requested by', text: named(requester) },
    ...(isFiled ? [{ label: 'Submitted by', text: named(created_by) }] : []),
    { label: 'For', text: isForSelf ? 'Themselves' : named(user) },
    { label: 'Access', text: `${app_name}: ${accessOf(ticket)}` },
    ...(start_time !== null && start_time > ticket.created_at
      ? [{ label: 'From', text: date(start_time) }]
      : []),
    { label: 'Until', text: end_time === null ? 'No end date' : date(end_time) },
    { label: 'Decide by', text: date(end_time !== null && end_time < expires ? end_time : expires) },
    {
      label: steps.length > 1 ? `Approvers of step ${step + 1} of ${steps.length}` : 'Approvers',
      text: someOf(waiting_for.map(named), MOST_APPROVERS) || 'Nobody',
    },
    ...(showReasons && initial_comment !== '' ? [{ label: 'Reason', text: quote(initial_comment) }] : []),
    ...warningsOf(ticket),
  ];
}

const requestedOf = ({ memberships, assignments }: Ticket) => [
  ...Object.values(memberships).flat(),
  ...Object.values(assignments).flat(),
];

function accessOf(ticket: Ticket): string {
  const items = someOf(
    requestedOf(ticket).map(({ name, id }) => name || id),
    MOST_ITEMS,
  );
  if (ticket.type === 'EXTEND_ACCESS') return `extension of ${items || 'all time-limited access'}`;
  return items || 'an account';
}

/** Returns what the page of the request warns of. */
function warningsOf(ticket: Ticket): Detail[] {
  const requested = requestedOf(ticket);
  const gone = requested.filter(({ exists }) => !exists).map(({ name, id }) => name || id);
  const renamed = requested.filter(({ exists, current_name }) => exists && current_name !== null);
  const texts = [
    ...(gone.length > 0
      ? [`No longer in ${ticket.app_name}, and not granted: ${someOf(gone, MOST_ITEMS)}.`]
      : []),
    ...renamed
      .slice(0, MOST_ITEMS)
      .map(({ name, current_name }) => `${name} is named ${current_name} now, and is not granted.`),
    ...(ticket.information_requested === null ? [] : ['An approver has asked for more information.']),
    ...(ticket.escalated_at === null ? [] : ['Escalated: its approvers have not decided in time.']),
  ];
  return texts.map((text) => ({ label: 'Warning', text, isWarning: true }));
}
