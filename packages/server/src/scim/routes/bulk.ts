import type { Http } from '../../platform/http/server.ts';
import { bulk, MOST_BULK_BYTES } from '../bulk.ts';
import { callOf, config, describe, type ScimTools, send } from './tools.ts';

export function bulkRoute(http: Http, tools: ScimTools) {
  http.post(
    '/scim/v2/Bulk',
    {
      config,
      schema: describe('Carry out many operations', { status: 200, hasId: false }),
      bodyLimit: MOST_BULK_BYTES,
    },
    async (request, reply) => {
      const { schemas, Operations } = await bulk(callOf(tools, request), request.body);
      return send(reply, { schemas, Operations });
    },
  );
}
