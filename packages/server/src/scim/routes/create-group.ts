import type { Http } from '../../platform/http/server.ts';
import { createGroup } from '../groups.ts';
import { includes } from '../project.ts';
import { Group } from '../schema.ts';
import { readProjection } from '../search.ts';
import { callOf, config, describe, type ScimTools, sendResource } from './tools.ts';

export function createGroupRoute(http: Http, tools: ScimTools) {
  http.post(
    '/scim/v2/Groups',
    { config, schema: describe('Create group', { status: 201, hasId: false }) },
    async (request, reply) => {
      const withMembers = includes(Group, 'members', readProjection(request.query));
      const resource = await createGroup(callOf(tools, request), request.body, withMembers);
      return sendResource(request, reply, Group, resource, 201);
    },
  );
}
