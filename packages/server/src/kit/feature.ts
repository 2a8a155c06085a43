import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { Database } from './database/open.ts';
import type { OwnAddresses } from './http/own-addresses.ts';
import type { Http, RouteTools } from './http/server.ts';
import type { Jobs } from './jobs/jobs.ts';
import type { Loop } from './loops/loop.ts';
import type { Secrets } from './secrets/secrets.ts';

/** The dependencies that features have in common. */
export interface Tools extends RouteTools, OwnAddresses {
  database: Database;
  jobs: Jobs;
  secrets: Secrets;
  logger: Logger;
}

/** A feature as `app.ts` puts it together, in the order in which its parts begin. A feature exports one, in its `feature.ts`. */
export interface Feature {
  /** Prepares the database. */
  prepare?: () => Promise<void>;
  /** Defines the jobs, which run once the app has started them. */
  jobs?: () => void;
  /** Adds metrics to those of the process. */
  metrics?: (registry: Registry) => void;
  /** Adds the endpoints, below the address of an organization. */
  routes?: (http: Http) => void | Promise<void>;
  /** Continues the work of processes that have died, once the jobs run. */
  resume?: () => Promise<void>;
  /** The loops, which run from then on as well. */
  loops?: Loop[];
  /** Loops whose work sends requests to this server. They stop before it closes. */
  callingLoops?: Loop[];
  /** Ends what the feature has opened, once its loops have stopped. */
  close?: () => void;
}
