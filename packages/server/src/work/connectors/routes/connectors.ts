import { Type } from 'typebox';
import { list, route } from '#kit/http.ts';
import { Component } from '#kit/schemas.ts';
import { checkDefinition, listConnectors } from '../connectors.ts';
import { connectorFilters } from '../filters.ts';
import { connectorTypes } from '../types.ts';
import {
  ConnectorStateItem,
  ConnectorTypeItem,
  connectorState,
  Definition,
  DescribedView,
  managing,
  reading,
  tag,
} from './schemas.ts';

export const connectorsRoutes = [
  route(
    'GET',
    '/api/connectors/',
    {
      tag,
      config: reading,
      summary: 'List types of connectors',
      reply: Component('ConnectorTypes', { results: Type.Array(ConnectorTypeItem) }),
    },
    () => ({
      results: connectorTypes().map(({ program, definition, ...type }) => ({
        ...type,
        needs_definition: definition === 'custom',
      })),
    }),
  ),
  route(
    'POST',
    '/api/connectors/check/',
    {
      tag,
      config: { ...managing, waits: true },
      summary: 'Check definition of connector',
      description:
        'Returns the settings, resource types and actions of a definition. An invalid one gets 400 with the line and column of each mistake.',
      body: Component('ConnectorDefinition', {
        type: Type.String({ minLength: 1, maxLength: 100 }),
        definition: Definition,
      }),
      reply: DescribedView,
    },
    ({ call, body }) => checkDefinition(call, body.type, body.definition),
  ),
  list(
    '/api/app-connectors/',
    {
      tag,
      config: reading,
      summary: 'List connectors of apps',
      query: connectorFilters.query,
      item: ConnectorStateItem,
    },
    async ({ call, query }, page) => {
      const { count, results } = await listConnectors(call, query, page);
      return { count, results: results.map(connectorState) };
    },
  ),
];
