import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { withApp } from '../../../inventory/apps/with-app.ts';
import { within } from '../../../kit/database/organization.ts';
import { listReply, longEnvelope, longPageQuery, pageOf } from '../../../kit/http/lists.ts';
import { Component, Uuid } from '../../../kit/http/schemas.ts';
import type { Http, RouteTools } from '../../../kit/http/server.ts';
import { IfMatchHeader, ifMatchOf, withVersion } from '../../../kit/http/versions.ts';
import { callOf } from '../../../kit/identity/call.ts';
import { KINDS, type Kind, STATES } from '../connector.ts';
import {
  type ConnectorTools,
  changeConnector,
  connectorVersion,
  createConnector,
  deleteConnector,
  getConnector,
} from '../connectors.ts';
import { cancelRun, getRun, listRuns, requestRun } from '../runs.ts';
import {
  AppParams,
  ConnectorView,
  connectorFields,
  connectorView,
  managing,
  RunDetails,
  RunItem,
  RunParams,
  reading,
  runDetails,
  runItem,
  tags,
} from './schemas.ts';

export function createConnectorRoute(http: Http, tools: ConnectorTools) {
  http.post(
    '/api/apps/:app_id/connector/',
    {
      config: { ...managing, waits: true },
      onRequest: withApp(tools.db),
      schema: {
        tags,
        summary: 'Add connector to app',
        params: AppParams,
        body: Component('NewConnector', {
          type: Type.String({ minLength: 1, maxLength: 100 }),
          ...connectorFields,
        }),
        response: { 201: ConnectorView },
      },
    },
    async (request, reply) => {
      const { bridgeApp, body } = request;
      const details = await createConnector(tools, callOf(tools.db, request), bridgeApp, body);
      reply.code(201);
      return connectorView(details);
    },
  );
}

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
        response: { 200: withVersion(ConnectorView) },
      },
    },
    async ({ principal, bridgeApp }, reply) => {
      const details = await getConnector(within(db, principal.orgId), bridgeApp.id);
      reply.header('ETag', connectorVersion(details));
      return connectorView(details);
    },
  );
}

export function changeConnectorRoute(http: Http, tools: ConnectorTools) {
  http.patch(
    '/api/apps/:app_id/connector/',
    {
      config: { ...managing, waits: true },
      onRequest: withApp(tools.db),
      schema: {
        tags,
        summary: 'Change connector of app',
        description:
          'From now on, runs act for the caller. A change of the definition, of a setting or of a secret requires all secrets again.',
        params: AppParams,
        headers: IfMatchHeader,
        body: Component('ConnectorChange', connectorFields),
        response: { 200: withVersion(ConnectorView) },
      },
    },
    async (request, reply) => {
      const { bridgeApp, body } = request;
      const changed = await changeConnector(
        tools,
        callOf(tools.db, request),
        bridgeApp,
        body,
        ifMatchOf(request),
      );
      reply.header('ETag', connectorVersion(changed));
      return connectorView(changed);
    },
  );
}

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
      await deleteConnector(callOf(tools.db, request), request.bridgeApp);
      reply.code(204);
      return null;
    },
  );
}

/** Starts a sync or a task batch, a test, or a preview. */
export function startRunRoutes(http: Http, { db }: Pick<RouteTools, 'db'>) {
  const start = async (request: FastifyRequest, kind: Kind, acceptsRemovals = false) =>
    runItem(await requestRun(callOf(db, request), request.bridgeApp, kind, acceptsRemovals));
  const onRequest = withApp(db);
  http.post(
    '/api/apps/:app_id/connector/run/',
    {
      config: managing,
      onRequest,
      schema: {
        tags,
        summary: 'Run connector',
        params: AppParams,
        body: Component('NewConnectorRun', {
          kind: Type.Enum(['sync', 'tasks']),
          accept_removals: Type.Optional(
            Type.Boolean({
              description:
                "Carries out a sync that the connector's guard has stopped. The removal guard of the app still holds.",
            }),
          ),
        }),
        response: { 202: RunItem },
      },
    },
    async (request, reply) => {
      const { kind, accept_removals } = request.body;
      const run = await start(request, kind, accept_removals);
      reply.code(202);
      return run;
    },
  );
  http.post(
    '/api/apps/:app_id/connector/test/',
    {
      config: managing,
      onRequest,
      schema: {
        tags,
        summary: 'Test connector',
        description:
          'Reaches the system, signs in, and lists up to two pages of each resource type. The result of the run has the steps.',
        params: AppParams,
        response: { 202: RunItem },
      },
    },
    async (request, reply) => {
      const run = await start(request, 'test');
      reply.code(202);
      return run;
    },
  );
  http.post(
    '/api/apps/:app_id/connector/preview/',
    {
      config: managing,
      onRequest,
      schema: {
        tags,
        summary: 'Preview records of connector',
        description:
          'Lists the first 20 records of each resource type as a sync would push them, and those that it would skip. The result of the run has them.',
        params: AppParams,
        response: { 202: RunItem },
      },
    },
    async (request, reply) => {
      const run = await start(request, 'preview');
      reply.code(202);
      return run;
    },
  );
}

const Query = Type.Object({
  ...longPageQuery,
  kind: Type.Optional(Type.Enum([...KINDS])),
  state: Type.Optional(Type.Enum([...STATES])),
  run_id: Type.Optional({ ...Uuid, description: 'Only this run.' }),
});

export function listRunsRoute(http: Http, { db, origin }: RouteTools) {
  http.get(
    '/api/apps/:app_id/connector/runs/',
    {
      config: reading,
      onRequest: withApp(db),
      schema: {
        tags,
        summary: 'List connector runs',
        description: 'Newest first. Runs are kept for 30 days.',
        params: AppParams,
        querystring: Query,
        response: { 200: longEnvelope(RunItem) },
      },
    },
    async (request) => {
      const { bridgeApp, query } = request;
      const page = pageOf(query);
      const filter = { kind: query.kind ?? null, state: query.state ?? null, id: query.run_id ?? null };
      const slice = await listRuns(callOf(db, request), bridgeApp, filter, page);
      return listReply(request, origin(request), page, { ...slice, results: slice.results.map(runItem) });
    },
  );
}

/** Returns a run with its log and result. A preview has records of the system, so only administrators read it. */
export function getRunRoute(http: Http, { db }: Pick<RouteTools, 'db'>) {
  http.get(
    '/api/apps/:app_id/connector/runs/:run_id/',
    {
      config: managing,
      onRequest: withApp(db),
      schema: { tags, summary: 'Get connector run', params: RunParams, response: { 200: RunDetails } },
    },
    async (request) =>
      runDetails(await getRun(callOf(db, request), request.bridgeApp, request.params.run_id)),
  );
}

export function cancelRunRoute(http: Http, { db }: Pick<RouteTools, 'db'>) {
  http.post(
    '/api/apps/:app_id/connector/runs/:run_id/cancel/',
    {
      config: managing,
      onRequest: withApp(db),
      schema: {
        tags,
        summary: 'Cancel connector run',
        description:
          'A queued run ends immediately. A running one ends within 15 seconds and removes nothing.',
        params: RunParams,
        response: { 200: RunDetails },
      },
    },
    async (request) => {
      const { bridgeApp, params } = request;
      return runDetails(await cancelRun(callOf(db, request), bridgeApp, params.run_id));
    },
  );
}
