import { type App, lockApp } from '../apps/apps.ts';
import { recordEvents } from '../events/record.ts';
import type { Db, Tx } from '../platform/database/open.ts';
import { transaction } from '../platform/database/transaction.ts';
import { sessionDiscarded } from './events.ts';
import { discardPages, progressOf } from './queries/pages.ts';
import { appOfSession, forgottenSessions, lockSession } from './queries/sessions.ts';
import { setFinished, setProgress } from './queries/transitions.ts';

/** Deletes the pages of a session that will not be published. Its view still shows the progress. */
export async function discardSession(tx: Tx, orgId: string, sessionId: string): Promise<void> {
  await setProgress(tx, orgId, sessionId, await progressOf(tx, orgId, sessionId));
  await discardPages(tx, orgId, sessionId);
}

/** Ends a session in progress without publishing it. Does nothing if it has ended, or is completing. */
export async function cancelSession(
  db: Db,
  orgId: string,
  app: App,
  sessionId: string,
  message: string,
): Promise<void> {
  await transaction(db, async (tx) => {
    await lockApp(tx, orgId, app.id);
    const session = await lockSession(tx, orgId, sessionId);
    if (session?.status !== 'in_progress') return;
    await setFinished(tx, orgId, sessionId, 'abandoned');
    await discardSession(tx, orgId, sessionId);
    await recordEvents(tx, orgId, [sessionDiscarded(app, sessionId, 'cancelled', { message })]);
  });
}

/** Discards sessions in progress that have received no page for 7 days (D21). */
export async function discardForgotten(db: Db): Promise<void> {
  for (const { org_id: orgId, id } of await forgottenSessions(db)) {
    await transaction(db, async (tx) => {
      const app = await lockApp(tx, orgId, await appOfSession(tx, orgId, id));
      const session = await lockSession(tx, orgId, id);
      if (session?.status !== 'in_progress') return;
      await setFinished(tx, orgId, id, 'abandoned');
      await discardSession(tx, orgId, id);
      if (app === undefined) return;
      const message = 'No page was pushed for 7 days. The pushed pages were discarded.';
      await recordEvents(tx, orgId, [sessionDiscarded(app, id, 'forgotten', { message })]);
    });
  }
}
