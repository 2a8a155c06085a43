import type { Http } from '../../platform/http/server.ts';
import { schemas } from '../discovery.ts';
import { listResponse } from '../search.ts';
import { baseOf, config, describe, type ScimTools, send } from './tools.ts';

export function listSchemasRoute(http: Http, tools: ScimTools) {
  http.get(
    '/scim/v2/Schemas',
    { config, schema: describe('List schemas', { status: 200, hasId: false }) },
    async (request, reply) => {
      return send(reply, listResponse(schemas(baseOf(tools, request)), 1));
    },
  );
}
