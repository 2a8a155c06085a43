import type { Logger } from 'pino';
import { recordEvents } from '../events/record.ts';
import { BY_THE_CLOCK } from '../identity/cause.ts';
import type { Db } from '../platform/database/open.ts';
import { transaction } from '../platform/database/transaction.ts';
import * as queries from './queries/write.ts';
import { takeTurns } from './turn.ts';

const BATCH = 500;
const EVERY_MILLISECONDS = 500;

/**
 * Gives every task that has fallen due its turn (D31): of the whole deployment, or `within` what a reader is about
 * to see. Any number of nodes may do it at once; the accounts' locks let one decide.
 */
export async function promoteDue(
  db: Db,
  within: { orgId: string; apps: string[] | null } | null = null,
): Promise<void> {
  for (;;) {
    const due = await queries.dueAccounts(db, within, BATCH);
    for (const [orgId, accounts] of Map.groupBy(due, ({ org_id }) => org_id)) {
      await transaction(db, async (tx) => {
        await queries.holdApps(tx, orgId, distinct(accounts.map(({ app_id }) => app_id)));
        const ids = distinct(accounts.map(({ account_id }) => account_id));
        await recordEvents(tx, orgId, await takeTurns(tx, orgId, ids, BY_THE_CLOCK));
      });
    }
    if (due.length < BATCH) return;
  }
}

const distinct = (ids: string[]) => [...new Set(ids)];

/** Promotes twice a second until it is stopped. */
export function startPromoter(db: Db, logger: Logger): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const run = async () => {
    while (!stopping.signal.aborted) {
      await promoteDue(db).catch((error: unknown) => logger.error({ err: error }, 'promotion of due tasks'));
      await pause(EVERY_MILLISECONDS, stopping.signal);
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

const pause = (milliseconds: number, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
