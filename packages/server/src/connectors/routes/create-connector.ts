import { Type } from 'typebox';
import { withApp } from '../../apps/with-app.ts';
import { causeOf } from '../../identity/cause.ts';
import type { Http } from '../../platform/http/server.ts';
import { type ConnectorTools, createConnector } from '../connectors.ts';
import { AppParams, ConnectorView, connectorFields, connectorView, managing, tags } from './schemas.ts';

export function createConnectorRoute(http: Http, tools: ConnectorTools) {
  http.post(
    '/api/apps/:app_id/connector/',
    {
      config: managing,
      onRequest: withApp(tools.db),
      schema: {
        tags,
        summary: 'Add connector to app',
        params: AppParams,
        body: Type.Object({ type: Type.String({ minLength: 1, maxLength: 100 }), ...connectorFields }),
        response: { 201: ConnectorView },
      },
    },
    async (request, reply) => {
      const { principal, bridgeApp, body } = request;
      const details = await createConnector(tools, principal, bridgeApp, body, causeOf(request));
      reply.code(201);
      return connectorView(details);
    },
  );
}
