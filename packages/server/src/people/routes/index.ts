import type { Http } from '../../platform/http/server.ts';
import { changePersonRoute } from './change-person.ts';
import { createPersonRoute } from './create-person.ts';
import { deactivatePersonRoute } from './deactivate-person.ts';
import { deletePersonRoute } from './delete-person.ts';
import { getPersonRoute } from './get-person.ts';
import { getPersonHistoryRoute } from './get-person-history.ts';
import { importPeopleRoute } from './import-people.ts';
import { listPeopleRoute } from './list-people.ts';
import { reactivatePersonRoute } from './reactivate-person.ts';
import type { PeopleTools } from './tools.ts';

export async function peopleRoutes(http: Http, tools: PeopleTools) {
  listPeopleRoute(http, tools);
  createPersonRoute(http, tools);
  getPersonRoute(http, tools);
  getPersonHistoryRoute(http, tools);
  changePersonRoute(http, tools);
  deletePersonRoute(http, tools);
  deactivatePersonRoute(http, tools);
  reactivatePersonRoute(http, tools);
  await importPeopleRoute(http, tools);
}
