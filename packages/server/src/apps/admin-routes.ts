import type { FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import { actorOf } from '../identity/cause.ts';
import { envelope, listReply, pageOf, pageQuery } from '../platform/http/lists.ts';
import { Nullable, Timestamp, Uuid } from '../platform/http/schemas.ts';
import type { Http, RouteTools } from '../platform/http/server.ts';
import * as admin from './admin.ts';
import { ResourceType, withApp } from './bridge-routes.ts';
import { AppReference, appReference } from './reference.ts';
import { listResourceTypes } from './resource-types.ts';

const People = Type.Array(Uuid, { minItems: 1, maxItems: 100 });
const Approvers = Type.Union([Type.Enum(['manager', 'app_owner']), People]);
const Require = Type.Enum(['all', 'any']);
const ApprovalStep = Type.Object({ approvers: Approvers, require: Type.Optional(Require) });
const Fallback = Nullable(People);
const Guard = Nullable(
  Type.Object({
    percent: Type.Number({ minimum: 1, maximum: 100 }),
    at_least: Type.Integer({ minimum: 1 }),
  }),
);

const AppView = Type.Object({
  ...AppReference.properties,
  configuration_status: Type.String({ description: 'CHECKING_CONFIGURATION, CONNECTED or DISCONNECTED.' }),
  owner: Nullable(Uuid),
  approval_steps: Type.Array(Type.Object({ approvers: Approvers, require: Require })),
  fallback_approvers: Nullable(Type.Array(Uuid, { description: "Null: the organization's administrators." })),
  removal_guard: Guard,
  created_at: Timestamp,
  last_synced_at: Nullable(Timestamp),
});

const AppChange = Type.Object({
  name: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
  owner: Type.Optional(Nullable(Uuid)),
  approval_steps: Type.Optional(Type.Array(ApprovalStep, { minItems: 1, maxItems: 10 })),
  fallback_approvers: Type.Optional(Fallback),
  removal_guard: Type.Optional(Guard),
});

const Params = Type.Object({ app_id: Uuid });
const read = { access: { scope: 'govern' } } as const;
const write = { access: { scope: 'govern', roles: ['owner', 'admin'] } } as const;
const tags = ['Apps'];

const view = ({ id, name, ...app }: admin.AdminApp) => ({ ...appReference(id, name), ...app });

const step = ({ approvers, require = 'any' }: Static<typeof ApprovalStep>): admin.ApprovalStep => ({
  approvers: typeof approvers === 'string' ? approvers : approvers.map((id) => id.toLowerCase()),
  require,
});

const callerOf = (request: FastifyRequest) => ({ principal: request.principal, actor: actorOf(request) });

/** Apps as administrators see them (governance.md). Everybody reads them: one must be able to ask for access. */
export function adminAppRoutes(
  http: Http,
  { db, origin, onArchive }: RouteTools & { onArchive: readonly admin.ArchiveHook[] },
) {
  const onRequest = withApp(db);

  http.get(
    '/api/apps/',
    {
      config: read,
      schema: {
        tags,
        summary: 'List apps',
        querystring: Type.Object({
          ...pageQuery,
          q: Type.Optional(Type.String({ description: 'Part of the name, without case.' })),
        }),
        response: { 200: envelope(AppView) },
      },
    },
    async (request) => {
      const page = pageOf(request.query);
      const { count, results } = await admin.listAdminApps(
        db,
        request.principal,
        request.query.q || null,
        page,
      );
      return listReply(request, origin(request), page, { count, results: results.map(view) });
    },
  );

  http.get(
    '/api/apps/:app_id/',
    {
      config: read,
      onRequest,
      schema: { tags, summary: 'Get app', params: Params, response: { 200: AppView } },
    },
    async (request) => view(await admin.adminAppOf(db, request.principal.orgId, request.bridgeApp.id)),
  );

  http.get(
    '/api/apps/:app_id/resource-types/',
    {
      config: read,
      onRequest,
      schema: {
        tags,
        summary: 'List the resource types of an app',
        params: Params,
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

  http.patch(
    '/api/apps/:app_id/',
    {
      config: write,
      onRequest,
      schema: {
        tags,
        summary: 'Change who decides about an app, and its guard',
        params: Params,
        body: AppChange,
        response: { 200: AppView },
      },
    },
    async (request) => {
      const { approval_steps, ...rest } = request.body;
      const change =
        approval_steps === undefined ? rest : { ...rest, approval_steps: approval_steps.map(step) };
      return view(await admin.changeSettings(db, request.principal.orgId, request.bridgeApp.id, change));
    },
  );

  http.delete(
    '/api/apps/:app_id/',
    {
      config: write,
      onRequest,
      schema: { tags, summary: 'Archive app', params: Params, response: { 204: Type.Null() } },
    },
    async (request, reply) => {
      await admin.archive(db, callerOf(request), request.bridgeApp.id, onArchive);
      reply.code(204);
      return null;
    },
  );

  http.post(
    '/api/apps/:app_id/disconnect/',
    {
      config: write,
      onRequest,
      schema: { tags, summary: 'Disconnect app', params: Params, response: { 200: AppView } },
    },
    async (request) => view(await admin.disconnect(db, callerOf(request), request.bridgeApp.id)),
  );

  http.post(
    '/api/apps/:app_id/reconnect/',
    {
      config: write,
      onRequest,
      schema: { tags, summary: 'Take back a disconnect', params: Params, response: { 200: AppView } },
    },
    async (request) => view(await admin.reconnect(db, request.principal.orgId, request.bridgeApp.id)),
  );
}
