import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { Type } from 'typebox';
import { pendingMigrations } from '../database/migrate.ts';
import type { Database } from '../database/open.ts';
import type { Replica } from '../database/replica.ts';
import type { Http } from './server.ts';

const config = { access: 'public' } as const;
const tags = ['Status'];
const stateOf = <S extends string>(...states: S[]) => Type.Object({ status: Type.Enum(states) });

/** Liveness, readiness and metrics (D42). They reveal nothing about an organization. */
export function statusRoutes(http: Http, database: Database, replica?: Replica) {
  http.get(
    '/healthz',
    {
      config,
      schema: { tags, summary: 'Check that the process is alive', response: { 200: stateOf('ok') } },
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
        summary: 'Check that the database is reachable and migrated',
        response: {
          200: stateOf('ready'),
          503: stateOf('database unreachable', 'migrations pending'),
        },
      },
    },
    async (request, reply) => {
      const pending = await pendingMigrations(database.db).catch((error: unknown) => {
        request.log.warn({ err: error }, 'not ready');
        return undefined;
      });
      if (pending?.length === 0) return { status: 'ready' as const };
      reply.code(503);
      return {
        status: pending === undefined ? ('database unreachable' as const) : ('migrations pending' as const),
      };
    },
  );

  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const durations = new Histogram({
    name: 'gatehouse_http_request_duration_seconds',
    help: 'Time from a request to its response.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  });
  http.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'none';
    durations.observe(
      { method: request.method, route, status: String(reply.statusCode) },
      reply.elapsedTime / 1000,
    );
  });
  if (replica !== undefined) observeReplica(registry, replica);
  const stop = observeLag(registry);
  http.addHook('onClose', async () => stop());
  http.get(
    '/metrics',
    { config, schema: { tags, summary: 'Get metrics for Prometheus' } },
    async (_request, reply) => {
      reply.type(registry.contentType);
      return registry.metrics();
    },
  );
}

const HEARTBEAT_MS = 50;

/** Measures how late a timer fires. A request that arrives at the same moment waits as long. */
function observeLag(registry: Registry): () => void {
  const lag = new Histogram({
    name: 'gatehouse_event_loop_lag_seconds',
    help: 'How long the event loop kept other work waiting, measured 20 times a second.',
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  });
  let last = performance.now();
  const timer = setInterval(() => {
    const now = performance.now();
    lag.observe(Math.max(0, now - last - HEARTBEAT_MS) / 1000);
    last = now;
  }, HEARTBEAT_MS).unref();
  return () => clearInterval(timer);
}

/** Publishes the state of the replica. The lag has no value until the replica has been reached. */
function observeReplica(registry: Registry, replica: Replica) {
  const gauge = (name: string, help: string, read: () => number | null) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        this.set(read() ?? Number.NaN);
      },
    });
  gauge('gatehouse_replica_usable', 'Whether requests read from the replica: 1 or 0.', () =>
    replica.status().state === 'usable' ? 1 : 0,
  );
  gauge(
    'gatehouse_replica_lag_bytes',
    'How far the replica was behind the primary when it was last checked.',
    () => replica.status().lagBytes,
  );
  gauge(
    'gatehouse_replica_lag_seconds',
    'How old the last transaction of a replica that was behind the primary was when it was last checked.',
    () => replica.status().lagSeconds,
  );
  new Counter({
    name: 'gatehouse_reads_total',
    help: 'Requests that may read from the replica, by the side that served them.',
    labelNames: ['side'],
    registers: [registry],
    collect() {
      this.reset();
      for (const [side, reads] of Object.entries(replica.status().reads)) this.inc({ side }, reads);
    },
  });
  new Counter({
    name: 'gatehouse_reads_repeated_total',
    help: 'Statements that failed on the replica and were repeated on the primary.',
    registers: [registry],
    collect() {
      this.reset();
      this.inc(replica.status().repeated);
    },
  });
}
