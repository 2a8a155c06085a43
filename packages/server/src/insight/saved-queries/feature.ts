import { within } from '#kit/database.ts';
import type { Feature, Tools } from '#kit/feature.ts';
import { addRoutes } from '#kit/http.ts';
import { createLoop } from '#kit/loops/loop.ts';
import { runDue } from './due.ts';
import { dueQueries, untilDueQuery } from './queries/due.ts';
import { queryRoutes } from './routes/queries.ts';

/** How many runs are looked up at a time, and how many of them in one organization. */
const FOUND = { limit: 50, each: 5 };

export function queries(tools: Tools): Feature {
  const { db, logger } = tools;
  return {
    routes: (http) => addRoutes(http, tools, queryRoutes),
    loops: [
      createLoop({
        name: 'saved queries',
        db,
        logger,
        wokenBy: [],
        find: () => dueQueries(db, FOUND),
        nextDue: () => untilDueQuery(db),
        work: async ({ org_id, id }) => {
          await runDue(within(db, org_id), id, logger);
          return false;
        },
      }),
    ],
  };
}
