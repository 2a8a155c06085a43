import { causeOf } from '../../identity/cause.ts';
import type { Http } from '../../platform/http/server.ts';
import { changePerson } from '../people.ts';
import { PersonParams, PersonView, Reason, tags, write } from './schemas.ts';
import { type PeopleTools, requirePerson, view } from './tools.ts';

export function reactivatePersonRoute(http: Http, tools: PeopleTools) {
  const { db, onPeople } = tools;
  http.post(
    '/api/users/:user_id/reactivate/',
    {
      config: { access: write },
      onRequest: requirePerson(tools),
      schema: {
        tags,
        summary: 'Reactivate user',
        params: PersonParams,
        body: Reason,
        response: { 200: PersonView },
      },
    },
    async (request) => {
      const { principal, params, body } = request;
      const change = { status: 'active' } as const;
      const reason = body?.reason ?? null;
      return view(
        await changePerson(db, principal, causeOf(request), onPeople, params.user_id, change, reason),
      );
    },
  );
}
