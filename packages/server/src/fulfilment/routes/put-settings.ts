import { Type } from 'typebox';
import { withApp } from '../../apps/with-app.ts';
import { causeOf } from '../../identity/cause.ts';
import { Uuid } from '../../platform/http/schemas.ts';
import type { Http, RouteTools } from '../../platform/http/server.ts';
import { changeSettings } from '../settings.ts';
import { SettingsItem, tags } from './schemas.ts';

export function putSettingsRoute(http: Http, { db }: RouteTools) {
  http.put(
    '/api/apps/:app_id/fulfilment/',
    {
      // Fulfillers and instructions name people and groups of the whole organization (D7).
      config: { access: { scope: 'govern', roles: ['owner', 'admin'] } },
      onRequest: withApp(db),
      schema: {
        tags,
        summary: 'Replace fulfilment settings of an app',
        description: 'People carry out the provisioning tasks of an app that no connector can change.',
        params: Type.Object({ app_id: Uuid }),
        body: SettingsItem,
        response: { 200: SettingsItem },
      },
    },
    async (request) =>
      changeSettings(
        db,
        { principal: request.principal, ...causeOf(request) },
        request.bridgeApp,
        request.body,
      ),
  );
}
