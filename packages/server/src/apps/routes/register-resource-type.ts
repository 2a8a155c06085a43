import { Type } from 'typebox';
import type { Http, RouteTools } from '../../platform/http/server.ts';
import { registerResourceType, SLUG } from '../resource-types.ts';
import { withApp } from '../with-app.ts';
import { callerOf } from './caller.ts';
import {
  AppParams,
  bridge,
  bridgeTags,
  ResourceType,
  ResourceTypeKind,
  ResourceTypeName,
} from './schemas.ts';

const NewResourceType = Type.Object({
  slug: Type.String({ pattern: SLUG.source }),
  name: ResourceTypeName,
  type: ResourceTypeKind,
});

/** Registers a resource type (protocol 4.3). */
export function registerResourceTypeRoute(http: Http, { db }: RouteTools) {
  http.post(
    '/api/v1/bridge/apps/:app_id/resource-types/',
    {
      config: bridge,
      onRequest: withApp(db),
      schema: {
        tags: bridgeTags,
        summary: 'Register resource type',
        params: AppParams,
        body: NewResourceType,
        response: { 201: ResourceType },
      },
    },
    async (request, reply) => {
      reply.code(201);
      return registerResourceType(db, callerOf(request), request.bridgeApp, request.body);
    },
  );
}
