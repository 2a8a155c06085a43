import { checkCallers, rememberAddresses } from '#callers.ts';
import { keyAuthentication } from '#directory/access/authenticate.ts';
import { openKeyUseLog } from '#directory/access/key-use.ts';
import { type Limits, limitRequests } from '#directory/access/limits.ts';
import { findOrganizationId } from '#directory/access/organization-facts.ts';
import { recordRefusals } from '#directory/access/refusals.ts';
import { sessionAuthentication } from '#directory/sign-in/sessions/session-authentication.ts';
import type { Replica } from '#kit/database/replica.ts';
import { nothingHere } from '#kit/errors.ts';
import type { Feature, Tools } from '#kit/feature.ts';
import { isConsoleNavigation } from '#kit/http/console.ts';
import { refuseOtherMethods } from '#kit/http/methods.ts';
import { provideReads } from '#kit/http/reads.ts';
import { refuseUnknownQueries } from '#kit/http/unknown-parameters.ts';
import type { ConsolePage, Http } from '#kit/http.ts';
import { suspensionGuard } from '#operate/organizations/guard.ts';

interface ScopeOptions {
  replica: Replica | undefined;
  /** The page of the console, which is sent to browsers for an address without a route. */
  page: ConsolePage | undefined;
  rateLimits: Limits;
  sessionHours: number;
}

/**
 * Adds the endpoints of all features below the address of an organization, behind the checks of callers. The returned function writes
 * what this process still has to record about its callers.
 */
export async function serveOrganizations(
  http: Http,
  { db, database, logger, origin }: Tools,
  features: readonly Feature[],
  { replica, page, rateLimits, sessionHours }: ScopeOptions,
): Promise<() => Promise<void>> {
  const keyUses = openKeyUseLog(db, logger);
  let refusals: ReturnType<typeof recordRefusals> | undefined;
  await http.register(
    async (scope) => {
      const org = scope as unknown as Http;
      const addresses = rememberAddresses(org);
      refuseUnknownQueries(org);
      const requireActive = suspensionGuard(db);
      org.addHook('onRequest', ({ params }) => requireActive((params as { org: string }).org));
      checkCallers(org, {
        db,
        // A route's own statement may run on the replica, and keys are checked on the primary.
        keys: keyAuthentication(db, { remember: replica === undefined }),
        session: sessionAuthentication(db, sessionHours),
        origin,
        keyUses,
        limits: limitRequests(database, rateLimits),
        hasConsole: page !== undefined,
      });
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
  return async () => {
    await keyUses.close();
    await refusals?.close();
  };
}
