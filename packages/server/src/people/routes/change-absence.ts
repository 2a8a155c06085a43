import { causeOf } from '../../identity/cause.ts';
import type { Http } from '../../platform/http/server.ts';
import { changeAbsence } from '../absences.ts';
import {
  AbsenceChange,
  AbsenceParams,
  AbsenceView,
  absenceIn,
  absenceView,
  knownAbsence,
  settingAbsences,
} from './absence-schemas.ts';
import { tags } from './schemas.ts';
import type { PeopleTools } from './tools.ts';

export function changeAbsenceRoute(http: Http, tools: PeopleTools) {
  http.patch(
    '/api/users/:user_id/absences/:absence_id/',
    {
      config: settingAbsences,
      onRequest: knownAbsence(tools),
      schema: {
        tags,
        summary: 'Change an absence',
        params: AbsenceParams,
        body: AbsenceChange,
        response: { 200: AbsenceView },
      },
    },
    async (request) => {
      const { principal, params, body } = request;
      const { user_id, absence_id } = params;
      return absenceView(
        await changeAbsence(tools.db, principal, user_id, absence_id, absenceIn(body), causeOf(request)),
      );
    },
  );
}
