import type { Feature, Tools } from '#kit/feature.ts';
import { leaveLoop } from './leaves.ts';
import { peopleRoutes } from './routes/index.ts';

export const people = (tools: Tools): Feature => ({
  routes: (http) => peopleRoutes(http, tools),
  loops: [leaveLoop(tools.db, tools.logger)],
});
