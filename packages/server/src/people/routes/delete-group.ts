import { Type } from 'typebox';
import { causeOf } from '../../identity/cause.ts';
import type { Http } from '../../platform/http/server.ts';
import { deleteGroup } from '../groups.ts';
import { GroupParams, tags } from './schemas.ts';
import type { PeopleTools } from './tools.ts';

export function deleteGroupRoute(http: Http, { db, onPeople }: PeopleTools) {
  http.delete(
    '/api/person-groups/:group_id/',
    {
      config: { access: { scope: 'session', roles: ['owner'] } },
      schema: {
        tags,
        summary: 'Delete group of people',
        description:
          'For a group whose identity provider was abandoned. Members lose the role that it gives.',
        params: GroupParams,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      await deleteGroup(db, request.principal, causeOf(request), onPeople, request.params.group_id);
      reply.code(204);
      return null;
    },
  );
}
