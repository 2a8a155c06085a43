import { causeOf } from '../../identity/cause.ts';
import type { Http } from '../../platform/http/server.ts';
import { changePerson } from '../people.ts';
import { PersonChange, PersonParams, PersonView, tags, write } from './schemas.ts';
import { type PeopleTools, requirePerson, view } from './tools.ts';

export function changePersonRoute(http: Http, tools: PeopleTools) {
  const { db, onPeople } = tools;
  http.patch(
    '/api/users/:user_id/',
    {
      config: { access: write },
      onRequest: requirePerson(tools),
      schema: {
        tags,
        summary: 'Update user',
        params: PersonParams,
        body: PersonChange,
        response: { 200: PersonView },
      },
    },
    async (request) => {
      const { principal, params, body } = request;
      return view(await changePerson(db, principal, causeOf(request), onPeople, params.user_id, body));
    },
  );
}
