import { t } from '@lingui/core/macro';
import { durationWords } from '../kit/text/words.ts';
import { loadServerTexts } from '../language/language.ts';
import { serverText } from '../language/server-text.ts';
import { ApiError, hasCode } from './error.ts';
import { markReachable, markUnreachable } from './reachable.ts';
import type { SessionLoss } from './session.ts';

/** The server fills this in when it sends the page. */
export const organizationSlug =
  document.querySelector<HTMLMetaElement>('meta[name="gatehouse-org"]')?.content ?? '';

/** base_url, relative to this page's origin (D1). */
export const base = `/org/${organizationSlug}`;

let personOfPage: () => string | undefined = () => undefined;

/** Sets how to find the person for whom the page was drawn, by their external_uuid. Undefined until that is known. */
export function onPersonNeeded(find: () => string | undefined) {
  personOfPage = find;
}

let sessionLost: (why: SessionLoss) => Promise<boolean> = async () => false;

/** Sets what to do when the page's person is not signed in. Returns whether to repeat the request. */
export function onSessionLost(act: (why: SessionLoss) => Promise<boolean>) {
  sessionLost = act;
}

/** Does what follows a 401, for a page that knows without one that nobody is signed in. */
export const loseSession = () => sessionLost('ended');

let factorMissing: () => Promise<boolean> = async () => false;

/**
 * Sets what to do when the organization requires a second factor that the session lacks. Returns whether to repeat the
 * request.
 */
export function onFactorMissing(act: () => Promise<boolean>) {
  factorMissing = act;
}

let confirmIdentity: () => Promise<boolean> = async () => false;

/**
 * Sets what to do when a change requires a recent sign-in, and the last one is too old: ask the person to confirm who they
 * are. Returns whether they did.
 */
export function onConfirmationRequired(act: () => Promise<boolean>) {
  confirmIdentity = act;
}

/** The header that names the person for whom the page was drawn. */
const PERSON = 'gatehouse-person';

const isBelowAuth = (url: string) => new URL(url).pathname.startsWith(`${base}/auth/`);

/** A 401 to these means wrong credentials. */
const SIGN_IN = /\/auth\/(sign-in|second-factor|passkey-sign-in|confirm)\//;

/**
 * Replaces `fetch` for all requests to the server. Throws an ApiError for every failure. A request names the person for whom
 * the page was drawn, and so does its repetition: it never acts for the person who has signed in since.
 */
export async function send(request: Request): Promise<Response> {
  const person = personOfPage();
  if (person !== undefined && !request.headers.has(PERSON)) request.headers.set(PERSON, person);
  // Sending a request uses up its body.
  const again = request.clone();
  const response = await fetch(request).catch((error: unknown) => {
    if (request.signal.aborted) throw error;
    markUnreachable();
    throw new ApiError(0, t`The server is not responding.`);
  });
  if (response.ok) {
    markReachable();
    return response;
  }
  const failure = await failureOf(response);
  if (failure.unreachable) markUnreachable();
  else markReachable();
  if (await mayRepeat(failure, request)) return send(again);
  throw failure;
}

/** Lets the person do what a refused request needs first. Returns whether they did. */
async function mayRepeat(failure: ApiError, { url }: Request): Promise<boolean> {
  if (failure.status === 401 && !SIGN_IN.test(url)) return sessionLost('ended');
  if (hasCode(failure, 'signed_in_as_another')) return sessionLost('taken');
  if (hasCode(failure, 'confirmation_required')) return confirmIdentity();
  // The page that waits for a second factor sends these itself.
  if (hasCode(failure, 'second_factor_required') && !isBelowAuth(url)) return factorMissing();
  return false;
}

async function failureOf(response: Response): Promise<ApiError> {
  const parsed: unknown = await response.json().catch(() => null);
  const body = typeof parsed === 'object' && parsed !== null ? (parsed as Record<string, unknown>) : {};
  // Without the translations, the server's own words are shown.
  await loadServerTexts().catch(() => undefined);
  const detail =
    typeof body.detail === 'string'
      ? serverText({ ...body, text: body.detail })
      : t`The server responded with status ${response.status}.`;
  const wait = Number(response.headers.get('retry-after') ?? Number.NaN);
  if (!Number.isFinite(wait)) return new ApiError(response.status, detail, null, body);
  return new ApiError(
    response.status,
    response.status === 429 ? throttled(response, wait) : detail,
    wait,
    body,
  );
}

function throttled({ url }: Response, wait: number): string {
  const time = durationWords(wait < 60 ? `PT${Math.ceil(wait)}S` : `PT${Math.ceil(wait / 60)}M`);
  return SIGN_IN.test(url)
    ? t`Too many failed sign-ins. Try again in ${time}.`
    : t`Too many requests. Try again in ${time}.`;
}
