import type { Logger } from 'pino';
import type { Db } from '../platform/database/open.ts';
import { firePolicies, organizationsWithWork } from './fire.ts';

const EVERY_MILLISECONDS = 1000;

/**
 * Looks every second whether policies have something to do, until it is stopped. What fails in one organization is
 * tried again a second later, and does not keep the others waiting.
 */
export function startPolicies(db: Db, logger: Logger): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const round = async () => {
    let more = false;
    for (const orgId of await organizationsWithWork(db)) {
      if (stopping.signal.aborted) break;
      const goesOn = await firePolicies(db, orgId).catch((error: unknown) => {
        logger.error({ err: error, orgId }, 'firing of policies');
        return false;
      });
      more ||= goesOn;
    }
    return more;
  };
  const run = async () => {
    while (!stopping.signal.aborted) {
      const more = await round().catch((error: unknown) => {
        logger.error({ err: error }, 'looking for policies to fire');
        return false;
      });
      if (!more) await pause(EVERY_MILLISECONDS, stopping.signal);
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
