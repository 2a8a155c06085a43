import { Type } from 'typebox';
import { causeOf } from '../../identity/cause.ts';
import { Uuid } from '../../platform/http/schemas.ts';
import type { Http } from '../../platform/http/server.ts';
import { dismissDuplicate } from '../dismissals.ts';
import { DismissalView, dismissalView } from './dismissal-schemas.ts';
import { tags, write } from './schemas.ts';
import type { PeopleTools } from './tools.ts';

export function dismissDuplicateRoute(http: Http, { db }: PeopleTools) {
  http.post(
    '/api/users/duplicates/dismissed/',
    {
      config: { access: write },
      schema: {
        tags,
        summary: 'Dismiss a possible duplicate',
        description:
          'Records that two users are different people, so that the list of possible duplicates leaves them out. A repeated dismissal changes nothing.',
        body: Type.Object({
          users: Type.Array(Uuid, { minItems: 2, maxItems: 2, description: 'The two users.' }),
        }),
        response: { 200: DismissalView },
      },
    },
    async (request) =>
      dismissalView(await dismissDuplicate(db, request.principal, request.body.users, causeOf(request))),
  );
}
