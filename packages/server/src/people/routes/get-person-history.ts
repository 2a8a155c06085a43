import { Type } from 'typebox';
import { envelope, listReply, pageOf, pageQuery } from '../../platform/http/lists.ts';
import type { Http } from '../../platform/http/server.ts';
import { historyOf, requireHistory } from '../history.ts';
import { PersonParams, PersonPeriodView, read, tags } from './schemas.ts';
import { type PeopleTools, view } from './tools.ts';

export function getPersonHistoryRoute(http: Http, { db, origin }: PeopleTools) {
  http.get(
    '/api/users/:user_id/history/',
    {
      config: { access: read, reads: 'replica' },
      onRequest: ({ principal, params }) =>
        requireHistory(db, principal, (params as { user_id: string }).user_id),
      schema: {
        tags,
        summary: 'List the history of a user',
        description:
          'The states of the user, newest first, each with the changes that led to it. Deleted users keep their history.',
        params: PersonParams,
        querystring: Type.Object(pageQuery),
        response: { 200: envelope(PersonPeriodView) },
      },
    },
    async (request) => {
      const { db } = request.reads;
      const page = pageOf(request.query);
      const { count, results } = await historyOf(db, request.principal, request.params.user_id, page);
      const periods = results.map(({ person, ...period }) => ({ ...period, person: view(person) }));
      return listReply(request, origin(request), page, { count, results: periods });
    },
  );
}
