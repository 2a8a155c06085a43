import { Type } from 'typebox';
import { causeOf } from '../../identity/cause.ts';
import type { Http } from '../../platform/http/server.ts';
import { deleteAbsence } from '../absences.ts';
import { AbsenceParams, knownAbsence, settingAbsences } from './absence-schemas.ts';
import { tags } from './schemas.ts';
import type { PeopleTools } from './tools.ts';

export function deleteAbsenceRoute(http: Http, tools: PeopleTools) {
  http.delete(
    '/api/users/:user_id/absences/:absence_id/',
    {
      config: settingAbsences,
      onRequest: knownAbsence(tools),
      schema: { tags, summary: 'Remove an absence', params: AbsenceParams, response: { 204: Type.Null() } },
    },
    async (request, reply) => {
      const { user_id, absence_id } = request.params;
      await deleteAbsence(tools.db, request.principal, user_id, absence_id, causeOf(request));
      reply.code(204);
      return null;
    },
  );
}
