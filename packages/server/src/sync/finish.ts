import { markSynced } from '../apps/apps.ts';
import { recordEvents } from '../events/record.ts';
import { recordSyncLosses } from '../inventory/budget/budget.ts';
import { completePublication } from '../inventory/history/change.ts';
import { withRelations } from '../inventory/publication/relation.ts';
import { refreshStatistics } from '../inventory/publication/statistics.ts';
import type { Db } from '../platform/database/open.ts';
import type { Attempt } from '../platform/jobs/jobs.ts';
import { removalHeld, sessionCompleted } from './events.ts';
import { failSession } from './fail.ts';
import { recordRemovals } from './publish/events.ts';
import { publish } from './publish/publish.ts';
import { carryOutPlan } from './publish/removal.ts';
import { createdBy, earlierCompleting } from './queries/sessions.ts';
import { setCounts, setFinished } from './queries/transitions.ts';
import type { SessionTools } from './session.ts';
import { runStep } from './step.ts';

/**
 * The work that follows the 202 of a completion: publish, then remove stale records. Each step is one transaction
 * that marks its result on the session. Any process can therefore repeat it after a crash, and it happens once.
 */

/**
 * Runs the job once. A failure is thrown, so that the job is retried. After the last attempt, the session that failed
 * ends in error instead (D22).
 */
export async function finishSession(
  tools: SessionTools,
  orgId: string,
  sessionId: string,
  attempt: Attempt,
): Promise<void> {
  await failHeld(tools.db, orgId, sessionId);
  for (const id of [...(await earlierUnfinished(tools.db, orgId, sessionId)), sessionId]) {
    try {
      await finish(tools, orgId, id);
    } catch (error) {
      if (!attempt.last) throw error;
      const reason = error instanceof Error ? error.message : String(error);
      const message = `Cleanup failed ${attempt.number} times; the last failure: ${reason}`;
      await failSession(tools.db, orgId, id, message);
    }
  }
}

/**
 * Finishes the earlier completing sessions of the app, so that they cannot overwrite the records of this one (D21).
 * Sessions that wait for approval keep waiting.
 */
export async function finishEarlier(tools: SessionTools, orgId: string, sessionId: string): Promise<void> {
  for (const id of await earlierUnfinished(tools.db, orgId, sessionId)) await finish(tools, orgId, id);
}

/** Returns the earlier completing sessions that do not wait for approval, oldest first. */
async function earlierUnfinished(db: Db, orgId: string, sessionId: string): Promise<string[]> {
  const earlier = await earlierCompleting(db, orgId, sessionId);
  return earlier.filter(({ held }) => held === null).map(({ id }) => id);
}

/** Fails earlier sessions that wait for approval: a newer completion makes their plans obsolete (D24a). */
async function failHeld(db: Db, orgId: string, sessionId: string): Promise<void> {
  const message =
    'A newer session was completed while the removals were held for approval. Nothing was removed.';
  for (const { id, held } of await earlierCompleting(db, orgId, sessionId)) {
    if (held !== null) await failSession(db, orgId, id, message, { onlyHeld: true });
  }
}

async function finish(tools: SessionTools, orgId: string, sessionId: string): Promise<void> {
  await publishCompleted(tools, orgId, sessionId);
  await refreshStatistics(tools.db, await createdBy(tools.db, orgId, sessionId));
  await cleanUp(tools, orgId, sessionId);
}

const publishCompleted = ({ db, onNoLongerAwaited }: SessionTools, orgId: string, sessionId: string) =>
  runStep(db, orgId, sessionId, async (tx, app, session) => {
    if (session.published_at !== null) return;
    const { held } = await publish(tx, orgId, app, session, 'complete', onNoLongerAwaited);
    if (held !== null) await recordEvents(tx, orgId, [removalHeld(app, sessionId, held)]);
  });

const cleanUp = ({ db, onNoLongerAwaited }: SessionTools, orgId: string, sessionId: string) =>
  runStep(db, orgId, sessionId, async (tx, app, session) => {
    if (session.held !== null || session.counts === null || session.membership_counts === null) return;
    const { counts: published, membership_counts: before } = session;
    await withRelations(tx, { orgId, appId: app.id, sessionId }, async (scope) => {
      const removed = await carryOutPlan(tx, scope, app);
      const counts = { ...published, removed: removed.records };
      const memberships = { ...before, removed: before.removed + removed.memberships };
      await recordSyncLosses(
        tx,
        scope,
        { accounts: removed.accounts, memberships: memberships.removed },
        true,
      );
      await setCounts(tx, orgId, sessionId, counts, memberships);
      await setFinished(tx, orgId, sessionId, 'completed');
      await completePublication(tx, orgId, sessionId);
      if (removed.neverKnown.length > 0) await onNoLongerAwaited(tx, orgId, removed.neverKnown);
      const connected = await markSynced(tx, orgId, app, { type: 'sync', uuid: sessionId });
      await recordRemovals(tx, scope, app, removed);
      await recordEvents(tx, orgId, [...connected, sessionCompleted(app, session, { counts, memberships })]);
    });
  });
