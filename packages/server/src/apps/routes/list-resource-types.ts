import { Type } from 'typebox';
import { envelope, listReply, pageOf, pageQuery } from '../../platform/http/lists.ts';
import type { Http, RouteTools } from '../../platform/http/server.ts';
import { listResourceTypes } from '../resource-types.ts';
import { withApp } from '../with-app.ts';
import { AppParams, everyRole, ResourceType, tags } from './schemas.ts';

/** Lists the resource types of an app. */
export function listResourceTypesRoute(http: Http, { db, origin }: RouteTools) {
  http.get(
    '/api/apps/:app_id/resource-types/',
    {
      config: everyRole,
      onRequest: withApp(db),
      schema: {
        tags,
        summary: 'List the resource types of an app',
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
