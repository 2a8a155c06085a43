import { recordEvents } from '../events/record.ts';
import type { Db } from '../platform/database/open.ts';
import { discardSession } from './discard.ts';
import { cleanupFailed } from './events.ts';
import { setFailed } from './queries/transitions.ts';
import { runStep } from './step.ts';

/**
 * Ends a completing session with the error CLEANUP_FAILED. Published records stay, nothing more is removed. With
 * `onlyHeld`, a session that no longer waits for approval is left alone. `rejectedBy` is the person who rejected its
 * held removals.
 */
export async function failSession(
  db: Db,
  orgId: string,
  sessionId: string,
  message: string,
  { onlyHeld = false, rejectedBy }: { onlyHeld?: boolean; rejectedBy?: string } = {},
): Promise<void> {
  await runStep(db, orgId, sessionId, async (tx, app, session) => {
    if (onlyHeld && session.held === null) return;
    await setFailed(tx, orgId, sessionId, message, rejectedBy);
    if (session.published_at === null) await discardSession(tx, orgId, sessionId);
    await recordEvents(tx, orgId, [cleanupFailed(app, sessionId, message)]);
  });
}
