import { randomUUID } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { keyAuthentication } from './access/authenticate.ts';
import { type KeyUseLog, openKeyUseLog } from './access/key-use.ts';
import { deleteKeysOfDeletedPeople, revokeKeysOfMerged, revokeKeysOfNewOwners } from './access/keys.ts';
import { deleteIdleRecords, type Limits, limitRequests } from './access/limits.ts';
import { findOrganizationId } from './access/organization-state.ts';
import { recordRefusals } from './access/refusals.ts';
import { keyRoutes, meRoutes } from './access/routes/index.ts';
import { WINDOW_SECONDS } from './access/sign-in/attempts.ts';
import { rejectCrossSite } from './access/sign-in/cross-site.ts';
import { forgetDeletedPeopleInProviders } from './access/sign-in/deleted-people.ts';
import { expireSessions } from './access/sign-in/expiry.ts';
import { signInRoutes } from './access/sign-in/routes/index.ts';
import { requireSecondFactor } from './access/sign-in/second-factor-policy.ts';
import { sessionAuthentication } from './access/sign-in/session-authentication.ts';
import { endSessionsOfDeactivated, resetSignInOfNewOwners } from './access/sign-in/sessions.ts';
import { unlinkChangedEmails } from './access/sign-in/unlink.ts';
import { forgetDeletedPeopleInApps } from './apps/deleted-people.ts';
import { moveAppsOfMerged } from './apps/merge.ts';
import {
  adminAppRoutes,
  bridgeAppRoutes,
  checkRoutes,
  connectionRequestRoutes,
} from './apps/routes/index.ts';
import { endConnector } from './connectors/connectors.ts';
import { connectorRoutes } from './connectors/routes/index.ts';
import type { RunnerTools } from './connectors/run.ts';
import { defineConnectorJobs, startConnectors } from './connectors/worker.ts';
import { defineEventJobs, openEventLog, prepareEventLog } from './events/log.ts';
import { eventRoutes } from './events/routes/index.ts';
import { defineFulfilmentJobs } from './fulfilment/attachments.ts';
import { endFulfilmentOfApp, forgetDeletedFulfillers, moveFulfilmentOfMerged } from './fulfilment/hooks.ts';
import { fulfilmentRoutes } from './fulfilment/routes/index.ts';
import { findFulfilledByPeople, isFulfilledByPeople } from './fulfilment/settings.ts';
import { startFulfilment } from './fulfilment/worker.ts';
import { readGrantDecisions } from './history/grant-decisions.ts';
import { historyRoutes } from './history/routes/index.ts';
import { userAgentOf } from './identity/cause.ts';
import { authorize, unauthenticated } from './identity/principal.ts';
import { foldAccountCounts } from './inventory/accounts.ts';
import { defineHistoryJobs, prepareHistory } from './inventory/history/retention.ts';
import { linkForgotten, linkPeople, unlinkDeletedPeople } from './inventory/links.ts';
import { moveAccountsOfMerged } from './inventory/merge.ts';
import { forgetDeletedOwners } from './inventory/owners.ts';
import { accountRoutes, resourceRoutes } from './inventory/routes/index.ts';
import { defineNotificationJobs, forgetDeletedPeopleInNotifications } from './notifications/cleanup.ts';
import { type MailSettings, openMailer } from './notifications/email/mailer.ts';
import { createDeliveryMetrics } from './notifications/metrics.ts';
import { notificationRoutes } from './notifications/routes/index.ts';
import { startNotifications } from './notifications/worker.ts';
import { defineOrganizationJobs } from './organizations/delete.ts';
import { suspensionGuard } from './organizations/guard.ts';
import { overviewRoutes } from './overview/routes/index.ts';
import type { MergeHook } from './people/merge.ts';
import { peopleRoutes } from './people/routes/index.ts';
import { analyze } from './platform/database/analyze.ts';
import type { Database } from './platform/database/open.ts';
import type { Replica } from './platform/database/replica.ts';
import { notFound } from './platform/errors.ts';
import { consoleRoutes, isConsoleNavigation, loadConsolePage } from './platform/http/console.ts';
import { originOf } from './platform/http/host.ts';
import { type Addresses, refuseOtherMethods } from './platform/http/methods.ts';
import { isLoopback } from './platform/http/outbound.ts';
import type { LoadLimits } from './platform/http/overload.ts';
import { provideReads } from './platform/http/reads.ts';
import { publishReference } from './platform/http/reference.ts';
import { createHttp, type Http, type TrustProxy } from './platform/http/server.ts';
import { statusRoutes } from './platform/http/status.ts';
import { type Jobs, openJobs } from './platform/jobs/jobs.ts';
import type { Secrets } from './platform/secrets/secrets.ts';
import { closeWorkers } from './platform/workers/pool.ts';
import { definePreviewJobs } from './policies/preview.ts';
import { revertHook } from './policies/revert.ts';
import { policyRoutes } from './policies/routes/index.ts';
import { startPolicies } from './policies/worker.ts';
import { endTasksOfApp } from './provisioning/archive.ts';
import { countHeldTasks } from './provisioning/held.ts';
import { moveTasksOfMerged } from './provisioning/merge.ts';
import { startPromoter } from './provisioning/promote.ts';
import { bridgeTaskRoutes, taskRoutes } from './provisioning/routes/index.ts';
import { wakeTasks } from './provisioning/wake.ts';
import { cancelTicketsOfApp, cancelTicketsOfLeavers, defineRequestJobs } from './requests/close.ts';
import { keepPeopleNamedInRequests } from './requests/deleted-people.ts';
import { moveTicketsOfMerged } from './requests/merge.ts';
import { ticketRoutes } from './requests/routes/index.ts';
import { restoreRoutes } from './restore/routes/index.ts';
import { defineReviewJobs } from './reviews/jobs.ts';
import { moveReviewsOfMerged } from './reviews/merge.ts';
import { forgetDeletedPeopleInReviews, reassignItemsOfLeavers } from './reviews/reassign.ts';
import { reviewRoutes } from './reviews/routes/index.ts';
import { scimRoutes } from './scim/routes/index.ts';
import { defineSpreadsheetJobs } from './spreadsheets/jobs.ts';
import { spreadsheetRoutes } from './spreadsheets/routes/index.ts';
import { endSessions } from './sync/archive.ts';
import { defineSyncJobs, resumeCompletions } from './sync/jobs.ts';
import { adminSyncRoutes, syncRoutes } from './sync/routes/index.ts';
import { newestSessions } from './sync/view.ts';
import { teamRoutes } from './team/routes/index.ts';
import { webhookRoutes } from './webhooks/routes/index.ts';
import { defineWebhookJobs, startWebhooks } from './webhooks/worker.ts';

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
  /** How many run at once. */
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
  /** Finishes the requests and jobs in progress (D42). Leaves the database open. */
  close(): Promise<void>;
}

// Hooks run in the transaction that changes people or archives an app, in the order of locks (ARCHITECTURE.md).
const onPeople = [
  deleteKeysOfDeletedPeople,
  revokeKeysOfNewOwners,
  endSessionsOfDeactivated,
  resetSignInOfNewOwners,
  unlinkChangedEmails,
  reassignItemsOfLeavers,
  cancelTicketsOfLeavers,
  keepPeopleNamedInRequests,
  linkPeople,
  unlinkDeletedPeople,
  forgetDeletedOwners,
  forgetDeletedPeopleInApps,
  forgetDeletedFulfillers,
  forgetDeletedPeopleInProviders,
  forgetDeletedPeopleInReviews,
  forgetDeletedPeopleInNotifications,
];
// Move the references to a person who is merged into another, in the transaction of the merge and in the order of locks.
const onMerge: readonly MergeHook[] = [
  revokeKeysOfMerged,
  moveAppsOfMerged,
  moveTicketsOfMerged,
  moveReviewsOfMerged,
  moveAccountsOfMerged,
  moveTasksOfMerged,
  moveFulfilmentOfMerged,
];
const onArchive = [endFulfilmentOfApp, endSessions, cancelTicketsOfApp, endTasksOfApp, endConnector];

/** Puts the features together. Nothing else does. */
export async function createApp({
  database,
  replica,
  secrets,
  logger,
  publicUrl,
  trustProxy,
  rateLimits = { events: null, read: null },
  retryAfterSeconds,
  requestExpiryDays = 30,
  sessionHours = 12,
  mail,
  home = 'acme',
  console: built,
  connectors,
  loadLimits,
}: AppOptions): Promise<App> {
  const { db } = database;
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

  await prepareEventLog(db, logger);
  await prepareHistory(db);
  defineJobs(database, jobs, requestExpiryDays, logger);

  await publishReference(http);
  const metrics = createDeliveryMetrics(db);
  statusRoutes(http, { database, jobs, replica, deliveries: metrics });
  if (built && page) await consoleRoutes(http, built.folder, page);
  await http.register(
    async (scope) => {
      const org = scope as unknown as Http;
      const addresses = rememberAddresses(org);
      const requireActive = suspensionGuard(db);
      org.addHook('onRequest', ({ params }) => requireActive((params as { org: string }).org));
      const tools = { db, database, jobs, origin };
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
      await signInRoutes(org, {
        ...tools,
        secrets,
        idleHours: sessionHours,
        consolePath,
        canEmail: mailer !== undefined,
      });
      meRoutes(org, tools);
      keyRoutes(org, tools);
      eventRoutes(org, openEventLog(database, secrets, unauthenticated));
      bridgeAppRoutes(org, tools);
      checkRoutes(org, tools);
      syncRoutes(org, { ...tools, onNoLongerAwaited: wakeTasks });
      bridgeTaskRoutes(org, {
        ...tools,
        isFulfilledByPeople,
        ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
      });
      taskRoutes(org, tools);
      await fulfilmentRoutes(org, tools);
      ticketRoutes(org, { ...tools, expiryDays: requestExpiryDays });
      accountRoutes(org, tools);
      await peopleRoutes(org, { ...tools, onPeople, onMerge });
      await scimRoutes(org, { ...tools, onPeople });
      adminAppRoutes(org, {
        ...tools,
        onArchive,
        readLastSyncs: newestSessions,
        readHeldTasks: countHeldTasks,
        readFulfilledByPeople: findFulfilledByPeople,
      });
      resourceRoutes(org, tools);
      adminSyncRoutes(org, { ...tools, revertHook });
      connectionRequestRoutes(org, tools);
      reviewRoutes(org, { ...tools, readGrantDecisions });
      policyRoutes(org, tools);
      await spreadsheetRoutes(org, { ...tools, onPeople });
      restoreRoutes(org, tools);
      webhookRoutes(org, { ...tools, secrets });
      connectorRoutes(org, { ...tools, secrets });
      overviewRoutes(org, tools);
      teamRoutes(org, tools);
      notificationRoutes(org, { ...tools, secrets, mailer, allowLoopback });
      historyRoutes(org);
      refuseOtherMethods(org, addresses);
      org.setNotFoundHandler(async (request, reply) => {
        const { org: slug } = request.params as { org: string };
        const isPage = page !== undefined && isConsoleNavigation(request);
        if (isPage && (await findOrganizationId(db, slug)) !== undefined) return page(reply, slug);
        throw notFound('This address');
      });
    },
    { prefix: '/org/:org' },
  );

  let working = false;
  let promoter: ReturnType<typeof startPromoter> | undefined;
  let fulfilment: ReturnType<typeof startFulfilment> | undefined;
  let policies: ReturnType<typeof startPolicies> | undefined;
  let webhooks: ReturnType<typeof startWebhooks> | undefined;
  let notifications: ReturnType<typeof startNotifications> | undefined;
  let runner: ReturnType<typeof startConnectors> | undefined;
  return {
    http,
    startJobs: async () => {
      await jobs.start();
      working = true;
      await resumeCompletions(db, jobs);
      promoter = startPromoter(db, logger);
      fulfilment = startFulfilment(db, logger);
      policies = startPolicies(db, logger);
      webhooks = startWebhooks({ database, secrets }, logger);
      notifications = startNotifications({
        db,
        secrets,
        mailer,
        allowLoopback,
        ownOrigin,
        consolePath,
        expiryDays: requestExpiryDays,
        logger,
        metrics,
      });
      if (connectors === undefined) return;
      const { runs, tests, ...settings } = connectors;
      const baseUrl = (slug: string) =>
        http.server.listening ? `${listeningOrigin(http)}/org/${slug}` : undefined;
      runner = startConnectors(
        { db, secrets, logger, node: randomUUID(), baseUrl, ...settings, ...tests },
        runs,
      );
    },
    close: async () => {
      // Before the server closes, since a connector that ends abandons its session.
      await runner?.stop();
      await http.close();
      await keyUses.close();
      await refusals?.close();
      await promoter?.stop();
      await fulfilment?.stop();
      await policies?.stop();
      await webhooks?.stop();
      await notifications?.stop();
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

/** Defines the jobs of all features. They run once startJobs has been called. */
function defineJobs(database: Database, jobs: Jobs, expiryDays: number, logger: Logger) {
  const { db } = database;
  defineEventJobs(db, jobs);
  jobs.define({
    name: 'access.forget-idle',
    attempts: 1,
    cron: '*/10 * * * *',
    work: () => deleteIdleRecords(db),
  });
  jobs.define({
    name: 'access.expire-sessions',
    attempts: 1,
    cron: '* * * * *',
    work: () => expireSessions(db, WINDOW_SECONDS),
  });
  defineWebhookJobs(db, jobs);
  defineConnectorJobs(db, jobs);
  defineHistoryJobs(db, jobs);
  defineSyncJobs({ db, onNoLongerAwaited: wakeTasks }, jobs);
  defineSpreadsheetJobs(database, jobs);
  defineRequestJobs({ db, expiryDays }, jobs, logger);
  defineReviewJobs(db, jobs, logger);
  defineFulfilmentJobs(db, jobs);
  definePreviewJobs(db, jobs);
  defineNotificationJobs(db, jobs);
  defineOrganizationJobs(db, jobs, logger);
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
}

interface Callers {
  keys: ReturnType<typeof keyAuthentication>;
  session: ReturnType<typeof sessionAuthentication>;
  origin: (request: FastifyRequest) => string;
  keyUses: KeyUseLog;
  limits: ReturnType<typeof limitRequests>;
  hasConsole: boolean;
}

/** Checks every request in the order of D6: authentication (401), limits (429), organization (404), permission (403). */
function checkCallers(org: Http, { keys, session, origin, keyUses, limits, hasConsole }: Callers) {
  org.decorateRequest('principal');
  org.decorateRequest('organization');
  org.decorateRequest('bridgeApp');
  org.addHook('onRequest', async (request, reply) => {
    const { access } = request.routeOptions.config ?? {};
    // Throws 400 if it needs the Host header and that is malformed.
    const ownOrigin = origin(request);
    // The console's page is public. It is sent for addresses that no route has.
    const isPage = hasConsole && request.is404 && isConsoleNavigation(request);
    if (access === 'public' || isPage) return limits.admit(request, reply);
    const refuse = async (error: unknown) => {
      await limits.admitUnauthenticated(request, reply);
      throw error;
    };
    const signedIn =
      request.headers.authorization === undefined
        ? await session(request, ownOrigin).catch(refuse)
        : undefined;
    request.principal = signedIn ?? (await keys.authenticate(request).catch(refuse));
    await limits.admit(request, reply);
    const { orgId, keyId } = request.principal;
    if (keyId !== null)
      keyUses.note({ orgId, keyId, ip: request.ip, userAgent: userAgentOf(request.headers) });
    const { org: slug } = request.params as { org?: string };
    if (slug !== request.principal.orgSlug) throw notFound('This address');
    if (signedIn !== undefined) rejectCrossSite(request, ownOrigin, true);
    authorize(request.principal, access);
    requireSecondFactor(request.principal, request.routeOptions.config);
  });
}

/** Collects the methods and the access of every address that is added from here on. */
function rememberAddresses(org: Http) {
  const addresses: Addresses = new Map();
  org.addHook('onRoute', ({ path, method, config }) => {
    const url = path.slice('/org/:org'.length);
    // They reply to other methods by themselves, with SCIM errors.
    if (url.startsWith('/scim/')) return;
    const known = addresses.get(url) ?? { methods: new Set(), access: config?.access ?? 'public' };
    for (const one of [method].flat()) known.methods.add(one);
    addresses.set(url, known);
  });
  return addresses;
}
