import type { Logger } from 'pino';
import type { Database } from './database/open.ts';
import type { Http, RouteTools } from './http/server.ts';
import type { Jobs } from './jobs/jobs.ts';
import type { Loop } from './loops/loop.ts';
import type { Secrets } from './secrets/secrets.ts';

/** The dependencies that features have in common. */
export interface Tools extends RouteTools {
  database: Database;
  jobs: Jobs;
  secrets: Secrets;
  logger: Logger;
}

/** A feature as `app.ts` puts it together. A feature with routes, jobs or loops exports one, in its `feature.ts`. */
export interface Feature {
  /** Adds the endpoints, below the address of an organization. */
  routes?: (http: Http) => void | Promise<void>;
  /** Defines the jobs, which run once the app has started them. */
  jobs?: () => void;
  /** The loops, which run from then on as well. */
  loops?: Loop[];
}
