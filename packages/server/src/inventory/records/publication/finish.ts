import { markSynced } from '#inventory/apps/apps.ts';
import type { Db, OrgDb } from '#kit/database.ts';
import type { Attempt } from '#kit/jobs/jobs.ts';
import { recordEvents } from '#log/events/record.ts';
import { noLongerAwaited } from '../accounts/awaited.ts';
import { recordSyncLosses } from '../budget/queries/losses.ts';
import { completePublication } from '../history/change.ts';
import { failureSentences } from '../sentences.ts';
import { removalHeld, sessionCompleted } from '../sessions/events.ts';
import { earlierCompleting, writtenBy } from '../sessions/queries/sessions.ts';
import { setCounts, setFinished } from '../sessions/queries/transitions.ts';
import { afterPublication, bySync } from '../sessions/session.ts';
import { adoptCandidates } from './candidates.ts';
import { lossesByStatus, withMore } from './ended.ts';
import { recordRemovals } from './events.ts';
import { failSession } from './fail.ts';
import { publish } from './publish.ts';
import { hasPlan } from './queries/plan.ts';
import { withRelations } from './queries/relations.ts';
import { analyzeInventory, knownAccounts, sortTexts } from './queries/statistics.ts';
import { carryOutPlan } from './stale.ts';
import { runStep } from './step.ts';

/**
 * The work that follows the 202 of a completion: publish, then remove stale records. Each step is one transaction
 * that marks its result on the session. Any process can therefore repeat it after a crash, and it happens once.
 */

/**
 * Runs the job once. A failure is thrown, so that the job is retried. After the last attempt, the session that failed
 * ends in error instead (D22).
 */
export async function finishSession(org: OrgDb, sessionId: string, attempt: Attempt): Promise<void> {
  await failHeld(org, sessionId);
  for (const id of [...(await earlierUnfinished(org, sessionId)), sessionId]) {
    try {
      await finish(org, id);
    } catch (error) {
      if (!attempt.last) throw error;
      const reason = error instanceof Error ? error.message : String(error);
      await failSession(org, id, failureSentences.sync_cleanup_failed({ count: attempt.number, reason }));
    }
  }
}

/**
 * Finishes the earlier completing sessions of the app, so that they cannot overwrite the records of this one (D21).
 * Sessions that wait for approval keep waiting.
 */
export async function finishEarlier(org: OrgDb, sessionId: string): Promise<void> {
  for (const id of await earlierUnfinished(org, sessionId)) await finish(org, id);
}

/** Returns the earlier completing sessions that do not wait for approval, oldest first. */
async function earlierUnfinished(db: OrgDb, sessionId: string): Promise<string[]> {
  const earlier = await earlierCompleting(db, sessionId);
  return earlier.filter(({ held }) => held === null).map(({ id }) => id);
}

/** Fails earlier sessions that wait for approval: a newer completion makes their plans obsolete (D24a). */
async function failHeld(db: OrgDb, sessionId: string): Promise<void> {
  const why = failureSentences.sync_removals_obsolete();
  for (const { id, held } of await earlierCompleting(db, sessionId)) {
    if (held !== null) await failSession(db, id, why, { onlyHeld: true });
  }
}

async function finish(org: OrgDb, sessionId: string): Promise<void> {
  await publishCompleted(org, sessionId);
  const written = await writtenBy(org, sessionId);
  // A removal needs them. Without one, the session does not wait for them.
  const removes = await hasPlan(org, sessionId);
  if (removes) await refreshStatistics(org.db, written);
  await cleanUp(org, sessionId);
  if (!removes) await refreshStatistics(org.db, written);
}

const publishCompleted = (org: OrgDb, sessionId: string) =>
  runStep(org, sessionId, async (tx, app, session) => {
    if (session.published_at !== null) return;
    const { held } = await publish(tx, app, session, 'complete');
    if (held !== null) await recordEvents(tx, [removalHeld(app, sessionId, held)]);
  });

const cleanUp = (org: OrgDb, sessionId: string) =>
  runStep(org, sessionId, async (tx, app, session) => {
    if (session.held !== null || session.counts === null || session.membership_counts === null) return;
    const { counts: published, membership_counts: before } = session;
    await withRelations(tx, { orgId: org.orgId, appId: app.id, sessionId }, async (scope) => {
      const removed = await carryOutPlan(tx, scope, app);
      const counts = { ...published, removed: removed.records };
      const memberships = { ...before, removed: before.removed + removed.memberships };
      const statuses = withMore(session.status_counts, removed.ended);
      const byStatus = lossesByStatus(statuses);
      await recordSyncLosses(
        tx,
        scope,
        {
          accounts: removed.accounts + byStatus.accounts,
          suspended: byStatus.suspended,
          memberships: memberships.removed,
        },
        true,
      );
      await setCounts(tx, sessionId, counts, memberships, statuses);
      await setFinished(tx, sessionId, 'completed');
      await completePublication(tx, sessionId);
      await noLongerAwaited(tx, removed.neverKnown);
      const correlated = await adoptCandidates(tx, scope, app);
      const isChanged =
        removed.records + removed.memberships + removed.ended.suspended + removed.ended.inactive > 0;
      const changedBy = isChanged || correlated.adopted > 0 ? sessionId : null;
      const others = await afterPublication(tx, app.id, bySync(sessionId), changedBy);
      const connected = await markSynced(tx, app, { type: 'sync', uuid: sessionId });
      await recordRemovals(tx, scope, app, removed);
      await recordEvents(tx, [
        ...connected,
        ...correlated.events,
        ...others,
        sessionCompleted(app, session, { counts, memberships }),
      ]);
    });
  });

/** A smaller publication does not change what the planner should do. */
const LARGE = 1000;
/** Nor does one that adds less than this part to the accounts of all organizations. */
const PART = 0.1;

/**
 * Collects the planner's statistics after a large publication. Without them, the planner would look up pushed ids
 * through the wrong index. Sorts the texts into their index as well, so that searches are fast. Autovacuum would do the same
 * a minute later, but PGlite has none.
 */
export async function refreshStatistics(
  db: Db,
  { created, updated }: { created: number; updated: number },
): Promise<void> {
  if (created + updated >= LARGE) await sortTexts(db);
  if (created >= LARGE && created >= PART * (await knownAccounts(db))) await analyzeInventory(db);
}
