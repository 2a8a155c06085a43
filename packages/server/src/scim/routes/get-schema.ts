import type { Http } from '../../platform/http/server.ts';
import { one, schemas } from '../discovery.ts';
import { baseOf, config, describe, idOf, type ScimTools, send } from './tools.ts';

export function getSchemaRoute(http: Http, tools: ScimTools) {
  http.get(
    '/scim/v2/Schemas/:id',
    { config, schema: describe('Get schema', { status: 200, hasId: true }) },
    async (request, reply) => {
      return send(reply, one(schemas(baseOf(tools, request)), idOf(request)));
    },
  );
}
