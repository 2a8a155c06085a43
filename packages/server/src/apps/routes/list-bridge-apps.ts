import { Type } from 'typebox';
import { envelope, listReply, pageOf, pageQuery } from '../../platform/http/lists.ts';
import type { Http, RouteTools } from '../../platform/http/server.ts';
import { listApps } from '../apps.ts';
import { BridgeApp, bridge, bridgeTags } from './schemas.ts';

/** Lists the apps that the key may access (protocol 4.2). */
export function listBridgeAppsRoute(http: Http, { db, origin }: RouteTools) {
  http.get(
    '/api/v1/bridge/apps/',
    {
      config: bridge,
      schema: {
        tags: bridgeTags,
        summary: 'List apps',
        querystring: Type.Object(pageQuery),
        response: { 200: envelope(BridgeApp) },
      },
    },
    async (request) => {
      const page = pageOf(request.query);
      return listReply(request, origin(request), page, await listApps(db, request.principal, page));
    },
  );
}
