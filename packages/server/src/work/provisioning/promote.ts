import type { Logger } from 'pino';
import { holdApps } from '#inventory/apps/facts.ts';
import { type Db, type OrgDb, transaction, within } from '#kit/database.ts';
import { BY_THE_CLOCK } from '#kit/identity.ts';
import { createLoop, type Loop } from '#kit/loops/loop.ts';
import { recordEvents } from '#log/events/record.ts';
import { accountsDisagreed } from './policy-gate.ts';
import { dueAccounts, organizationsWithDueTasks, untilDueTask } from './queries/find.ts';
import { accountsWithOutdatedTasks } from './queries/left-out.ts';
import { advanceQueue } from './queue.ts';

const BATCH = 500;
/** A task must not be pending later than a second after its time (D31). */
const EVERY_MS = 500;

/** Gives due tasks their turn (D31). */
export const promotionLoop = (db: Db, logger: Logger): Loop =>
  createLoop({
    name: 'provisioning',
    db,
    logger,
    wokenBy: ['tasks'],
    everyMs: EVERY_MS,
    find: () => organizationsWithDueTasks(db),
    nextDue: () => untilDueTask(db),
    work: ({ org_id }) => promoteBatch(within(db, org_id), null),
  });

/** Cancels pending tasks of an app that must not run any more, and that nobody has seen yet. */
export async function recheckPending(db: OrgDb, appId: string): Promise<void> {
  await giveTurns(db, await accountsWithOutdatedTasks(db, appId));
}

/**
 * Lets policies decide again about pending tasks that a connector or a person is about to get (D74). Returns whether some of them do not run
 * any more.
 */
export async function recheckFetched(db: OrgDb, taskIds: readonly string[]): Promise<boolean> {
  const stopped = await accountsDisagreed(db, taskIds);
  await giveTurns(db, stopped);
  return stopped.length > 0;
}

/**
 * Gives all due tasks of an app their turn, and checks the pending ones again. Any number of callers may do so; the locks of the
 * accounts let one of them decide.
 */
export async function promoteDue(db: OrgDb, appId: string): Promise<void> {
  await recheckPending(db, appId);
  while (await promoteBatch(db, appId));
}

/** Gives a batch of an organization's due tasks their turn, or of one app's. Returns whether more may be due. */
async function promoteBatch(db: OrgDb, appId: string | null): Promise<boolean> {
  const due = await dueAccounts(db, appId, BATCH);
  await giveTurns(db, due);
  return due.length === BATCH;
}

async function giveTurns(db: OrgDb, due: readonly { app_id: string; account_id: string }[]): Promise<void> {
  if (due.length === 0) return;
  await transaction(db, async (tx) => {
    await holdApps(tx, distinct(due.map(({ app_id }) => app_id)));
    const { events } = await advanceQueue(
      tx,
      distinct(due.map(({ account_id }) => account_id)),
      BY_THE_CLOCK,
    );
    await recordEvents(tx, events);
  });
}

const distinct = (ids: string[]) => [...new Set(ids)];
