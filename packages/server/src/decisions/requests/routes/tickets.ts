import { type Static, Type } from 'typebox';
import { Component, Instant, MapOf, Nullable, Uuid } from '#kit/schemas.ts';
import { ticketContext } from '../context.ts';
import { TicketContext } from '../context-schemas.ts';
import { createTicket, type TicketRequest } from '../create.ts';
import { cancelTicket, type Decision, type DecisionTools, decideTicket } from '../decide.ts';
import { ticketFilters } from '../filters.ts';
import type { Verdict } from '../ticket-schemas.ts';
import { TICKET_TYPES } from '../ticket-schemas.ts';
import { listTickets } from '../tickets.ts';
import { tickets } from './resource.ts';
import { Comment, canceling, reading } from './schemas.ts';

const DecisionBody = Type.Optional(
  Nullable(
    Component('TicketDecision', {
      comment: Comment,
      override: Type.Optional(
        Type.Boolean({
          description: 'true: an administrator decides for all approvers. Requires a comment.',
        }),
      ),
      step: Type.Optional(
        Type.Integer({
          minimum: 1,
          description: 'The step that you are deciding. 409 if the ticket has moved to another step.',
        }),
      ),
    }),
  ),
);

function decisionIn(verdict: Verdict, body: Static<typeof DecisionBody>): Decision {
  const { comment, override = false, step } = body ?? {};
  return { verdict, override, comment: comment ?? '', step: step === undefined ? null : step - 1 };
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

const TicketWithdrawal = Type.Optional(Nullable(Component('TicketWithdrawal', { comment: Comment })));

export const ticketRoutes = (tools: DecisionTools) => [
  tickets.list(
    'List tickets',
    {
      description: 'Newest first. Members see the tickets that concern them.',
      config: { ...reading, reads: 'replica' },
      query: ticketFilters.query,
    },
    listTickets,
  ),
  tickets.create('Request access', { body: NewTicket }, ({ call, body }) =>
    createTicket(call, requestIn(body)),
  ),
  tickets.get('Get ticket', { config: { ...reading, ignoresUnknownQuery: true } }),
  tickets.one.get(
    'context/',
    "Get the beneficiary's current access and that of their teammates",
    { reply: TicketContext },
    ({ call, found }) => ticketContext(call, found.id),
  ),
  tickets.act('approve/', 'Approve ticket', { body: DecisionBody }, ({ call, found, body }) =>
    decideTicket(tools, call, found.id, decisionIn('approved', body)),
  ),
  tickets.act('deny/', 'Deny ticket', { body: DecisionBody }, ({ call, found, body }) =>
    decideTicket(tools, call, found.id, decisionIn('denied', body)),
  ),
  tickets.act(
    'cancel/',
    'Withdraw ticket',
    { config: canceling, body: TicketWithdrawal },
    ({ call, found, body }) => cancelTicket(tools, call, found.id, body?.comment ?? ''),
  ),
];
