import type { Http } from '../../platform/http/server.ts';
import { one, resourceTypes } from '../discovery.ts';
import { baseOf, config, describe, idOf, type ScimTools, send } from './tools.ts';

export function getResourceTypeRoute(http: Http, tools: ScimTools) {
  http.get(
    '/scim/v2/ResourceTypes/:id',
    { config, schema: describe('Get resource type', { status: 200, hasId: true }) },
    async (request, reply) => {
      return send(reply, one(resourceTypes(baseOf(tools, request)), idOf(request)));
    },
  );
}
