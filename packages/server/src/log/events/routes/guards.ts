import type { FastifyRequest } from 'fastify';
import { DomainError } from '#kit/errors.ts';
import { requireAllApps } from '#kit/identity.ts';
import { confirmKey, type EventLog } from '../list.ts';
import { access } from './schemas.ts';

/** Events concern the whole organization, so an app-scoped key cannot read them (D7). */
export const refuseListedKeys = ({ principal }: FastifyRequest) =>
  requireAllApps(principal, 'reading events');

/**
 * For operations whose statement checks the key itself. The cached key may have been revoked since: then 401 takes precedence over any
 * other error (D6).
 */
export const keyCheckedByQuery = (log: EventLog) => ({
  config: { access, confirmsKey: true, reads: 'replica', ignoresUnknownQuery: true } as const,
  before: refuseListedKeys,
  options: {
    errorHandler: async (error: Error, { principal }: FastifyRequest) => {
      const isFinal =
        error instanceof DomainError && (error.code === 'unauthenticated' || error.code === 'throttled');
      if (principal && !isFinal) await confirmKey(log, principal);
      throw error;
    },
  },
});
