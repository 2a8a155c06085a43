import { type App, lockApp } from '../apps/apps.ts';
import type { Db, Tx } from '../platform/database/open.ts';
import { transaction } from '../platform/database/transaction.ts';
import { appOfSession, lockSession } from './queries/sessions.ts';
import type { Session } from './session.ts';

/** Runs `work` under the locks of the app and the session. Does nothing if the session is no longer completing. */
export function runStep(
  db: Db,
  orgId: string,
  sessionId: string,
  work: (tx: Tx, app: App, session: Session) => Promise<void>,
): Promise<void> {
  return transaction(db, async (tx) => {
    const app = await lockApp(tx, orgId, await appOfSession(tx, orgId, sessionId));
    const session = await lockSession(tx, orgId, sessionId);
    if (app === undefined || session?.status !== 'completing') return;
    await work(tx, app, session);
  });
}
