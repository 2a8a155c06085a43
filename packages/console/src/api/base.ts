import { ApiError } from './error.ts';
import { heard, unheard } from './reachable.ts';

/** Filled in by the server that sends the page. */
export const organizationSlug =
  document.querySelector<HTMLMetaElement>('meta[name="gatehouse-org"]')?.content ?? '';

/** base_url, as this page reaches it (D1). */
export const base = `/org/${organizationSlug}`;

let signedOut: () => void = () => {};

/** What happens on a 401: nobody is signed in, or the session has ended in mid-work. */
export function onSignedOut(act: () => void) {
  signedOut = act;
}

/** `fetch` for everything that the console asks of the server: every failure is an ApiError. */
export async function ask(request: Request): Promise<Response> {
  const response = await fetch(request).catch((error: unknown) => {
    if (request.signal.aborted) throw error;
    unheard();
    throw new ApiError(0, 'The server does not answer.');
  });
  if (response.ok) {
    heard();
    return response;
  }
  const failure = await failureOf(response);
  if (failure.silent) unheard();
  else heard();
  if (failure.status === 401) signedOut();
  throw failure;
}

async function failureOf(response: Response): Promise<ApiError> {
  const parsed: unknown = await response.json().catch(() => null);
  const body = typeof parsed === 'object' && parsed !== null ? (parsed as Record<string, unknown>) : {};
  const detail = typeof body.detail === 'string' ? body.detail : `The server answered ${response.status}.`;
  const wait = Number(response.headers.get('retry-after') ?? Number.NaN);
  return new ApiError(response.status, detail, Number.isFinite(wait) ? wait : null, body);
}
