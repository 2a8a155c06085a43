import { within } from '#kit/database.ts';
import { DomainError } from '#kit/errors.ts';
import type { SignInContext } from '../auth/context.ts';
import { SsoRefusal } from '../protocols/sso-failure.ts';
import { continueUnlessAnother, currentSession } from '../sessions/waiting.ts';
import { ownPath } from '../visit/own-path.ts';
import type { Visit } from '../visit/visit.ts';
import { decodeSamlResponse, namesRequest, verifySamlResponse } from './saml.ts';
import { authPathOf, type Flow, homeOf, providerRow, type SsoResult } from './sso-flow.ts';
import { findFinish, findFinishByKey } from './sso-starts.ts';

/** Responses of providers that belong to no start of this browser. None of them signs anybody in. */

interface Stray extends Flow {
  /** Whether the response says that it responds to a request. */
  isAsked: boolean;
  /** Returns whether the provider has signed the response. */
  verify: () => Promise<boolean>;
}

/** Handles a response that nobody requested, or whose start is finished, has expired or belongs to another browser. */
export async function unsolicitedSaml(
  context: SignInContext,
  visit: Visit,
  flow: Flow,
  base64: string,
): Promise<SsoResult> {
  let xml = '';
  try {
    xml = decodeSamlResponse(base64);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
  }
  const verify = async () => {
    const row = await providerRow(within(context.db, visit.organization.id), flow.provider);
    const verified = await verifySamlResponse(visit, row, xml, { mustRespond: false });
    return 'assertion' in verified;
  };
  return withoutStart(context, visit, { ...flow, isAsked: namesRequest(xml), verify });
}

/**
 * Refuses a response that belongs to no start of this browser. It signs in nobody. If the start is finished and its person is
 * still signed in, the browser simply goes on.
 */
export async function withoutStart(context: SignInContext, visit: Visit, stray: Stray): Promise<SsoResult> {
  const db = within(context.db, visit.organization.id);
  const { method, provider, isAsked, verify } = stray;
  const page = `${homeOf(context, visit)}/sign-in`;
  try {
    await providerRow(db, provider);
  } catch (error) {
    if (!(error instanceof SsoRefusal)) throw error;
    return { location: `${page}?error=${error.failure}`, cookies: [] };
  }
  const finished = await findFinish(db, stray);
  if (finished !== undefined) {
    if (visit.withholdsSession === true)
      return { location: `${authPathOf(visit)}/sso/continue/?finished=${finished.key}`, cookies: [] };
    if ((await currentSession(context, visit))?.user_id === finished.userId)
      return { location: finished.location, cookies: [] };
  }
  const reason = isAsked ? ('unknown_request' as const) : ('not_requested' as const);
  await context.noteUnsolicited(visit, { method, provider, reason }, () => verify().catch(refusedAsFalse));
  if (isAsked) return { location: `${page}?error=expired`, cookies: [] };
  return { location: `${page}?${new URLSearchParams({ error: 'unsolicited', provider })}`, cookies: [] };
}

function refusedAsFalse(error: unknown): false {
  if (error instanceof DomainError) return false;
  throw error;
}

/** Goes on after a redirect, now that the browser sends its session: with a sign-in that waits, or after one that is finished. */
export async function continueSso(
  context: SignInContext,
  visit: Visit,
  { return: wanted = '', finished }: { return?: string; finished?: string },
): Promise<SsoResult> {
  const db = within(context.db, visit.organization.id);
  const expired = { location: `${homeOf(context, visit)}/sign-in?error=expired`, cookies: [] };
  if (finished !== undefined) {
    const finish = await findFinishByKey(db, finished);
    const current = finish && (await currentSession(context, visit));
    const isSame = current !== undefined && current.user_id === finish?.userId;
    return isSame ? { location: finish?.location ?? '', cookies: [] } : expired;
  }
  const location = ownPath(wanted, homeOf(context, visit));
  try {
    const cookies = await continueUnlessAnother(context, visit);
    if (cookies !== undefined) return { location, cookies };
  } catch (error) {
    if (error instanceof DomainError) return expired;
    throw error;
  }
  return {
    location: `${homeOf(context, visit)}/switch?${new URLSearchParams({ return: location })}`,
    cookies: [],
  };
}
