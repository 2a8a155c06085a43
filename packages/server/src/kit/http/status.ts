import type { FastifyReply } from 'fastify';
import { Type } from 'typebox';
import { Component } from '../schemas.ts';
import { collectMetrics, type Observed } from './metrics.ts';
import { NOT_READY, openReadiness } from './readiness.ts';
import type { Http } from './server.ts';

const config = { access: 'public', unlimited: true } as const;
const tags = ['Status'];
const stateOf = <S extends string>(name: string, ...states: S[]) =>
  Component(name, { status: Type.Enum(states) });

/** The reply is typed as one of the route's JSON answers, which it replaces. */
const sendText = (reply: FastifyReply, lines: string[]): never =>
  reply.type('text/plain; charset=utf-8').send(`${lines.join('\n')}\n`) as never;

/** Liveness, readiness and metrics (D42). They reveal nothing about an organization. */
export function statusRoutes(http: Http, observed: Observed) {
  const { database } = observed;
  const readiness = openReadiness(database);
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
        description:
          'With `verbose`, the response is a text with a line for each check, and with what an operator should change.',
        querystring: Type.Object({ verbose: Type.Optional(Type.String()) }),
        response: { 200: stateOf('Ready', 'ready'), 503: stateOf('NotReady', ...NOT_READY) },
      },
    },
    async (request, reply) => {
      const lines: string[] = [];
      const found = await readiness.find((name, problem) =>
        lines.push(`${name}: ${problem?.sentence ?? 'ok'}`),
      );
      const status = found?.status ?? 'ready';
      if (found !== undefined) {
        request.log.warn({ err: found.error }, `not ready: ${found.status}`);
        reply.code(503);
      }
      if (request.query.verbose === undefined) return reply.send({ status });
      if (found === undefined)
        for (const [about, sentence] of await readiness.notes()) lines.push(`${about}: ${sentence}`);
      return sendText(reply, [...lines, status]);
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
