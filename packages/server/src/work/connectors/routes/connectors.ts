import { Type } from 'typebox';
import { Component } from '../../../kit/http/schemas.ts';
import type { Http } from '../../../kit/http/server.ts';
import { checkDefinition } from '../connectors.ts';
import { connectorTypes } from '../types.ts';
import { ConnectorTypeItem, Definition, DescribedView, managing, reading, tags } from './schemas.ts';

/** Lists the connectors that the server can run. */
export function listConnectorTypesRoute(http: Http) {
  http.get(
    '/api/connectors/',
    {
      config: reading,
      schema: {
        tags,
        summary: 'List types of connectors',
        response: { 200: Component('ConnectorTypes', { results: Type.Array(ConnectorTypeItem) }) },
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

/** Checks a definition before an app has a connector with it. */
export function checkDefinitionRoute(http: Http) {
  http.post(
    '/api/connectors/check/',
    {
      config: { ...managing, waits: true },
      schema: {
        tags,
        summary: 'Check definition of connector',
        description:
          'Returns the settings, resource types and actions of a definition. An invalid one gets 400 with the line and column of each mistake.',
        body: Component('ConnectorDefinition', {
          type: Type.String({ minLength: 1, maxLength: 100 }),
          definition: Definition,
        }),
        response: { 200: DescribedView },
      },
    },
    ({ principal, body }) => checkDefinition(principal, body.type, body.definition),
  );
}
