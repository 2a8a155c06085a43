import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Db } from '../platform/database/open.ts';
import { firePolicies, organizationsWithWork } from './fire.ts';

const EVERY_MILLISECONDS = 1000;

/**
 * Runs the policies of all organizations every second until it is stopped. An error in one organization is logged, does
 * not delay the others, and is retried a second later.
 */
export function startPolicies(db: Db, logger: Logger): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const { signal } = stopping;
  const round = async () => {
    let hasMore = false;
    for (const orgId of await organizationsWithWork(db)) {
      if (signal.aborted) break;
      const more = await firePolicies(db, orgId).catch((error: unknown) => {
        logger.error({ err: error, orgId }, 'policies could not run in an organization');
        return false;
      });
      hasMore ||= more;
    }
    return hasMore;
  };
  const run = async () => {
    while (!signal.aborted) {
      const hasMore = await round().catch((error: unknown) => {
        logger.error({ err: error }, 'organizations with policies to run could not be read');
        return false;
      });
      // An abort ends the wait with a rejection, and the loop with it.
      if (!hasMore) await sleep(EVERY_MILLISECONDS, undefined, { signal }).catch(() => undefined);
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
