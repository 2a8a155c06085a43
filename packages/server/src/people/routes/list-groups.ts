import { Type } from 'typebox';
import { listReply, longEnvelope, longPageQuery, pageOf } from '../../platform/http/lists.ts';
import type { Http } from '../../platform/http/server.ts';
import { listGroups } from '../groups.ts';
import { GroupView, readGroups, tags } from './schemas.ts';
import type { PeopleTools } from './tools.ts';

const Filters = Type.Object({
  ...longPageQuery,
  q: Type.Optional(Type.String({ description: 'Part of the name. Case does not matter.' })),
});

export function listGroupsRoute(http: Http, { origin }: PeopleTools) {
  http.get(
    '/api/person-groups/',
    {
      config: { access: readGroups, reads: 'replica' },
      schema: {
        tags,
        summary: 'List groups of people',
        querystring: Filters,
        response: { 200: longEnvelope(GroupView) },
      },
    },
    async (request) => {
      const page = pageOf(request.query);
      const { orgId } = request.principal;
      return listReply(
        request,
        origin(request),
        page,
        await listGroups(request.reads.db, orgId, request.query.q || null, page),
      );
    },
  );
}
