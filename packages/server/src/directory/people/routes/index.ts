import { addRoutes, type Http, type RouteTools } from '#kit/http.ts';
import type { ReadStillSuspended } from '../suspensions.ts';
import { absenceRoutes } from './absences.ts';
import { duplicateRoutes } from './duplicates.ts';
import { addImport } from './import-people.ts';
import { movementRoutes } from './movements.ts';
import { groupRoutes } from './person-groups.ts';
import { userRoutes } from './users.ts';

/** People, their absences and their groups (protocol 10). */
export async function peopleRoutes(http: Http, tools: RouteTools, readStillSuspended: ReadStillSuspended) {
  const routes = [
    ...userRoutes(readStillSuspended),
    ...duplicateRoutes,
    ...movementRoutes,
    ...absenceRoutes,
    ...groupRoutes,
  ];
  addRoutes(http, tools, routes);
  await addImport(http, tools);
}
