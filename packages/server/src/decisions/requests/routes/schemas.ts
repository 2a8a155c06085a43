import { Type } from 'typebox';
import { appReference } from '#inventory/apps/reference.ts';
import type { RouteTools } from '#kit/http.ts';
import { Component, Nullable, SentenceFields } from '#kit/schemas.ts';
import { TaskItem, taskItem } from '#work/provisioning/routes/schemas.ts';
import type { DecisionTools } from '../decide.ts';
import { ticketFields } from '../ticket-schemas.ts';
import type { TicketDetails } from '../tickets.ts';

export type TicketTools = RouteTools & DecisionTools;

export const tag = 'Tickets';
export const reading = { access: { scope: 'read', apps: 'listed' } } as const;
/** Auditors cannot create or decide tickets (protocol 16). */
const participants = { scope: 'govern', roles: ['owner', 'admin', 'member'] } as const;
const actors = { ...participants, apps: 'listed' } as const;
/** Auditors request nothing. */
export const requesting = { access: actors } as const;
export const canceling = { access: actors } as const;
/** A key that now acts for somebody else would hide who files or decides a ticket. */
export const personal = { access: { ...actors, personal: true } } as const;
/** App-scoped keys do not read people (D7). */
export const personalForAllApps = { access: { ...participants, personal: true } } as const;

export const Comment = Type.Optional(Nullable(Type.String({ maxLength: 2000 })));

export const RequiredComment = Type.String({ minLength: 1, maxLength: 2000 });

const { outcome, created_at, decided_at, ...before } = ticketFields;

/** Protocol 4.13 (D33). The fields after initial_comment are additions. */
export const TicketItem = Component('Ticket', {
  ...before,
  tasks: Type.Array(TaskItem),
  outcome,
  outcome_code: SentenceFields.code,
  outcome_values: SentenceFields.values,
  created_at,
  decided_at,
});

export const ticketItem = (ticket: TicketDetails) => ({
  ...ticket,
  external_uuid: ticket.id,
  app: appReference(ticket.app_id, ticket.app_name),
  app_user: { external_uuid: ticket.account_id, email: ticket.account_email },
  ticket_status: ticket.status,
  start_time: ticket.start_time ?? ticket.created_at,
  current_step: ticket.status === 'PENDING' ? ticket.step + 1 : null,
  approvals: ticket.approvals.map((approval) => ({ ...approval, step: approval.step + 1 })),
  tasks: ticket.tasks.map(taskItem),
  outcome: ticket.outcome?.text ?? null,
  ...(ticket.outcome !== null && {
    outcome_code: ticket.outcome.code,
    outcome_values: ticket.outcome.values,
  }),
});
