import { Type } from 'typebox';
import { envelope, listReply, pageOf, pageQuery } from '../../platform/http/lists.ts';
import type { Http, RouteTools } from '../../platform/http/server.ts';
import { listConnectionRequests } from '../connection-requests.ts';
import { ConnectionRequest, tags } from './schemas.ts';

/** Lists connection requests. Members see only their own. */
export function listConnectionRequestsRoute(http: Http, { db, origin }: RouteTools) {
  http.get(
    '/api/connection-requests/',
    {
      config: { access: { scope: 'govern' } },
      schema: {
        tags,
        summary: 'List connection requests',
        querystring: Type.Object(pageQuery),
        response: { 200: envelope(ConnectionRequest) },
      },
    },
    async (request) => {
      const page = pageOf(request.query);
      const slice = await listConnectionRequests(db, request.principal, page);
      return listReply(request, origin(request), page, slice);
    },
  );
}
