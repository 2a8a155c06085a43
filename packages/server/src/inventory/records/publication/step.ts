import type { App } from '#inventory/apps/app.ts';
import { lockApp } from '#inventory/apps/facts.ts';
import { type OrgDb, type OrgTx, transaction } from '#kit/database.ts';
import { appOfSession, lockSession } from '../sessions/queries/sessions.ts';
import type { Session } from '../sessions/session.ts';

/** Runs `work` under the locks of the app and the session. Does nothing if the session is no longer completing. */
export function runStep(
  db: OrgDb,
  sessionId: string,
  work: (tx: OrgTx, app: App, session: Session) => Promise<void>,
): Promise<void> {
  return transaction(db, async (tx) => {
    const app = await lockApp(tx, await appOfSession(tx, sessionId));
    const session = await lockSession(tx, sessionId);
    if (app === undefined || session?.status !== 'completing') return;
    await work(tx, app, session);
  });
}
