import type { Logger } from 'pino';
import type { Db } from '../platform/database/open.ts';
import { startRounds } from '../platform/jobs/rounds.ts';
import { firePolicies, organizationsWithWork } from './fire.ts';

/** Runs the policies of all organizations every second until it is stopped. */
export const startPolicies = (db: Db, logger: Logger): { stop(): Promise<void> } =>
  startRounds({
    name: 'policies',
    logger,
    organizations: () => organizationsWithWork(db),
    work: (orgId) => firePolicies(db, orgId),
  });
