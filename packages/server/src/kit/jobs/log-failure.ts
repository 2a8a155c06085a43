import type { Logger } from 'pino';
import { domainErrorOf } from '../database/sqlstate.ts';

/**
 * Does one part of a job. Logs an error instead of throwing it, so that the other parts are still done. Throws if the
 * database is unavailable: the job runs again then. `about` names the part in the log.
 */
export async function logFailure(
  logger: Pick<Logger, 'error'>,
  about: Record<string, string>,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (domainErrorOf(error)?.code === 'unavailable') throw error;
    logger.error({ err: error, ...about }, 'part of a job failed');
  }
}
