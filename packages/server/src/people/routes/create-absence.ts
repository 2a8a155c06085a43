import { causeOf } from '../../identity/cause.ts';
import type { Http } from '../../platform/http/server.ts';
import { createAbsence } from '../absences.ts';
import { AbsenceView, absenceView, NewAbsence, newAbsenceIn, settingAbsences } from './absence-schemas.ts';
import { PersonParams, tags } from './schemas.ts';
import { type PeopleTools, requirePerson } from './tools.ts';

export function createAbsenceRoute(http: Http, tools: PeopleTools) {
  http.post(
    '/api/users/:user_id/absences/',
    {
      config: settingAbsences,
      onRequest: requirePerson(tools),
      schema: {
        tags,
        summary: 'Set an absence',
        description: 'While the user is away, the deputy decides requests and reviews for them.',
        params: PersonParams,
        body: NewAbsence,
        response: { 201: AbsenceView },
      },
    },
    async (request, reply) => {
      const { principal, params, body } = request;
      const absence = newAbsenceIn(body);
      const created = await createAbsence(tools.db, principal, params.user_id, absence, causeOf(request));
      reply.code(201);
      return absenceView(created);
    },
  );
}
