import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { withApp } from '../../apps/with-app.ts';
import { causeOf } from '../../identity/cause.ts';
import type { Http, RouteTools } from '../../platform/http/server.ts';
import type { Kind } from '../connector.ts';
import { requestRun } from '../runs.ts';
import { AppParams, managing, RunItem, runItem, tags } from './schemas.ts';

/** Starts a sync or a task batch, a test, or a preview. */
export function startRunRoutes(http: Http, { db }: Pick<RouteTools, 'db'>) {
  const start = async (request: FastifyRequest, kind: Kind, acceptsRemovals = false) =>
    runItem(
      await requestRun(db, request.principal, request.bridgeApp, kind, causeOf(request), acceptsRemovals),
    );
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
        body: Type.Object({
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
          'Reaches the system, signs in, and lists one page of each resource type. The result of the run has the steps.',
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
