import { Type } from 'typebox';
import { withApp } from '../../../inventory/apps/with-app.ts';
import { within } from '../../../kit/database/organization.ts';
import { Uuid } from '../../../kit/http/schemas.ts';
import type { Http, RouteTools } from '../../../kit/http/server.ts';
import { IfMatchHeader, ifMatchOf, withVersion } from '../../../kit/http/versions.ts';
import { callOf } from '../../../kit/identity/call.ts';
import { changeSettings, fulfillmentVersion, settingsOf } from '../settings.ts';
import { SettingsItem, tags } from './schemas.ts';

export function getSettingsRoute(http: Http, { db }: RouteTools) {
  http.get(
    '/api/apps/:app_id/fulfillment/',
    {
      config: { access: { scope: 'govern', roles: ['owner', 'admin', 'auditor'], apps: 'listed' } },
      onRequest: withApp(db),
      schema: {
        tags,
        summary: 'Get fulfillment settings of an app',
        params: Type.Object({ app_id: Uuid }),
        response: { 200: withVersion(SettingsItem) },
      },
    },
    async ({ principal, bridgeApp }, reply) => {
      const settings = await settingsOf(within(db, principal.orgId), bridgeApp.id);
      reply.header('ETag', fulfillmentVersion(settings));
      return settings;
    },
  );
}

export function putSettingsRoute(http: Http, { db }: RouteTools) {
  http.put(
    '/api/apps/:app_id/fulfillment/',
    {
      // Fulfillers and instructions name people and groups of the whole organization (D7).
      config: { access: { scope: 'govern', roles: ['owner', 'admin'] } },
      onRequest: withApp(db),
      schema: {
        tags,
        summary: 'Replace fulfillment settings of an app',
        description: 'People carry out the provisioning tasks of an app that no connector can change.',
        params: Type.Object({ app_id: Uuid }),
        headers: IfMatchHeader,
        body: SettingsItem,
        response: { 200: withVersion(SettingsItem) },
      },
    },
    async (request, reply) => {
      const { bridgeApp, body } = request;
      const settings = await changeSettings(callOf(db, request), bridgeApp, body, ifMatchOf(request));
      reply.header('ETag', fulfillmentVersion(settings));
      return settings;
    },
  );
}
