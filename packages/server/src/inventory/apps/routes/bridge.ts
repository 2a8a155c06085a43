import { Type } from 'typebox';
import { resource } from '#kit/http.ts';
import { Component, Nullable, Uuid } from '#kit/schemas.ts';
import type { App } from '../app.ts';
import { appOf, createApp, listApps } from '../apps.ts';
import { reportCheck } from '../check.ts';
import type { ResourceType as Registered } from '../queries/apps.ts';
import {
  listResourceTypes,
  registerResourceType,
  resourceTypeOf,
  SLUG,
  updateResourceType,
} from '../resource-types.ts';
import { BridgeApp, bridge, ResourceType, ResourceTypeKind, ResourceTypeName } from './schemas.ts';

const place = { tag: 'Bridge: apps', reading: bridge, managing: bridge };

/** An app as connectors see it (D14). */
const apps = resource({
  ...place,
  path: '/api/v1/bridge/apps/',
  id: 'app_id',
  find: appOf,
  schema: BridgeApp,
  view: (app: App) => app,
});

const resourceTypes = resource({
  ...place,
  path: '/api/v1/bridge/apps/:app_id/resource-types/',
  params: { app_id: Uuid },
  id: 'slug',
  idSchema: Type.String(),
  find: async (call, slug, { app_id = '' }) => {
    const app = await appOf(call, app_id);
    return { app, type: await resourceTypeOf(call, app, slug) };
  },
  schema: ResourceType,
  view: (type: Registered) => type,
});

const NewApp = Component('NewApp', {
  name: Type.String({ minLength: 1, maxLength: 255 }),
  clone_from: Type.Optional(Nullable(Uuid)),
});

const NewResourceType = Component('NewResourceType', {
  slug: Type.String({ pattern: SLUG.source }),
  name: ResourceTypeName,
  type: ResourceTypeKind,
});

/** Slug and type are accepted only if they do not change. */
const Change = Component('ResourceTypeChange', {
  name: ResourceTypeName,
  slug: Type.Optional(Type.Unknown()),
  type: Type.Optional(Type.Unknown()),
});

const Check = Component('ConfigurationCheck', {
  ok: Type.Boolean({ description: 'Whether the connector could sign in to the external system.' }),
  method: Type.Enum(['api', 'browser']),
  message: Type.Optional(Nullable(Type.String({ maxLength: 2000 }))),
});

/** Apps and resource types for connectors (protocol 4.1 to 4.3, D12 to D14). */
export const bridgeAppRoutes = [
  apps.create('Create app', { body: NewApp }, ({ call, body: { name, clone_from: cloneFrom = null } }) =>
    createApp(call, { name, cloneFrom }),
  ),
  apps.list('List apps', {}, (call, _, page) => listApps(call, page)),
  apps.get('Get app'),
  apps.listOf('resource-types/', 'List resource types', { item: ResourceType }, ({ call, found }, page) =>
    listResourceTypes(call, found, page),
  ),
  apps.one.post(
    'resource-types/',
    'Register resource type',
    { body: NewResourceType, reply: ResourceType, status: 201 },
    ({ call, found, body }) => registerResourceType(call, found, body),
  ),
  resourceTypes.one.patch('', 'Rename resource type', { body: Change }, ({ call, found, body }) =>
    updateResourceType(call, found.app, found.type, body),
  ),
  // D13.
  apps.act('check/', 'Report a connection check', { body: Check }, ({ call, found, body }) =>
    reportCheck(call, found.id, { ...body, message: body.message ?? null }),
  ),
];
