import { within } from '#kit/database.ts';
import { DomainError } from '#kit/errors.ts';
import { withOutbound } from '#kit/net/outbound.ts';
import type { SignInContext } from '../auth/context.ts';
import { nonceOf } from '../protocols/oidc-id-token.ts';
import { type OidcConfig, outboundRules } from '../protocols/provider-config.ts';
import { noteAuthTime, type ProviderRow } from '../protocols/queries/providers.ts';
import { expecting, type SsoExpectation } from '../protocols/sso-expectation.ts';
import { failureOf, refusalIn, refusalOfProvider, SsoRefusal } from '../protocols/sso-failure.ts';
import { settle } from '../sessions/waiting.ts';
import { attemptFactor } from '../visit/attempts.ts';
import { readResponse } from '../visit/auth-response.ts';
import { noticeCookie } from '../visit/failure-notice.ts';
import { ownPath } from '../visit/own-path.ts';
import { providerError } from '../visit/provider-error.ts';
import type { Visit } from '../visit/visit.ts';
import { recordRefusedLink } from './provider-links.ts';
import { decodeSamlResponse, verifySamlResponse } from './saml.ts';
import { authPathOf, type Flow, homeOf, providerRow, type SsoResult } from './sso-flow.ts';
import {
  endTaken,
  findStartCookie,
  finishOfCopy,
  hasStart,
  headersToFinish,
  isBoundToBrowser,
  rememberFinish,
  removalOf,
  takeStart,
} from './sso-starts.ts';
import { unsolicitedSaml, withoutStart } from './sso-without-start.ts';

/** Completing a sign-in through an OpenID Connect or SAML provider, once the browser has come back. */

interface OidcResponse {
  code?: string;
  state?: string;
  error?: string;
  error_description?: string;
}

/** Completes a sign-in after an OpenID Connect provider has redirected the browser back. */
export async function completeOidc(
  context: SignInContext,
  visit: Visit,
  provider: string,
  query: OidcResponse,
): Promise<SsoResult> {
  const { state = '', error } = query;
  const db = within(context.db, visit.organization.id);
  const cookie = findStartCookie(visit, 'state', state);
  const start = { provider, state, request: null };
  const taken = cookie && (await takeStart(db, start));
  const flow: Flow = { method: 'oidc', provider, state, cookie, hasTaken: taken !== undefined };
  if (taken === undefined) {
    const copy = cookie && (await finishOfCopy(db, start));
    if (copy !== undefined) return afterCopy(visit, copy);
    const isAsked = query.state !== undefined || query.code === undefined;
    return withoutStart(context, visit, { ...flow, isAsked, verify: async () => false });
  }
  return finish(context, visit, flow, async (row) => {
    if (row.oidc_config === null) throw new SsoRefusal('provider');
    if (error !== undefined) throw refusalOfProvider(providerError(error, query.error_description));
    const { clientId } = JSON.parse(row.oidc_config) as OidcConfig;
    const nonce = nonceOf(visit.organization.sign_in_secret, state);
    const { api } = await context.authFor(visit);
    const complete = () =>
      api.callbackSSO({
        params: { providerId: provider },
        query,
        headers: headersToFinish(visit, cookie),
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
    return underExpectation(taken, expected, () => withOutbound(rules, complete));
  });
}

/** Completes a sign-in after a SAML provider has sent its response. */
export async function completeSaml(
  context: SignInContext,
  visit: Visit,
  provider: string,
  { SAMLResponse, RelayState = '' }: { SAMLResponse: string; RelayState?: string },
): Promise<SsoResult> {
  const db = within(context.db, visit.organization.id);
  const cookie = findStartCookie(visit, 'relay_state', RelayState);
  const flow: Flow = { method: 'saml', provider, state: RelayState, cookie };
  const isOurs = cookie !== undefined || !isBoundToBrowser(visit);
  if (!isOurs || !(await hasStart(db, flow))) {
    const copy = cookie && (await finishOfCopy(db, flow));
    if (copy !== undefined) return afterCopy(visit, copy);
    return unsolicitedSaml(context, visit, flow, SAMLResponse);
  }
  return finish(context, visit, flow, async (row) => {
    const xml = decodeSamlResponse(SAMLResponse);
    const verified = await verifySamlResponse(visit, row, xml);
    const request = 'reported' in verified ? verified.inResponseTo : verified.assertion.inResponseTo;
    const taken = await takeStart(db, { provider, state: RelayState, request });
    if (taken === undefined) {
      const copy = await finishOfCopy(db, flow);
      throw copy === undefined ? new SsoRefusal('expired') : new FinishedByCopy(copy);
    }
    flow.hasTaken = true;
    if ('reported' in verified) throw refusalOfProvider(verified.reported);
    const { assertion } = verified;
    const { authenticatedAt } = assertion;
    const tellsAuthTime = authenticatedAt !== null;
    const expected = { protocol: 'saml' as const, provider: row, assertion, authenticatedAt, tellsAuthTime };
    const { api } = await context.authFor(visit);
    return underExpectation(taken, expected, () =>
      api.acsEndpoint({
        method: 'POST',
        params: { providerId: provider },
        // The same text that was verified.
        body: { SAMLResponse: Buffer.from(xml).toString('base64'), RelayState },
        headers: headersToFinish(visit, cookie),
        asResponse: true,
      }),
    );
  });
}

/** Another copy of the response, which arrived at the same time, has finished the start. */
class FinishedByCopy extends Error {
  readonly key: string;
  constructor(key: string) {
    super('Another copy of the response has finished the sign-in.');
    this.key = key;
  }
}

/** Goes on after a redirect, with which the browser sends the session that the other copy has set. */
const afterCopy = (visit: Visit, key: string): SsoResult => ({
  location: `${authPathOf(visit)}/sso/continue/?finished=${key}`,
  cookies: [],
});

interface ProviderAnswer {
  response: Response;
  expected: SsoExpectation;
  askedAgain: boolean;
}

async function underExpectation(
  { again }: { again: boolean },
  expected: SsoExpectation,
  work: () => Promise<Response>,
): Promise<ProviderAnswer> {
  return { response: await expecting(expected, work), expected, askedAgain: again };
}

/** Finishes a start. A refusal leads to the sign-in page, which says why. */
async function finish(
  context: SignInContext,
  visit: Visit,
  flow: Flow,
  work: (provider: ProviderRow) => Promise<ProviderAnswer>,
): Promise<SsoResult> {
  const db = within(context.db, visit.organization.id);
  const used = flow.cookie === undefined ? [] : [removalOf(visit, flow.cookie)];
  let name = flow.provider;
  try {
    const { location, cookies } = await attemptFactor(
      context.db,
      visit,
      { method: flow.method, identifier: null },
      async () => {
        const row = await providerRow(db, flow.provider);
        name = row.name || flow.provider;
        return signIn(context, visit, flow, row, await work(row));
      },
    );
    return { location, cookies: [...cookies, ...used] };
  } catch (error) {
    if (error instanceof FinishedByCopy) return afterCopy(visit, error.key);
    if (flow.hasTaken) await endTaken(db, flow);
    if (!(error instanceof DomainError)) throw error;
    const failure = failureOf(error);
    const reported = error instanceof SsoRefusal ? error.reported : null;
    const notice = reported === null ? [] : [noticeCookie(visit, failure, name, reported)];
    return {
      location: `${homeOf(context, visit)}/sign-in?error=${failure}`,
      cookies: [...notice, ...used],
    };
  }
}

/** Signs in the person whom better-auth has found. Throws the refusal if it found nobody. */
async function signIn(
  context: SignInContext,
  visit: Visit,
  { method, provider, state }: Flow,
  row: ProviderRow,
  { response, expected, askedAgain }: ProviderAnswer,
): Promise<SsoResult> {
  const db = within(context.db, visit.organization.id);
  const result = await readResponse(response, () => new SsoRefusal('provider'));
  if (expected.tellsAuthTime !== undefined) await noteAuthTime(db, provider, expected.tellsAuthTime);
  const { pathname, search, searchParams } = new URL(
    result.location ?? '/sign-in?error=provider',
    visit.origin,
  );
  const settled = searchParams.has('error')
    ? undefined
    : await settle(context, visit, result, {
        method,
        provider,
        second_factor: false,
        providerTime: expected.authenticatedAt,
        askedAgain,
      });
  if (settled === undefined) {
    const refusal = refusalIn(searchParams, expected);
    if (refusal.failure === 'linked_to_another' && refusal.email !== null)
      await recordRefusedLink(db, visit, row, refusal.email);
    throw refusal;
  }
  const { userId, cookies } = settled;
  const location = ownPath(`${pathname}${search}`, homeOf(context, visit));
  await rememberFinish(db, { provider, state }, { userId, location });
  if (settled.state === 'signed_in') return { location, cookies };
  const wanted = new URLSearchParams({ return: location });
  const next =
    settled.state === 'asks' ? `${homeOf(context, visit)}/switch` : `${authPathOf(visit)}/sso/continue/`;
  return { location: `${next}?${wanted}`, cookies };
}
