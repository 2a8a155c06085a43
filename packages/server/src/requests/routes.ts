import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { AppReference, appReference } from '../apps/reference.ts';
import { causeOf } from '../identity/cause.ts';
import { envelope, listReply, pageOf, pageQuery } from '../platform/http/lists.ts';
import { Instant, Nullable, Timestamp, Uuid } from '../platform/http/schemas.ts';
import type { Http, RouteTools } from '../platform/http/server.ts';
import { TaskItem, taskItem } from '../provisioning/routes/schemas.ts';
import { contextOf } from './context.ts';
import { createTicket } from './create.ts';
import { cancel, type DecisionTools, decide } from './decide.ts';
import { listTickets, requireAccessibleTicket, type TicketFile, ticketFile } from './list.ts';
import { TICKET_STATUSES, TICKET_TYPES } from './ticket.ts';

const PersonReference = Type.Object({ external_uuid: Uuid, email: Type.String() });
const Asked = Type.Record(
  Type.String(),
  Type.Array(Type.Object({ id: Type.String(), name: Type.String() })),
  { description: 'By resource type slug.' },
);
const StepNumber = Type.Integer({ minimum: 1, description: 'From 1.' });

/** Contract 2.10, D33; what stands behind initial_comment is ours. */
const TicketItem = Type.Object({
  external_uuid: Uuid,
  label: Type.String(),
  type: Type.String({ description: TICKET_TYPES.join(', ') }),
  app: AppReference,
  requester: PersonReference,
  app_user: Type.Object({
    external_uuid: Nullable(Type.String({ format: 'uuid', description: 'Null until there is an account.' })),
    email: Type.String(),
  }),
  ticket_status: Type.String({ description: TICKET_STATUSES.join(', ') }),
  start_time: Nullable(Timestamp),
  end_time: Nullable(Timestamp),
  initial_comment: Type.String(),
  user: PersonReference,
  created_by: PersonReference,
  memberships: Asked,
  assignments: Asked,
  steps: Type.Array(
    Type.Object({ approvers: Type.Union([Type.String(), Type.Array(Uuid)]), require: Type.String() }),
  ),
  current_step: Nullable(StepNumber),
  waiting_for: Type.Array(
    Type.Object({
      external_uuid: Uuid,
      email: Type.String(),
      via: Type.String({ description: 'named by the step, as its fallback, or as administrators.' }),
    }),
    { description: 'Who may decide now.' },
  ),
  approvals: Type.Array(
    Type.Object({
      step: StepNumber,
      approver: PersonReference,
      decision: Type.String({ description: 'approved or denied.' }),
      override: Type.Boolean(),
      comment: Type.String(),
      decided_at: Timestamp,
    }),
  ),
  tasks: Type.Array(TaskItem),
  outcome: Nullable(Type.String({ description: 'What came of it, where that needs words.' })),
  created_at: Timestamp,
  decided_at: Nullable(Timestamp),
});

const ticketItem = (ticket: TicketFile) => ({
  ...ticket,
  external_uuid: ticket.id,
  app: appReference(ticket.app_id, ticket.app_name),
  app_user: { external_uuid: ticket.account_id, email: ticket.account_email },
  ticket_status: ticket.status,
  current_step: ticket.status === 'PENDING' ? ticket.step + 1 : null,
  approvals: ticket.approvals.map((approval) => ({ ...approval, step: approval.step + 1 })),
  tasks: ticket.tasks.map(taskItem),
});

const Person = {
  external_uuid: Uuid,
  email: Type.String(),
  first_name: Type.String(),
  last_name: Type.String(),
};
/** What whoever decides needs to know beside the ticket. */
const TicketContext = Type.Object({
  user: Type.Object({
    ...Person,
    status: Type.String({ description: 'active or deactivated.' }),
    title: Nullable(Type.String()),
    department: Nullable(Type.String()),
    manager: Nullable(Type.Object(Person)),
    teammates: Type.Integer({ description: 'Active people who have the same manager.' }),
  }),
  account: Nullable(
    Type.Object({
      external_uuid: Uuid,
      status: Type.String(),
      memberships: Asked,
      assignments: Asked,
      last_seen_at: Nullable(Timestamp),
    }),
  ),
  asked: Type.Array(
    Type.Object({
      slug: Type.String(),
      id: Type.String(),
      teammates: Type.Integer({ description: 'How many of them have it.' }),
    }),
  ),
});

const Filters = Type.Object({
  ...pageQuery,
  app: Type.Optional(Uuid),
  requester: Type.Optional(Uuid),
  user: Type.Optional(Uuid),
  ticket_status: Type.Optional(Type.Enum([...TICKET_STATUSES])),
  type: Type.Optional(Type.Enum([...TICKET_TYPES])),
  to_approve: Type.Optional(Type.Boolean({ description: 'true: those that wait for your decision.' })),
});

const Comment = Type.Optional(Nullable(Type.String({ maxLength: 2000 })));
const Ids = Type.Array(Type.String({ minLength: 1, maxLength: 512 }), { maxItems: 100 });
const BySlug = Type.Optional(Nullable(Type.Record(Type.String(), Ids)));
const NewTicket = Type.Object({
  app: Uuid,
  user: Uuid,
  requester: Type.Optional(
    Nullable(Type.String({ format: 'uuid', description: 'For administrators who file for someone.' })),
  ),
  type: Type.Enum([...TICKET_TYPES]),
  memberships: BySlug,
  assignments: BySlug,
  start_time: Type.Optional(Nullable(Instant)),
  end_time: Type.Optional(Nullable(Instant)),
  initial_comment: Comment,
});
const DecisionBody = Type.Optional(
  Nullable(
    Type.Object({
      comment: Comment,
      override: Type.Optional(
        Type.Boolean({ description: 'An administrator decides for all approvers; needs a comment.' }),
      ),
      step: Type.Optional(
        Type.Integer({
          minimum: 1,
          description: 'The step that you looked at: 409 if it is another by now.',
        }),
      ),
    }),
  ),
);
const Withdrawal = Type.Optional(Nullable(Type.Object({ comment: Comment })));

const Params = Type.Object({ ticket_id: Uuid });
const reading = { access: { scope: 'read' } } as const;
/** Everybody asks and decides what is theirs; an auditor changes nothing (Roles). */
const acting = { access: { scope: 'govern', roles: ['owner', 'admin', 'member'] } } as const;
const tags = ['Tickets'];

/** Requests for access (contract 4.13, governance.md "Requests"). */
export function ticketRoutes(http: Http, { db, origin, expiryDays }: RouteTools & DecisionTools) {
  const tools = { db, expiryDays };
  const onRequest = async (request: FastifyRequest) =>
    requireAccessibleTicket(db, request.principal, (request.params as { ticket_id: string }).ticket_id);

  http.get(
    '/api/tickets/',
    {
      config: reading,
      schema: {
        tags,
        summary: 'List tickets',
        querystring: Filters,
        response: { 200: envelope(TicketItem) },
      },
    },
    async (request) => {
      const page = pageOf(request.query);
      const { app = null, requester = null, user = null, type = null, to_approve = false } = request.query;
      const filter = { app, requester, user, type, status: request.query.ticket_status ?? null };
      const { count, results } = await listTickets(
        db,
        request.principal,
        { ...filter, toApprove: to_approve },
        page,
      );
      return listReply(request, origin(request), page, { count, results: results.map(ticketItem) });
    },
  );

  http.post(
    '/api/tickets/',
    {
      config: acting,
      schema: { tags, summary: 'Ask for access', body: NewTicket, response: { 201: TicketItem } },
    },
    async (request, reply) => {
      const { principal, body } = request;
      const id = await createTicket(
        db,
        principal,
        {
          app: body.app,
          user: body.user,
          requester: body.requester ?? null,
          type: body.type,
          memberships: body.memberships ?? {},
          assignments: body.assignments ?? {},
          startTime: body.start_time ?? null,
          endTime: body.end_time ?? null,
          comment: body.initial_comment ?? '',
        },
        causeOf(request),
      );
      reply.code(201);
      return ticketItem(await ticketFile(db, principal.orgId, id));
    },
  );

  http.get(
    '/api/tickets/:ticket_id/',
    {
      config: reading,
      onRequest,
      schema: { tags, summary: 'Get ticket', params: Params, response: { 200: TicketItem } },
    },
    async ({ principal, params }) => ticketItem(await ticketFile(db, principal.orgId, params.ticket_id)),
  );

  http.get(
    '/api/tickets/:ticket_id/context/',
    {
      config: reading,
      onRequest,
      schema: {
        tags,
        summary: 'Get what the person of a ticket has already, and what their colleagues have',
        params: Params,
        response: { 200: TicketContext },
      },
    },
    async ({ principal, params }) => {
      const { user, account, asked } = await contextOf(db, principal, params.ticket_id);
      return { user, asked, account: account === null ? null : { ...account, external_uuid: account.id } };
    },
  );

  for (const [verb, verdict] of [
    ['approve', 'approved'],
    ['deny', 'denied'],
  ] as const) {
    http.post(
      `/api/tickets/:ticket_id/${verb}/`,
      {
        config: acting,
        onRequest,
        schema: {
          tags,
          summary: `${verb === 'approve' ? 'Approve' : 'Deny'} ticket`,
          params: Params,
          body: DecisionBody,
          response: { 200: TicketItem },
        },
      },
      async (request) => {
        const { ticket_id } = request.params;
        const { comment, override = false, step } = request.body ?? {};
        const decision = {
          verdict,
          override,
          comment: comment ?? '',
          step: step === undefined ? null : step - 1,
        };
        await decide(tools, request.principal, ticket_id, decision, causeOf(request));
        return ticketItem(await ticketFile(db, request.principal.orgId, ticket_id));
      },
    );
  }

  http.post(
    '/api/tickets/:ticket_id/cancel/',
    {
      config: acting,
      onRequest,
      schema: {
        tags,
        summary: 'Withdraw ticket',
        params: Params,
        body: Withdrawal,
        response: { 200: TicketItem },
      },
    },
    async (request) => {
      const { ticket_id } = request.params;
      await cancel(tools, request.principal, ticket_id, request.body?.comment ?? '');
      return ticketItem(await ticketFile(db, request.principal.orgId, ticket_id));
    },
  );
}
