import { within } from '#kit/database.ts';
import type { Feature, Tools } from '#kit/feature.ts';
import { addRoutes } from '#kit/http.ts';
import { createLoop } from '#kit/loops/loop.ts';
import { watch } from './evaluate.ts';
import { createMissedFindings, observeFindings } from './metrics.ts';
import { defineFindingJobs } from './nightly.ts';
import { organizationsWithWork, untilWork } from './queries/cursor.ts';
import { findingRoutes } from './routes/findings.ts';

export function findings(tools: Tools): Feature {
  const { db, logger } = tools;
  const missed = createMissedFindings();
  return {
    routes: (http) => addRoutes(http, tools, findingRoutes),
    jobs: () => defineFindingJobs({ ...tools, missed }),
    metrics: (registry) => observeFindings(registry, missed),
    loops: [
      createLoop({
        name: 'findings',
        db,
        logger,
        wokenBy: ['events'],
        find: () => organizationsWithWork(db),
        nextDue: () => untilWork(db),
        work: ({ org_id }) => watch(within(db, org_id)),
      }),
    ],
  };
}
