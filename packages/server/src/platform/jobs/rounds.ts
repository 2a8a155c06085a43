import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';

const EVERY_MILLISECONDS = 1000;

/** Background work that every node repeats, for all organizations that have some. */
export interface RoundsOptions {
  /** Names the work in the log, as in "policies". */
  name: string;
  logger: Logger;
  /** Returns the organizations that have work now. */
  organizations(): Promise<string[]>;
  /** Does a part of an organization's work. Returns whether more is left to do at once. */
  work(orgId: string, signal: AbortSignal): Promise<boolean>;
}

/**
 * Repeats the work every second until it is stopped, and without a pause while more is left. An error in one organization is
 * logged, does not delay the others, and is retried a second later. Nodes do not coordinate: `work` takes the locks it needs.
 */
export function startRounds({ name, logger, organizations, work }: RoundsOptions): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const { signal } = stopping;
  const round = async () => {
    let hasMore = false;
    for (const orgId of await organizations()) {
      if (signal.aborted) break;
      const more = await work(orgId, signal).catch((error: unknown) => {
        if (!signal.aborted)
          logger.error({ err: error, orgId, work: name }, 'background work failed in an organization');
        return false;
      });
      hasMore ||= more;
    }
    return hasMore;
  };
  const run = async () => {
    while (!signal.aborted) {
      const hasMore = await round().catch((error: unknown) => {
        logger.error({ err: error, work: name }, 'organizations with background work could not be read');
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
