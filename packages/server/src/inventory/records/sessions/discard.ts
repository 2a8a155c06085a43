import type { App } from '#inventory/apps/app.ts';
import { lockApp } from '#inventory/apps/facts.ts';
import { type Db, type OrgDb, type OrgTx, transaction, within } from '#kit/database.ts';
import { recordEvents } from '#log/events/record.ts';
import { sessionDiscarded } from './events.ts';
import { discardPages, progressOf } from './queries/pages.ts';
import { appOfSession, forgottenSessions, lockSession } from './queries/sessions.ts';
import { setFinished, setProgress } from './queries/transitions.ts';

/** Deletes the pages of a session that will not be published. Its view still shows the progress. */
export async function discardSession(tx: OrgTx, sessionId: string): Promise<void> {
  await setProgress(tx, sessionId, await progressOf(tx, sessionId));
  await discardPages(tx, sessionId);
}

/** Ends a session in progress without publishing it. Does nothing if it has ended, or is completing. */
export async function cancelSession(
  db: OrgDb,
  app: App,
  sessionId: string,
  { reason, message }: { reason: 'cancelled' | 'discarded'; message: string },
): Promise<void> {
  await transaction(db, async (tx) => {
    await lockApp(tx, app.id);
    const session = await lockSession(tx, sessionId);
    if (session?.status !== 'in_progress') return;
    await setFinished(tx, sessionId, 'abandoned');
    await discardSession(tx, sessionId);
    await recordEvents(tx, [sessionDiscarded(app, sessionId, reason, { message })]);
  });
}

/** Discards sessions in progress that have received no page for 7 days (D21). */
export async function discardForgotten(db: Db): Promise<void> {
  for (const { org_id: orgId, id } of await forgottenSessions(db)) {
    await transaction(within(db, orgId), async (tx) => {
      const app = await lockApp(tx, await appOfSession(tx, id));
      const session = await lockSession(tx, id);
      if (session?.status !== 'in_progress') return;
      await setFinished(tx, id, 'abandoned');
      await discardSession(tx, id);
      if (app === undefined) return;
      const message = 'No page was pushed for 7 days. The pushed pages were discarded.';
      await recordEvents(tx, [sessionDiscarded(app, id, 'forgotten', { message })]);
    });
  }
}
