import type { Static, TObject } from 'typebox';
import type { Sentence } from '#kit/sentences.ts';
import { labelSentences, requestRefusals } from './sentences.ts';
import type { TicketStatus, TicketType, ticketFields } from './ticket-schemas.ts';

type Shown = Static<TObject<typeof ticketFields>>;

/**
 * A request for access (protocol 13):
 *
 *   created ──> PENDING ──last step approved, or override──> APPROVED   creates tasks: grant.ts
 *                  ├──one denial───────────────────────────> REJECTED
 *                  ├──withdrawn; beneficiary deactivated; app archived──> CANCELED
 *                  └──not decided in time; requested end has passed──> EXPIRED
 *
 * The four states on the right are final. Every transition happens under the lock of the ticket's row.
 *
 * The fields that it shares with the API are described there.
 */
export interface Ticket
  extends Omit<
    Shown,
    | 'external_uuid'
    | 'app'
    | 'app_user'
    | 'ticket_status'
    | 'start_time'
    | 'current_step'
    | 'approvals'
    | 'outcome'
  > {
  id: string;
  number: number;
  status: TicketStatus;
  app_id: string;
  app_name: string;
  /** The beneficiary's account: the existing one, or the one that an approval creates (D47). */
  account_id: string;
  /** The id that a new account gets. Null if there was an account when the ticket was created. */
  reserved_account_id: string | null;
  /** The account's email, or the beneficiary's until the account exists. */
  account_email: string;
  start_time: Date | null;
  outcome: Sentence | null;
  /** Index of the current step, from 0. */
  step: number;
  /** `in_place_of`: the ids of all other approvers for whom their decision counts. */
  waiting_for: (Shown['waiting_for'][number] & { in_place_of: string[] })[];
}

/** A decision about one step of a ticket. Its steps count from 0. */
export type Approval = Shown['approvals'][number] & { ticket_id: string };

/** Whether it is the person's own ticket, which they cannot decide: they want the access, asked for it, or filed it. */
export const isOwnTicket = ({ user, requester, created_by }: Ticket, userId: string) =>
  [user, requester, created_by].some(({ external_uuid }) => external_uuid === userId);

const LABELS = {
  NEW_ACCESS: labelSentences.request_of_access,
  MODIFY_ACCESS: labelSentences.request_of_more_access,
  EXTEND_ACCESS: labelSentences.request_of_longer_access,
} satisfies Record<TicketType, unknown>;

/** A short line for people, with the ticket's number in its organization (D33). */
export const labelOf = (number: number, type: TicketType, app: string, email: string): Sentence =>
  LABELS[type]({ number, app, email });

/** Why the tasks of a ticket are created: its label, whose English names the app and the person as they were then. */
export const reasonOf = ({ number, type, app_name, user, label }: Ticket): Sentence => ({
  ...labelOf(number, type, app_name, user.email),
  text: label,
});

export const notPending = ({ number, status }: Pick<Ticket, 'number' | 'status'>) =>
  requestRefusals.request_decided({ number, status });

export const CATALOG_KINDS = ['account', 'group', 'license'] as const;
export type CatalogKind = (typeof CATALOG_KINDS)[number];

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
