import { randomUUID } from 'node:crypto';
import { Gauge, type Registry } from 'prom-client';
import type { Feature, Tools } from '#kit/feature.ts';
import type { OutboundProxy } from '../../../../protocol/src/net/outbound-proxy.ts';
import { openGateway } from './gateway.ts';
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
  /** The operator's proxy for their requests. */
  proxy?: OutboundProxy | undefined;
  /** Shorter time limits, a look at the processes and another gateway, for tests. */
  tests?: Pick<RunnerTools, 'limits' | 'onStart' | 'gateway'>;
}

/** The settings and runs of connectors. Without options, this process runs none. */
export const connectors = (tools: Tools, options: ConnectorOptions | undefined): Feature => ({
  routes: (http) => connectorRoutes(http, tools),
  jobs: () => defineConnectorJobs(tools.db, tools.jobs),
  ...(options !== undefined && runner(tools, options)),
});

function runner(
  { db, secrets, logger, localUrl }: Tools,
  { runs, tests, proxy, ...settings }: ConnectorOptions,
): Pick<Feature, 'metrics' | 'callingLoops' | 'close'> {
  const node = randomUUID();
  const gateway = proxy && openGateway(proxy);
  const tools = { db, secrets, logger, node, baseUrl: localUrl, gateway, ...settings, ...tests };
  return {
    metrics: observeIsolation,
    callingLoops: [connectorLoop(tools, runs)],
    close: () => gateway?.close(),
  };
}

function observeIsolation(registry: Registry) {
  new Gauge({
    name: 'gatehouse_connector_isolation',
    help: 'The isolation of the connectors that this process runs from the rest of the machine: 1 for the level in use.',
    labelNames: ['level'],
    registers: [registry],
  }).set({ level: activeIsolation().level }, 1);
}
