import type { ApprovalStep } from '../apps/admin.ts';

/**
 * A request for access (contract 2.10, D33; governance.md "Requests"):
 *
 *   created ──> PENDING ──the last step, or an override──> APPROVED   makes tasks: grant.ts
 *                  ├──one denial─────────────────────────> REJECTED
 *                  ├──withdrawn; the person left; the app was archived──> CANCELED
 *                  └──nobody decided in time; the time asked for is over──> EXPIRED
 *
 * All on the right are final. Every step of it happens under the lock of the ticket's row.
 */
export const TICKET_STATUSES = ['PENDING', 'APPROVED', 'REJECTED', 'EXPIRED', 'CANCELED'] as const;
export type TicketStatus = (typeof TICKET_STATUSES)[number];

export const TICKET_TYPES = ['NEW_ACCESS', 'MODIFY_ACCESS', 'EXTEND_ACCESS'] as const;
export type TicketType = (typeof TICKET_TYPES)[number];

/** A person as tickets name them (contract 2.8). */
export interface PersonRef {
  external_uuid: string;
  email: string;
}

export interface EntitlementRef {
  id: string;
  name: string;
}

export interface Ticket {
  id: string;
  number: number;
  label: string;
  type: TicketType;
  status: TicketStatus;
  app_id: string;
  app_name: string;
  user: PersonRef;
  requester: PersonRef;
  created_by: PersonRef;
  /** Null until there is an account. */
  account_id: string | null;
  /** The account's, or the person's while there is none. */
  account_email: string;
  start_time: Date | null;
  end_time: Date | null;
  initial_comment: string;
  memberships: Record<string, EntitlementRef[]>;
  assignments: Record<string, EntitlementRef[]>;
  steps: ApprovalStep[];
  /** Where on the route it is, from 0. */
  step: number;
  /** Who may decide now; empty once it is decided. */
  waiting_for: (PersonRef & { via: 'named' | 'fallback' | 'administrators' })[];
  outcome: string | null;
  moved_tasks: string[];
  created_at: Date;
  decided_at: Date | null;
}

/** A decision that was made about a ticket. */
export interface Approval {
  ticket_id: string;
  /** From 0. */
  step: number;
  approver: PersonRef;
  decision: 'approved' | 'denied';
  override: boolean;
  comment: string;
  decided_at: Date;
}

const WANTS: Record<TicketType, string> = {
  NEW_ACCESS: 'access to',
  MODIFY_ACCESS: 'more access to',
  EXTEND_ACCESS: 'longer access to',
};

/** D33. */
export const labelOf = (number: number, type: TicketType, appName: string, email: string) =>
  `REQ-${number}: ${WANTS[type]} ${appName} for ${email}`;

/** `REQ-12`. */
export const shortLabel = ({ number }: Pick<Ticket, 'number'>) => `REQ-${number}`;

export const notPending = ({ number, status }: Pick<Ticket, 'number' | 'status'>) =>
  `REQ-${number} is ${status} and cannot be decided any more.`;
