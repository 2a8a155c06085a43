import { Type } from 'typebox';
import { listReply, longEnvelope, longPageQuery, pageOf } from '../../platform/http/lists.ts';
import type { Http } from '../../platform/http/server.ts';
import { existingGroup, listMembers } from '../groups.ts';
import { GroupMemberView, GroupParams, readGroups, tags } from './schemas.ts';
import type { PeopleTools } from './tools.ts';

export function listGroupMembersRoute(http: Http, { db, origin }: PeopleTools) {
  http.get(
    '/api/person-groups/:group_id/members/',
    {
      config: { access: readGroups, reads: 'replica' },
      onRequest: async ({ principal, params }) => {
        await existingGroup(db, principal.orgId, (params as { group_id: string }).group_id);
      },
      schema: {
        tags,
        summary: 'List members of a group of people',
        params: GroupParams,
        querystring: Type.Object(longPageQuery),
        response: { 200: longEnvelope(GroupMemberView) },
      },
    },
    async (request) => {
      const page = pageOf(request.query);
      const { orgId } = request.principal;
      const slice = await listMembers(request.reads.db, orgId, request.params.group_id, page);
      return listReply(request, origin(request), page, slice);
    },
  );
}
