import { recordEvents } from '../events/record.ts';
import type { RequestCause } from '../identity/cause.ts';
import { recordSyncLosses } from '../inventory/budget/budget.ts';
import type { Db } from '../platform/database/open.ts';
import { discardSession } from './discard.ts';
import { cleanupFailed, heldDecided } from './events.ts';
import { setFailed } from './queries/transitions.ts';
import { runStep } from './step.ts';

/**
 * Ends a completing session with the error CLEANUP_FAILED. Published records stay, nothing more is removed. With
 * `onlyHeld` or `rejectedBy`, the cause of a rejection of held removals, a session that no longer waits for approval is
 * left alone.
 */
export async function failSession(
  db: Db,
  orgId: string,
  sessionId: string,
  message: string,
  { onlyHeld = false, rejectedBy }: { onlyHeld?: boolean; rejectedBy?: RequestCause } = {},
): Promise<void> {
  await runStep(db, orgId, sessionId, async (tx, app, session) => {
    const { held } = session;
    if ((onlyHeld || rejectedBy !== undefined) && held === null) return;
    await setFailed(tx, orgId, sessionId, message, rejectedBy?.actor.uuid ?? undefined);
    const dropped = session.membership_counts?.removed ?? 0;
    await recordSyncLosses(
      tx,
      { orgId, appId: app.id, sessionId },
      { accounts: 0, memberships: dropped },
      true,
    );
    if (session.published_at === null) await discardSession(tx, orgId, sessionId);
    const rejected =
      rejectedBy === undefined || held === null
        ? []
        : [heldDecided('removal_guard.rejected', app, sessionId, held, rejectedBy)];
    await recordEvents(tx, orgId, [...rejected, cleanupFailed(app, sessionId, message)]);
  });
}
