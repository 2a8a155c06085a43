import type { Http, RouteTools } from '../../../kit/http/server.ts';
import { changeAbsenceRoute, createAbsenceRoute, deleteAbsenceRoute, listAbsencesRoute } from './absences.ts';
import {
  dismissDuplicateRoute,
  listDismissedDuplicatesRoute,
  listDuplicatesRoute,
  restoreDuplicateRoute,
} from './duplicates.ts';
import { importPeopleRoute } from './import-people.ts';
import { listMovementsRoute } from './movements.ts';
import {
  deleteGroupRoute,
  listGroupMembersRoute,
  listGroupsRoute,
  setGroupRoleRoute,
} from './person-groups.ts';
import {
  changePersonRoute,
  createPersonRoute,
  deactivatePersonRoute,
  deletePersonRoute,
  getPersonHistoryRoute,
  getPersonRoute,
  listAttributesRoute,
  listPeopleRoute,
  mergePeopleRoute,
  reactivatePersonRoute,
  releasePersonRoute,
} from './users.ts';

export async function peopleRoutes(http: Http, tools: RouteTools) {
  listPeopleRoute(http, tools);
  listDuplicatesRoute(http, tools);
  listAttributesRoute(http);
  listMovementsRoute(http);
  listDismissedDuplicatesRoute(http, tools);
  dismissDuplicateRoute(http, tools);
  restoreDuplicateRoute(http, tools);
  createPersonRoute(http, tools);
  getPersonRoute(http, tools);
  getPersonHistoryRoute(http, tools);
  changePersonRoute(http, tools);
  deletePersonRoute(http, tools);
  deactivatePersonRoute(http, tools);
  reactivatePersonRoute(http, tools);
  listAbsencesRoute(http, tools);
  createAbsenceRoute(http, tools);
  changeAbsenceRoute(http, tools);
  deleteAbsenceRoute(http, tools);
  releasePersonRoute(http, tools);
  listGroupsRoute(http, tools);
  listGroupMembersRoute(http, tools);
  setGroupRoleRoute(http, tools);
  deleteGroupRoute(http, tools);
  mergePeopleRoute(http, tools);
  await importPeopleRoute(http, tools);
}
