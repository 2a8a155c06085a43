import type { FastifyRequest } from 'fastify';
import { DomainError } from '../../../kit/errors.ts';
import { requireAllApps } from '../../../kit/identity/principal.ts';
import { confirmKey, type EventLog } from '../list.ts';
import { access } from './schemas.ts';

/**
 * The route options of endpoints whose statement checks the key itself. The cached key may have been revoked since:
 * then 401 takes precedence over any other error (D6).
 */
export const keyCheckedByQuery = (log: EventLog) => ({
  config: { access, confirmsKey: true, reads: 'replica' as const, ignoresUnknownQuery: true as const },
  preValidation: refuseListedKeys,
  errorHandler: async (error: Error, { principal }: FastifyRequest) => {
    const isFinal =
      error instanceof DomainError && (error.code === 'unauthenticated' || error.code === 'throttled');
    if (principal && !isFinal) await confirmKey(log, principal);
    throw error;
  },
});

/** Events concern the whole organization, so an app-scoped key cannot read them (D7). */
export async function refuseListedKeys({ principal }: FastifyRequest) {
  requireAllApps(principal, 'reading events');
}
