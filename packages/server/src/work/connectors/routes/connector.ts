import type { FastifyReply } from 'fastify';
import { Type } from 'typebox';
import { belowApp } from '#inventory/apps/routes/below-app.ts';
import { IfMatchHeader, withVersion } from '#kit/http.ts';
import { Component, Uuid } from '#kit/schemas.ts';
import {
  type ConnectorDetails,
  type ConnectorTools,
  changeConnector,
  connectorVersion,
  createConnector,
  deleteConnector,
  getConnector,
} from '../connectors.ts';
import { runFilters } from '../filters.ts';
import { cancelRun, getRun, listRuns, requestRun } from '../runs.ts';
import {
  ConnectorView,
  connectorFields,
  connectorView,
  managing,
  RunDetails,
  RunItem,
  reading,
  runDetails,
  runItem,
  tag,
} from './schemas.ts';

const app = belowApp({ tag, reading, managing });

function versioned(details: ConnectorDetails, reply: FastifyReply) {
  reply.header('ETag', connectorVersion(details));
  return connectorView(details);
}

/** The connector of an app. */
export const connectorRoutes = (tools: ConnectorTools) => [
  app.post(
    'connector/',
    'Add connector to app',
    {
      config: { ...managing, waits: true },
      body: Component('NewConnector', {
        type: Type.String({ minLength: 1, maxLength: 100 }),
        ...connectorFields,
      }),
      reply: ConnectorView,
      status: 201,
    },
    async ({ call, found, body }) => connectorView(await createConnector(tools, call, found, body)),
  ),
  app.get(
    'connector/',
    'Get connector of app',
    { reply: withVersion(ConnectorView) },
    async ({ call, found, reply }) => versioned(await getConnector(call, found.id), reply),
  ),
  app.patch(
    'connector/',
    'Change connector of app',
    {
      description:
        'From now on, runs act for the caller. A change of the definition, of a setting or of a secret requires all secrets again.',
      config: { ...managing, waits: true },
      headers: IfMatchHeader,
      body: Component('ConnectorChange', connectorFields),
      reply: withVersion(ConnectorView),
    },
    async ({ call, found, body, ifMatch, reply }) =>
      versioned(await changeConnector(tools, call, found, body, ifMatch), reply),
  ),
  app.delete(
    'connector/',
    'Delete connector of app',
    {
      description: 'Its secrets are deleted, and its runs end. The accounts of the app stay.',
      reply: Type.Null(),
      status: 204,
    },
    async ({ call, found }) => {
      await deleteConnector(call, found);
      return null;
    },
  ),
];

/** Runs: syncs, task batches, tests and previews. */
export const runRoutes = [
  app.post(
    'connector/run/',
    'Run connector',
    {
      body: Component('NewConnectorRun', {
        kind: Type.Enum(['sync', 'tasks']),
        accept_removals: Type.Optional(
          Type.Boolean({
            description:
              "Carries out a sync that the connector's guard has stopped. The removal guard of the app still holds.",
          }),
        ),
      }),
      reply: RunItem,
      status: 202,
    },
    async ({ call, found, body }) => runItem(await requestRun(call, found, body.kind, body.accept_removals)),
  ),
  app.post(
    'connector/test/',
    'Test connector',
    {
      description:
        'Reaches the system, signs in, and lists up to two pages of each resource type. The result of the run has the steps.',
      reply: RunItem,
      status: 202,
    },
    async ({ call, found }) => runItem(await requestRun(call, found, 'test')),
  ),
  app.post(
    'connector/preview/',
    'Preview records of connector',
    {
      description:
        'Lists the first 20 records of each resource type as a sync would push them, and those that it would skip. The result of the run has them.',
      reply: RunItem,
      status: 202,
    },
    async ({ call, found }) => runItem(await requestRun(call, found, 'preview')),
  ),
  app.list(
    'connector/runs/',
    'List connector runs',
    {
      description: 'Newest first. Runs are kept for 30 days.',
      query: runFilters.query,
      item: RunItem,
      isLong: true,
    },
    async ({ call, found, query }, page) => {
      const slice = await listRuns(call, found, query, page);
      return { ...slice, results: slice.results.map(runItem) };
    },
  ),
  app.get(
    'connector/runs/:run_id/',
    'Get connector run',
    // A preview has records of the system, so only administrators read it.
    { config: managing, params: { run_id: Uuid }, reply: RunDetails },
    async ({ call, found, params }) => runDetails(await getRun(call, found, params.run_id)),
  ),
  app.post(
    'connector/runs/:run_id/cancel/',
    'Cancel connector run',
    {
      description: 'A queued run ends immediately. A running one ends within 15 seconds and removes nothing.',
      params: { run_id: Uuid },
      reply: RunDetails,
    },
    async ({ call, found, params }) => runDetails(await cancelRun(call, found, params.run_id)),
  ),
];
