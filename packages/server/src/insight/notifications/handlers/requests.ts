import { within } from '../../../kit/database/organization.ts';
import { quote } from '../draft.ts';
import * as facts from '../queries/lookups.ts';
import { approversOf, concernedBy, requestKey, toAll } from '../recipients.ts';
import { type Handler, newAmong } from './handler.ts';

export const requestPage = (ticketId: string) => `/requests/${ticketId}`;

export const requestNeedsDecision: Handler = async ({ db, orgId, text }) => {
  const ticket = await facts.findTicket(within(db, orgId), text('ticket_id'));
  if (ticket?.status !== 'PENDING') return [];
  return [
    {
      kind: 'request_waiting',
      key: requestKey(ticket),
      to: await approversOf(within(db, orgId), ticket.id),
      title: `Decision needed: ${ticket.label}`,
      body: 'Open the request to approve or deny it.',
      path: requestPage(ticket.id),
      about: { type: 'ticket', id: ticket.id },
      appId: ticket.app_id,
    },
  ];
};

export const requestMoved: Handler = async ({ db, orgId, event, text }) => {
  const ticket = await facts.findTicket(within(db, orgId), text('ticket_id'));
  if (ticket?.status !== 'PENDING') return [];
  const reason = event.payload.reason;
  const isEscalated = event.type === 'request.escalated';
  return [
    {
      kind: 'request_reassigned',
      key: `${requestKey(ticket)}:${event.id}`,
      to: newAmong(await approversOf(within(db, orgId), ticket.id), event),
      title: `${isEscalated ? 'Escalated' : 'Assigned'} to you: ${ticket.label}`,
      body: isEscalated
        ? 'The request has waited too long for its approvers. Open it to approve or deny it.'
        : [
            'Open the request to approve or deny it.',
            ...(typeof reason === 'string' ? [`Reason: ${quote(reason)}`] : []),
          ].join('\n'),
      path: requestPage(ticket.id),
      about: { type: 'ticket', id: ticket.id },
    },
  ];
};

/** Notifies the requester and the beneficiary, unless they did it themselves. */
export const requestEnded =
  (word: string): Handler =>
  async ({ event, text }) => {
    const by = event.actor.uuid;
    const comment = event.payload.comment ?? event.payload.reason;
    return [
      {
        kind: 'request_decided',
        key: `request_decided:${event.id}`,
        to: toAll(concernedBy(event.payload)).filter(({ userId }) => userId !== by),
        title: `${word}: ${text('label')}`,
        body: typeof comment === 'string' && comment !== '' ? quote(comment) : '',
        path: requestPage(text('ticket_id')),
        about: { type: 'ticket', id: text('ticket_id') },
      },
    ];
  };

export const taskCompleted: Handler = async ({ text, ticketGrantedBy }) => {
  const ticket = await ticketGrantedBy(text('task_id'));
  if (ticket === undefined) return [];
  return [
    {
      kind: 'request_granted',
      key: `request_granted:${ticket.id}`,
      to: toAll([ticket.requester_id, ticket.user_id]),
      title: `Granted: ${ticket.label}`,
      body: `The access to ${ticket.app_name} is ready.`,
      path: requestPage(ticket.id),
      about: { type: 'ticket', id: ticket.id },
    },
  ];
};

export const comment =
  (kind: 'request_commented' | 'information_requested' | 'information_provided', title: string): Handler =>
  async ({ db, orgId, event, text }) => {
    const id = text('ticket_id');
    const concerned = kind === 'information_provided' ? [] : toAll(concernedBy(event.payload));
    const approvers = kind === 'information_requested' ? [] : await approversOf(within(db, orgId), id);
    return [
      {
        kind,
        key: `${kind}:${event.id}`,
        to: [...concerned, ...approvers].filter(({ userId }) => userId !== event.actor.uuid),
        title: `${title}: ${text('label')}`,
        body: quote(text('comment')),
        path: requestPage(id),
        about: { type: 'ticket', id },
      },
    ];
  };
