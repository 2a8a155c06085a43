import type { OrgDb } from '#kit/database.ts';
import type { RequestCause } from '#kit/identity.ts';
import type { Sentence } from '#kit/sentences.ts';
import { recordEvents } from '#log/events/record.ts';
import { recordSyncLosses } from '../budget/queries/losses.ts';
import { discardSession } from '../sessions/discard.ts';
import { cleanupFailed, heldDecided } from '../sessions/events.ts';
import { setFailed } from '../sessions/queries/transitions.ts';
import { lossesByStatus } from './ended.ts';
import { runStep } from './step.ts';

/**
 * Ends a completing session with the error CLEANUP_FAILED. Published records stay, nothing more is removed. With
 * `onlyHeld` or `rejectedBy`, the cause of a rejection of held removals, a session that no longer waits for approval is
 * left alone.
 */
export async function failSession(
  db: OrgDb,
  sessionId: string,
  why: Sentence,
  { onlyHeld = false, rejectedBy }: { onlyHeld?: boolean; rejectedBy?: RequestCause } = {},
): Promise<void> {
  await runStep(db, sessionId, async (tx, app, session) => {
    const { held } = session;
    if ((onlyHeld || rejectedBy !== undefined) && held === null) return;
    await setFailed(tx, sessionId, why, rejectedBy?.actor.uuid ?? undefined);
    const dropped = session.membership_counts?.removed ?? 0;
    await recordSyncLosses(
      tx,
      { orgId: db.orgId, appId: app.id, sessionId },
      { ...lossesByStatus(session.status_counts), memberships: dropped },
      true,
    );
    if (session.published_at === null) await discardSession(tx, sessionId);
    const rejected =
      rejectedBy === undefined || held === null
        ? []
        : [heldDecided('removal_guard.rejected', app, sessionId, held, rejectedBy)];
    await recordEvents(tx, [...rejected, cleanupFailed(app, sessionId, why.text, rejectedBy?.actor.uuid)]);
  });
}
