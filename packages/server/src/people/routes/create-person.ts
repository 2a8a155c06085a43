import { causeOf } from '../../identity/cause.ts';
import type { Http } from '../../platform/http/server.ts';
import { createPerson } from '../people.ts';
import { NewPerson, PersonView, tags, write } from './schemas.ts';
import { type PeopleTools, view } from './tools.ts';

export function createPersonRoute(http: Http, { db, onPeople }: PeopleTools) {
  http.post(
    '/api/users/',
    {
      config: { access: write },
      schema: { tags, summary: 'Create user', body: NewPerson, response: { 201: PersonView } },
    },
    async (request, reply) => {
      const person = await createPerson(db, request.principal, causeOf(request), onPeople, request.body);
      reply.code(201);
      return view(person);
    },
  );
}
