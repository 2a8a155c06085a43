import {
  request as httpRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type RequestOptions as RequestOptionsOfNode,
} from 'node:http';
import { request as httpsRequest } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import { ProxyError } from '../../protocol/src/net/tunnel.ts';
import { agentFor } from './agents.ts';
import { reason, ServiceError, UnreachableError } from './errors.ts';
import type { Log } from './progress.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
/** `body` is the parsed JSON, or undefined if the reply holds none. */
export type Reply = { status: number; body: unknown; headers: IncomingHttpHeaders };
export type RequestOptions = {
  /** Sent as JSON, or, with `contentType`, a string sent as it is. */
  body?: unknown;
  contentType?: string;
  /** Statuses other than 2xx that the caller handles; every other status throws. */
  accept?: number[];
  /** False if the request must not run twice. It is then retried only after a 429 or a failed connection. */
  repeatable?: boolean;
  /** Sends the request even after the run was interrupted, to clean up. */
  evenInterrupted?: boolean;
  /** Ends the request, in place of the signal of the client. */
  signal?: AbortSignal;
};

export type HttpOptions = {
  /** The organization's base URL, ending in its slug, such as `https://host/org/acme`. */
  url: string;
  key: string;
  log: Log;
  signal: AbortSignal;
  /** Attempts per request. Waits requested by Retry-After do not count. */
  attempts?: number;
  /** Longest total wait for one request because of 429 and 503 responses with Retry-After, in seconds. */
  patience?: number;
  /** First pause between attempts, in milliseconds. Each further pause is twice as long. */
  pause?: number;
  /** Milliseconds without a response after which an attempt fails. */
  timeout?: number;
  userAgent?: string;
};

export type Http = (method: Method, path: string, options?: RequestOptions) => Promise<Reply>;

/**
 * Returns a client for JSON over HTTP with the API key (protocol 5), the error shape (protocol 7.1) and the throttling
 * (protocol 7.6) of the service. Throws ServiceError for an unexpected status, UnreachableError without a response.
 */
export function createHttp(options: HttpOptions): Http {
  const { log, attempts = 6, patience = 900, pause = 500 } = options;
  const quiet = quietTime();

  return async (method, path, request = {}) => {
    const signal = signalOf(request, options);
    const what = `${method} ${path}`;
    let throttled = 0;
    for (let attempt = 1; ; attempt++) {
      await quiet.end(request, signal);
      const outcome = await send(options, method, path, request, signal);
      if ('reply' in outcome) return outcome.reply;
      const { problem, retryAfter, mayRepeat } = outcome;
      if (retryAfter !== undefined && mayRepeat) {
        attempt--;
        throttled += retryAfter;
        if (throttled > patience) throw problem;
        quiet.extend(retryAfter, () => log.info(`${refusalOf(problem)} ${what}; waiting ${retryAfter} s`));
        await sleep(retryAfter * 1000, undefined, { signal });
        continue;
      }
      if (!mayRepeat || attempt >= attempts) throw problem;
      const wait = pause * 2 ** (attempt - 1) * (0.75 + Math.random() / 2);
      log.info(
        `${reason(problem)}; trying again in ${(wait / 1000).toFixed(1)} s (attempt ${attempt + 1} of ${attempts})`,
      );
      await sleep(wait, undefined, { signal });
    }
  };
}

/** The time for which the service wants no requests. Those that it did not refuse wait as well. */
function quietTime() {
  let until = 0;
  return {
    /** Calls `tell` if it begins now. Several requests may be refused at the same time, and one line is enough. */
    extend(seconds: number, tell: () => void): void {
      const now = performance.now();
      if (until <= now) tell();
      until = Math.max(until, now + seconds * 1000);
    },
    async end({ evenInterrupted }: RequestOptions, signal: AbortSignal): Promise<void> {
      if (evenInterrupted) return;
      for (let left = until - performance.now(); left > 0; left = until - performance.now())
        await sleep(left, undefined, { signal });
    },
  };
}

const signalOf = ({ evenInterrupted, signal }: RequestOptions, options: HttpOptions): AbortSignal =>
  evenInterrupted ? AbortSignal.timeout(30_000) : (signal ?? options.signal);

const refusalOf = (problem: Error) =>
  problem instanceof ServiceError && problem.status === 503
    ? 'the service is busy and refused'
    : 'the service throttled';

type Outcome = { reply: Reply } | { problem: Error; mayRepeat: boolean; retryAfter?: number };

/** Makes one attempt. Throws only if the run was interrupted. */
async function send(
  { url, key, timeout = 120_000, userAgent }: HttpOptions,
  method: Method,
  path: string,
  { body, contentType, accept = [], repeatable = true }: RequestOptions,
  signal: AbortSignal,
): Promise<Outcome> {
  signal.throwIfAborted();
  const headers: Record<string, string> = { authorization: `Api-Key ${key}`, accept: 'application/json' };
  const content = body === undefined ? undefined : contentType ? String(body) : JSON.stringify(body);
  if (content !== undefined) headers['content-type'] = contentType ?? 'application/json';
  if (userAgent) headers['user-agent'] = userAgent;
  if (method !== 'GET') headers['content-length'] = String(Buffer.byteLength(content ?? ''));
  try {
    const response = await exchange(
      new URL(url.replace(/\/+$/, '') + path),
      { method, headers, signal, timeout },
      content,
    );
    const { status, headers: received } = response;
    const reply = { status, body: parse(response.text), headers: received };
    if ((reply.status >= 200 && reply.status < 300) || accept.includes(reply.status)) return { reply };
    const retryAfter = secondsOf(received['retry-after']);
    const problem = new ServiceError(`${method} ${path}`, status, detailOf(reply), retryAfter);
    if (status === 429) return { problem, mayRepeat: true, retryAfter: retryAfter ?? 1 };
    // A busy service refuses requests with 503 (D57). It may also have failed in the middle of this one.
    if (status === 503 && retryAfter !== undefined) return { problem, mayRepeat: repeatable, retryAfter };
    return { problem, mayRepeat: repeatable && status >= 500 };
  } catch (error) {
    signal.throwIfAborted();
    return {
      problem: new UnreachableError(`${method} ${path}`, error),
      mayRepeat: !isRefusedByProxy(error) && (repeatable || neverArrived(error)),
    };
  }
}

type Response = { status: number; text: string; headers: IncomingHttpHeaders };

/**
 * Makes one request, through the proxy if there is one, and reads the response. Uses Node's own client: over 10,000 pages it allocates a
 * third of what `fetch` does. Follows no redirects.
 */
export async function exchange(
  url: URL,
  options: RequestOptionsOfNode,
  content: string | undefined,
): Promise<Response> {
  const secure = url.protocol === 'https:';
  const request = (secure ? httpsRequest : httpRequest)(url, {
    ...options,
    agent: agentFor(url),
  });
  request.on('timeout', () =>
    request.destroy(new Error(`no response within ${(options.timeout ?? 0) / 1000} s`)),
  );
  const answered = new Promise<IncomingMessage>((resolve, reject) => {
    request.once('response', resolve);
    // Errors of TLS do not say with whom.
    request.once('error', (error) => reject(withHost(error, url)));
  });
  request.end(content);
  const response = await answered;
  const text = await readText(response);
  return { status: response.statusCode ?? 0, text, headers: response.headers };
}

const withHost = (error: Error, { hostname }: URL): Error =>
  'hostname' in error || 'host' in error || 'address' in error ? error : Object.assign(error, { hostname });

function readText(response: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    response.setEncoding('utf8');
    response.on('data', (chunk: string) => {
      text += chunk;
    });
    response.once('end', () => resolve(text));
    response.once('error', reject);
    response.once('close', () => reject(new Error('the connection broke in the middle of the response')));
  });
}

function parse(text: string): unknown {
  if (text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function detailOf({ body, status }: Reply): string {
  if (typeof body === 'object' && body !== null && 'detail' in body && typeof body.detail === 'string')
    return body.detail;
  return status >= 500 ? 'server error' : 'no detail given';
}

/** Returns the seconds that a Retry-After header asks for. It holds seconds or a date (RFC 9110, 10.2.3). */
export function secondsOf(header: string | undefined): number | undefined {
  if (header === undefined || header.trim() === '') return undefined;
  const seconds = Number(header);
  if (Number.isFinite(seconds)) return Math.max(0, seconds);
  const date = Date.parse(header);
  return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - Date.now()) / 1000));
}

/** True if the proxy gave a reply that it would give again. */
const isRefusedByProxy = (error: unknown) =>
  error instanceof ProxyError && error.code === 'ERR_PROXY_REFUSED';

/** True if the connection was never made, so that the service cannot have acted. */
export function neverArrived(error: unknown): boolean {
  const codes = [
    'ECONNREFUSED',
    'ENOTFOUND',
    'EAI_AGAIN',
    'EHOSTUNREACH',
    'ENETUNREACH',
    'ERR_PROXY_FAILED',
    'ERR_PROXY_REFUSED',
  ];
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    if ('code' in at && codes.includes(String(at.code))) return true;
  }
  return false;
}
