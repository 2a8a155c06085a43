import type { Http } from '../../platform/http/server.ts';
import { personOf } from '../people.ts';
import { PersonParams, PersonView, read, tags } from './schemas.ts';
import { type PeopleTools, view } from './tools.ts';

export function getPersonRoute(http: Http, { db }: PeopleTools) {
  http.get(
    '/api/users/:user_id/',
    {
      config: { access: read },
      schema: { tags, summary: 'Get user', params: PersonParams, response: { 200: PersonView } },
    },
    async (request) => view(await personOf(db, request.principal, request.params.user_id)),
  );
}
