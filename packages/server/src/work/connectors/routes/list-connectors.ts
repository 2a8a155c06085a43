import { Type } from 'typebox';
import { envelope, listReply, pageOf, pageQuery } from '../../../kit/http/lists.ts';
import { Uuid } from '../../../kit/http/schemas.ts';
import type { Http, RouteTools } from '../../../kit/http/server.ts';
import { callOf } from '../../../kit/identity/call.ts';
import { listConnectors } from '../connectors.ts';
import { ConnectorStateItem, connectorState, reading, tags } from './schemas.ts';

/** Lists the connectors of all apps with their states. */
export function listConnectorsRoute(http: Http, { db, origin }: RouteTools) {
  http.get(
    '/api/app-connectors/',
    {
      config: reading,
      schema: {
        tags,
        summary: 'List connectors of apps',
        querystring: Type.Object({ ...pageQuery, app: Type.Optional(Uuid) }),
        response: { 200: envelope(ConnectorStateItem) },
      },
    },
    async (request) => {
      const { query } = request;
      const page = pageOf(query);
      const { count, results } = await listConnectors(callOf(db, request), query.app, page);
      return listReply(request, origin(request), page, { count, results: results.map(connectorState) });
    },
  );
}
