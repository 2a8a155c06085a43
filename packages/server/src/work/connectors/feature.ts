import { randomUUID } from 'node:crypto';
import { Gauge, type Registry } from 'prom-client';
import type { Feature, Tools } from '../../kit/feature.ts';
import type { Loop } from '../../kit/loops/loop.ts';
import { activeIsolation } from './isolation.ts';
import { connectorRoutes } from './routes/index.ts';
import type { RunnerTools } from './run.ts';
import { connectorLoop, defineConnectorJobs } from './worker.ts';

/** How a process runs connectors. */
export interface ConnectorOptions {
  /** Where they keep their state. */
  folder: string;
  /** How many run at the same time. */
  runs: number;
  /** Addresses to which they connect although they are not public. */
  allowPrivateAddresses: readonly string[];
  /** Shorter time limits and a look at the processes, for tests. */
  tests?: Pick<RunnerTools, 'limits' | 'onStart'>;
}

/** The settings and runs of connectors. Without options, this process runs none. */
export const connectors = (tools: Tools, options: ConnectorOptions | undefined): Feature => ({
  routes: (http) => connectorRoutes(http, tools),
  jobs: () => defineConnectorJobs(tools.db, tools.jobs),
  ...(options !== undefined && {
    metrics: observeIsolation,
    callingLoops: [runner(tools, options)],
  }),
});

function runner(
  { db, secrets, logger, localUrl }: Tools,
  { runs, tests, ...settings }: ConnectorOptions,
): Loop {
  const node = randomUUID();
  return connectorLoop({ db, secrets, logger, node, baseUrl: localUrl, ...settings, ...tests }, runs);
}

function observeIsolation(registry: Registry) {
  new Gauge({
    name: 'gatehouse_connector_isolation',
    help: 'The isolation of the connectors that this process runs from the rest of the machine: 1 for the level in use.',
    labelNames: ['level'],
    registers: [registry],
  }).set({ level: activeIsolation().level }, 1);
}
