import { randomUUID } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { checkCallers, rememberAddresses } from './callers.ts';
import { readCarriers } from './carriers.ts';
import { policies } from './decisions/policies/feature.ts';
import { revertHook } from './decisions/policies/revert.ts';
import { requests } from './decisions/requests/feature.ts';
import { restore } from './decisions/restore/feature.ts';
import { reviews } from './decisions/reviews/feature.ts';
import { keyAuthentication } from './directory/access/authenticate.ts';
import { access } from './directory/access/feature.ts';
import { openKeyUseLog } from './directory/access/key-use.ts';
import { type Limits, limitRequests } from './directory/access/limits.ts';
import { findOrganizationId } from './directory/access/organization-state.ts';
import { recordRefusals } from './directory/access/refusals.ts';
import { sessionAuthentication } from './directory/access/sign-in/session-authentication.ts';
import { people } from './directory/people/feature.ts';
import { scim } from './directory/scim/feature.ts';
import { setHooks } from './hooks.ts';
import { history } from './insight/history/feature.ts';
import { readGrantDecisions } from './insight/history/grant-decisions.ts';
import { type MailSettings, openMailer } from './insight/notifications/email/mailer.ts';
import { notifications } from './insight/notifications/feature.ts';
import { createDeliveryMetrics } from './insight/notifications/metrics.ts';
import { overview } from './insight/overview/feature.ts';
import { team } from './insight/team/feature.ts';
import { apps } from './inventory/apps/feature.ts';
import { records } from './inventory/records/feature.ts';
import { prepareHistory } from './inventory/records/history/retention.ts';
import { resumeCompletions } from './inventory/records/sync/jobs.ts';
import type { SyncQuotas } from './inventory/records/sync/quota.ts';
import { newestSessions } from './inventory/records/sync/view.ts';
import { analyze } from './kit/database/analyze.ts';
import type { Database } from './kit/database/open.ts';
import type { Replica } from './kit/database/replica.ts';
import { nothingHere } from './kit/errors.ts';
import type { Feature, Tools } from './kit/feature.ts';
import { consoleRoutes, isConsoleNavigation, loadConsolePage } from './kit/http/console.ts';
import { originOf } from './kit/http/host.ts';
import { refuseOtherMethods } from './kit/http/methods.ts';
import { isLoopback } from './kit/http/outbound.ts';
import type { LoadLimits } from './kit/http/overload.ts';
import type { TrustProxy } from './kit/http/proxies.ts';
import { provideReads } from './kit/http/reads.ts';
import { publishReference } from './kit/http/reference.ts';
import { createHttp, type Http } from './kit/http/server.ts';
import { statusRoutes } from './kit/http/status.ts';
import { refuseUnknownQueries } from './kit/http/unknown-parameters.ts';
import { openJobs } from './kit/jobs/jobs.ts';
import { type Loop, tickAll } from './kit/loops/loop.ts';
import type { Secrets } from './kit/secrets/secrets.ts';
import { closeWorkers } from './kit/workers/pool.ts';
import { events } from './log/events/feature.ts';
import { prepareEventLog } from './log/events/log.ts';
import { webhooks } from './log/webhooks/feature.ts';
import { webhookFigures } from './log/webhooks/webhooks.ts';
import { organizations } from './operate/organizations/feature.ts';
import { suspensionGuard } from './operate/organizations/guard.ts';
import { connectors } from './work/connectors/feature.ts';
import { activeIsolation } from './work/connectors/isolation.ts';
import type { RunnerTools } from './work/connectors/run.ts';
import { connectorLoop } from './work/connectors/worker.ts';
import { fulfillment } from './work/fulfillment/feature.ts';
import { isFulfilledByPeople } from './work/fulfillment/settings.ts';
import { provisioning } from './work/provisioning/feature.ts';
import { countHeldTasks } from './work/provisioning/held.ts';
import { spreadsheets } from './work/spreadsheets/feature.ts';

export interface AppOptions {
  database: Database;
  /** A replica of `database`, which stays open after `close`. Without it, all requests read from `database`. */
  replica?: Replica | undefined;
  secrets: Secrets;
  logger: Logger;
  /** The origin under which callers reach Gatehouse. Without it, the origin that each request names (D40). */
  publicUrl: string | undefined;
  trustProxy: TrustProxy;
  /** Defaults to no limits (D11). */
  rateLimits?: Limits;
  /** Defaults to none (D71). */
  syncQuotas?: SyncQuotas | undefined;
  /** Seconds before each retry of a failed task (D30). */
  retryAfterSeconds?: readonly number[];
  /** Days after which an undecided ticket expires. */
  requestExpiryDays?: number;
  /** Hours without a request after which a session ends. */
  sessionHours?: number;
  /** The mail server. Without it, Gatehouse sends no emails. */
  mail?: MailSettings | undefined;
  /** The slug of the organization whose console is at `/`. The consoles of all are at `/org/<slug>/`. */
  home?: string;
  /** The folder of the built console. */
  console?: { folder: string };
  /** How this process runs connectors. Without it, it runs none. */
  connectors?: ConnectorOptions | undefined;
  /** The load that this process accepts, for tests. */
  loadLimits?: LoadLimits | undefined;
}

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

export interface App {
  http: Http;
  /** Starts the background work. The app serves requests without it too. */
  startJobs(): Promise<void>;
  /** Does the background work of all loops that is due now, and all that it brings, whether they were started or not. For tests. */
  tick(): Promise<void>;
  /** Finishes the requests and jobs in progress (D42). Leaves the database open. */
  close(): Promise<void>;
}

/** Puts the features together. Nothing else does. */
export async function createApp({
  database,
  replica,
  secrets,
  logger,
  publicUrl,
  trustProxy,
  rateLimits = { events: null, read: null },
  syncQuotas,
  retryAfterSeconds,
  requestExpiryDays = 30,
  sessionHours = 12,
  mail,
  home = 'acme',
  console: built,
  connectors: runners,
  loadLimits,
}: AppOptions): Promise<App> {
  const { db } = database;
  setHooks(db);
  const page = built && loadConsolePage(built.folder, home);
  const http = createHttp({
    logger,
    trustProxy,
    isPublicOverTls: publicUrl?.startsWith('https:') ?? false,
    page,
    loadLimits,
  });
  const jobs = openJobs(database, logger);
  const origin = (request: FastifyRequest) => publicUrl ?? originOf(request);

  const mailer = mail && openMailer(mail);
  /** The origin for links in messages, which no request names. */
  const ownOrigin = () => publicUrl ?? listeningOrigin(http);
  const allowLoopback = () => isLoopback(new URL(ownOrigin()).hostname);

  const consolePath = (slug: string) => (slug === home ? '' : `/org/${slug}`);

  const keyUses = openKeyUseLog(db, logger);

  let refusals: ReturnType<typeof recordRefusals> | undefined;

  const expiryDays = requestExpiryDays;
  const tools: Tools = { db, database, jobs, origin, secrets, logger };
  const metrics = createDeliveryMetrics(db);
  const features: Feature[] = [
    access(tools, { idleHours: sessionHours, consolePath, canEmail: mailer !== undefined }),
    people(tools),
    scim(tools),
    events(tools),
    webhooks(tools),
    apps(tools, { readLastSyncs: newestSessions, readHeldTasks: countHeldTasks, readCarriers }),
    records(tools, { syncQuotas, revertHook }),
    provisioning(tools, {
      isFulfilledByPeople,
      ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    }),
    fulfillment(tools),
    spreadsheets(tools),
    connectors(tools),
    requests(tools, expiryDays),
    reviews(tools, { readGrantDecisions }),
    policies(tools),
    restore(tools),
    history,
    overview(tools),
    team(tools),
    notifications(tools, { mailer, allowLoopback, ownOrigin, consolePath, metrics, expiryDays }),
    organizations(tools),
  ];

  await prepareEventLog(db, logger);
  await prepareHistory(db);
  for (const { jobs: define } of features) define?.();
  if (database.engine === 'pglite') {
    jobs.define({
      name: 'platform.analyze',
      attempts: 1,
      cron: '*/10 * * * *',
      work: () => analyze(db),
    });
  }

  await publishReference(http);
  const isolation = runners && activeIsolation().level;
  statusRoutes(http, {
    database,
    jobs,
    replica,
    deliveries: metrics,
    webhooks: () => webhookFigures(database),
    isolation,
  });
  if (built && page) await consoleRoutes(http, built.folder, page);
  await http.register(
    async (scope) => {
      const org = scope as unknown as Http;
      const addresses = rememberAddresses(org);
      refuseUnknownQueries(org);
      const requireActive = suspensionGuard(db);
      org.addHook('onRequest', ({ params }) => requireActive((params as { org: string }).org));
      const callers = {
        // A route's own statement may run on the replica, and keys are checked on the primary.
        keys: keyAuthentication(db, { remember: replica === undefined }),
        session: sessionAuthentication(db, sessionHours),
        origin,
        keyUses,
        limits: limitRequests(database, rateLimits),
        hasConsole: page !== undefined,
      };
      checkCallers(org, callers);
      provideReads(org, database, replica);
      refusals = recordRefusals(org, db, logger);
      for (const { routes } of features) await routes?.(org);
      refuseOtherMethods(org, addresses);
      org.setNotFoundHandler(async (request, reply) => {
        const { org: slug } = request.params as { org: string };
        const isPage = page !== undefined && isConsoleNavigation(request);
        if (isPage && (await findOrganizationId(db, slug)) !== undefined) return page(reply, slug);
        throw nothingHere();
      });
    },
    { prefix: '/org/:org' },
  );

  const runner: Loop[] = [];
  if (runners !== undefined) {
    const { runs, tests, ...settings } = runners;
    const baseUrl = (slug: string) =>
      http.server.listening ? `${listeningOrigin(http)}/org/${slug}` : undefined;
    const runnerTools = { db, secrets, logger, node: randomUUID(), baseUrl, ...settings, ...tests };
    runner.push(connectorLoop(runnerTools, runs));
  }
  const loops = features.flatMap((feature) => feature.loops ?? []);
  let working = false;
  return {
    http,
    startJobs: async () => {
      await jobs.start();
      working = true;
      await resumeCompletions(db, jobs);
      for (const loop of [...loops, ...runner]) loop.start();
    },
    tick: () => tickAll([...loops, ...runner]),
    close: async () => {
      // Before the server closes, since a connector that ends abandons its session.
      for (const loop of runner) await loop.stop();
      await http.close();
      await keyUses.close();
      await refusals?.close();
      await Promise.all(loops.map((loop) => loop.stop()));
      mailer?.close();
      if (working) await jobs.stop();
      await closeWorkers();
    },
  };
}

/** Returns the origin at which this process listens, for a deployment without a public address. */
function listeningOrigin(http: Http): string {
  const address = http.server.address();
  if (address === null || typeof address === 'string') return 'http://localhost';
  const host = ['0.0.0.0', '::'].includes(address.address) ? 'localhost' : address.address;
  return `http://${host.includes(':') ? `[${host}]` : host}:${address.port}`;
}
