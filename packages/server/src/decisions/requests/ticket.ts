import type { ApprovalStep } from '#inventory/apps/app.ts';
import { requestRefusals } from './sentences.ts';

/**
 * A request for access (protocol 13):
 *
 *   created ──> PENDING ──last step approved, or override──> APPROVED   creates tasks: grant.ts
 *                  ├──one denial───────────────────────────> REJECTED
 *                  ├──withdrawn; beneficiary deactivated; app archived──> CANCELED
 *                  └──not decided in time; requested end has passed──> EXPIRED
 *
 * The four states on the right are final. Every transition happens under the lock of the ticket's row.
 */
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

/** A person as tickets name them (protocol 2.8). The names are additions. */
export interface PersonRef {
  external_uuid: string;
  email: string;
  first_name: string;
  last_name: string;
}

/** A requested group or license. */
export interface EntitlementRef {
  id: string;
  /** The name at the time of the request. */
  name: string;
  exists: boolean;
  /** Its other name now. Null if it has the same one. */
  current_name: string | null;
}

export interface Ticket {
  id: string;
  number: number;
  label: string;
  type: TicketType;
  status: TicketStatus;
  app_id: string;
  app_name: string;
  /** The beneficiary. */
  user: PersonRef;
  requester: PersonRef;
  /** The person who filed it: the requester, or an administrator on their behalf. */
  created_by: PersonRef;
  /** The beneficiary's account: the existing one, or the one that an approval creates (D47). */
  account_id: string;
  /** The id that a new account gets. Null if there was an account when the ticket was created. */
  reserved_account_id: string | null;
  /** The account's email, or the beneficiary's until the account exists. */
  account_email: string;
  start_time: Date | null;
  end_time: Date | null;
  initial_comment: string;
  memberships: Record<string, EntitlementRef[]>;
  assignments: Record<string, EntitlementRef[]>;
  steps: ApprovalStep[];
  /** Index of the current step, from 0. */
  step: number;
  /** People who may decide now. Empty once the ticket is decided. */
  waiting_for: (PersonRef & {
    via: ApproverRank;
    /** The approvers in whose place they decide. Empty if they decide in their own. */
    on_behalf_of: PersonRef[];
    /** Ids of all other approvers for whom their decision counts. */
    in_place_of: string[];
  })[];
  /** The question that the requester or the beneficiary has to answer. Null once the ticket is decided. */
  information_requested: { by: PersonRef; at: string; comment: string } | null;
  /** When the current step was last escalated. */
  escalated_at: Date | null;
  outcome: string | null;
  moved_tasks: string[];
  created_at: Date;
  decided_at: Date | null;
}

/** A decision about one step of a ticket. */
export interface Approval {
  ticket_id: string;
  /** The index of the step; the first is 0. */
  step: number;
  approver: PersonRef;
  /** The other approvers in whose place they decided. */
  on_behalf_of: PersonRef[];
  decision: Verdict;
  override: boolean;
  comment: string;
  decided_at: Date;
}

/** Whether it is the person's own ticket, which they cannot decide: they want the access, asked for it, or filed it. */
export const isOwnTicket = ({ user, requester, created_by }: Ticket, userId: string) =>
  [user, requester, created_by].some(({ external_uuid }) => external_uuid === userId);

const REQUESTED: Record<TicketType, string> = {
  NEW_ACCESS: 'access to',
  MODIFY_ACCESS: 'more access to',
  EXTEND_ACCESS: 'longer access to',
};

/** A short line for people, with the ticket's number in its organization (D33). */
export const labelOf = (number: number, type: TicketType, appName: string, email: string) =>
  `REQ-${number}: ${REQUESTED[type]} ${appName} for ${email}`;

/** `REQ-12`. */
export const shortLabel = ({ number }: Pick<Ticket, 'number'>) => `REQ-${number}`;

export const notPending = ({ number, status }: Pick<Ticket, 'number' | 'status'>) =>
  requestRefusals.request_decided({ number, status });

export const CATALOG_KINDS = ['account', 'group', 'license'] as const;
export type CatalogKind = (typeof CATALOG_KINDS)[number];

export const COMMENT_KINDS = [
  'comment',
  'information_requested',
  'information_provided',
  'reassigned',
  'withdrawn',
] as const;
export type CommentKind = (typeof COMMENT_KINDS)[number];

/** A pending ticket for a person, as another person sees it who may know that it exists. */
export interface PendingOfPerson {
  user: string;
  external_uuid: string;
  label: string;
  created_at: Date;
  /** Whether the other person can decide it now. */
  to_decide: boolean;
  /** Whether the other person requested or filed it. */
  is_own: boolean;
}
