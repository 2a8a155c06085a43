import type { App } from '../apps/apps.ts';
import { transaction } from '../platform/database/transaction.ts';
import { notFound } from '../platform/errors.ts';
import { progressOf } from './queries/pages.ts';
import { lockSession } from './queries/sessions.ts';
import { setCompleting, setProgress } from './queries/transitions.ts';
import { FINISH_JOB, requireInProgress, type SendingTools, sessionOf } from './session.ts';
import { type SessionView, sessionViewOf } from './view.ts';

/** Accepts the completion of a session. A job publishes it and cleans up. Repeating the call changes nothing (D20). */
export async function completeSession(
  { db, jobs }: SendingTools,
  orgId: string,
  app: App,
  sessionId: string,
): Promise<SessionView> {
  await sessionOf(db, orgId, app.id, sessionId);
  await transaction(db, async (tx) => {
    const session = await lockSession(tx, orgId, sessionId);
    if (session === undefined) throw notFound('Sync session');
    if (session.status === 'completing' || session.status === 'completed') return;
    requireInProgress(session);
    await setCompleting(tx, orgId, sessionId);
    // Counted once: clients poll the session until it has completed.
    await setProgress(tx, orgId, sessionId, await progressOf(tx, orgId, sessionId));
    await jobs.send(tx, FINISH_JOB, { orgId, sessionId }, { key: sessionId });
  });
  return sessionViewOf(db, orgId, app.id, sessionId);
}
