import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { Uuid } from '../../platform/http/schemas.ts';
import type { Http, RouteTools } from '../../platform/http/server.ts';
import { resourceTypeOf, updateResourceType } from '../resource-types.ts';
import { withApp } from '../with-app.ts';
import { callerOf } from './caller.ts';
import { bridge, bridgeTags, ResourceType, ResourceTypeName } from './schemas.ts';

/** Slug and type are accepted only if they do not change. */
const Change = Type.Object({
  name: ResourceTypeName,
  slug: Type.Optional(Type.Unknown()),
  type: Type.Optional(Type.Unknown()),
});

/** Changes the name of a resource type (D14). */
export function renameResourceTypeRoute(http: Http, { db }: RouteTools) {
  /** Throws 404 for an unknown slug before the body is read (D6). */
  const requireType = async ({ principal, bridgeApp, params }: FastifyRequest) => {
    await resourceTypeOf(db, principal.orgId, bridgeApp, (params as { slug: string }).slug);
  };
  http.patch(
    '/api/v1/bridge/apps/:app_id/resource-types/:slug/',
    {
      config: bridge,
      onRequest: [withApp(db), requireType],
      schema: {
        tags: bridgeTags,
        summary: 'Rename resource type',
        params: Type.Object({ app_id: Uuid, slug: Type.String() }),
        body: Change,
        response: { 200: ResourceType },
      },
    },
    async (request) => {
      const { bridgeApp, params, body } = request;
      return updateResourceType(db, callerOf(request), bridgeApp, params.slug, body);
    },
  );
}
