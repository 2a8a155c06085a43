import type { App } from '#inventory/apps/app.ts';
import type { Unseen } from '#inventory/apps/unseen.ts';
import { transaction } from '#kit/database.ts';
import { notFound } from '#kit/errors.ts';
import type { Call } from '#kit/identity.ts';
import type { Jobs } from '#kit/jobs/jobs.ts';
import { requireInProgress } from '../sessions/clients.ts';
import { sessionOf } from '../sessions/find.ts';
import { progressOf } from '../sessions/queries/pages.ts';
import { lockSession } from '../sessions/queries/sessions.ts';
import { setCompleting, setProgress } from '../sessions/queries/transitions.ts';
import { setReport } from '../sessions/queries/unseen.ts';
import { FINISH_JOB } from '../sessions/session.ts';
import { countsOf, requireValidReport } from '../sessions/unseen.ts';
import { type SessionView, sessionViewOf } from '../sessions/view.ts';

/**
 * Accepts the completion of a session, with what its connector could not see (D81). A job publishes it and cleans up. Repeating the call
 * changes nothing (D20). Throws 400 if the report does not fit the app.
 */
export async function completeSession(
  jobs: Jobs,
  call: Call,
  app: App,
  sessionId: string,
  report: Unseen[] | null = null,
): Promise<SessionView> {
  await sessionOf(call, app.id, sessionId);
  await transaction(call, async (tx) => {
    const session = await lockSession(tx, sessionId);
    if (session === undefined) throw notFound('Sync session');
    if (session.status === 'completing' || session.status === 'completed') return;
    // Counted once: clients poll the session until it has completed.
    const progress = await progressOf(tx, sessionId);
    if (report !== null) requireValidReport(report, progress);
    await requireInProgress(tx, session, call.principal);
    await setCompleting(tx, sessionId);
    await setProgress(tx, sessionId, progress);
    if (report !== null) await setReport(tx, sessionId, report, countsOf(report));
    await jobs.send(tx.db, FINISH_JOB, { orgId: call.orgId, sessionId }, { key: sessionId });
  });
  return sessionViewOf(call, app.id, sessionId);
}
