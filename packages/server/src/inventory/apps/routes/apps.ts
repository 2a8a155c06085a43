import { Type } from 'typebox';
import { within } from '../../../kit/database/organization.ts';
import { envelope, listReply, pageOf, pageQuery } from '../../../kit/http/lists.ts';
import type { Http, RouteTools } from '../../../kit/http/server.ts';
import { IfMatchHeader, ifMatchOf, withVersion } from '../../../kit/http/versions.ts';
import { callOf } from '../../../kit/identity/call.ts';
import {
  adminAppOf,
  archive,
  changeSettings,
  disconnect,
  listAdminApps,
  type ReadActivity,
  reconnect,
  settingsVersion,
} from '../admin.ts';
import { listResourceTypes } from '../resource-types.ts';
import { userNameRule } from '../user-names/rule.ts';
import { withApp } from '../with-app.ts';
import {
  AppChange,
  AppParams,
  AppView,
  administrators,
  approvalStep,
  appView,
  everyRole,
  ResourceType,
  tags,
  withActivity,
} from './schemas.ts';

const Query = Type.Object({
  ...pageQuery,
  q: Type.Optional(Type.String({ description: 'Part of the name, case-insensitive.' })),
});

/** Lists apps. Every role may, because everyone may request access (protocol 11). */
export function listAppsRoute(http: Http, tools: RouteTools & ReadActivity) {
  const { db, origin } = tools;
  http.get(
    '/api/apps/',
    {
      config: everyRole,
      schema: { tags, summary: 'List apps', querystring: Query, response: { 200: envelope(AppView) } },
    },
    async (request) => {
      const page = pageOf(request.query);
      const slice = await listAdminApps(callOf(db, request), request.query.q || null, page);
      const results = await withActivity(tools, callOf(tools.db, request), slice.results);
      return listReply(request, origin(request), page, { ...slice, results });
    },
  );
}

/** Returns an app with its settings. */
export function getAppRoute(http: Http, tools: RouteTools & ReadActivity) {
  const { db } = tools;
  http.get(
    '/api/apps/:app_id/',
    {
      config: everyRole,
      onRequest: withApp(db),
      schema: { tags, summary: 'Get app', params: AppParams, response: { 200: withVersion(AppView) } },
    },
    async (request, reply) => {
      const app = await adminAppOf(within(db, request.principal.orgId), request.bridgeApp.id);
      reply.header('ETag', settingsVersion(app));
      const [view] = await withActivity(tools, callOf(tools.db, request), [app]);
      if (view === undefined || request.principal.role === 'member') return appView(app);
      const unseen = await tools.readUnseen(callOf(tools.db, request), app.id);
      return unseen.length === 0 ? view : { ...view, unseen };
    },
  );
}

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
      const slice = await listResourceTypes(within(db, request.principal.orgId), request.bridgeApp, page);
      return listReply(request, origin(request), page, slice);
    },
  );
}

/** Changes the settings of an app: name, owner, approval, removal guard and user names. */
export function changeAppRoute(http: Http, { db }: RouteTools) {
  http.patch(
    '/api/apps/:app_id/',
    {
      config: administrators,
      onRequest: withApp(db),
      schema: {
        tags,
        summary: 'Change the settings of an app',
        params: AppParams,
        headers: IfMatchHeader,
        body: AppChange,
        response: { 200: withVersion(AppView) },
      },
    },
    async (request, reply) => {
      const { bridgeApp, body } = request;
      const { approval_steps: steps, user_name: rule, ...rest } = body;
      const change = {
        ...rest,
        ...(steps === undefined ? {} : { approval_steps: steps.map(approvalStep) }),
        ...(rule === undefined ? {} : { user_name: rule && userNameRule(rule) }),
      };
      const app = await changeSettings(callOf(db, request), bridgeApp.id, change, ifMatchOf(request));
      reply.header('ETag', settingsVersion(app));
      return appView(app);
    },
  );
}

/** Archives an app. */
export function archiveAppRoute(http: Http, { db }: RouteTools) {
  http.delete(
    '/api/apps/:app_id/',
    {
      config: administrators,
      onRequest: withApp(db),
      schema: { tags, summary: 'Archive app', params: AppParams, response: { 204: Type.Null() } },
    },
    async (request, reply) => {
      await archive(callOf(db, request), request.bridgeApp.id);
      reply.code(204);
      return null;
    },
  );
}

/** Disconnects an app until an administrator reconnects it (D13). */
export function disconnectAppRoute(http: Http, { db }: RouteTools) {
  http.post(
    '/api/apps/:app_id/disconnect/',
    {
      config: administrators,
      onRequest: withApp(db),
      schema: { tags, summary: 'Disconnect app', params: AppParams, response: { 200: AppView } },
    },
    async (request) => appView(await disconnect(callOf(db, request), request.bridgeApp.id)),
  );
}

/** Ends a disconnect by an administrator. */
export function reconnectAppRoute(http: Http, { db }: RouteTools) {
  http.post(
    '/api/apps/:app_id/reconnect/',
    {
      config: administrators,
      onRequest: withApp(db),
      schema: { tags, summary: 'Reconnect app', params: AppParams, response: { 200: AppView } },
    },
    async (request) => appView(await reconnect(callOf(db, request), request.bridgeApp.id)),
  );
}
