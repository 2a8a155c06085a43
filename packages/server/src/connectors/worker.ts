import { setTimeout as sleep } from 'node:timers/promises';
import { deleteRunKeys, revokeRunKeys } from '../access/run-keys.ts';
import type { Db } from '../platform/database/open.ts';
import { transaction } from '../platform/database/transaction.ts';
import type { Jobs } from '../platform/jobs/jobs.ts';
import { sweepFolders } from './folders.ts';
import * as queries from './queries/running.ts';
import { insertRun } from './queries/runs.ts';
import { carryOut, queueAgain, type RunnerTools } from './run.ts';
import { nextSync } from './schedule.ts';

const EVERY_MS = 1000;
const SWEEP_MS = 3_600_000;
/** A connector that carries out tasks may run thousands of times a day. */
const RETENTION: queries.Retention = { days: 30, most: 1000 };
const BATCH = 1000;

/**
 * Queues the runs that are due, takes over those of dead nodes, and carries out queued ones, at most `most` at once, until it
 * is stopped. A test or preview may be one more, because somebody waits for it. Any number of nodes may do so.
 */
export function startConnectors(tools: RunnerTools, most: number): { stop(): Promise<void> } {
  const { db, logger } = tools;
  const stopping = new AbortController();
  const { signal } = stopping;
  const running = new Map<string, { appId: string; ended: Promise<void> }>();
  const begin = (queued: queries.QueuedRun) => {
    const ended = carryOut(tools, queued, signal)
      .catch((error: unknown) => {
        logger.error({ err: error, run: queued.id }, 'a run of a connector could not be ended');
      })
      .finally(() => running.delete(queued.id));
    running.set(queued.id, { appId: queued.app_id, ended });
  };
  const hasRoom = ({ kind }: queries.QueuedRun) => {
    const isTrial = kind === 'test' || kind === 'preview';
    return running.size < (isTrial ? most + 1 : most);
  };
  const attempt = (work: Promise<void>) =>
    work.catch((error: unknown) => {
      logger.error({ err: error }, 'the runs of connectors could not be read');
    });
  let sweptAt: number | undefined;
  const sweep = async () => {
    if (performance.now() - (sweptAt ?? Number.NEGATIVE_INFINITY) < SWEEP_MS) return;
    sweptAt = performance.now();
    await sweepFolders(db, tools.folder, (appId) => [...running.values()].some((one) => one.appId === appId));
  };
  const start = async () => {
    if (most === 0 || running.size > most) return;
    for (const queued of await queries.queuedRuns(db))
      if (hasRoom(queued) && !running.has(queued.id) && !signal.aborted) begin(queued);
  };
  const loop = async () => {
    while (!signal.aborted) {
      for (const step of [() => takeOver(db), () => queueDue(db), start, sweep]) await attempt(step());
      // An abort ends the wait with a rejection, and the loop with it.
      await sleep(EVERY_MS, undefined, { signal }).catch(() => undefined);
    }
  };
  const looping = loop();
  return {
    stop: async () => {
      stopping.abort();
      await looping;
      await Promise.all([...running.values()].map(({ ended }) => ended));
    },
  };
}

/** Queues the syncs and task batches that are due. Nodes that race for one queue it once. */
export async function queueDue(db: Db): Promise<void> {
  await forEach(await queries.dueSyncs(db), ({ org_id: orgId, app_id: appId }) =>
    transaction(db, async (tx) => {
      const schedule = await queries.lockDue(tx, orgId, appId);
      if (schedule === undefined) return;
      await insertRun(tx, orgId, appId, 'sync', null);
      await queries.setNextSync(tx, orgId, appId, nextSync(schedule, new Date()));
    }),
  );
  await forEach(await queries.dueTasks(db), ({ org_id: orgId, app_id: appId }) =>
    transaction(db, (tx) => insertRun(tx, orgId, appId, 'tasks', null)),
  );
}

/** Ends the runs of dead nodes with their keys, and queues them again. */
export async function takeOver(db: Db): Promise<void> {
  await forEach(await queries.organizationsWithLostRuns(db), (orgId) =>
    transaction(db, async (tx) => {
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
      deleted = await transaction(db, async (tx) => {
        const ids = await queries.deleteOldRuns(tx, orgId, retention, BATCH);
        await deleteRunKeys(tx, orgId, ids);
        return ids.length;
      });
  }
}
