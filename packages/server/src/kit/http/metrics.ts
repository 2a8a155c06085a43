import { setTimeout as sleep } from 'node:timers/promises';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Database } from '../database/open.ts';
import type { Replica } from '../database/replica.ts';
import type { Backlog, Jobs } from '../jobs/jobs.ts';
import { observeReplica } from './replica-metrics.ts';
import type { Http } from './server.ts';

const HEARTBEAT_MS = 50;
/** The backlog is read from the database, which may be slow or gone. */
const LONGEST_READ_MS = 1000;

/** The parts of the service that have metrics. */
export interface Observed {
  database: Database;
  jobs?: Jobs;
  replica?: Replica | undefined;
  deliveries?: Deliveries;
  webhooks?: () => Promise<WebhookFigures>;
  /** The isolation of the processes of connectors from the rest of this machine, if this process runs any. */
  isolation?: string | undefined;
}

/** The deliveries of notifications by email and chat: attempts of this node, and what waits on all nodes. */
export interface Deliveries {
  attempts(): { medium: string; result: string; count: number }[];
  waiting(): Promise<{ medium: string; n: number }[]>;
}

/** The webhooks of all organizations whose next event fails, and the events that wait for them. */
export interface WebhookFigures {
  failing: number;
  waiting: number;
}

/** Collects the metrics of this process. Labels name routes and kinds of jobs, never an organization or its data (D42). */
export function collectMetrics(
  http: Http,
  { database, jobs, replica, deliveries, webhooks, isolation }: Observed,
): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  observeRequests(http, registry);
  observeLoad(http, registry);
  observeConnections(database, registry);
  if (jobs !== undefined) observeJobs(jobs, registry);
  if (replica !== undefined) observeReplica(registry, replica);
  if (deliveries !== undefined) observeDeliveries(deliveries, registry);
  if (webhooks !== undefined) observeWebhooks(webhooks, registry);
  if (isolation !== undefined) observeIsolation(isolation, registry);
  const stop = observeLag(registry);
  http.addHook('onClose', async () => stop());
  return registry;
}

function observeIsolation(level: string, registry: Registry) {
  new Gauge({
    name: 'gatehouse_connector_isolation',
    help: 'The isolation of the connectors that this process runs from the rest of the machine: 1 for the level in use.',
    labelNames: ['level'],
    registers: [registry],
  }).set({ level }, 1);
}

function observeRequests(http: Http, registry: Registry) {
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
}

function observeLoad(http: Http, registry: Registry) {
  const registers = [registry];
  new Gauge({
    name: 'gatehouse_http_requests_in_progress',
    help: 'Requests that are being handled. Above the limit, further requests get 503.',
    registers,
    collect() {
      this.set(http.load().requests);
    },
  });
  new Gauge({
    name: 'gatehouse_http_body_bytes',
    help: 'Bytes of the bodies of the requests in progress. Above the limit, further bodies get 503.',
    registers,
    collect() {
      this.set(http.load().bodyBytes);
    },
  });
  new Gauge({
    name: 'gatehouse_http_load_limit',
    help: 'The limits on requests in progress and on the bytes of their bodies.',
    labelNames: ['limit'],
    registers,
    collect() {
      const { limits } = http.load();
      this.set({ limit: 'requests' }, limits.requests);
      this.set({ limit: 'body_bytes' }, limits.bodyBytes);
    },
  });
  new Counter({
    name: 'gatehouse_http_requests_refused_total',
    help: 'Requests that got 503 because of the load, by the limit that they exceeded.',
    labelNames: ['limit'],
    registers,
    collect() {
      const { refused } = http.load();
      this.reset();
      this.inc({ limit: 'requests' }, refused.requests);
      this.inc({ limit: 'body_bytes' }, refused.bodyBytes);
    },
  });
}

function observeConnections(database: Database, registry: Registry) {
  new Gauge({
    name: 'gatehouse_database_connections',
    help: 'Database connections for requests: used and idle. "waiting" counts the callers that wait for one.',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      for (const [state, count] of Object.entries(database.connections())) this.set({ state }, count);
    },
  });
}

function observeJobs(jobs: Jobs, registry: Registry) {
  const runs = new Histogram({
    name: 'gatehouse_job_duration_seconds',
    help: 'Duration of the runs of background jobs on this node, by their result. Publications of syncs are among them.',
    labelNames: ['kind', 'result'],
    buckets: [0.01, 0.1, 0.5, 1, 5, 15, 60, 300, 1800, 7200],
    registers: [registry],
  });
  jobs.onRun(({ job, seconds, failed }) =>
    runs.observe({ kind: job, result: failed ? 'failed' : 'done' }, seconds),
  );
  let last: Backlog[] = [];
  const read = async () => {
    last = await jobs.backlog().catch(() => last);
  };
  new Gauge({
    name: 'gatehouse_jobs',
    help: 'Background jobs of all nodes that have not finished: waiting, deferred to a later time, and active.',
    labelNames: ['kind', 'state'],
    registers: [registry],
    async collect() {
      await Promise.race([read(), sleep(LONGEST_READ_MS, undefined, { ref: false })]);
      for (const { job, ...states } of last) {
        for (const [state, count] of Object.entries(states)) this.set({ kind: job, state }, count);
      }
    },
  });
}

function observeDeliveries(deliveries: Deliveries, registry: Registry) {
  const registers = [registry];
  new Counter({
    name: 'gatehouse_notification_attempts_total',
    help: 'Attempts of this node to send notifications by email and chat, by their result.',
    labelNames: ['medium', 'result'],
    registers,
    collect() {
      this.reset();
      for (const { count, ...labels } of deliveries.attempts()) this.inc(labels, count);
    },
  });
  let last: { medium: string; n: number }[] = [];
  const read = async () => {
    last = await deliveries.waiting().catch(() => last);
  };
  new Gauge({
    name: 'gatehouse_notifications_waiting',
    help: 'Deliveries of all nodes that are waiting to be sent, also those for a later time.',
    labelNames: ['medium'],
    registers,
    async collect() {
      await Promise.race([read(), sleep(LONGEST_READ_MS, undefined, { ref: false })]);
      this.reset();
      for (const { medium, n } of last) this.set({ medium }, n);
    },
  });
}

function observeWebhooks(figures: () => Promise<WebhookFigures>, registry: Registry) {
  let last: WebhookFigures = { failing: 0, waiting: 0 };
  const read = async () => {
    last = await figures().catch(() => last);
  };
  new Gauge({
    name: 'gatehouse_webhooks_failing',
    help: 'Webhooks of all organizations whose next event could not be delivered.',
    registers: [registry],
    async collect() {
      await Promise.race([read(), sleep(LONGEST_READ_MS, undefined, { ref: false })]);
      this.set(last.failing);
    },
  });
  new Gauge({
    name: 'gatehouse_webhook_events_waiting',
    help: 'Events that wait behind those that could not be delivered: 100 at most for each of 20 webhooks.',
    registers: [registry],
    collect() {
      this.set(last.waiting);
    },
  });
}

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
