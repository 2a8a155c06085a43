import { within } from '../../../kit/database/organization.ts';
import { DomainError, invalid, notFound } from '../../../kit/errors.ts';
import { withOutbound } from '../../../kit/http/outbound.ts';
import { attemptFactor } from './attempts.ts';
import { readResponse } from './auth-response.ts';
import type { SignInContext } from './context.ts';
import { nonceOf } from './oidc-id-token.ts';
import { type OidcConfig, outboundRules } from './provider-config.ts';
import { recordRefusedLink } from './provider-links.ts';
import { requireProvider } from './providers.ts';
import type { ProviderRow } from './queries/providers.ts';
import {
  decodeSamlResponse,
  forceAuthentication,
  rememberSamlRequest,
  takeSamlRequest,
  verifySamlResponse,
} from './saml.ts';
import { startSession } from './sessions.ts';
import { expecting, type SsoExpectation } from './sso-expectation.ts';
import { refusalIn, SsoRefusal } from './sso-failure.ts';
import { headersWithoutSession, type Visit } from './visit.ts';

/** Signing in through an OpenID Connect or SAML provider of the organization. */

/** Asking for a longest age makes providers tell when they authenticated the person (OpenID Connect Core 3.1.2.1). */
const LONGEST_PROVIDER_SESSION_SECONDS = 7 * 24 * 60 * 60;

/**
 * Starts a sign-in. Returns the provider's address, to which the browser goes next. With `again`, the provider is asked to
 * authenticate the person again, so that the session counts as recent for a step-up.
 */
export async function beginSso(
  { db, authFor, consolePath }: SignInContext,
  visit: Visit,
  provider: string,
  { returnTo, again }: { returnTo: string; again: boolean },
): Promise<{ url: string; cookies: string[] }> {
  const { origin, organization } = visit;
  const { saml_config } = await requireProvider(within(db, organization.id), provider);
  const home = consolePath(organization.slug);
  const { api } = await authFor(visit);
  const response = await withOutbound(outboundRules(origin), () =>
    api.signInSSO({
      body: {
        providerId: provider,
        callbackURL: `${origin}${ownPath(returnTo, home)}`,
        errorCallbackURL: `${origin}${home}/sign-in`,
      },
      headers: headersWithoutSession(visit),
      asResponse: true,
    }),
  );
  const { body, cookies } = await readResponse(response, () =>
    invalid('The provider is not available at the moment. Try again later.'),
  );
  const url = new URL(body.url);
  if (saml_config !== null) {
    if (again) forceAuthentication(url);
    await rememberSamlRequest(within(db, organization.id), provider, url);
  } else {
    const state = url.searchParams.get('state') ?? '';
    url.searchParams.set('nonce', nonceOf(organization.sign_in_secret, state));
    url.searchParams.set('max_age', String(again ? 0 : LONGEST_PROVIDER_SESSION_SECONDS));
    if (again) url.searchParams.set('prompt', 'login');
  }
  return { url: url.href, cookies: cookies.map((cookie) => allowCrossSite(cookie, origin)) };
}

export interface SsoResult {
  /** The path of the console to which the person returns. */
  location: string;
  cookies: string[];
}

/** Completes a sign-in after an OpenID Connect provider has redirected the browser back. */
export const completeOidc = (
  context: SignInContext,
  visit: Visit,
  provider: string,
  query: { code?: string; state?: string; error?: string; error_description?: string },
): Promise<SsoResult> =>
  complete(context, visit, 'oidc', provider, async (row) => {
    if (row.oidc_config === null) throw new SsoRefusal('provider');
    const { clientId } = JSON.parse(row.oidc_config) as OidcConfig;
    const nonce = nonceOf(visit.organization.sign_in_secret, query.state ?? '');
    const { api } = await context.authFor(visit);
    const complete = () =>
      api.callbackSSO({
        params: { providerId: provider },
        query,
        headers: headersWithoutSession(visit),
        asResponse: true,
      });
    const expected: SsoExpectation = {
      protocol: 'oidc',
      provider: row,
      clientId,
      nonce,
      authenticatedAt: null,
    };
    const onFailure = (reason: string) => {
      expected.unreached = reason;
    };
    const rules = { ...outboundRules(visit.origin), onFailure };
    return underExpectation(expected, () => withOutbound(rules, complete));
  });

/** Completes a sign-in after a SAML provider has sent its response. */
export const completeSaml = (
  context: SignInContext,
  visit: Visit,
  provider: string,
  { SAMLResponse, RelayState }: { SAMLResponse: string; RelayState: string },
): Promise<SsoResult> =>
  complete(context, visit, 'saml', provider, async (row) => {
    const { db } = context;
    const auth = await context.authFor(visit);
    const { createAuthCookie } = await auth.$context;
    const { name } = createAuthCookie('relay_state');
    if (!startedInThisBrowser(visit, name, RelayState)) throw new SsoRefusal('expired');
    const xml = decodeSamlResponse(SAMLResponse);
    const assertion = await verifySamlResponse(visit, row, xml);
    if (!(await takeSamlRequest(within(db, visit.organization.id), provider, assertion, RelayState)))
      throw new SsoRefusal('expired');
    const { authenticatedAt } = assertion;
    return underExpectation({ protocol: 'saml', provider: row, assertion, authenticatedAt }, () =>
      auth.api.acsEndpoint({
        method: 'POST',
        params: { providerId: provider },
        // The same text that was verified.
        body: { SAMLResponse: Buffer.from(xml).toString('base64'), RelayState },
        headers: headersWithoutSession(visit),
        asResponse: true,
      }),
    );
  });

interface ProviderAnswer {
  response: Response;
  expected: SsoExpectation;
}

async function underExpectation(
  expected: SsoExpectation,
  work: () => Promise<Response>,
): Promise<ProviderAnswer> {
  return { response: await expecting(expected, work), expected };
}

/** Returns the provider. A sign-in through one that was removed in the meantime is refused like any other. */
async function providerRow({ db }: SignInContext, { organization }: Visit, id: string): Promise<ProviderRow> {
  try {
    return await requireProvider(within(db, organization.id), id);
  } catch (error) {
    throw error instanceof DomainError ? new SsoRefusal('provider') : error;
  }
}

async function complete(
  context: SignInContext,
  visit: Visit,
  method: 'oidc' | 'saml',
  provider: string,
  work: (provider: ProviderRow) => Promise<ProviderAnswer>,
): Promise<SsoResult> {
  return attemptFactor(context.db, visit, { method, identifier: null }, async () => {
    const row = await providerRow(context, visit, provider);
    const { response, expected } = await work(row);
    const result = await readResponse(response, () => new SsoRefusal('provider'));
    const { pathname, search, searchParams } = new URL(
      result.location ?? '/sign-in?error=provider',
      visit.origin,
    );
    const details = { method, provider, second_factor: false };
    const isSignedIn =
      !searchParams.has('error') &&
      (await startSession(context, visit, result, details, expected.authenticatedAt));
    if (!isSignedIn) {
      const refusal = refusalIn(searchParams, expected);
      if (refusal.failure === 'linked_to_another' && refusal.email !== null)
        await recordRefusedLink(within(context.db, visit.organization.id), visit, row, refusal.email);
      throw refusal;
    }
    return {
      location: ownPath(`${pathname}${search}`, context.consolePath(visit.organization.slug)),
      cookies: result.cookies,
    };
  });
}

/** Returns Gatehouse's SAML metadata for a provider. Throws 404 unless it is a SAML provider. */
export async function samlMetadata(
  { db, authFor }: SignInContext,
  visit: Visit,
  provider: string,
): Promise<string> {
  if ((await requireProvider(within(db, visit.organization.id), provider)).saml_config === null)
    throw notFound('Sign-in provider');
  const query = { providerId: provider };
  const response = await (await authFor(visit)).api.spMetadata({ query, asResponse: true });
  return response.text();
}

/**
 * Over https, a SAML response must arrive in the browser that started the sign-in. Otherwise an attacker could sign a
 * victim in to the attacker's account.
 */
function startedInThisBrowser({ origin, cookie }: Visit, cookieName: string, relayState: string): boolean {
  if (!origin.startsWith('https:')) return true;
  const cookies = (cookie ?? '').split(/;\s*/);
  return cookies.some(
    (one) =>
      one.startsWith(`${cookieName}=`) &&
      decoded(one.slice(cookieName.length + 1)).startsWith(`${relayState}.`),
  );
}

/** Returns an empty text for a value that is not percent-encoded correctly. */
function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return '';
  }
}

/** A provider's page posts SAML responses. Browsers send a cookie along only if it is marked SameSite=None. */
const allowCrossSite = (cookie: string, origin: string) =>
  origin.startsWith('https:') && cookie.includes('relay_state=')
    ? cookie.replace(/SameSite=Lax/i, 'SameSite=None')
    : cookie;

/** Returns `path` if it is a path of our own site, and the console's first page otherwise: sign-in redirects nowhere else. */
function ownPath(path: string, home: string): string {
  const isPath = /^\/(?![/\\])/.test(path) && !/[\\\p{Cc}]/u.test(path);
  const here = 'https://gatehouse.invalid';
  return isPath && URL.canParse(path, here) && new URL(path, here).origin === here ? path : `${home}/`;
}
