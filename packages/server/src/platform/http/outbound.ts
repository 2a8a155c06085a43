import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * The only way out of the server. Every request to another host has a bounded time and size, uses https, and follows no
 * redirect.
 */

const DEADLINE_MS = 10_000;
const LARGEST_RESPONSE_BYTES = 1024 * 1024;
const LOOPBACK = /^(localhost|127\.0\.0\.1|\[::1\])$/;

export const isLoopback = (hostname: string): boolean => LOOPBACK.test(hostname);

/** Returns whether only this machine reaches the server, by its public address or else by the host on which it listens. */
export const servesOnlyThisMachine = (publicUrl: string | undefined, host: string): boolean =>
  publicUrl === undefined ? host === '::1' || isLoopback(host) : isLoopback(new URL(publicUrl).hostname);

/** Set at startup, since a request's Host header can claim any name. */
let loopbackIsPermitted = true;

/** Forbids or permits plain http to this machine, whatever the rules of an operation allow. */
export function permitLoopback(isPermitted: boolean) {
  loopbackIsPermitted = isPermitted;
}

/** Thrown instead of sending a request, and instead of returning a response, that the rules forbid. */
export class OutboundRefusal extends Error {}

export interface OutboundRules {
  /** Plain http to this machine, for development. */
  allowLoopback: boolean;
  /** For all requests of the operation together. */
  deadlineMs?: number;
}

interface Bounds {
  allowLoopback: boolean;
  signal: AbortSignal;
}

const bounds = new AsyncLocalStorage<Bounds>();
const nativeFetch = globalThis.fetch;

/**
 * Runs `work`. Every fetch in it obeys the rules, also those of libraries, which use the global `fetch`: better-auth
 * accepts no other one.
 */
export function withOutbound<T>(
  { allowLoopback, deadlineMs = DEADLINE_MS }: OutboundRules,
  work: () => Promise<T>,
): Promise<T> {
  globalThis.fetch = guardedFetch;
  return bounds.run({ allowLoopback, signal: AbortSignal.timeout(deadlineMs) }, work);
}

/** Fetches by the rules within withOutbound. Code outside it, such as a test, gets the usual fetch. */
const guardedFetch: typeof fetch = (input, init) => {
  const current = bounds.getStore();
  return current === undefined ? nativeFetch(input, init) : boundedFetch(current, input, init);
};

async function boundedFetch(
  { allowLoopback, signal }: Bounds,
  input: Parameters<typeof fetch>[0],
  init: RequestInit = {},
): Promise<Response> {
  const url = new URL(input instanceof Request ? input.url : input);
  if (!isAllowedAddress(url, allowLoopback)) throw new OutboundRefusal(`${url.origin} does not use https.`);
  const signals = [signal, init.signal].filter((one) => one !== undefined && one !== null);
  const response = await nativeFetch(input, {
    ...init,
    redirect: 'manual',
    signal: AbortSignal.any(signals),
  });
  const body = await readBounded(response, url.origin);
  const { status, statusText, headers } = response;
  const hasBody = ![204, 205, 304].includes(status);
  return new Response(hasBody ? body : null, { status, statusText, headers });
}

/** Reads a whole body, after decompression. The deadline of the request applies to it as well. */
async function readBounded(response: Response, origin: string): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    // Leaving the loop cancels the body and closes the connection.
    if (size > LARGEST_RESPONSE_BYTES)
      throw new OutboundRefusal(`${origin} sent more than ${LARGEST_RESPONSE_BYTES} bytes.`);
    chunks.push(chunk);
  }
  return new Uint8Array(Buffer.concat(chunks));
}

/** Returns whether the rules permit requests to this address. */
export const isAllowedAddress = ({ protocol, hostname }: URL, allowLoopback: boolean): boolean =>
  protocol === 'https:' ||
  (protocol === 'http:' && allowLoopback && loopbackIsPermitted && isLoopback(hostname));
