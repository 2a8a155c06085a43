import type { App } from '../apps/apps.ts';
import { type NewEvent, recordEvents } from '../events/record.ts';
import type { RequestCause } from '../identity/cause.ts';
import type { Db, Tx } from '../platform/database/open.ts';
import { transaction } from '../platform/database/transaction.ts';
import { discardSession } from './discard.ts';
import { sessionDiscarded, sessionStarted } from './events.ts';
import { cancelOpenSession, insertSession, setSupersededBy } from './queries/transitions.ts';

/** Starts a session. A session of the app that is still in progress is cancelled and its pages are discarded. */
export async function startSession(db: Db, orgId: string, app: App, cause: RequestCause): Promise<string> {
  return transaction(db, async (tx) => {
    const { id, superseded } = await replaceOpenSession(tx, orgId, app.id);
    const events: NewEvent[] = [];
    if (superseded !== undefined) {
      await setSupersededBy(tx, orgId, superseded, id);
      await discardSession(tx, orgId, superseded);
      const message = 'A newer session was started.';
      events.push(sessionDiscarded(app, superseded, 'superseded', { superseded_by: id, message }));
    }
    await recordEvents(tx, orgId, [...events, sessionStarted(app, id, cause)]);
    return id;
  });
}

/**
 * Cancels the open session and inserts a new one. The unique index on open sessions decides between starts that run
 * at once: each waits for the one before it and then cancels its session.
 */
async function replaceOpenSession(
  tx: Tx,
  orgId: string,
  appId: string,
): Promise<{ id: string; superseded: string | undefined }> {
  for (;;) {
    const superseded = await cancelOpenSession(tx, orgId, appId);
    const id = await insertSession(tx, orgId, appId);
    if (id !== undefined) return { id, superseded };
  }
}
