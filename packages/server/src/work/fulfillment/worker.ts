import type { Logger } from 'pino';
import { type Db, within } from '#kit/database.ts';
import { createLoop, type Loop } from '#kit/loops/loop.ts';
import { assignTasks, secondsUntilAssignment } from './assign.ts';
import { organizationsThatFulfill } from './queries/assignments.ts';

/** Assigns tasks to people. */
export const fulfillmentLoop = (db: Db, logger: Logger): Loop =>
  createLoop({
    name: 'fulfillment',
    db,
    logger,
    // Absences, departures and settings change who gets a task, and each leaves an event.
    wokenBy: ['tasks', 'events'],
    find: () => organizationsThatFulfill(db),
    nextDue: () => secondsUntilAssignment(db),
    work: ({ org_id }) => assignTasks(within(db, org_id)),
  });
