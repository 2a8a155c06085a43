import type { Http } from '../../platform/http/server.ts';
import { getGroup } from '../groups.ts';
import { includes } from '../project.ts';
import { Group } from '../schema.ts';
import { readProjection } from '../search.ts';
import { callOf, config, describe, idOf, type ScimTools, sendResource } from './tools.ts';

export function getGroupRoute(http: Http, tools: ScimTools) {
  http.get(
    '/scim/v2/Groups/:id',
    { config, schema: describe('Get group', { status: 200, hasId: true }) },
    async (request, reply) => {
      const withMembers = includes(Group, 'members', readProjection(request.query));
      const resource = await getGroup(callOf(tools, request), idOf(request), withMembers);
      return sendResource(request, reply, Group, resource);
    },
  );
}
