import type { FastifyRequest } from 'fastify';
import type { keyAuthentication } from '#directory/access/authenticate.ts';
import type { KeyUseLog } from '#directory/access/key-use.ts';
import type { limitRequests } from '#directory/access/limits.ts';
import { requireSecondFactor } from '#directory/sign-in/credentials/second-factor-policy.ts';
import type { sessionAuthentication } from '#directory/sign-in/sessions/session-authentication.ts';
import { rejectCrossSite } from '#directory/sign-in/visit/cross-site.ts';
import { requirePageOfPerson } from '#directory/sign-in/visit/page-person.ts';
import type { Db } from '#kit/database.ts';
import { nothingHere } from '#kit/errors.ts';
import { isConsoleNavigation } from '#kit/http/console.ts';
import type { Addresses } from '#kit/http/methods.ts';
import type { Http } from '#kit/http.ts';
import { authorize, userAgentOf } from '#kit/identity.ts';

interface Callers {
  db: Db;
  keys: ReturnType<typeof keyAuthentication>;
  session: ReturnType<typeof sessionAuthentication>;
  origin: (request: FastifyRequest) => string;
  keyUses: KeyUseLog;
  limits: ReturnType<typeof limitRequests>;
  hasConsole: boolean;
}

/** Checks every request in the order of D6: authentication (401), limits (429), organization (404), permission (403). */
export function checkCallers(org: Http, { db, keys, session, origin, keyUses, limits, hasConsole }: Callers) {
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
    if (slug !== request.principal.orgSlug) throw nothingHere();
    if (signedIn !== undefined) {
      rejectCrossSite(request, ownOrigin, true);
      // Before what the person may do: somebody else's page gets no answer about their permissions.
      await requirePageOfPerson(db, request);
    }
    authorize(request.principal, access);
    requireSecondFactor(request.principal, request.routeOptions.config);
  });
}

/** Collects the methods and the access of every address that is added from here on. */
export function rememberAddresses(org: Http) {
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
