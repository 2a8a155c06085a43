import { sql } from 'kysely';
import { type App, lockApp, markSynced } from '../apps/apps.ts';
import { type NewEvent, recordEvents, recordEventsFrom } from '../events/record.ts';
import { accountEventsFrom, groupEventsFrom } from '../inventory/change-events.ts';
import type { Db, Tx } from '../platform/database/open.ts';
import { transaction } from '../platform/database/transaction.ts';
import type { Attempt } from '../platform/jobs/jobs.ts';
import { carryOutPlan } from './cleanup-queries.ts';
import { publish } from './publish.ts';
import { refreshStatistics } from './publish-queries.ts';
import type { Session } from './queries.ts';
import * as queries from './queries.ts';

/**
 * What happens after complete's 202: publish, then remove what is stale. Each step is one transaction that leaves
 * its mark on the session, so that it can be run again by anyone after a crash and happens once.
 */

/**
 * One run of the job. After the last one that fails, the session that it failed on is in error, and what was
 * published stays (D22).
 */
export async function finishSession(
  db: Db,
  orgId: string,
  sessionId: string,
  attempt: Attempt,
): Promise<void> {
  await refuseHeld(db, orgId, sessionId);
  for (const id of [...(await earlierUnfinished(db, orgId, sessionId)), sessionId]) {
    try {
      await finish(db, orgId, id);
    } catch (error) {
      if (!attempt.last) throw error;
      const message = `Cleanup failed ${attempt.number} times; the last failure: ${sentence(error)}`;
      await fail(db, orgId, id, message);
    }
  }
}

/**
 * Brings the earlier completing sessions of the app to their end (D21): a newer session's data must not be
 * overwritten by theirs. One that waits for approval goes on waiting.
 */
export async function settleEarlier(db: Db, orgId: string, sessionId: string): Promise<void> {
  for (const id of await earlierUnfinished(db, orgId, sessionId)) await finish(db, orgId, id);
}

/** Oldest first. */
async function earlierUnfinished(db: Db, orgId: string, sessionId: string): Promise<string[]> {
  const earlier = await queries.earlierCompleting(db, orgId, sessionId);
  return earlier.filter(({ held }) => held === null).map(({ id }) => id);
}

/** An earlier completion that waits for approval is out of date once a newer one is here (D24a). */
async function refuseHeld(db: Db, orgId: string, sessionId: string): Promise<void> {
  const message =
    'Its removals were held for approval when a newer session was completed; they were not made.';
  for (const { id, held } of await queries.earlierCompleting(db, orgId, sessionId)) {
    if (held !== null) await fail(db, orgId, id, message, { onlyHeld: true });
  }
}

async function finish(db: Db, orgId: string, sessionId: string): Promise<void> {
  await step(db, orgId, sessionId, publishStep);
  await refreshStatistics(db, await queries.createdBy(db, orgId, sessionId));
  await step(db, orgId, sessionId, cleanupStep);
}

/**
 * Ends a completing session in error, CLEANUP_FAILED (contract 7.3). `onlyHeld`: unless it has stopped waiting for
 * approval meanwhile.
 */
export async function fail(
  db: Db,
  orgId: string,
  sessionId: string,
  message: string,
  { onlyHeld = false } = {},
): Promise<void> {
  await step(db, orgId, sessionId, async (tx, app, session) => {
    if (onlyHeld && session.held === null) return;
    await queries.setFailed(tx, orgId, sessionId, message);
    if (session.published_at === null) {
      await queries.keepProgress(tx, orgId, sessionId, await queries.progressOf(tx, orgId, sessionId));
      await queries.discardStaged(tx, orgId, sessionId);
    }
    await recordEvents(tx, orgId, [
      {
        type: 'app.sync.failed',
        ...about(app, session),
        payload: { ...named(app, session), reason: 'cleanup_failed', error_code: 'CLEANUP_FAILED', message },
      },
    ]);
  });
}

type Step = (tx: Tx, app: App, session: Session, orgId: string) => Promise<void>;

/** Runs `work` under the locks of the app and the session, if the session is still completing. */
function step(db: Db, orgId: string, sessionId: string, work: Step): Promise<void> {
  return transaction(db, async (tx) => {
    const app = await lockApp(tx, orgId, await queries.appOfSession(tx, orgId, sessionId));
    const session = await queries.lockSession(tx, orgId, sessionId);
    if (app === undefined || session?.status !== 'completing') return;
    await work(tx, app, session, orgId);
  });
}

const publishStep: Step = async (tx, app, session, orgId) => {
  if (session.published_at !== null) return;
  const { held } = await publish(tx, orgId, app, session.id, 'complete');
  if (held === null) return;
  await recordEvents(tx, orgId, [
    {
      type: 'app.sync.paused',
      ...about(app, session),
      payload: {
        ...named(app, session),
        reason: 'The sync would remove more than the app allows without approval.',
        held,
        ...(app.removal_guard === null ? {} : { guard: app.removal_guard }),
      },
    },
  ]);
};

const cleanupStep: Step = async (tx, app, session, orgId) => {
  if (session.held !== null || session.counts === null || session.membership_counts === null) return;
  const scope = { orgId, appId: app.id, sessionId: session.id };
  const removed = await carryOutPlan(tx, scope);
  const counts = { ...session.counts, removed: removed.records };
  const memberships = {
    ...session.membership_counts,
    removed: session.membership_counts.removed + removed.memberships,
  };
  await queries.setCounts(tx, orgId, session.id, counts, memberships);
  await queries.setFinished(tx, orgId, session.id, 'completed');
  const connected = await markSynced(tx, orgId, app, { type: 'sync', uuid: session.id });
  const baseline = app.last_synced_at === null;
  if (!baseline) {
    await recordEventsFrom(
      tx,
      orgId,
      sql.join(
        [
          accountEventsFrom(scope, sql`removed_account`),
          groupEventsFrom(scope, 'account.group.removed', sql`removed_membership`),
        ],
        sql` union all `,
      ),
    );
  }
  const completed: NewEvent = {
    type: 'app.sync.completed',
    ...about(app, session),
    payload: {
      ...named(app, session),
      outcome: 'completed',
      baseline,
      counts,
      membership_counts: memberships,
      started_at: session.started_at,
    },
  };
  await recordEvents(tx, orgId, [...connected, completed]);
};

const about = (app: App, session: Session) => ({
  actor: { type: 'system' as const, uuid: null },
  subject: { type: 'app' as const, uuid: app.id },
  source: { type: 'sync' as const, uuid: session.id },
});

const named = (app: App, session: Session) => ({ app_id: app.id, app_name: app.name, sync_id: session.id });

const sentence = (error: unknown) => (error instanceof Error ? error.message : String(error));
