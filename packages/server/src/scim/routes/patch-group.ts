import type { Http } from '../../platform/http/server.ts';
import { getGroup, patchGroup } from '../groups.ts';
import { includes } from '../project.ts';
import { Group } from '../schema.ts';
import { readProjection } from '../search.ts';
import { callOf, config, describe, idOf, type ScimTools, sendResource } from './tools.ts';

export function patchGroupRoute(http: Http, tools: ScimTools) {
  http.patch(
    '/scim/v2/Groups/:id',
    { config, schema: describe('Change group', { status: 204, hasId: true }) },
    async (request, reply) => {
      const call = callOf(tools, request);
      await patchGroup(call, idOf(request), request.body);
      // Groups can be too large to return after each change. Clients can request attributes (RFC 7644, 3.5.2).
      const projection = readProjection(request.query);
      if (projection.attributes.length === 0) return reply.code(204).send();
      const resource = await getGroup(call, idOf(request), includes(Group, 'members', projection));
      return sendResource(request, reply, Group, resource);
    },
  );
}
