import { Type } from 'typebox';
import { causeOf } from '../../identity/cause.ts';
import type { Http } from '../../platform/http/server.ts';
import { deletePerson } from '../people.ts';
import { PersonParams, tags, write } from './schemas.ts';
import type { PeopleTools } from './tools.ts';

export function deletePersonRoute(http: Http, { db, onPeople }: PeopleTools) {
  http.delete(
    '/api/users/:user_id/',
    {
      config: { access: write },
      schema: {
        tags,
        summary: 'Delete user',
        description:
          'Refused while API keys act for the person, or if requests, tasks, reviews or policies name them. Deactivate them instead.',
        params: PersonParams,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      await deletePerson(db, request.principal, causeOf(request), onPeople, request.params.user_id);
      reply.code(204);
      return null;
    },
  );
}
