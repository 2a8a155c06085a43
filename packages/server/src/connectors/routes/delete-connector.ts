import { Type } from 'typebox';
import { withApp } from '../../apps/with-app.ts';
import { causeOf } from '../../identity/cause.ts';
import type { Http } from '../../platform/http/server.ts';
import { type ConnectorTools, deleteConnector } from '../connectors.ts';
import { AppParams, managing, tags } from './schemas.ts';

export function deleteConnectorRoute(http: Http, tools: ConnectorTools) {
  http.delete(
    '/api/apps/:app_id/connector/',
    {
      config: managing,
      onRequest: withApp(tools.db),
      schema: {
        tags,
        summary: 'Delete connector of app',
        description: 'Its secrets are deleted, and its runs end. The accounts of the app stay.',
        params: AppParams,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      await deleteConnector(tools, request.principal, request.bridgeApp, causeOf(request));
      reply.code(204);
      return null;
    },
  );
}
