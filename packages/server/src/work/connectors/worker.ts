import { deleteRunKeys, revokeRunKeys } from '#directory/access/run-keys.ts';
import { type Db, transaction, within } from '#kit/database.ts';
import type { Jobs } from '#kit/jobs/jobs.ts';
import { createLoop, type Loop } from '#kit/loops/loop.ts';
import { memory, shares } from '#kit/memory.ts';
import { sweepFolders } from './folders.ts';
import * as queries from './queries/running.ts';
import { insertRun } from './queries/runs.ts';
import { carryOut, queueAgain, type RunnerTools } from './run.ts';
import { nextSync } from './schedule.ts';
import { hasSlot, megabytesFor } from './slots.ts';

const SWEEP_MS = 3_600_000;
/** A connector that carries out tasks may run thousands of times a day. */
const RETENTION: queries.Retention = { days: 30, most: 1000 };
const BATCH = 1000;

/**
 * Queues the runs that are due, takes over those of dead nodes, and carries out queued ones, as long as there is memory. Any number of
 * nodes may do so.
 */
export function connectorLoop(tools: RunnerTools, most: number): Loop {
  const { db, logger } = tools;
  const attempt = (work: Promise<void>) =>
    work.catch((error: unknown) => {
      logger.error({ err: error }, 'the runs of connectors could not be read');
    });
  const runningApps = new Map<string, string>();
  let sweptAt: number | undefined;
  const sweep = async () => {
    if (performance.now() - (sweptAt ?? Number.NEGATIVE_INFINITY) < SWEEP_MS) return;
    sweptAt = performance.now();
    await sweepFolders(db, tools.folder, (appId) => [...runningApps.values()].includes(appId));
  };
  return createLoop<queries.QueuedRun>({
    name: 'connectors',
    db,
    logger,
    wokenBy: ['runs', 'tasks'],
    find: async () => {
      for (const step of [takeOver, queueDue, sweep]) await attempt(step(db));
      return most === 0 ? [] : queries.queuedRuns(db);
    },
    nextDue: () => queries.untilDueRun(db, most > 0),
    hasRoom: (queued, running) => hasSlot(queued, running, most) && memory.hasRoom(megabytesFor(queued)),
    work: async (queued, signal) => {
      runningApps.set(queued.id, queued.app_id);
      const giveBack = memory.take(shares().connector);
      try {
        return await carryOut(tools, queued, signal);
      } finally {
        giveBack();
        runningApps.delete(queued.id);
      }
    },
  });
}

/** Queues the syncs and task batches that are due. Nodes that race for one queue it once. */
export async function queueDue(db: Db): Promise<void> {
  await forEach(await queries.dueSyncs(db), ({ org_id: orgId, app_id: appId }) =>
    transaction(within(db, orgId), async (tx) => {
      const due = await queries.lockDue(tx, appId);
      if (due === undefined) return;
      await insertRun(tx, appId, 'sync', null);
      await queries.setNextSync(tx, appId, nextSync(due.schedule, due.now));
    }),
  );
  await forEach(await queries.dueTasks(db), ({ org_id: orgId, app_id: appId }) =>
    transaction(within(db, orgId), (tx) => insertRun(tx, appId, 'tasks', null)),
  );
}

/** Ends the runs of dead nodes with their keys, and queues them again. */
export async function takeOver(db: Db): Promise<void> {
  await forEach(await queries.organizationsWithLostRuns(db), (orgId) =>
    transaction(within(db, orgId), async (tx) => {
      const lost = await queries.markLost(
        tx,
        'The node that ran this has died. Gatehouse queues such a run again, unless three in a row were lost.',
      );
      await revokeRunKeys(
        tx,
        lost.flatMap(({ key_id }) => (key_id === null ? [] : [key_id])),
      );
      for (const { app_id, kind, requested_by, cancelled } of lost)
        if (!cancelled) await queueAgain(tx, { app_id, kind }, requested_by);
    }),
  );
}

/** Works on all items, so that one that fails does not stop the others, and throws afterwards. */
async function forEach<T>(items: readonly T[], work: (item: T) => Promise<unknown>): Promise<void> {
  const errors: unknown[] = [];
  for (const item of items) await work(item).catch((error: unknown) => errors.push(error));
  if (errors.length > 0) throw new AggregateError(errors, `${errors.length} of ${items.length} failed.`);
}

export function defineConnectorJobs(db: Db, jobs: Jobs): void {
  jobs.define({
    name: 'connectors.forget-runs',
    attempts: 5,
    cron: '41 * * * *',
    work: () => forgetOldRuns(db),
  });
}

/** Deletes runs that ended more than 30 days ago, and all but the newest 1000 of a kind, with their keys. */
export async function forgetOldRuns(db: Db, retention = RETENTION): Promise<void> {
  for (const orgId of await queries.organizationsWithOldRuns(db, retention)) {
    for (let deleted = BATCH; deleted === BATCH; )
      deleted = await transaction(within(db, orgId), async (tx) => {
        const ids = await queries.deleteOldRuns(tx, retention, BATCH);
        await deleteRunKeys(tx, ids);
        return ids.length;
      });
  }
}
