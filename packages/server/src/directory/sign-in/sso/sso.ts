import { within } from '#kit/database.ts';
import { notFound } from '#kit/errors.ts';
import { withOutbound } from '#kit/net/outbound.ts';
import type { SignInContext } from '../auth/context.ts';
import { nonceOf } from '../protocols/oidc-id-token.ts';
import { outboundRules } from '../protocols/provider-config.ts';
import { SsoRefusal } from '../protocols/sso-failure.ts';
import { signInRefusals } from '../sentences.ts';
import { readResponse } from '../visit/auth-response.ts';
import { ownAddress, ownPath } from '../visit/own-path.ts';
import { headersWithoutSession, type Visit } from '../visit/visit.ts';
import { requireProvider } from './providers.ts';
import { forceAuthentication, idOfRequest } from './saml.ts';
import { cookiesOfStart, rememberStart, STATE_OF } from './sso-starts.ts';

/** Starting to sign in through an OpenID Connect or SAML provider of the organization. */

/** Asking for a longest age makes providers tell when they authenticated the person (OpenID Connect Core 3.1.2.1). */
const LONGEST_PROVIDER_SESSION_SECONDS = 7 * 24 * 60 * 60;

interface StartOptions {
  returnTo: string;
  again: boolean;
  /** The name with which the provider fills in its sign-in page. */
  loginHint?: string | undefined;
}

/**
 * Starts a sign-in. Returns the provider's address, to which the browser goes next. With `again`, the provider is asked to
 * authenticate the person again, so that the session counts as recent for a step-up.
 */
export async function beginSso(
  { db, authFor, consolePath }: SignInContext,
  visit: Visit,
  provider: string,
  { returnTo, again, loginHint }: StartOptions,
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
  const { body, cookies } = await readResponse(response, () => signInRefusals.provider_unavailable());
  const url = new URL(body.url);
  const isSaml = saml_config !== null;
  const state = url.searchParams.get(isSaml ? 'RelayState' : 'state') ?? '';
  const request = isSaml ? idOfRequest(url) : null;
  if (!isSaml) {
    url.searchParams.set('nonce', nonceOf(organization.sign_in_secret, state));
    url.searchParams.set('max_age', String(again ? 0 : LONGEST_PROVIDER_SESSION_SECONDS));
    if (again) url.searchParams.set('prompt', 'login');
    if (loginHint !== undefined) url.searchParams.set('login_hint', loginHint);
  } else if (again) forceAuthentication(url);
  await rememberStart(within(db, organization.id), { provider, state, request }, again);
  const name = STATE_OF[isSaml ? 'saml' : 'oidc'];
  return { url: url.href, cookies: cookiesOfStart(visit, name, state, cookies) };
}

/** A start from elsewhere: a portal's tile, or the provider itself (OpenID Connect Core 4). */
export interface StartElsewhere {
  provider?: string;
  iss?: string;
  login_hint?: string;
  target_link_uri?: string;
}

/**
 * Starts an ordinary sign-in from elsewhere. Throws SsoRefusal for an unknown provider and for another issuer than the provider's.
 * A page of another site is never the one to return to.
 */
export async function beginElsewhere(
  context: SignInContext,
  visit: Visit,
  { provider, iss, login_hint, target_link_uri = '' }: StartElsewhere,
): Promise<{ url: string; cookies: string[] }> {
  const row = await requireProvider(within(context.db, visit.organization.id), provider ?? '').catch(() => {
    throw new SsoRefusal('unknown_provider');
  });
  if (iss !== undefined && iss !== row.issuer) throw new SsoRefusal('another_issuer');
  const home = context.consolePath(visit.organization.slug);
  const returnTo = ownAddress(target_link_uri, visit.origin, home);
  const loginHint = isPlain(login_hint) ? login_hint : undefined;
  return beginSso(context, visit, row.provider_id, { returnTo, again: false, loginHint });
}

const LONGEST_HINT = 254;
const isPlain = (hint: string | undefined): boolean =>
  hint !== undefined && hint !== '' && hint.length <= LONGEST_HINT && !/\p{C}/u.test(hint);

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
