import type { OrgDb } from '#kit/database.ts';
import { type Draft, date, quote } from '#log/notices/draft.ts';
import {
  type Check,
  type Context,
  type DraftPage,
  type DueOptions,
  type Handler,
  type Notices,
  newAmong,
  PAGE,
  pages,
  toAll,
} from '#log/notices/notices.ts';
import { ticketDetails } from './details.ts';
import * as queries from './queries/notices.ts';
import { ticketsVisibleTo } from './visibility-facts.ts';
import { approversOfTickets, approversWaitedFor } from './waiting.ts';

const REQUEST_EXPIRES_DAYS = 3;

const REQUEST_REMINDER_DAYS = 3;

/** So long before the end of temporary access and of an API key, people are told. */
const ACCESS_ENDS_DAYS = 3;

const requestPage = (ticketId: string) => `/requests/${ticketId}`;

const requestNeedsDecision: Handler = async ({ org, text }) => {
  const ticket = await queries.findTicket(org, text('ticket_id'));
  if (ticket?.status !== 'PENDING') return [];
  return [
    {
      kind: 'request_waiting',
      key: requestKey(ticket),
      to: await approversWaitedFor(org, ticket.id),
      title: `Decision needed: ${ticket.label}`,
      body: 'Open the request to approve or deny it.',
      path: requestPage(ticket.id),
      about: { type: 'ticket', id: ticket.id },
      appId: ticket.app_id,
    },
  ];
};

const requestMoved: Handler = async ({ org, event, text }) => {
  const ticket = await queries.findTicket(org, text('ticket_id'));
  if (ticket?.status !== 'PENDING') return [];
  const reason = event.payload.reason;
  const isEscalated = event.type === 'request.escalated';
  return [
    {
      kind: 'request_reassigned',
      key: `${requestKey(ticket)}:${event.id}`,
      to: newAmong(await approversWaitedFor(org, ticket.id), event),
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
const requestEnded =
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

const taskCompleted: Handler = async (context) => {
  const ticket = await ticketGrantedBy(context);
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

const comment =
  (kind: 'request_commented' | 'information_requested' | 'information_provided', title: string): Handler =>
  async ({ org, event, text }) => {
    const id = text('ticket_id');
    const concerned = kind === 'information_provided' ? [] : toAll(concernedBy(event.payload));
    const approvers = kind === 'information_requested' ? [] : await approversWaitedFor(org, id);
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

const taskFailed: Handler = async (context) => {
  if (context.event.payload.will_retry === true) return [];
  const ticket = await ticketGrantedBy(context);
  if (ticket === undefined) return [];
  return [
    {
      kind: 'request_failed',
      key: `request_failed:${context.event.id}`,
      to: toAll([ticket.requester_id, ticket.user_id]),
      title: `Not granted yet: ${ticket.label}`,
      body: `The access to ${ticket.app_name} could not be granted. The people responsible for the app have been told.`,
      path: requestPage(ticket.id),
      about: { type: 'ticket', id: ticket.id },
    },
  ];
};

/** Returns the request that a completed or failed task belongs to. The tasks of a batch are looked up together. */
async function ticketGrantedBy({ org, text, batch, once }: Context) {
  const taskIds = batch.flatMap(({ payload }) =>
    typeof payload.task_id === 'string' ? [payload.task_id] : [],
  );
  return (await once('tickets of tasks', () => queries.ticketsGrantedBy(org, taskIds))).get(text('task_id'));
}

/** The requester and the beneficiary of a request. */
const concernedBy = ({ requester_id, user_id }: Record<string, unknown>): string[] =>
  [requester_id, user_id].filter((id) => typeof id === 'string');

/** The key of the wait for a decision. The keys of reassignments begin with it. */
const requestKey = ({ id, step }: { id: string; step: number }): string => `request:${id}:${step}`;

/** The keys of ends name their times: another time is another end. */
const accessEndKey = (ticketId: string, endsAt: Date): string =>
  `access-ends:${ticketId}:${endsAt.toISOString()}`;

/** People for whom a request waits since somebody else left or is absent, and reminders for all. */
async function waitingRequests(
  db: OrgDb,
  after: number,
  peopleTold: DueOptions['peopleTold'],
): Promise<DraftPage<number>> {
  const tickets = await queries.pendingTickets(db, after, PAGE);
  const approversOf = await approversOfTickets(db, idsOf(tickets));
  const waits = tickets.map((ticket) => ({ id: ticket.id, key: requestKey(ticket) }));
  const told = await peopleTold(db, waits);
  const drafts = tickets.flatMap((ticket): Draft[] => {
    const { id, label, step, waiting_days } = ticket;
    const approvers = approversOf.get(id) ?? [];
    const page = { path: `/requests/${id}`, about: { type: 'ticket' as const, id } };
    const waiting: Draft = {
      kind: 'request_waiting',
      key: requestKey(ticket),
      to: approvers.filter(({ userId }) => told.get(id)?.has(userId) !== true),
      title: `Decision needed: ${label}`,
      body: 'Open the request to approve or deny it.',
      ...page,
    };
    const reminder = Math.floor(waiting_days / REQUEST_REMINDER_DAYS);
    if (reminder < 1) return [waiting];
    return [
      waiting,
      {
        kind: 'request_reminder',
        key: `request-reminder:${id}:${step}:${reminder}`,
        to: approvers,
        title: `Still waiting: ${label}`,
        body: `The request has waited for a decision for ${waiting_days} days.`,
        ...page,
      },
    ];
  });
  return { drafts, next: nextOf(tickets) };
}

const idsOf = (rows: readonly { id: string }[]) => rows.map(({ id }) => id);

const nextOf = (tickets: readonly { number: number }[]): number | undefined =>
  tickets.length < PAGE ? undefined : tickets.at(-1)?.number;

async function expiringRequests(db: OrgDb, expiryDays: number, after: number): Promise<DraftPage<number>> {
  const limits = { expiryDays, days: REQUEST_EXPIRES_DAYS };
  const tickets = await queries.expiringTickets(db, limits, after, PAGE);
  const approversOf = await approversOfTickets(db, idsOf(tickets));
  const drafts = tickets.map(
    ({ id, label, requester_id, expires_at }): Draft => ({
      kind: 'request_expires',
      key: `request-expires:${id}`,
      to: [...toAll([requester_id]), ...(approversOf.get(id) ?? [])],
      title: `Expires soon: ${label}`,
      body: `Without a decision, the request expires on ${date(expires_at)}.`,
      path: `/requests/${id}`,
      about: { type: 'ticket', id },
    }),
  );
  return { drafts, next: nextOf(tickets) };
}

async function endingAccess(db: OrgDb): Promise<Draft[]> {
  const ends = await queries.accessEnds(db, ACCESS_ENDS_DAYS);
  return ends.map(({ ticket_id, app_id, app_name, user_id, requester_id, ends_at }) => ({
    kind: 'access_ends',
    key: accessEndKey(ticket_id, ends_at),
    to: toAll([user_id, requester_id]),
    title: `Temporary access to ${app_name} ends soon`,
    body: `It ends on ${date(ends_at)}. To keep it longer, request an extension.`,
    path: `/requests/new?app=${app_id}&user=${user_id}&type=extend`,
    about: { type: 'ticket', id: ticket_id },
  }));
}

const toApprove = async (db: OrgDb, { id }: { id: string }, tickets: readonly string[]) => {
  const approvers = await approversOfTickets(db, tickets);
  return tickets.filter((ticket) => approvers.get(ticket)?.some(({ userId }) => userId === id));
};

const toAnswer: Check = async (db, _, ids) => {
  const tickets = await queries.findTickets(db, ids);
  return [...tickets.values()]
    .filter(({ status, lacks_information }) => status === 'PENDING' && lacks_information)
    .map(({ id }) => id);
};

/** The requester waits as long as the request does, and an approver until they have decided their step. */
const expiring: Check = async (db, person, ids) => {
  const tickets = await queries.findTickets(db, ids);
  const requested = [...tickets.values()].filter(
    ({ status, requester_id }) => status === 'PENDING' && requester_id === person.id,
  );
  return [...requested.map(({ id }) => id), ...(await toApprove(db, person, ids))];
};

export const requestNotices: Notices = {
  handlers: {
    'ticket.created': requestNeedsDecision,
    'request.step_approved': requestNeedsDecision,
    'request.reassigned': requestMoved,
    'request.escalated': requestMoved,
    'ticket.approved': requestEnded('Approved'),
    'ticket.denied': requestEnded('Denied'),
    'request.canceled': requestEnded('Canceled'),
    'request.expired': requestEnded('Expired'),
    'request.commented': comment('request_commented', 'Comment'),
    'request.information_requested': comment('information_requested', 'More information needed'),
    'request.information_provided': comment('information_provided', 'Information provided'),
    'task.completed': taskCompleted,
    'task.failed': taskFailed,
  },
  *due({ expiryDays, peopleTold }) {
    yield* pages<number>(0, (db, after) => waitingRequests(db, after, peopleTold));
    yield* pages<number>(0, (db, after) => expiringRequests(db, expiryDays, after));
    yield endingAccess;
  },
  waits: {
    request_waiting: toApprove,
    request_reassigned: toApprove,
    request_reminder: toApprove,
    information_provided: toApprove,
    information_requested: toAnswer,
    request_expires: expiring,
  },
  keys: {
    access_ends: async (db) =>
      (await queries.accessEnds(db, ACCESS_ENDS_DAYS)).map(({ ticket_id, ends_at }) =>
        accessEndKey(ticket_id, ends_at),
      ),
  },
  details: { request_waiting: ticketDetails },
  visible: { ticket: ticketsVisibleTo },
};
