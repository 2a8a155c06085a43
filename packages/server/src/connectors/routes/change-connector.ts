import { Type } from 'typebox';
import { withApp } from '../../apps/with-app.ts';
import { causeOf } from '../../identity/cause.ts';
import type { Http } from '../../platform/http/server.ts';
import { type ConnectorTools, changeConnector } from '../connectors.ts';
import { AppParams, ConnectorView, connectorFields, connectorView, managing, tags } from './schemas.ts';

export function changeConnectorRoute(http: Http, tools: ConnectorTools) {
  http.patch(
    '/api/apps/:app_id/connector/',
    {
      config: managing,
      onRequest: withApp(tools.db),
      schema: {
        tags,
        summary: 'Change connector of app',
        description:
          'From now on, runs act for the caller. A change of the definition, of a setting or of a secret requires all secrets again.',
        params: AppParams,
        body: Type.Object(connectorFields),
        response: { 200: ConnectorView },
      },
    },
    async (request) => {
      const { principal, bridgeApp, body } = request;
      return connectorView(await changeConnector(tools, principal, bridgeApp, body, causeOf(request)));
    },
  );
}
