import { type Static, Type } from 'typebox';
import { PersonReference } from '../../../directory/people/reference.ts';
import { AccountStatus } from '../../../inventory/records/routes/schemas.ts';
import { within } from '../../../kit/database/organization.ts';
import { envelope, listReply, pageOf, pageQuery } from '../../../kit/http/lists.ts';
import { Component, Instant, MapOf, Nullable, Timestamp, Uuid } from '../../../kit/http/schemas.ts';
import type { Http, RouteTools } from '../../../kit/http/server.ts';
import { callOf } from '../../../kit/identity/call.ts';
import { provideInformation, requestInformation } from '../comments.ts';
import { ticketContext } from '../context.ts';
import { createTicket, type TicketRequest } from '../create.ts';
import { cancelTicket, decideTicket } from '../decide.ts';
import { TICKET_STATUSES, TICKET_TYPES } from '../ticket.ts';
import { listTickets, ticketDetails } from '../tickets.ts';
import { DecisionBody, decisionIn } from './decision-body.ts';
import {
  accessibleTicket,
  Comment,
  canceling,
  Held,
  personal,
  RequiredComment,
  reading,
  TicketItem,
  TicketParams,
  type TicketTools,
  tags,
  ticketItem,
} from './schemas.ts';

const Filters = Type.Object({
  ...pageQuery,
  app: Type.Optional(Uuid),
  requester: Type.Optional(Uuid),
  user: Type.Optional(Uuid),
  ticket_status: Type.Optional(Type.Enum([...TICKET_STATUSES])),
  type: Type.Optional(Type.Enum([...TICKET_TYPES])),
  information_requested: Type.Optional(
    Type.Boolean({ description: 'true: only tickets whose approver asked for more information.' }),
  ),
  to_approve: Type.Optional(Type.Boolean({ description: 'true: only tickets that await your decision.' })),
});

export function listTicketsRoute(http: Http, { origin }: RouteTools) {
  http.get(
    '/api/tickets/',
    {
      config: { ...reading, reads: 'replica' },
      schema: {
        tags,
        summary: 'List tickets',
        description: 'Newest first. Members see the tickets that concern them.',
        querystring: Filters,
        response: { 200: envelope(TicketItem) },
      },
    },
    async (request) => {
      const { db } = request.reads;
      const page = pageOf(request.query);
      const { app = null, requester = null, user = null, type = null, to_approve = false } = request.query;
      const status = request.query.ticket_status ?? null;
      const informationRequested = request.query.information_requested ?? null;
      const filter = { app, requester, user, type, status, informationRequested, toApprove: to_approve };
      const { count, results } = await listTickets(callOf(db, request), filter, page);
      return listReply(request, origin(request), page, { count, results: results.map(ticketItem) });
    },
  );
}

const Ids = Type.Array(Type.String({ minLength: 1, maxLength: 512 }), { maxItems: 100 });

const IdsBySlug = Type.Optional(Nullable(MapOf(Ids, { maxProperties: 100, title: 'EntitlementIds' })));

const NewTicket = Component('NewTicket', {
  external_uuid: Type.Optional(
    Nullable(
      Type.String({
        format: 'uuid',
        description:
          'The id of the ticket. Sending the same request with it again creates no second ticket, also if start_time or end_time differ by up to a day. 409 for another request.',
      }),
    ),
  ),
  app: Uuid,
  user: Uuid,
  requester: Type.Optional(
    Nullable(
      Type.String({
        format: 'uuid',
        description: 'Only administrators can name another requester. Default: the caller.',
      }),
    ),
  ),
  type: Type.Enum([...TICKET_TYPES]),
  memberships: IdsBySlug,
  assignments: IdsBySlug,
  start_time: Type.Optional(
    Nullable({
      ...Instant,
      description:
        "When the access begins, from today to 10 years ahead. A day without a time, such as 2027-03-31, is a day in the organization's time zone.",
    }),
  ),
  end_time: Type.Optional(
    Nullable({
      ...Instant,
      description: 'When the access ends. A day without a time includes its last moment.',
    }),
  ),
  initial_comment: Comment,
});

const requestIn = (body: Static<typeof NewTicket>): TicketRequest => ({
  id: body.external_uuid?.toLowerCase() ?? null,
  app: body.app,
  user: body.user,
  requester: body.requester ?? null,
  type: body.type,
  memberships: body.memberships ?? {},
  assignments: body.assignments ?? {},
  startTime: body.start_time ?? null,
  endTime: body.end_time ?? null,
  comment: body.initial_comment ?? '',
});

export function createTicketRoute(http: Http, { db }: RouteTools) {
  http.post(
    '/api/tickets/',
    {
      config: personal,
      schema: { tags, summary: 'Request access', body: NewTicket, response: { 201: TicketItem } },
    },
    async (request, reply) => {
      const ticket = await createTicket(callOf(db, request), requestIn(request.body));
      reply.code(201);
      return ticketItem(ticket);
    },
  );
}

export function getTicketRoute(http: Http, { db }: RouteTools) {
  http.get(
    '/api/tickets/:ticket_id/',
    {
      config: { ...reading, ignoresUnknownQuery: true },
      onRequest: accessibleTicket(db),
      schema: { tags, summary: 'Get ticket', params: TicketParams, response: { 200: TicketItem } },
    },
    async ({ principal, params }) =>
      ticketItem(await ticketDetails(within(db, principal.orgId), params.ticket_id)),
  );
}

const TicketContext = Component('TicketContext', {
  user: Type.Object({
    ...PersonReference.properties,
    status: Type.Enum(['active', 'deactivated']),
    title: Nullable(Type.String()),
    department: Nullable(Type.String()),
    manager: Nullable(PersonReference),
    teammates: Type.Integer({ description: 'The number of other active people with the same manager.' }),
  }),
  account: Nullable(
    Type.Object({
      external_uuid: Uuid,
      status: AccountStatus,
      memberships: Held,
      assignments: Held,
      last_seen_at: Nullable(Timestamp),
    }),
  ),
  username: Nullable(
    Type.String({
      description:
        'The user name that a new account of the person would get now. It is reserved when the task is created. Null if no account would be created.',
    }),
  ),
  asked: Type.Array(
    Type.Object({
      slug: Type.String(),
      id: Type.String(),
      teammates: Type.Integer({ description: 'The number of teammates who hold it.' }),
    }),
    { description: 'The requested groups and licenses.' },
  ),
});

export function getTicketContextRoute(http: Http, { db }: RouteTools) {
  http.get(
    '/api/tickets/:ticket_id/context/',
    {
      config: reading,
      onRequest: accessibleTicket(db),
      schema: {
        tags,
        summary: "Get the beneficiary's current access and that of their teammates",
        params: TicketParams,
        response: { 200: TicketContext },
      },
    },
    async (request) => {
      const { user, account, username, asked } = await ticketContext(
        callOf(db, request),
        request.params.ticket_id,
      );
      return {
        user,
        asked,
        username,
        account: account === null ? null : { ...account, external_uuid: account.id },
      };
    },
  );
}

const DECISIONS = [
  ['approve', 'approved', 'Approve ticket'],
  ['deny', 'denied', 'Deny ticket'],
] as const;

export function decideTicketRoutes(http: Http, { db, expiryDays }: TicketTools) {
  for (const [action, verdict, summary] of DECISIONS)
    http.post(
      `/api/tickets/:ticket_id/${action}/`,
      {
        config: personal,
        onRequest: accessibleTicket(db),
        schema: { tags, summary, params: TicketParams, body: DecisionBody, response: { 200: TicketItem } },
      },
      async (request) => {
        const { params, body } = request;
        const decision = decisionIn(verdict, body);
        return ticketItem(
          await decideTicket({ db, expiryDays }, callOf(db, request), params.ticket_id, decision),
        );
      },
    );
}

const Withdrawal = Type.Optional(Nullable(Component('TicketWithdrawal', { comment: Comment })));

export function cancelTicketRoute(http: Http, { db, expiryDays }: TicketTools) {
  http.post(
    '/api/tickets/:ticket_id/cancel/',
    {
      config: canceling,
      onRequest: accessibleTicket(db),
      schema: {
        tags,
        summary: 'Withdraw ticket',
        params: TicketParams,
        body: Withdrawal,
        response: { 200: TicketItem },
      },
    },
    async (request) => {
      const { params, body } = request;
      const tools = { db, expiryDays };
      const comment = body?.comment ?? '';
      return ticketItem(await cancelTicket(tools, callOf(tools.db, request), params.ticket_id, comment));
    },
  );
}

const CONVERSATION = [
  {
    action: 'request-information',
    act: requestInformation,
    summary: 'Request more information',
    description: 'The ticket stays PENDING. The requester or the user answers.',
  },
  {
    action: 'provide-information',
    act: provideInformation,
    summary: 'Provide the requested information',
    description: 'For the requester and the user.',
  },
];

export function informationRoutes(http: Http, { db, expiryDays }: TicketTools) {
  for (const { action, act, summary, description } of CONVERSATION)
    http.post(
      `/api/tickets/:ticket_id/${action}/`,
      {
        config: personal,
        onRequest: accessibleTicket(db),
        schema: {
          tags,
          summary,
          description,
          params: TicketParams,
          body: Component('NewTicketComment', { comment: RequiredComment }),
          response: { 200: TicketItem },
        },
      },
      async (request) => {
        const { params, body } = request;
        return ticketItem(await act({ db, expiryDays }, callOf(db, request), params.ticket_id, body.comment));
      },
    );
}
