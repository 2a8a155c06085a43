import type { Feature, Tools } from '#kit/feature.ts';
import { leaveLoop } from './leaves.ts';
import { peopleRoutes } from './routes/index.ts';
import type { ReadStillSuspended } from './suspensions.ts';

/** People, their absences, groups and imports. */
export const people = (
  tools: Tools,
  { readStillSuspended }: { readStillSuspended: ReadStillSuspended },
): Feature => ({
  routes: (http) => peopleRoutes(http, tools, readStillSuspended),
  loops: [leaveLoop(tools.db, tools.logger)],
});
