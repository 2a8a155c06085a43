import type { Held } from '#inventory/apps/held.ts';
import type { SyncStatus } from '#inventory/apps/sync-status.ts';
import type { UnseenCounts } from '#inventory/apps/unseen.ts';
import { hookPoint, type OrgTx } from '#kit/database.ts';
import { type Cause, SYSTEM } from '#kit/identity.ts';
import type { Sentence } from '#kit/sentences.ts';
import type { NewEvent } from '#log/events/record.ts';

/**
 * The states of a sync session:
 *
 *   start ──> in_progress ──complete──> completing ──> completed
 *                 │                      │      │
 *                 │                      │      └──> error       cleanup failed for good, an administrator or a newer
 *                 │                      │                       completion rejected the held removals, or the app
 *                 │                      │                       was archived
 *                 │                      └─ stays completing while the removal guard holds its removals
 *                 ├──abandon──> abandoned                        published
 *                 └──newer start, app archived, 7 days without a push──> abandoned, not published
 */
export type SessionStatus = SyncStatus;

export interface Session {
  id: string;
  app_id: string;
  status: SessionStatus;
  started_at: Date;
  published_at: Date | null;
  finished_at: Date | null;
  superseded_by: string | null;
  /** `rejected_by` is the person who rejected the held removals. */
  error:
    | (Pick<Sentence, 'code' | 'values'> & { error_code: string; message: string; rejected_by?: string })
    | null;
  /** Null while the session is in progress: each page changes it. */
  progress: TypeProgress[] | null;
  counts: RecordCounts | null;
  membership_counts: MembershipCounts | null;
  status_counts: StatusCounts | null;
  held: Held | null;
  /** The sums of what its connector could not see. Null: it reported nothing, or has not completed. */
  unseen_counts: UnseenCounts | null;
  /** The person who approved the held removals. */
  approved_by: string | null;
  reverted_at: Date | null;
  /** The person who reverted it. */
  reverted_by: string | null;
  reverted_reason: string | null;
  connector_run_id: string | null;
}

/** The number of different records pushed of one resource type. */
export interface TypeProgress {
  slug: string;
  name: string;
  type: string;
  synced_count: number;
}

export interface RecordCounts {
  created: number;
  updated: number;
  unchanged: number;
  removed: number;
}

export interface MembershipCounts {
  added: number;
  removed: number;
}

/** The number of changes that a revert makes. */
export interface RevertCounts {
  accounts: { removed: number; restored: number };
  links: number;
  memberships: { added: number; removed: number };
  /** Groups and licenses that get back the name that they had, appear again, or disappear. */
  resources: number;
}

/** Accounts that lost their access by a pushed status, and those of an abandoned session that kept it (D17). */
export interface StatusCounts {
  suspended: number;
  inactive: number;
  withheld: number;
}

/**
 * Called in each transaction that publishes a session, carries out its removal or reverts it, after the changes. `changedBy` is the session
 * if it has changed accounts or memberships in this transaction, else null, as for a revert. Returns events for the caller to record.
 */
export type PublishedHook = (
  tx: OrgTx,
  appId: string,
  cause: Cause,
  changedBy: string | null,
) => Promise<NewEvent[]>;

export const publishedHooks = hookPoint<PublishedHook>();

/** Calls the hooks for an app whose inventory may have changed. */
export async function afterPublication(
  tx: OrgTx,
  appId: string,
  cause: Cause,
  changedBy: string | null = null,
): Promise<NewEvent[]> {
  const events: NewEvent[] = [];
  for (const hook of publishedHooks.of(tx)) events.push(...(await hook(tx, appId, cause, changedBy)));
  return events;
}

/** The cause of what a sync session changes. */
export const bySync = (sessionId: string): Cause => ({
  actor: SYSTEM,
  source: { type: 'sync', uuid: sessionId },
});

export const FINISH_JOB = 'sync.finish';
export const PLAN_JOB = 'sync.plan';
