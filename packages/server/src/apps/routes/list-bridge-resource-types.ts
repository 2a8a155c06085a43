import { Type } from 'typebox';
import { envelope, listReply, pageOf, pageQuery } from '../../platform/http/lists.ts';
import type { Http, RouteTools } from '../../platform/http/server.ts';
import { listResourceTypes } from '../resource-types.ts';
import { withApp } from '../with-app.ts';
import { AppParams, bridge, bridgeTags, ResourceType } from './schemas.ts';

/** Lists the resource types of an app for its connector (protocol 4.2). */
export function listBridgeResourceTypesRoute(http: Http, { db, origin }: RouteTools) {
  http.get(
    '/api/v1/bridge/apps/:app_id/resource-types/',
    {
      config: bridge,
      onRequest: withApp(db),
      schema: {
        tags: bridgeTags,
        summary: 'List resource types',
        params: AppParams,
        querystring: Type.Object(pageQuery),
        response: { 200: envelope(ResourceType) },
      },
    },
    async (request) => {
      const page = pageOf(request.query);
      const slice = await listResourceTypes(db, request.principal.orgId, request.bridgeApp, page);
      return listReply(request, origin(request), page, slice);
    },
  );
}
