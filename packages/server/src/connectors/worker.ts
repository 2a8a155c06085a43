import { setTimeout as sleep } from 'node:timers/promises';
import { deleteRunKeys, revokeRunKeys } from '../access/run-keys.ts';
import type { Db } from '../platform/database/open.ts';
import { transaction } from '../platform/database/transaction.ts';
import type { Jobs } from '../platform/jobs/jobs.ts';
import * as queries from './queries/running.ts';
import { insertRun } from './queries/runs.ts';
import { carryOut, queueAgain, type RunnerTools } from './run.ts';
import { nextSync } from './schedule.ts';

const EVERY_MS = 1000;
const RETENTION_DAYS = 30;
const BATCH = 1000;

/**
 * Queues the runs that are due, takes over those of dead nodes, and carries out queued ones, at most `most` at once, until it
 * is stopped. Any number of nodes may do so.
 */
export function startConnectors(tools: RunnerTools, most: number): { stop(): Promise<void> } {
  const { db, logger } = tools;
  const stopping = new AbortController();
  const { signal } = stopping;
  const running = new Map<string, Promise<void>>();
  const begin = (queued: queries.QueuedRun) => {
    const ended = carryOut(tools, queued, signal)
      .catch((error: unknown) => {
        logger.error({ err: error, run: queued.id }, 'a run of a connector could not be ended');
      })
      .finally(() => running.delete(queued.id));
    running.set(queued.id, ended);
  };
  const round = async () => {
    await takeOver(db);
    await queueDue(db);
    if (running.size >= most) return;
    for (const queued of await queries.queuedRuns(db))
      if (running.size < most && !running.has(queued.id) && !signal.aborted) begin(queued);
  };
  const loop = async () => {
    while (!signal.aborted) {
      await round().catch((error: unknown) => {
        logger.error({ err: error }, 'the runs of connectors could not be read');
      });
      // An abort ends the wait with a rejection, and the loop with it.
      await sleep(EVERY_MS, undefined, { signal }).catch(() => undefined);
    }
  };
  const looping = loop();
  return {
    stop: async () => {
      stopping.abort();
      await looping;
      await Promise.all(running.values());
    },
  };
}

/** Queues the syncs and task batches that are due. Nodes that race for one queue it once. */
export async function queueDue(db: Db): Promise<void> {
  for (const { org_id: orgId, app_id: appId } of await queries.dueSyncs(db))
    await transaction(db, async (tx) => {
      const schedule = await queries.lockDue(tx, orgId, appId);
      if (schedule === undefined) return;
      await insertRun(tx, orgId, appId, 'sync', null);
      await queries.setNextSync(tx, orgId, appId, nextSync(schedule, new Date()));
    });
  for (const { org_id: orgId, app_id: appId } of await queries.dueTasks(db))
    await transaction(db, (tx) => insertRun(tx, orgId, appId, 'tasks', null));
}

/** Ends the runs of dead nodes with their keys, and queues those again that change something. */
export async function takeOver(db: Db): Promise<void> {
  for (const orgId of await queries.organizationsWithLostRuns(db))
    await transaction(db, async (tx) => {
      const lost = await queries.markLost(
        tx,
        orgId,
        'The node that ran this has died. Gatehouse queues such a run again, unless three in a row were lost.',
      );
      await revokeRunKeys(
        tx,
        orgId,
        lost.flatMap(({ key_id }) => (key_id === null ? [] : [key_id])),
      );
      for (const { app_id, kind, requested_by, cancelled } of lost)
        if (!cancelled) await queueAgain(tx, { org_id: orgId, app_id, kind }, requested_by);
    });
}

export function defineConnectorJobs(db: Db, jobs: Jobs): void {
  jobs.define({
    name: 'connectors.forget-runs',
    attempts: 5,
    cron: '41 3 * * *',
    work: () => forgetOldRuns(db),
  });
}

/** Deletes runs that ended more than 30 days ago, with their keys. */
async function forgetOldRuns(db: Db): Promise<void> {
  for (const orgId of await queries.organizationsWithOldRuns(db, RETENTION_DAYS)) {
    for (let deleted = BATCH; deleted === BATCH; )
      deleted = await transaction(db, async (tx) => {
        const ids = await queries.deleteOldRuns(tx, orgId, RETENTION_DAYS, BATCH);
        await deleteRunKeys(tx, orgId, ids);
        return ids.length;
      });
  }
}
