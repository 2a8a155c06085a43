import type { Logger } from 'pino';
import type { Db } from '../platform/database/open.ts';
import { startRounds } from '../platform/jobs/rounds.ts';
import { assignTasks } from './assign.ts';
import { organizationsThatFulfil } from './queries/assignments.ts';

/** Assigns tasks to people until it is stopped. */
export const startFulfilment = (db: Db, logger: Logger): { stop(): Promise<void> } =>
  startRounds({
    name: 'fulfilment',
    logger,
    organizations: () => organizationsThatFulfil(db),
    work: (orgId) => assignTasks(db, orgId),
  });
