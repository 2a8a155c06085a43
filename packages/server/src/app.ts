import type { AppOptions } from '#app-options.ts';
import { holds } from '#decisions/holds/feature.ts';
import { manual } from '#decisions/manual/feature.ts';
import { offboarding } from '#decisions/offboarding/feature.ts';
import { policies } from '#decisions/policies/feature.ts';
import { requests } from '#decisions/requests/feature.ts';
import { restore } from '#decisions/restore/feature.ts';
import { reviews } from '#decisions/reviews/feature.ts';
import { access } from '#directory/access/feature.ts';
import { people } from '#directory/people/feature.ts';
import { scim } from '#directory/scim/feature.ts';
import { signIn } from '#directory/sign-in/feature.ts';
import { fromHigherLayers } from '#from-higher-layers.ts';
import { setHooks } from '#hooks.ts';
import { entitlements } from '#insight/entitlements/feature.ts';
import { findings } from '#insight/findings/feature.ts';
import { history } from '#insight/history/feature.ts';
import { notifications } from '#insight/notifications/feature.ts';
import { overview } from '#insight/overview/feature.ts';
import { proof } from '#insight/proof/feature.ts';
import { queries } from '#insight/saved-queries/feature.ts';
import { team } from '#insight/team/feature.ts';
import { apps } from '#inventory/apps/feature.ts';
import { records } from '#inventory/records/feature.ts';
import { statistics } from '#kit/database/feature.ts';
import type { Feature, Tools } from '#kit/feature.ts';
import { consoleRoutes, loadConsolePage } from '#kit/http/console.ts';
import { helpRoutes } from '#kit/http/help.ts';
import { ownAddresses } from '#kit/http/own-addresses.ts';
import { publishReference } from '#kit/http/reference.ts';
import { createHttp } from '#kit/http/server.ts';
import { statusRoutes } from '#kit/http/status.ts';
import type { Http } from '#kit/http.ts';
import { openJobs } from '#kit/jobs/jobs.ts';
import { type Lifecycle, lifecycleOf } from '#kit/lifecycle.ts';
import { events } from '#log/events/feature.ts';
import { webhooks } from '#log/webhooks/feature.ts';
import { organizations } from '#operate/organizations/feature.ts';
import { sample } from '#operate/sample/feature.ts';
import { OPERATION_IDS } from '#operation-ids.ts';
import { serveOrganizations } from '#organization-scope.ts';
import { grants } from '#reasons/grants/feature.ts';
import { suspensions } from '#reasons/suspensions/feature.ts';
import { connectors } from '#work/connectors/feature.ts';
import { fulfillment } from '#work/fulfillment/feature.ts';
import { provisioning } from '#work/provisioning/feature.ts';
import { spreadsheets } from '#work/spreadsheets/feature.ts';

export interface App extends Lifecycle {
  http: Http;
}

type Options = AppOptions & { expiryDays: number; sessionHours: number };

/** Returns all features, in the order in which they begin. */
function featuresOf(tools: Tools, options: Options): Feature[] {
  const { syncQuotas, retryAfterSeconds, expiryDays, sessionHours, mail } = options;
  const above = fromHigherLayers;
  return [
    signIn(tools, { idleHours: sessionHours, canEmail: mail !== undefined }),
    access(tools),
    people(tools, above.people),
    scim(tools, above.scim),
    events(tools),
    webhooks(tools),
    apps(tools, above.apps),
    records(tools, { syncQuotas, ...above.records }),
    grants(tools),
    suspensions(tools),
    provisioning(tools, { retryAfterSeconds, ...above.provisioning }),
    fulfillment(tools),
    spreadsheets(tools),
    connectors(tools, options.connectors),
    holds(tools),
    requests(tools, expiryDays),
    reviews(tools),
    policies(tools),
    manual(tools),
    offboarding(tools),
    restore(tools),
    entitlements(tools),
    findings(tools),
    queries(tools),
    history(tools),
    proof(tools),
    overview(tools),
    team(tools),
    notifications(tools, { mail, expiryDays }),
    organizations(tools),
    sample(tools),
    statistics(tools),
  ];
}

/** Puts the features together. Nothing else does. */
export async function createApp(options: AppOptions): Promise<App> {
  const { database, replica, secrets, logger, publicUrl, trustProxy, loadLimits } = options;
  const {
    requestExpiryDays: expiryDays = 30,
    sessionHours = 12,
    home = 'acme',
    console: built,
    help,
  } = options;
  const { rateLimits = { events: null, read: null } } = options;
  const { db } = database;
  setHooks(db);
  const page = built && loadConsolePage(built, home);
  const isPublicOverTls = publicUrl?.startsWith('https:') ?? false;
  const http = createHttp({ logger, trustProxy, isPublicOverTls, page, loadLimits });
  const jobs = openJobs(database, logger);
  const tools = { db, database, jobs, secrets, logger, ...ownAddresses(http, publicUrl, home) };
  const features = featuresOf(tools, { ...options, expiryDays, sessionHours });

  for (const { prepare } of features) await prepare?.();
  for (const { jobs: define } of features) define?.();
  await publishReference(http, OPERATION_IDS);
  const others = features.flatMap(({ metrics }) => metrics ?? []);
  statusRoutes(http, { database, jobs, replica, others });
  if (built && page) await consoleRoutes(http, built.folder, page);
  if (page && help) await helpRoutes(http, help);
  const scope = { replica, page, rateLimits, sessionHours };
  const noteCallers = await serveOrganizations(http, tools, features, scope);
  return { http, ...lifecycleOf({ http, jobs }, features, noteCallers) };
}
