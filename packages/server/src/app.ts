import type { FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { keyAuthentication } from './access/authenticate.ts';
import { authorize } from './access/principal.ts';
import { keyRoutes } from './access/routes.ts';
import { bridgeAppRoutes } from './apps/bridge-routes.ts';
import { foldAccountCounts } from './inventory/accounts.ts';
import { accountRoutes } from './inventory/routes.ts';
import type { Database } from './platform/database/open.ts';
import { notFound } from './platform/errors.ts';
import { publishReference } from './platform/http/reference.ts';
import { type Access, createHttp, type Http, refuseOtherMethods } from './platform/http/server.ts';
import { statusRoutes } from './platform/http/status.ts';
import { openJobs } from './platform/jobs/jobs.ts';
import { defineSyncJobs, resumeCompletions } from './sync/jobs.ts';
import { syncRoutes } from './sync/routes.ts';

export interface AppOptions {
  database: Database;
  logger: Logger;
  /** The origin under which callers reach us; without it, what each request says (D40). */
  publicUrl: string | undefined;
  trustProxy: boolean | string[];
}

export interface App {
  http: Http;
  /** Begins the background work. Requests may be served without it. */
  startJobs(): Promise<void>;
  /** Finishes what is in flight (D42). The database stays open. */
  close(): Promise<void>;
}

/** The one place where features are put together. */
export async function createApp({ database, logger, publicUrl, trustProxy }: AppOptions): Promise<App> {
  const { db } = database;
  const http = createHttp({ logger, trustProxy });
  const jobs = openJobs(database, logger);
  const origin = (request: FastifyRequest) => publicUrl ?? `${request.protocol}://${request.host}`;

  defineSyncJobs(db, jobs);
  jobs.define({
    name: 'inventory.fold-counts',
    attempts: 1,
    cron: '* * * * *',
    work: () => foldAccountCounts(db),
  });

  await publishReference(http);
  statusRoutes(http, database);
  await http.register(
    async (scope) => {
      const org = scope as unknown as Http;
      const addresses = rememberAddresses(org);
      admitKeys(org, database);
      const tools = { db, database, jobs, origin };
      keyRoutes(org, tools);
      bridgeAppRoutes(org, tools);
      syncRoutes(org, tools);
      accountRoutes(org, tools);
      refuseOtherMethods(org, addresses);
      org.setNotFoundHandler(async () => {
        throw notFound('This address');
      });
    },
    { prefix: '/org/:org' },
  );

  let working = false;
  return {
    http,
    startJobs: async () => {
      await jobs.start();
      working = true;
      await resumeCompletions(db, jobs);
    },
    close: async () => {
      await http.close();
      if (working) await jobs.stop();
    },
  };
}

/** The order of refusal (D6): who are you, is this your organization, may you do this. */
function admitKeys(org: Http, { db }: Database) {
  const keys = keyAuthentication(db);
  org.decorateRequest('principal');
  org.decorateRequest('bridgeApp');
  org.addHook('onRequest', async (request) => {
    request.principal = await keys.authenticate(request);
    const { org: slug } = request.params as { org?: string };
    if (slug !== request.principal.orgSlug) throw notFound('This address');
    authorize(request.principal, request.routeOptions.config?.access);
  });
}

/** The methods and the access of every address that is added from here on. */
function rememberAddresses(org: Http) {
  const addresses = new Map<string, { methods: Set<string>; access: Access }>();
  org.addHook('onRoute', ({ path, method, config }) => {
    const url = path.slice('/org/:org'.length);
    const known = addresses.get(url) ?? { methods: new Set(), access: config?.access ?? 'public' };
    for (const one of [method].flat()) known.methods.add(one);
    addresses.set(url, known);
  });
  return addresses;
}
