import { Type } from 'typebox';
import { Instant } from '../../platform/http/schemas.ts';
import type { Http } from '../../platform/http/server.ts';
import { personAsOf, requireHistory } from '../history.ts';
import { personOf } from '../people.ts';
import { PersonAsOfView, PersonParams, read, tags } from './schemas.ts';
import { type PeopleTools, view } from './tools.ts';

export function getPersonRoute(http: Http, { db }: PeopleTools) {
  http.get(
    '/api/users/:user_id/',
    {
      config: { access: read },
      onRequest: async ({ principal, params, query }) => {
        if ('as_of' in (query as object))
          await requireHistory(db, principal, (params as { user_id: string }).user_id);
      },
      schema: {
        tags,
        summary: 'Get user',
        description: 'With `as_of`, the user as they were at that time, even if they were deleted later.',
        params: PersonParams,
        querystring: Type.Object({ as_of: Type.Optional(Instant) }),
        response: { 200: PersonAsOfView },
      },
    },
    async ({ principal, params, query: { as_of } }) =>
      as_of === undefined
        ? view(await personOf(db, principal, params.user_id))
        : view(await personAsOf(db, principal, params.user_id, as_of)),
  );
}
