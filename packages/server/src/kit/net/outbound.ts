import { AsyncLocalStorage } from 'node:async_hooks';
import { isIP } from 'node:net';
import { causeSentence, networkCause } from '../../../../protocol/src/net/network-cause.ts';
import { type OutboundProxy, portOf, usesProxy } from '../../../../protocol/src/net/outbound-proxy.ts';
import { ProxyError } from '../../../../protocol/src/net/tunnel.ts';
import { outboundSentences } from '../http/outbound-sentences.ts';
import type { TrustProxy } from '../http/proxies.ts';
import { outside } from '../place.ts';
import {
  checkLiteral,
  checkProxied,
  isLoopback,
  isPublic,
  OutboundRefusal,
  resolveChecked,
} from './addresses.ts';
import type { Client } from './outbound-client.ts';

export { isLoopback, OutboundRefusal } from './addresses.ts';

/**
 * The only way out of the server. Every request to another host has a bounded time and size, uses https, follows no
 * redirect, and connects to public addresses only (addresses.ts), through the operator's proxy if there is one.
 */

/** A request that failed on its way. The message is one or two sentences. */
class OutboundFailure extends Error {}

/** Returns why a request was refused or failed, in sentences, or undefined for a fault of the program. */
export const outboundReason = (error: unknown): string | undefined =>
  error instanceof OutboundRefusal || error instanceof OutboundFailure ? error.message : undefined;

const DEADLINE_MS = 10_000;
const LARGEST_RESPONSE_BYTES = 1024 * 1024;

/**
 * Returns whether only this machine reaches the server, by its public address or else by the host on which it listens. A trusted
 * proxy passes on the requests of others.
 */
export function servesOnlyThisMachine({
  publicUrl,
  host,
  trustProxy,
}: {
  publicUrl: string | undefined;
  host: string;
  trustProxy: TrustProxy;
}): boolean {
  if (trustProxy !== false) return false;
  return publicUrl === undefined
    ? host === '::1' || isLoopback(host)
    : isLoopback(new URL(publicUrl).hostname);
}

/** Set at startup, since a request's Host header can claim any name. */
let loopbackIsPermitted = true;

/** Forbids or permits plain http to this machine, whatever the rules of an operation allow. */
export function permitLoopback(isPermitted: boolean) {
  loopbackIsPermitted = isPermitted;
}

let proxy: OutboundProxy | undefined;

/** Sends all requests through the proxy from now on, except those that bypass it. Called at startup. */
export function useOutboundProxy(next: OutboundProxy | undefined) {
  proxy = next;
  opening = undefined;
}

export interface OutboundRules {
  /** This machine, also by plain http, for development. */
  allowLoopback: boolean;
  /** For all requests of the operation together. */
  deadlineMs?: number;
  /**
   * Cuts bodies off after so many bytes, whatever follows, to show them to people. Bodies from addresses that are not public are
   * empty, except on this machine while developing. Without it, large bodies are refused.
   */
  cutBodiesAt?: number;
  /** Gets the reason of each request that is refused or fails. Libraries hide it. */
  onFailure?: (reason: string) => void;
}

interface Bounds extends OutboundRules {
  deadlineMs: number;
  signal: AbortSignal;
}

const bounds = new AsyncLocalStorage<Bounds>();
const nativeFetch = globalThis.fetch;

/**
 * Runs `work`. Every fetch in it obeys the rules, also those of libraries, which use the global `fetch`: better-auth
 * accepts no other one.
 */
export function withOutbound<T>(
  { deadlineMs = DEADLINE_MS, ...rules }: OutboundRules,
  work: () => Promise<T>,
): Promise<T> {
  globalThis.fetch = guardedFetch;
  return outside(() => bounds.run({ ...rules, deadlineMs, signal: AbortSignal.timeout(deadlineMs) }, work));
}

/** Fetches by the rules within withOutbound. Code outside it, such as a test, gets the usual fetch. */
const guardedFetch: typeof fetch = (input, init) => {
  const current = bounds.getStore();
  if (current === undefined) return nativeFetch(input, init);
  const request = new Request(input, init);
  return boundedFetch(current, request).catch((error: unknown) => {
    const failure = failureOf(error, new URL(request.url).host, current);
    const reason = outboundReason(failure);
    if (reason !== undefined) current.onFailure?.(reason);
    throw failure;
  });
};

async function boundedFetch(
  { allowLoopback, cutBodiesAt, signal }: Bounds,
  request: Request,
): Promise<Response> {
  const { origin } = new URL(request.url);
  const { agents, fetch } = await openClient();
  const response = await fetch(request.url, {
    method: request.method,
    headers: [...request.headers],
    body: request.body === null ? null : await request.arrayBuffer(),
    redirect: 'manual',
    signal: AbortSignal.any([signal, request.signal]),
    dispatcher: agents[allowLoopback && loopbackIsPermitted ? 'developing' : 'public'],
  });
  const body =
    cutBodiesAt === undefined
      ? await readBounded(response.body ?? [], origin)
      : await readStart(response.body ?? [], internalOrigins.has(origin) ? 0 : cutBodiesAt);
  const { status, statusText, headers } = response;
  const hasBody = ![204, 205, 304].includes(status);
  return new Response(hasBody ? body : null, { status, statusText, headers: [...headers] });
}

/** Turns the error of a request into one whose message is a sentence. Other errors stay. */
function failureOf(error: unknown, host: string, { signal, deadlineMs }: Bounds): unknown {
  if (error instanceof OutboundRefusal) return error;
  const { cause } = error as { cause?: unknown };
  if (cause instanceof OutboundRefusal) return cause;
  if (cause instanceof ProxyError) return new OutboundFailure(cause.message);
  if (signal.aborted && error === signal.reason) {
    const late = new OutboundFailure(`${host} did not reply within ${deadlineMs / 1000} seconds.`);
    return Object.assign(late, { name: 'TimeoutError' });
  }
  const known = networkCause(error, host);
  return known === undefined ? error : new OutboundFailure(causeSentence(known));
}

type Chunks = AsyncIterable<Uint8Array> | Uint8Array[];

/** Reads a whole body, after decompression. The deadline of the request applies to it as well. */
async function readBounded(body: Chunks, origin: string): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.byteLength;
    // Leaving the loop cancels the body and closes the connection.
    if (size > LARGEST_RESPONSE_BYTES)
      throw new OutboundRefusal(
        outboundSentences.response_too_large({ origin, most: LARGEST_RESPONSE_BYTES }),
      );
    chunks.push(chunk);
  }
  return new Uint8Array(Buffer.concat(chunks));
}

/** Reads the start of a body. A body that ends too early counts as far as it came. */
async function readStart(body: Chunks, bytes: number): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of body) {
      chunks.push(chunk);
      size += chunk.byteLength;
      if (size >= bytes) break;
    }
  } catch {
    // The status has arrived, and it decides.
  }
  return new Uint8Array(Buffer.concat(chunks).subarray(0, bytes));
}

let opening: Promise<Client> | undefined;

/** Loads undici, which is large, with the first request. */
function openClient(): Promise<Client> {
  opening ??= import('./outbound-client.ts').then((client) => client.openClient(noteAddress, proxy));
  return opening;
}

/** Origins whose newest connection went to an address that the operator permits and that is not public. */
const internalOrigins = new Set<string>();

function noteAddress(
  { protocol, host = '' }: { protocol: string; host?: string },
  address: string | undefined,
) {
  const { origin } = new URL(`${protocol}//${host}`);
  const isInternal = address === undefined || (!isPublic(address) && !loopbackIsPermitted);
  if (isInternal) internalOrigins.add(origin);
  else internalOrigins.delete(origin);
}

/** Returns whether the address uses https, or plain http to this machine while developing. */
export const isAllowedAddress = ({ protocol, hostname }: URL, allowLoopback: boolean): boolean =>
  protocol === 'https:' ||
  (protocol === 'http:' && allowLoopback && loopbackIsPermitted && isLoopback(hostname));

/**
 * Throws OutboundRefusal if a request to the address would be refused now. A name that cannot be resolved is not refused: it
 * is checked again with each request.
 */
export async function checkDestination(url: URL, allowLoopback: boolean): Promise<void> {
  const { protocol, hostname } = url;
  const rules = { protocol, allowLoopback: allowLoopback && loopbackIsPermitted };
  if (proxy !== undefined && usesProxy(proxy, hostname, portOf(url))) {
    await outside(() => checkProxied(hostname, rules));
    return;
  }
  checkLiteral(hostname, rules);
  const name = hostname.replace(/^\[|\]$/g, '');
  const resolve = () => resolveChecked(name, rules);
  await (isIP(name) === 0 ? outside(resolve) : resolve()).catch((error: unknown) => {
    if (error instanceof OutboundRefusal) throw error;
  });
}
