import { Type } from 'typebox';
import { envelope, listReply, pageOf, pageQuery } from '../../platform/http/lists.ts';
import type { Http } from '../../platform/http/server.ts';
import { listAbsences } from '../absences.ts';
import { AbsenceView, absenceView } from './absence-schemas.ts';
import { PersonParams, read, tags } from './schemas.ts';
import { type PeopleTools, requirePerson } from './tools.ts';

export function listAbsencesRoute(http: Http, tools: PeopleTools) {
  const { db, origin } = tools;
  http.get(
    '/api/users/:user_id/absences/',
    {
      config: { access: read },
      onRequest: requirePerson(tools),
      schema: {
        tags,
        summary: "List a user's absences",
        description: 'The absence that ends last comes first.',
        params: PersonParams,
        querystring: Type.Object({ ...pageQuery }),
        response: { 200: envelope(AbsenceView) },
      },
    },
    async (request) => {
      const page = pageOf(request.query);
      const slice = await listAbsences(db, request.principal, request.params.user_id, page);
      return listReply(request, origin(request), page, { ...slice, results: slice.results.map(absenceView) });
    },
  );
}
