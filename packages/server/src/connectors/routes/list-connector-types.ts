import { Type } from 'typebox';
import type { Http } from '../../platform/http/server.ts';
import { connectorTypes } from '../types.ts';
import { ConnectorTypeItem, reading, tags } from './schemas.ts';

/** Lists the connectors that the server can run. */
export function listConnectorTypesRoute(http: Http) {
  http.get(
    '/api/connectors/',
    {
      config: reading,
      schema: {
        tags,
        summary: 'List types of connectors',
        response: { 200: Type.Object({ results: Type.Array(ConnectorTypeItem) }) },
      },
    },
    async () => ({
      results: connectorTypes().map(({ program, definition, ...type }) => ({
        ...type,
        needs_definition: definition === 'custom',
      })),
    }),
  );
}
