import { causeOf } from '../../identity/cause.ts';
import type { Http } from '../../platform/http/server.ts';
import { releasePerson } from '../directory.ts';
import { personOf } from '../people.ts';
import { PersonParams, PersonView, tags } from './schemas.ts';
import { type PeopleTools, requirePerson, view } from './tools.ts';

export function releasePersonRoute(http: Http, tools: PeopleTools) {
  const { db } = tools;
  http.post(
    '/api/users/:user_id/release/',
    {
      config: { access: { scope: 'session', roles: ['owner'] } },
      onRequest: requirePerson(tools),
      schema: {
        tags,
        summary: 'Release user from SCIM',
        description:
          'Makes the fields that an identity provider manages editable again. The provider manages again what it writes later.',
        params: PersonParams,
        response: { 200: PersonView },
      },
    },
    async (request) => {
      const { principal, params } = request;
      await releasePerson(db, principal, causeOf(request), params.user_id);
      return view(await personOf(db, principal, params.user_id));
    },
  );
}
