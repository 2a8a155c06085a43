import { Type } from 'typebox';
import { causeOf } from '../../identity/cause.ts';
import { Uuid } from '../../platform/http/schemas.ts';
import type { Http } from '../../platform/http/server.ts';
import { restoreDuplicate } from '../dismissals.ts';
import { tags, write } from './schemas.ts';
import type { PeopleTools } from './tools.ts';

export function restoreDuplicateRoute(http: Http, { db }: PeopleTools) {
  http.delete(
    '/api/users/duplicates/dismissed/:user_id/:other_id/',
    {
      config: { access: write },
      schema: {
        tags,
        summary: 'Undo the dismissal of a possible duplicate',
        description:
          'Takes the two users in any order. The pair is listed again if the two still look alike.',
        params: Type.Object({ user_id: Uuid, other_id: Uuid }),
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      const { user_id, other_id } = request.params;
      await restoreDuplicate(db, request.principal, [user_id, other_id], causeOf(request));
      reply.code(204);
      return null;
    },
  );
}
