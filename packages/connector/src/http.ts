import {
  Agent as HttpAgent,
  request as httpRequest,
  type IncomingMessage,
  type RequestOptions as RequestOptionsOfNode,
} from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import { reason, ServiceError, UnreachableError } from './errors.ts';
import type { Log } from './progress.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
export type Reply = { status: number; body: unknown };
export type RequestOptions = {
  body?: unknown;
  /** Statuses that are an answer rather than an error, beside 2xx. */
  accept?: number[];
  /** False for what must not happen twice: then only a refusal (429, or no connection) is tried again. */
  repeatable?: boolean;
  /** Is sent even when the run has been interrupted: for tidying up. */
  evenInterrupted?: boolean;
};

export type HttpOptions = {
  /** The tenant's base address, ending in the organization's slug (D1). */
  url: string;
  key: string;
  log: Log;
  signal: AbortSignal;
  /** Attempts at one request before giving up; waits asked for by Retry-After do not count. */
  attempts?: number;
  /** The longest that one request may be kept waiting by 429 answers, in seconds. */
  patience?: number;
  /** The first pause between attempts, in milliseconds; it doubles. */
  pause?: number;
  timeout?: number;
};

export type Http = (method: Method, path: string, options?: RequestOptions) => Promise<Reply>;

/** JSON over HTTP with the contract's key (5), its error shape (7.1) and its throttling (7.6). */
export function createHttp(options: HttpOptions): Http {
  const { log, attempts = 6, patience = 900, pause = 500 } = options;

  return async (method, path, request = {}) => {
    const signal = request.evenInterrupted ? AbortSignal.timeout(30_000) : options.signal;
    const what = `${method} ${path}`;
    let throttled = 0;
    for (let attempt = 1; ; attempt++) {
      const outcome = await send(options, method, path, request, signal);
      if ('reply' in outcome) return outcome.reply;
      const { problem, retryAfter, mayRepeat } = outcome;
      if (retryAfter !== undefined) {
        attempt--;
        throttled += retryAfter;
        if (throttled > patience) throw problem;
        log.info(`throttled by the service: waiting ${retryAfter} s as it asked (${what})`);
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

type Outcome = { reply: Reply } | { problem: Error; mayRepeat: boolean; retryAfter?: number };

/** One attempt. Throws only when the run was interrupted. */
async function send(
  { url, key, timeout = 120_000 }: HttpOptions,
  method: Method,
  path: string,
  { body, accept = [], repeatable = true }: RequestOptions,
  signal: AbortSignal,
): Promise<Outcome> {
  signal.throwIfAborted();
  const headers: Record<string, string> = { authorization: `Api-Key ${key}`, accept: 'application/json' };
  const content = body === undefined ? undefined : JSON.stringify(body);
  if (content !== undefined) headers['content-type'] = 'application/json';
  if (method !== 'GET') headers['content-length'] = String(Buffer.byteLength(content ?? ''));
  try {
    const answer = await exchange(
      new URL(url.replace(/\/+$/, '') + path),
      { method, headers, signal, timeout },
      content,
    );
    const reply = { status: answer.status, body: parse(answer.text) };
    if ((reply.status >= 200 && reply.status < 300) || accept.includes(reply.status)) return { reply };
    const problem = new ServiceError(`${method} ${path}`, reply.status, detailOf(reply));
    if (reply.status === 429)
      return { problem, mayRepeat: true, retryAfter: secondsOf(answer.retryAfter) ?? 1 };
    return { problem, mayRepeat: repeatable && reply.status >= 500 };
  } catch (error) {
    signal.throwIfAborted();
    return {
      problem: new UnreachableError(`${method} ${path}`, error),
      mayRepeat: repeatable || neverArrived(error),
    };
  }
}

const agents = { 'http:': new HttpAgent({ keepAlive: true }), 'https:': new HttpsAgent({ keepAlive: true }) };
type Answer = { status: number; text: string; retryAfter: string | undefined };

/** Node's own client, not `fetch`: ten thousand pages leave it a third of the garbage. It follows no redirect. */
async function exchange(
  url: URL,
  options: RequestOptionsOfNode,
  content: string | undefined,
): Promise<Answer> {
  const secure = url.protocol === 'https:';
  const request = (secure ? httpsRequest : httpRequest)(url, {
    ...options,
    agent: agents[secure ? 'https:' : 'http:'],
  });
  request.on('timeout', () =>
    request.destroy(new Error(`no answer within ${(options.timeout ?? 0) / 1000} s`)),
  );
  const answered = new Promise<IncomingMessage>((resolve, reject) => {
    request.once('response', resolve);
    request.once('error', reject);
  });
  request.end(content);
  const response = await answered;
  const text = await readText(response);
  return { status: response.statusCode ?? 0, text, retryAfter: response.headers['retry-after'] };
}

function readText(response: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    response.setEncoding('utf8');
    response.on('data', (chunk: string) => {
      text += chunk;
    });
    response.once('end', () => resolve(text));
    response.once('error', reject);
    response.once('close', () => reject(new Error('the connection broke in the middle of the answer')));
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

/** Retry-After is seconds or a date (RFC 9110, 10.2.3). */
function secondsOf(header: string | undefined): number | undefined {
  if (header === undefined || header.trim() === '') return undefined;
  const seconds = Number(header);
  if (Number.isFinite(seconds)) return Math.max(0, seconds);
  const date = Date.parse(header);
  return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - Date.now()) / 1000));
}

/** The connection was never made, so the service cannot have acted. */
function neverArrived(error: unknown): boolean {
  const codes = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'];
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    if ('code' in at && codes.includes(String(at.code))) return true;
  }
  return false;
}
