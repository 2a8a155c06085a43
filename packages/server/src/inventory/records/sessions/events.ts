import type { App } from '#inventory/apps/app.ts';
import type { Held } from '#inventory/apps/held.ts';
import { type RequestCause, SYSTEM } from '#kit/identity.ts';
import type { NewEvent } from '#log/events/record.ts';
import type { Discards } from './discards.ts';
import type { ClientsRow } from './queries/clients.ts';
import type { MembershipCounts, RecordCounts, RevertCounts, Session } from './session.ts';

/** The events of a session. Those of accounts and memberships are in publish/events.ts. */

export const sessionStarted = (app: App, sessionId: string, cause: RequestCause): NewEvent => ({
  type: 'app.sync.started',
  ...cause,
  subject: { type: 'app', uuid: app.id },
  payload: named(app, sessionId),
});

export const sessionCompleted = (
  app: App,
  session: Session,
  result: { counts: RecordCounts; memberships: MembershipCounts },
): NewEvent => ({
  type: 'app.sync.completed',
  ...about(app, session.id),
  payload: {
    ...named(app, session.id),
    outcome: 'completed',
    baseline: app.last_synced_at === null,
    counts: result.counts,
    membership_counts: result.memberships,
    started_at: session.started_at,
    ...(session.unseen_counts === null ? {} : { unseen_counts: session.unseen_counts }),
  },
});

/** A session that its connector abandoned has been published, so it is recorded as completed (D27). */
export const sessionAbandoned = (
  app: App,
  session: Session,
  result: { counts: RecordCounts; memberships: MembershipCounts },
  actor: NewEvent['actor'],
): NewEvent => ({
  type: 'app.sync.completed',
  ...about(app, session.id),
  actor,
  payload: {
    ...named(app, session.id),
    outcome: 'abandoned',
    counts: result.counts,
    membership_counts: result.memberships,
    started_at: session.started_at,
  },
});

/** The event of a session that was ended before it could complete. */
export const sessionDiscarded = (
  app: App,
  sessionId: string,
  reason: 'superseded' | 'forgotten' | 'cancelled' | 'discarded' | 'app_archived',
  details: { message: string; superseded_by?: string },
): NewEvent => ({
  type: 'app.sync.failed',
  ...about(app, sessionId),
  payload: { ...named(app, sessionId), reason, ...details },
});

/** `rejectedBy` is the person who rejected the removals that the removal guard had held. */
export const cleanupFailed = (
  app: App,
  sessionId: string,
  message: string,
  rejectedBy: string | null | undefined,
): NewEvent => ({
  type: 'app.sync.failed',
  ...about(app, sessionId),
  payload: {
    ...named(app, sessionId),
    reason: 'cleanup_failed',
    error_code: 'CLEANUP_FAILED',
    message,
    ...(rejectedBy == null ? {} : { rejected_by: rejectedBy }),
  },
});

export const removalHeld = (app: App, sessionId: string, held: Held): NewEvent => ({
  type: 'app.sync.paused',
  ...about(app, sessionId),
  payload: {
    ...named(app, sessionId),
    reason:
      held.reason === 'no_accounts'
        ? 'The sync pushed no account, so it would remove all accounts of the app.'
        : 'The sync would remove more than the app allows without approval.',
    held,
    ...(app.removal_guard === null ? {} : { guard: app.removal_guard }),
  },
});

/** A session of another client was discarded again and again (D21). `superseded` is the newest one. */
export const sessionsSuperseded = (
  app: App,
  superseded: string,
  { client_type, client_id, client_name, by_type, by_id, by_name, superseded_by }: ClientsRow,
  { count, since }: Discards,
): NewEvent => ({
  type: 'app.sync.superseded',
  ...about(app, superseded),
  payload: {
    ...named(app, superseded),
    superseded_by,
    client: { type: client_type, id: client_id, name: client_name },
    superseded_by_client: { type: by_type, id: by_id, name: by_name },
    count,
    since,
  },
});

/** An administrator's decision about held removals. */
export const heldDecided = (
  type: 'removal_guard.approved' | 'removal_guard.rejected',
  app: App,
  sessionId: string,
  held: Held,
  { actor, source }: RequestCause,
): NewEvent => ({
  type,
  actor,
  subject: { type: 'app', uuid: app.id },
  source,
  payload: { ...named(app, sessionId), held },
});

/** An administrator's revert of a session. */
export const sessionReverted = (
  app: App,
  reverted: { sync_id: string; counts: RevertCounts & { tasks: number }; conflicts: { count: number } },
  { cause, reason }: { cause: RequestCause; reason: string | null },
): NewEvent => ({
  type: 'sync.reverted',
  actor: cause.actor,
  subject: { type: 'app', uuid: app.id },
  source: cause.source,
  payload: {
    ...named(app, reverted.sync_id),
    reason,
    accounts: reverted.counts.accounts,
    memberships: reverted.counts.memberships,
    conflicts: reverted.conflicts.count,
    canceled_tasks: reverted.counts.tasks,
  },
});

const about = (app: App, sessionId: string) => ({
  actor: SYSTEM,
  subject: { type: 'app' as const, uuid: app.id },
  source: { type: 'sync' as const, uuid: sessionId },
});

const named = (app: App, sessionId: string) => ({ app_id: app.id, app_name: app.name, sync_id: sessionId });
