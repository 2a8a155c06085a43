import { within } from '#kit/database.ts';
import type { Feature, Tools } from '#kit/feature.ts';
import { addRoutes } from '#kit/http.ts';
import { createLoop } from '#kit/loops/loop.ts';
import { runDue } from './due.ts';
import { dueQueries, untilDueQuery } from './queries/due.ts';
import { queryRoutes } from './routes/queries.ts';

const MOST_FOUND = 50;

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
        find: () => dueQueries(db, MOST_FOUND),
        nextDue: () => untilDueQuery(db),
        work: async ({ org_id, id }) => {
          await runDue(within(db, org_id), id);
          return false;
        },
      }),
    ],
  };
}
