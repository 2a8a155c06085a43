import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { actorOf } from '../identity/cause.ts';
import type { Db } from '../platform/database/open.ts';
import { envelope, listReply, pageOf, pageQuery } from '../platform/http/lists.ts';
import { Nullable, Timestamp, Uuid } from '../platform/http/schemas.ts';
import type { Http, RouteTools } from '../platform/http/server.ts';
import * as apps from './apps.ts';
import * as types from './resource-types.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The app of the address, once withApp has let the request through. */
    bridgeApp: apps.App;
  }
}

/** Refuses a request for an app that does not exist here or that the key may not touch, before its body is read (D6). */
export const withApp = (db: Db) => async (request: FastifyRequest) => {
  request.bridgeApp = await apps.accessibleApp(
    db,
    request.principal,
    (request.params as { app_id: string }).app_id,
  );
};

export const BridgeApp = Type.Object({
  id: Uuid,
  name: Type.String(),
  configuration_status: Type.String(),
  created_at: Timestamp,
  last_synced_at: Nullable(Timestamp),
});
const NewApp = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 255 }),
  clone_from: Type.Optional(Nullable(Uuid)),
});

const Slug = Type.String({ pattern: types.SLUG.source });
const ResourceTypeName = Type.String({ minLength: 1, maxLength: 512 });
export const ResourceType = Type.Object({
  id: Uuid,
  slug: Type.String(),
  name: Type.String(),
  type: Type.String(),
  created_at: Timestamp,
});
const NewResourceType = Type.Object({
  slug: Slug,
  name: ResourceTypeName,
  type: Type.Union([Type.Literal('account'), Type.Literal('group'), Type.Literal('license')]),
});
const ResourceTypeChange = Type.Object({
  name: ResourceTypeName,
  slug: Type.Optional(Type.Unknown()),
  type: Type.Optional(Type.Unknown()),
});

const AppParams = Type.Object({ app_id: Uuid });
const config = { access: { scope: 'bridge' } } as const;
const tags = ['Bridge: apps'];

/** Apps and resource types as connectors see them (contract 4.1 to 4.3, D12 to D14). */
export function bridgeAppRoutes(http: Http, { db, origin }: RouteTools) {
  const onRequest = withApp(db);
  const onType = async ({ principal, bridgeApp, params }: FastifyRequest) => {
    await types.resourceTypeOf(db, principal.orgId, bridgeApp, (params as { slug: string }).slug);
  };

  http.post(
    '/api/v1/bridge/apps/',
    { config, schema: { tags, summary: 'Create app', body: NewApp, response: { 201: BridgeApp } } },
    async (request, reply) => {
      const { name, clone_from } = request.body;
      reply.code(201);
      return apps.createApp(db, request.principal, actorOf(request), { name, cloneFrom: clone_from ?? null });
    },
  );

  http.get(
    '/api/v1/bridge/apps/',
    {
      config,
      schema: {
        tags,
        summary: 'List apps',
        querystring: Type.Object(pageQuery),
        response: { 200: envelope(BridgeApp) },
      },
    },
    async (request) => {
      const page = pageOf(request.query);
      return listReply(request, origin(request), page, await apps.listApps(db, request.principal, page));
    },
  );

  http.get(
    '/api/v1/bridge/apps/:app_id/',
    {
      config,
      onRequest,
      schema: { tags, summary: 'Get app', params: AppParams, response: { 200: BridgeApp } },
    },
    async (request) => request.bridgeApp,
  );

  http.get(
    '/api/v1/bridge/apps/:app_id/resource-types/',
    {
      config,
      onRequest,
      schema: {
        tags,
        summary: 'List resource types',
        params: AppParams,
        querystring: Type.Object(pageQuery),
        response: { 200: envelope(ResourceType) },
      },
    },
    async (request) => {
      const page = pageOf(request.query);
      const slice = await types.listResourceTypes(db, request.principal.orgId, request.bridgeApp, page);
      return listReply(request, origin(request), page, slice);
    },
  );

  http.post(
    '/api/v1/bridge/apps/:app_id/resource-types/',
    {
      config,
      onRequest,
      schema: {
        tags,
        summary: 'Register resource type',
        params: AppParams,
        body: NewResourceType,
        response: { 201: ResourceType },
      },
    },
    async (request, reply) => {
      reply.code(201);
      return types.registerResourceType(db, request.principal.orgId, request.bridgeApp, request.body);
    },
  );

  http.patch(
    '/api/v1/bridge/apps/:app_id/resource-types/:slug/',
    {
      config,
      onRequest: [onRequest, onType],
      schema: {
        tags,
        summary: 'Rename resource type',
        params: Type.Object({ app_id: Uuid, slug: Type.String() }),
        body: ResourceTypeChange,
        response: { 200: ResourceType },
      },
    },
    async (request) =>
      types.updateResourceType(
        db,
        request.principal.orgId,
        request.bridgeApp,
        request.params.slug,
        request.body,
      ),
  );
}
