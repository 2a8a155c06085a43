import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { within } from '../../../kit/database/organization.ts';
import { envelope, listReply, pageOf, pageQuery } from '../../../kit/http/lists.ts';
import { Component, Nullable, Uuid } from '../../../kit/http/schemas.ts';
import type { Http, RouteTools } from '../../../kit/http/server.ts';
import { callOf } from '../../../kit/identity/call.ts';
import { causeOf } from '../../../kit/identity/cause.ts';
import { createApp, listApps } from '../apps.ts';
import { reportCheck } from '../check.ts';
import {
  listResourceTypes,
  registerResourceType,
  resourceTypeOf,
  SLUG,
  updateResourceType,
} from '../resource-types.ts';
import { withApp } from '../with-app.ts';
import {
  AppParams,
  BridgeApp,
  bridge,
  bridgeTags,
  ResourceType,
  ResourceTypeKind,
  ResourceTypeName,
} from './schemas.ts';

const NewApp = Component('NewApp', {
  name: Type.String({ minLength: 1, maxLength: 255 }),
  clone_from: Type.Optional(Nullable(Uuid)),
});

/** Creates an app (protocol 4.1, D12). */
export function createAppRoute(http: Http, { db }: RouteTools) {
  http.post(
    '/api/v1/bridge/apps/',
    {
      config: bridge,
      schema: { tags: bridgeTags, summary: 'Create app', body: NewApp, response: { 201: BridgeApp } },
    },
    async (request, reply) => {
      const { name, clone_from: cloneFrom = null } = request.body;
      reply.code(201);
      return createApp(callOf(db, request), { name, cloneFrom });
    },
  );
}

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
      return listReply(request, origin(request), page, await listApps(callOf(db, request), page));
    },
  );
}

/** Returns an app as connectors see it (D14). */
export function getBridgeAppRoute(http: Http, { db }: RouteTools) {
  http.get(
    '/api/v1/bridge/apps/:app_id/',
    {
      config: bridge,
      onRequest: withApp(db),
      schema: { tags: bridgeTags, summary: 'Get app', params: AppParams, response: { 200: BridgeApp } },
    },
    async (request) => request.bridgeApp,
  );
}

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
      const slice = await listResourceTypes(within(db, request.principal.orgId), request.bridgeApp, page);
      return listReply(request, origin(request), page, slice);
    },
  );
}

const NewResourceType = Component('NewResourceType', {
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
      return registerResourceType(callOf(db, request), request.bridgeApp, request.body);
    },
  );
}

/** Slug and type are accepted only if they do not change. */
const Change = Component('ResourceTypeChange', {
  name: ResourceTypeName,
  slug: Type.Optional(Type.Unknown()),
  type: Type.Optional(Type.Unknown()),
});

/** Changes the name of a resource type (D14). */
export function renameResourceTypeRoute(http: Http, { db }: RouteTools) {
  /** Throws 404 for an unknown slug before the body is read (D6). */
  const requireType = async ({ principal, bridgeApp, params }: FastifyRequest) => {
    await resourceTypeOf(within(db, principal.orgId), bridgeApp, (params as { slug: string }).slug);
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
      return updateResourceType(callOf(db, request), bridgeApp, params.slug, body);
    },
  );
}

const Check = Component('ConfigurationCheck', {
  ok: Type.Boolean({ description: 'Whether the connector could sign in to the external system.' }),
  method: Type.Enum(['api', 'browser']),
  message: Type.Optional(Nullable(Type.String({ maxLength: 2000 }))),
});

/** Records the result of a connection check (D13). */
export function reportCheckRoute(http: Http, { db }: RouteTools) {
  http.post(
    '/api/v1/bridge/apps/:app_id/check/',
    {
      config: bridge,
      onRequest: withApp(db),
      schema: {
        tags: bridgeTags,
        summary: 'Report a connection check',
        params: AppParams,
        body: Check,
        response: { 200: BridgeApp },
      },
    },
    async (request) => {
      const { principal, bridgeApp, body } = request;
      const check = { ...body, message: body.message ?? null };
      return reportCheck(within(db, principal.orgId), bridgeApp.id, causeOf(request), check);
    },
  );
}
