import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { VERSION } from '../../../../protocol/src/version.ts';
import type { Database } from '../database/open.ts';
import type { Replica } from '../database/replica.ts';
import type { Backlog, Jobs } from '../jobs/jobs.ts';
import { observeReplica } from './replica-metrics.ts';
import type { Http } from './server.ts';

const HEARTBEAT_MS = 50;
const IDLE_HEARTBEAT_MS = 1000;
/** The part of the time in which an idle event loop may run something. */
const IDLE_UTILIZATION = 0.05;
/** An hour of them: enough between two readers. */
const MOST_IDLE_TIMES = 72_000;
/** The longest timer. Node.js would measure the lag with a timer of its own, which wakes an idle process ten times a second. */
const NEVER_MS = 2 ** 31 - 1;
const NODE_LAGS = ['min', 'max', 'mean', 'stddev', 'p50', 'p90', 'p99'].map(
  (name) => `nodejs_eventloop_lag_${name}_seconds`,
);
const LONGEST_READ_MS = 1000;

/** The parts of the service that have metrics. */
export interface Observed {
  database: Database;
  jobs?: Jobs;
  replica?: Replica | undefined;
  /** Add the metrics of features. */
  others?: readonly ((registry: Registry) => void)[];
}

/** Collects the metrics of this process. Labels name routes and kinds of jobs, never an organization or its data (D42). */
export function collectMetrics(http: Http, { database, jobs, replica, others = [] }: Observed): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: NEVER_MS });
  for (const name of NODE_LAGS) registry.removeSingleMetric(name);
  showVersion(registry);
  observeRequests(http, registry);
  observeLoad(http, registry);
  observeConnections(database, registry);
  if (jobs !== undefined) observeJobs(jobs, registry);
  if (replica !== undefined) observeReplica(registry, replica);
  for (const observe of others) observe(registry);
  const stop = observeLag(registry);
  http.addHook('onClose', async () => stop());
  return registry;
}

function showVersion(registry: Registry) {
  new Gauge({
    name: 'gatehouse_build_info',
    help: 'The version of this process, as a label. The value is 1.',
    labelNames: ['version'],
    registers: [registry],
  }).set({ version: VERSION }, 1);
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
    name: 'gatehouse_http_requests_waiting',
    help: 'Requests that wait for other systems or store their body. Above the limit, further ones of them get 503.',
    registers,
    collect() {
      this.set(http.load().waiting);
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
      this.set({ limit: 'waiting' }, limits.waiting);
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
      this.inc({ limit: 'waiting' }, refused.waiting);
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
  const backlog = figuresOf<Backlog[]>(() => jobs.backlog(), []);
  new Gauge({
    name: 'gatehouse_jobs',
    help: 'Background jobs of all nodes that have not finished: waiting, deferred to a later time, and active.',
    labelNames: ['kind', 'state'],
    registers: [registry],
    async collect() {
      await backlog.read();
      for (const { job, ...states } of backlog.last()) {
        for (const [state, count] of Object.entries(states)) this.set({ kind: job, state }, count);
      }
    },
  });
}

/** Returns figures that come from the database, which may be slow or gone: `read` waits a second at most, and `last` returns the last ones. */
export function figuresOf<T>(find: () => Promise<T>, none: T): { read(): Promise<unknown>; last(): T } {
  let last = none;
  const read = async () => {
    last = await find().catch(() => last);
  };
  return {
    read: () => Promise.race([read(), sleep(LONGEST_READ_MS, undefined, { ref: false })]),
    last: () => last,
  };
}

/**
 * Measures how late a timer fires. A request that arrives at the same moment waits as long. Timers cost most of the processor time of
 * an idle process, so an idle event loop is measured once a second, and counts as often as a busy one.
 */
function observeLag(registry: Registry): () => void {
  /** Measurements of an idle event loop that are not in the histogram yet. */
  let idleTimes = 0;
  const lag = new Histogram({
    name: 'gatehouse_event_loop_lag_seconds',
    help: 'How long the event loop kept other work waiting, measured 20 times a second.',
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
    collect() {
      for (; idleTimes > 0; idleTimes--) this.observe(0);
    },
  });
  let last = performance.now();
  let use = performance.eventLoopUtilization();
  let wait = HEARTBEAT_MS;
  let quietMs = 0;
  let timer: NodeJS.Timeout;
  const measure = () => {
    const now = performance.now();
    lag.observe(Math.max(0, now - last - wait) / 1000);
    idleTimes = Math.min(idleTimes + wait / HEARTBEAT_MS - 1, MOST_IDLE_TIMES);
    const isIdle = performance.eventLoopUtilization(use).utilization < IDLE_UTILIZATION;
    quietMs = isIdle ? quietMs + wait : 0;
    wait = quietMs < IDLE_HEARTBEAT_MS ? HEARTBEAT_MS : IDLE_HEARTBEAT_MS;
    use = performance.eventLoopUtilization();
    last = now;
    timer = setTimeout(measure, wait).unref();
  };
  timer = setTimeout(measure, wait).unref();
  return () => clearTimeout(timer);
}
