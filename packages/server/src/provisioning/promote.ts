import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import { recordEvents } from '../events/record.ts';
import { BY_THE_CLOCK } from '../identity/cause.ts';
import type { Db } from '../platform/database/open.ts';
import { transaction } from '../platform/database/transaction.ts';
import { dueAccounts } from './queries/find.ts';
import { holdApps } from './queries/lock.ts';
import { advanceQueue } from './queue.ts';

const BATCH = 500;
const EVERY_MILLISECONDS = 500;

/**
 * Gives every due task its turn (D31): in the whole deployment, or `within` the apps that a reader is about to see. Any
 * number of nodes may do so at once; the locks of the accounts let one of them decide.
 */
export async function promoteDue(
  db: Db,
  within: { orgId: string; apps: string[] | null } | null = null,
): Promise<void> {
  for (;;) {
    const due = await dueAccounts(db, within, BATCH);
    for (const [orgId, accounts] of Map.groupBy(due, ({ org_id }) => org_id)) {
      await transaction(db, async (tx) => {
        await holdApps(tx, orgId, distinct(accounts.map(({ app_id }) => app_id)));
        const ids = distinct(accounts.map(({ account_id }) => account_id));
        const { events } = await advanceQueue(tx, orgId, ids, BY_THE_CLOCK);
        await recordEvents(tx, orgId, events);
      });
    }
    if (due.length < BATCH) return;
  }
}

const distinct = (ids: string[]) => [...new Set(ids)];

/** Promotes due tasks twice a second until stopped. */
export function startPromoter(db: Db, logger: Logger): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const run = async () => {
    while (!stopping.signal.aborted) {
      await promoteDue(db).catch((error: unknown) =>
        logger.error({ err: error }, 'Promoting due tasks failed; trying again'),
      );
      await pause(EVERY_MILLISECONDS, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  };
  const running = run();
  return {
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
}
