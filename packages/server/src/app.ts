import type { FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { keyAuthentication } from './access/authenticate.ts';
import { type KeyUseLog, openKeyUseLog } from './access/key-use.ts';
import { forgetIdle, type Limits, limitReads } from './access/limits.ts';
import { meRoutes } from './access/me-routes.ts';
import { keyRoutes } from './access/routes.ts';
import { WINDOW_SECONDS } from './access/sign-in/attempts.ts';
import { refuseForeign } from './access/sign-in/exchange.ts';
import { passkeyRoutes } from './access/sign-in/passkey-routes.ts';
import { providerRoutes } from './access/sign-in/provider-routes.ts';
import { signInRoutes, waysOf } from './access/sign-in/routes.ts';
import { secondFactorRoutes } from './access/sign-in/second-factor-routes.ts';
import { endSessionsOfLeavers, expireSessions, sessionAuthentication } from './access/sign-in/sessions.ts';
import { ssoRoutes } from './access/sign-in/sso-routes.ts';
import {
  adminAppRoutes,
  bridgeAppRoutes,
  checkRoutes,
  connectionRequestRoutes,
} from './apps/routes/index.ts';
import { defineEventJobs, openEventLog, prepareEventLog } from './events/log.ts';
import { eventRoutes } from './events/routes/index.ts';
import { authorize, unauthenticated } from './identity/principal.ts';
import { foldAccountCounts } from './inventory/accounts.ts';
import { linkForgotten, linkPeople } from './inventory/links.ts';
import { resourceRoutes } from './inventory/resource-routes.ts';
import { accountRoutes } from './inventory/routes.ts';
import { overviewRoutes } from './overview/routes.ts';
import { peopleImportRoutes } from './people/import-routes.ts';
import { peopleRoutes } from './people/routes.ts';
import { analyze } from './platform/database/analyze.ts';
import type { Database } from './platform/database/open.ts';
import { notFound } from './platform/errors.ts';
import { consoleRoutes, loadConsolePage } from './platform/http/console.ts';
import { publishReference } from './platform/http/reference.ts';
import { type Access, createHttp, type Http, refuseOtherMethods } from './platform/http/server.ts';
import { statusRoutes } from './platform/http/status.ts';
import { openJobs } from './platform/jobs/jobs.ts';
import { policyRoutes } from './policies/routes.ts';
import { startPolicies } from './policies/worker.ts';
import { endTasksOfApp } from './provisioning/archive.ts';
import { bridgeTaskRoutes } from './provisioning/bridge-routes.ts';
import { startPromoter } from './provisioning/promote.ts';
import { taskRoutes } from './provisioning/routes.ts';
import { cancelTicketsOfApp, cancelTicketsOfLeavers, defineRequestJobs } from './requests/close.ts';
import { ticketRoutes } from './requests/routes.ts';
import { defineReviewJobs } from './reviews/jobs.ts';
import { passOnReviews } from './reviews/open.ts';
import { reviewRoutes } from './reviews/routes.ts';
import { adminSyncRoutes } from './sync/admin-routes.ts';
import { endSessions } from './sync/archive.ts';
import { defineSyncJobs, resumeCompletions } from './sync/jobs.ts';
import { syncRoutes } from './sync/routes.ts';

export interface AppOptions {
  database: Database;
  logger: Logger;
  /** The origin under which callers reach us; without it, what each request says (D40). */
  publicUrl: string | undefined;
  trustProxy: boolean | string[];
  /** D11; none where it is not given. */
  rateLimits?: Limits;
  /** Seconds until each retry of a failed task (D30). */
  retryAfterSeconds?: readonly number[];
  /** Days until nobody's decision about a ticket is awaited any more. */
  requestExpiryDays?: number;
  /** After so many hours without a request a signed-in person is asked to sign in again. */
  sessionHours?: number;
  /** Where the built console is, and the organization that it is for. */
  console?: { folder: string; organization: string };
}

export interface App {
  http: Http;
  /** Begins the background work. Requests may be served without it. */
  startJobs(): Promise<void>;
  /** Finishes what is in flight (D42). The database stays open. */
  close(): Promise<void>;
}

/** The one place where features are put together. */
export async function createApp({
  database,
  logger,
  publicUrl,
  trustProxy,
  rateLimits = { events: null, read: null },
  retryAfterSeconds,
  requestExpiryDays = 30,
  sessionHours = 12,
  console: built,
}: AppOptions): Promise<App> {
  const { db } = database;
  const page = built && loadConsolePage(built.folder, built.organization);
  const http = createHttp({ logger, trustProxy, page });
  const jobs = openJobs(database, logger);
  const origin = (request: FastifyRequest) => publicUrl ?? `${request.protocol}://${request.host}`;

  const keyUses = openKeyUseLog(db, logger);

  await prepareEventLog(db, logger);
  defineEventJobs(db, jobs);
  jobs.define({
    name: 'access.forget-idle',
    attempts: 1,
    cron: '*/10 * * * *',
    work: () => forgetIdle(db),
  });
  jobs.define({
    name: 'access.expire-sessions',
    attempts: 1,
    cron: '* * * * *',
    work: () => expireSessions(db, WINDOW_SECONDS),
  });
  defineSyncJobs(db, jobs);
  defineRequestJobs({ db, expiryDays: requestExpiryDays }, jobs);
  defineReviewJobs(db, jobs);
  if (database.engine === 'pglite') {
    jobs.define({
      name: 'platform.analyze',
      attempts: 1,
      cron: '*/10 * * * *',
      work: () => analyze(db),
    });
  }
  jobs.define({
    name: 'inventory.fold-counts',
    attempts: 1,
    cron: '* * * * *',
    work: () => foldAccountCounts(db),
  });
  jobs.define({
    name: 'inventory.link-accounts',
    attempts: 1,
    cron: '*/10 * * * *',
    work: () => linkForgotten(db),
  });
  // What happens in the same transaction when people change, and when an app is archived: in the order of locks.
  const onPeople = [endSessionsOfLeavers, passOnReviews, cancelTicketsOfLeavers, linkPeople];
  const onArchive = [endSessions, cancelTicketsOfApp, endTasksOfApp];

  await publishReference(http);
  statusRoutes(http, database);
  if (built && page) await consoleRoutes(http, built.folder, page);
  await http.register(
    async (scope) => {
      const org = scope as unknown as Http;
      const addresses = rememberAddresses(org);
      const tools = { db, database, jobs, origin };
      const callers = {
        keys: keyAuthentication(db),
        session: sessionAuthentication(db, sessionHours),
        origin,
        keyUses,
        limit: limitReads(database, rateLimits),
      };
      admit(org, callers);
      const ways = waysOf({ ...tools, idleHours: sessionHours });
      signInRoutes(org, ways);
      secondFactorRoutes(org, ways);
      passkeyRoutes(org, ways);
      providerRoutes(org, ways);
      await ssoRoutes(org, ways);
      meRoutes(org, tools);
      keyRoutes(org, tools);
      eventRoutes(org, openEventLog(database, unauthenticated));
      bridgeAppRoutes(org, tools);
      checkRoutes(org, tools);
      syncRoutes(org, tools);
      bridgeTaskRoutes(org, retryAfterSeconds === undefined ? tools : { ...tools, retryAfterSeconds });
      taskRoutes(org, tools);
      ticketRoutes(org, { ...tools, expiryDays: requestExpiryDays });
      accountRoutes(org, tools);
      peopleRoutes(org, { ...tools, onPeople });
      await peopleImportRoutes(org, { ...tools, onPeople });
      adminAppRoutes(org, { ...tools, onArchive });
      resourceRoutes(org, tools);
      adminSyncRoutes(org, tools);
      connectionRequestRoutes(org, tools);
      reviewRoutes(org, tools);
      policyRoutes(org, tools);
      overviewRoutes(org, tools);
      refuseOtherMethods(org, addresses);
      org.setNotFoundHandler(async () => {
        throw notFound('This address');
      });
    },
    { prefix: '/org/:org' },
  );

  let working = false;
  let promoter: ReturnType<typeof startPromoter> | undefined;
  let policies: ReturnType<typeof startPolicies> | undefined;
  return {
    http,
    startJobs: async () => {
      await jobs.start();
      working = true;
      await resumeCompletions(db, jobs);
      promoter = startPromoter(db, logger);
      policies = startPolicies(db, logger);
    },
    close: async () => {
      await http.close();
      await keyUses.close();
      await promoter?.stop();
      await policies?.stop();
      if (working) await jobs.stop();
    },
  };
}

interface Callers {
  keys: ReturnType<typeof keyAuthentication>;
  session: ReturnType<typeof sessionAuthentication>;
  origin: (request: FastifyRequest) => string;
  keyUses: KeyUseLog;
  limit: ReturnType<typeof limitReads>;
}

/** The order of refusal (D6): who are you, is this your organization, may you do this. */
function admit(org: Http, { keys, session, origin, keyUses, limit }: Callers) {
  org.decorateRequest('principal');
  org.decorateRequest('organization');
  org.decorateRequest('bridgeApp');
  org.addHook('onRequest', async (request, reply) => {
    const { access } = request.routeOptions.config ?? {};
    if (access === 'public') return limit(request, reply);
    const signedIn =
      request.headers.authorization === undefined ? await session(request, origin(request)) : undefined;
    request.principal = signedIn ?? (await keys.authenticate(request));
    await limit(request, reply);
    const { orgId, keyId } = request.principal;
    if (keyId !== null)
      keyUses.note({ orgId, keyId, ip: request.ip, userAgent: request.headers['user-agent'] });
    const { org: slug } = request.params as { org?: string };
    if (slug !== request.principal.orgSlug) throw notFound('This address');
    if (signedIn !== undefined) refuseForeign(request, origin(request), true);
    authorize(request.principal, access);
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
