import { withApp } from '../../apps/with-app.ts';
import type { Http, RouteTools } from '../../platform/http/server.ts';
import { getConnector } from '../connectors.ts';
import { AppParams, ConnectorView, connectorView, reading, tags } from './schemas.ts';

export function getConnectorRoute(http: Http, { db }: Pick<RouteTools, 'db'>) {
  http.get(
    '/api/apps/:app_id/connector/',
    {
      config: reading,
      onRequest: withApp(db),
      schema: {
        tags,
        summary: 'Get connector of app',
        params: AppParams,
        response: { 200: ConnectorView },
      },
    },
    async ({ principal, bridgeApp }) => connectorView(await getConnector(db, principal.orgId, bridgeApp.id)),
  );
}
