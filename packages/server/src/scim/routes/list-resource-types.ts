import type { Http } from '../../platform/http/server.ts';
import { resourceTypes } from '../discovery.ts';
import { listResponse } from '../search.ts';
import { baseOf, config, describe, type ScimTools, send } from './tools.ts';

export function listResourceTypesRoute(http: Http, tools: ScimTools) {
  http.get(
    '/scim/v2/ResourceTypes',
    { config, schema: describe('List resource types', { status: 200, hasId: false }) },
    async (request, reply) => {
      return send(reply, listResponse(resourceTypes(baseOf(tools, request)), 1));
    },
  );
}
