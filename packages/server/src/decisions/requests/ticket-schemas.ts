import { type Static, Type } from 'typebox';
import { PersonReference } from '#directory/people/reference.ts';
import { AppReference } from '#inventory/apps/reference.ts';
import { Component, Instant, MapOf, Nullable, Timestamp, Uuid } from '#kit/schemas.ts';

export const TICKET_STATUSES = ['PENDING', 'APPROVED', 'REJECTED', 'EXPIRED', 'CANCELED'] as const;
export type TicketStatus = (typeof TICKET_STATUSES)[number];

export const TICKET_TYPES = ['NEW_ACCESS', 'MODIFY_ACCESS', 'EXTEND_ACCESS'] as const;
export type TicketType = (typeof TICKET_TYPES)[number];

export const VERDICTS = ['approved', 'denied'] as const;
export type Verdict = (typeof VERDICTS)[number];

/**
 * Why a person may decide: the step names them, they stand in for the people it names, or they manage one who has not
 * decided in time.
 */
export const APPROVER_RANKS = ['named', 'fallback', 'administrators', 'escalated'] as const;
export type ApproverRank = (typeof APPROVER_RANKS)[number];

/** Why somebody does not decide a step, although it would be theirs (D76). */
export const EXCLUDED_BECAUSE = ['concerned', 'counts_already', 'has_another_seat'] as const;

export const COMMENT_KINDS = [
  'comment',
  'information_requested',
  'information_provided',
  'reassigned',
  'withdrawn',
] as const;
export type CommentKind = (typeof COMMENT_KINDS)[number];

const Requested = MapOf(
  Type.Array(
    Component('RequestedEntitlement', {
      id: Type.String(),
      name: Type.String({ description: 'The name when it was requested.' }),
      exists: Type.Boolean({
        description: 'Whether the app still has it. A group or license that is gone is not granted.',
      }),
      current_name: Nullable(
        Type.String({
          description:
            'The name that it has now, if it is another one. It is then not granted; somebody has to request it again.',
        }),
      ),
    }),
  ),
  { description: 'By resource type slug.' },
);
const TicketStatus = Type.Enum([...TICKET_STATUSES], { title: 'TicketStatus' });
const StepNumber = Type.Integer({ minimum: 1, description: 'Steps are numbered from 1.' });

export const Steps = Type.Array(
  Component('TicketStep', {
    approvers: Type.Union([Type.Enum(['manager', 'app_owner']), Type.Array(Uuid)]),
    require: Type.Enum(['all', 'any']),
  }),
  { description: "The app's approval steps when the ticket was created." },
);

/** The fields of a ticket, without its tasks. */
export const ticketFields = {
  external_uuid: Uuid,
  label: Type.String({ description: 'A short line for people, with the number of the ticket.' }),
  type: Type.Enum([...TICKET_TYPES]),
  app: AppReference,
  requester: PersonReference,
  app_user: Type.Object({
    external_uuid: Type.String({
      format: 'uuid',
      description:
        'The account of the user in the app, or the one that the approved ticket creates. Until then, /api/accounts/ does not have it.',
    }),
    email: Type.String(),
  }),
  ticket_status: TicketStatus,
  start_time: Type.Unsafe<Date>({
    type: 'string',
    format: 'date-time',
    description: 'The time of the creation, if none was asked for.',
  }),
  end_time: Nullable(
    Type.Unsafe<Date>({ type: 'string', format: 'date-time', description: 'Null: permanent.' }),
  ),
  initial_comment: Type.String(),
  user: PersonReference,
  created_by: PersonReference,
  memberships: Requested,
  assignments: Requested,
  steps: Steps,
  current_step: Nullable(StepNumber),
  waiting_for: Type.Array(
    Component('TicketApprover', {
      ...PersonReference.properties,
      via: Type.Enum([...APPROVER_RANKS], {
        description:
          'Named by the step, a fallback approver, an administrator of the organization, or the manager of an approver who has not decided in time.',
      }),
      on_behalf_of: Type.Array(PersonReference, {
        description: 'The absent or late approvers in whose place they decide. Empty: in their own place.',
      }),
    }),
    { description: 'People who can decide the current step.' },
  ),
  approvals: Type.Array(
    Component('TicketApproval', {
      step: StepNumber,
      approver: PersonReference,
      on_behalf_of: Type.Array(PersonReference, {
        description: 'The absent or late approvers in whose place they decided.',
      }),
      decision: Type.Enum([...VERDICTS]),
      override: Type.Boolean(),
      comment: Type.String(),
      decided_at: Timestamp,
    }),
  ),
  information_requested: Nullable(
    Component(
      'InformationRequest',
      { by: PersonReference, at: Instant, comment: Type.String() },
      { description: 'The question that the requester or the user has to answer. The status stays PENDING.' },
    ),
  ),
  own_afterwards: Type.Boolean({
    description:
      'Whether somebody approved it to whom the account or the request belongs since then: by a link that nobody made, within 30 days, or by a merge.',
  }),
  escalated_at: Nullable(
    Type.Unsafe<Date>({
      type: 'string',
      format: 'date-time',
      description: 'When the current step was last passed on because nobody decided in time.',
    }),
  ),
  outcome: Nullable(
    Type.String({ description: 'The result in words, if the status alone does not explain it.' }),
  ),
  created_at: Timestamp,
  decided_at: Nullable(Timestamp),
};

/** A comment on a ticket, or another step of its conversation. */
export const CommentItem = Component('TicketComment', {
  external_uuid: Uuid,
  author: PersonReference,
  kind: Type.Enum([...COMMENT_KINDS]),
  comment: Type.String(),
  created_at: Timestamp,
});
export type Comment = Static<typeof CommentItem>;
