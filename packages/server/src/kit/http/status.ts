import { Type } from 'typebox';
import { pendingMigrations } from '../database/migrate.ts';
import { tryWrite } from '../database/queries/writes.ts';
import { shareRuns } from '../database/shared-runs.ts';
import { StartError } from '../errors.ts';
import { collectMetrics, type Observed } from './metrics.ts';
import { Component } from './schemas.ts';
import type { Http } from './server.ts';

const config = { access: 'public', unlimited: true } as const;
const tags = ['Status'];
const stateOf = <S extends string>(name: string, ...states: S[]) =>
  Component(name, { status: Type.Enum(states) });

/** Liveness, readiness and metrics (D42). They reveal nothing about an organization. */
export function statusRoutes(http: Http, observed: Observed) {
  const { database } = observed;
  // Anybody may ask, as often as they like.
  const checkWrites = shareRuns(() => tryWrite(database.db));
  http.get(
    '/healthz',
    {
      config,
      schema: { tags, summary: 'Check that the process is alive', response: { 200: stateOf('Alive', 'ok') } },
    },
    async () => ({
      status: 'ok' as const,
    }),
  );

  http.get(
    '/readyz',
    {
      config,
      schema: {
        tags,
        summary: 'Check that the database is reachable, migrated and writable',
        response: {
          200: stateOf('Ready', 'ready'),
          503: stateOf(
            'NotReady',
            'database unreachable',
            'database too new',
            'migrations pending',
            'writes failing',
          ),
        },
      },
    },
    async (request, reply) => {
      try {
        if ((await pendingMigrations(database.db)).length > 0)
          return reply.code(503).send({ status: 'migrations pending' as const });
      } catch (error) {
        request.log.warn({ err: error }, 'not ready');
        const status = error instanceof StartError ? 'database too new' : 'database unreachable';
        return reply.code(503).send({ status });
      }
      try {
        await checkWrites();
        return { status: 'ready' as const };
      } catch (error) {
        request.log.warn({ err: error }, 'not ready: writes fail');
        return reply.code(503).send({ status: 'writes failing' as const });
      }
    },
  );

  const registry = collectMetrics(http, observed);
  http.get(
    '/metrics',
    { config, schema: { tags, summary: 'Get metrics for Prometheus' } },
    async (_request, reply) => {
      reply.type(registry.contentType);
      return registry.metrics();
    },
  );
}
