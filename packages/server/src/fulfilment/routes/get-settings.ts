import { Type } from 'typebox';
import { withApp } from '../../apps/with-app.ts';
import { Uuid } from '../../platform/http/schemas.ts';
import type { Http, RouteTools } from '../../platform/http/server.ts';
import { settingsOf } from '../settings.ts';
import { SettingsItem, tags } from './schemas.ts';

export function getSettingsRoute(http: Http, { db }: RouteTools) {
  http.get(
    '/api/apps/:app_id/fulfilment/',
    {
      config: { access: { scope: 'govern', roles: ['owner', 'admin', 'auditor'], apps: 'listed' } },
      onRequest: withApp(db),
      schema: {
        tags,
        summary: 'Get fulfilment settings of an app',
        params: Type.Object({ app_id: Uuid }),
        response: { 200: SettingsItem },
      },
    },
    async ({ principal, bridgeApp }) => settingsOf(db, principal.orgId, bridgeApp.id),
  );
}
