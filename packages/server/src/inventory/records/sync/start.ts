import type { OrgDb, OrgTx } from '../../../kit/database/organization.ts';
import { transaction } from '../../../kit/database/transaction.ts';
import type { RequestCause } from '../../../kit/identity/cause.ts';
import { type NewEvent, recordEvents } from '../../../log/events/record.ts';
import type { App } from '../../apps/app.ts';
import { discardSession } from './discard.ts';
import { sessionDiscarded, sessionStarted } from './events.ts';
import { cancelOpenSession, insertSession, setSupersededBy } from './queries/transitions.ts';

/** Starts a session. A session of the app that is still in progress is canceled and its pages are discarded. */
export async function startSession(
  db: OrgDb,
  app: App,
  cause: RequestCause,
  runId: string | null = null,
): Promise<string> {
  return transaction(db, async (tx) => {
    const { id, superseded } = await replaceOpenSession(tx, app.id, runId);
    const events: NewEvent[] = [];
    if (superseded !== undefined) {
      await setSupersededBy(tx, superseded, id);
      await discardSession(tx, superseded);
      const message = 'A newer session was started.';
      events.push(sessionDiscarded(app, superseded, 'superseded', { superseded_by: id, message }));
    }
    await recordEvents(tx, [...events, sessionStarted(app, id, cause)]);
    return id;
  });
}

/**
 * Cancels the open session and inserts a new one. The unique index on open sessions decides between starts that run at the
 * same time: each waits for the one before it and then cancels its session.
 */
async function replaceOpenSession(
  tx: OrgTx,
  appId: string,
  runId: string | null,
): Promise<{ id: string; superseded: string | undefined }> {
  for (;;) {
    const superseded = await cancelOpenSession(tx, appId);
    const id = await insertSession(tx, appId, runId);
    if (id !== undefined) return { id, superseded };
  }
}
