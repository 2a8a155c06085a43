import { t } from '@lingui/core/macro';
import { durationWords } from '../kit/text/words.ts';
import { ApiError, hasCode } from './error.ts';
import { markReachable, markUnreachable } from './reachable.ts';

/** The server fills this in when it sends the page. */
export const organizationSlug =
  document.querySelector<HTMLMetaElement>('meta[name="gatehouse-org"]')?.content ?? '';

/** base_url, relative to this page's origin (D1). */
export const base = `/org/${organizationSlug}`;

let signedOut: () => Promise<boolean> = async () => false;

/** Sets what to do on a 401: nobody is signed in, or the session has ended. Returns whether to repeat the request. */
export function onSignedOut(act: () => Promise<boolean>) {
  signedOut = act;
}

let factorMissing: () => void = () => {};

/** Sets what to do when the organization requires a second factor that the session lacks. */
export function onFactorMissing(act: () => void) {
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

/** A 401 to these means wrong credentials. */
const SIGN_IN = /\/auth\/(sign-in|second-factor|passkey-sign-in|confirm)\//;

/** Replaces `fetch` for all requests to the server. Throws an ApiError for every failure. */
export async function send(request: Request): Promise<Response> {
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
  if (failure.status === 401 && !SIGN_IN.test(request.url) && (await signedOut())) return send(again);
  if (hasCode(failure, 'confirmation_required') && (await confirmIdentity())) return send(again);
  if (hasCode(failure, 'second_factor_required')) factorMissing();
  throw failure;
}

async function failureOf(response: Response): Promise<ApiError> {
  const parsed: unknown = await response.json().catch(() => null);
  const body = typeof parsed === 'object' && parsed !== null ? (parsed as Record<string, unknown>) : {};
  const detail =
    typeof body.detail === 'string' ? body.detail : t`The server responded with status ${response.status}.`;
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
