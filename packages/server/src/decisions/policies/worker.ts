import type { Logger } from 'pino';
import { type Db, within } from '#kit/database.ts';
import { createLoop, type Loop } from '#kit/loops/loop.ts';
import { organizationsWithWork, untilWork } from './facts.ts';
import { firePolicies } from './fire.ts';

/** Runs the policies of all organizations. */
export const policyLoop = (db: Db, logger: Logger): Loop =>
  createLoop({
    name: 'policies',
    db,
    logger,
    wokenBy: ['events'],
    find: () => organizationsWithWork(db),
    nextDue: () => untilWork(db),
    work: ({ org_id }) => firePolicies(within(db, org_id)),
  });
