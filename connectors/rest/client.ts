import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '@gatehouse/connector';
import { neverArrived } from '@gatehouse/connector/declarative';
import { type AddressRule, addressRule } from './address-rule.ts';
import { type Authorization, createAuthorization } from './authorization.ts';
import type { Definition } from './definition.ts';
import { exchange, type Incoming, LimitError, type Outgoing } from './exchange.ts';
import { createSecrets, nameOf, RequestError, refusal, unreachable } from './failures.ts';
import { isThrottling, waitOf } from './rate-limits.ts';

export type Settings = Readonly<Record<string, unknown>>;
export type ClientOptions = {
  definition: Definition;
  settings: Settings;
  /** The address that every path is below. */
  base: URL;
  secrets: readonly unknown[];
  log: Log;
  signal: AbortSignal;
  /** First pause before a repetition, in milliseconds. Each further pause is twice as long. */
  pause: number;
  env?: Readonly<Record<string, string | undefined>>;
};
export type CallOptions = {
  /** False if the request must not be carried out twice. */
  repeat: boolean;
  /** Seconds for the request with all its repetitions. */
  patience: number;
  signal: AbortSignal;
};
/** `body` is the parsed JSON, undefined if there is none, or the text if it is not JSON. */
export type Reply = {
  status: number;
  headers: Incoming['headers'];
  body: unknown;
  isJson: boolean;
  url: URL;
};
export type Client = {
  /** Sends a request with authentication. Returns any response except throttling, errors of the server, and redirects. */
  call(request: Outgoing, options: CallOptions): Promise<Reply>;
  /** Hides a secret in messages from now on. */
  conceal(secret: string): void;
  hide(text: string): string;
};

const ATTEMPTS = 5;
const LONGEST_PAUSE = 30_000;
const MOST_REDIRECTS = 5;
/** A server that throttles and asks for no wait is asked again after this time, in seconds. */
const SHORTEST_WAIT = 0.1;

export function createClient(options: ClientOptions): Client {
  const { definition, settings, log, pause } = options;
  const { timeout = 60, response_mb = 50 } = definition.limits ?? {};
  const addresses: AddressRule = addressRule(options.env);
  const secrets = createSecrets();
  for (const secret of options.secrets) secrets.add(secret);
  /** The time before which the application wants no further request. */
  let closedUntil = 0;

  const attempt = async (request: Outgoing, { signal }: CallOptions): Promise<Incoming> => {
    const limits = { timeout: timeout * 1000, bytes: response_mb * 1_000_000, addresses };
    return exchange(request, { ...limits, signal: AbortSignal.any([options.signal, signal]) });
  };

  const wait = async (seconds: number, until: number, { signal }: CallOptions, problem: RequestError) => {
    if (Date.now() + seconds * 1000 > until) throw problem;
    await sleep(seconds * 1000, undefined, { signal: AbortSignal.any([options.signal, signal]) });
  };

  /** Decides what to do after an attempt: use the response, wait and try again, or give up. */
  const judge = (request: Outgoing, how: CallOptions, outcome: Attempt, tries: number): Judgement => {
    const { method, url } = request;
    const growing = (Math.min(LONGEST_PAUSE, pause * 2 ** (tries - 1)) * (0.75 + Math.random() / 2)) / 1000;
    const isLast = tries >= ATTEMPTS;
    if ('error' in outcome) {
      const problem = unreachable(method, url, outcome.error);
      return isLast || !mayHelp(outcome.error, how.repeat) ? { problem } : { problem, seconds: growing };
    }
    const { reply } = outcome;
    const asked = waitOf(reply);
    if (isThrottling(reply) && (reply.status !== 503 || how.repeat))
      return { problem: tooMany(request), seconds: Math.max(asked ?? growing * 2, SHORTEST_WAIT) };
    if (asked !== undefined) closedUntil = Math.max(closedUntil, Date.now() + asked * 1000);
    if (reply.status < 500 || !how.repeat || isLast) return { reply };
    return { problem: refusal(method, url, reply.status, undefined), seconds: growing };
  };

  /** Sends a request until there is a usable response, or patience or attempts are used up. */
  const send = async (request: Outgoing, how: CallOptions): Promise<Incoming> => {
    const until = Date.now() + how.patience * 1000;
    for (let tries = 1; ; tries++) {
      const closed = (closedUntil - Date.now()) / 1000;
      if (closed > 0) await wait(closed, until, how, tooMany(request));
      const outcome: Attempt = await attempt(request, how).then(
        (reply) => ({ reply }),
        (error: unknown) => ({ error }),
      );
      how.signal.throwIfAborted();
      options.signal.throwIfAborted();
      const next = judge(request, how, outcome, tries);
      if ('reply' in next) return next.reply;
      if (next.seconds === undefined) throw next.problem;
      log.info(secrets.hide(`${next.problem.message}; trying again in ${next.seconds.toFixed(1)} s`));
      await wait(next.seconds, until, how, next.problem);
    }
  };

  const authorization: Authorization = createAuthorization(definition.auth, {
    settings,
    send: (request) => send(request, { repeat: true, patience: 60, signal: options.signal }),
    conceal: secrets.add,
  });

  const call = async (request: Outgoing, how: CallOptions): Promise<Reply> => {
    let { url } = request;
    let renewed = false;
    for (let redirects = 0; ; ) {
      if (url.origin !== options.base.origin)
        throw new RequestError(`${nameOf(request.method, url)} is not at the origin of base_url`);
      const proof = await authorization.headers();
      const headers = { ...request.headers, ...proof };
      const reply = await send({ ...request, url, headers }, how);
      if (reply.status === 401 && !renewed && authorization.renew(proof)) {
        renewed = true;
        continue;
      }
      if (reply.status < 300 || reply.status === 304 || reply.status >= 400)
        return { status: reply.status, headers: reply.headers, url, ...parse(reply) };
      url = targetOf(request, url, reply, ++redirects);
    }
  };

  return {
    call: async (request, how) => {
      try {
        return await call(request, how);
      } catch (error) {
        if (error instanceof RequestError) error.message = secrets.hide(error.message);
        throw error;
      }
    },
    conceal: secrets.add,
    hide: secrets.hide,
  };
}

type Attempt = { reply: Incoming } | { error: unknown };
/** Without seconds, trying again would not help. */
type Judgement = { reply: Incoming } | { problem: RequestError; seconds?: number };

const tooMany = ({ method, url }: Outgoing) =>
  new RequestError(`${nameOf(method, url)}: the application limits the rate of requests`, {
    code: 'RATE_LIMITED',
  });

/** Returns where a redirect leads. Only requests for data follow one, and only to the same origin. */
function targetOf({ method }: Outgoing, from: URL, { status, headers }: Incoming, count: number): URL {
  const what = nameOf(method, from);
  const location = headers.location;
  if (location === undefined || !URL.canParse(location, from))
    throw new RequestError(`${what} returned ${status} without a usable address`);
  const to = new URL(location, from);
  if (to.origin !== from.origin)
    throw new RequestError(`${what} redirects to another origin, ${to.origin}; correct base_url`);
  if (method !== 'GET')
    throw new RequestError(`${what} redirects to ${to.pathname}; correct the path in the definition`);
  if (count > MOST_REDIRECTS) throw new RequestError(`${what} redirects more than ${MOST_REDIRECTS} times`);
  return to;
}

/** True if sending again may help. Wrong certificates and forbidden addresses stay wrong. */
function mayHelp(error: unknown, repeat: boolean): boolean {
  const { code = '' } = error as { code?: string };
  const isWrong = /CERT|TLS|SSL|EACCES|ERR_INVALID|ALTNAME|ERR_PROXY_REFUSED|UNABLE_TO_/i.test(code);
  if (error instanceof LimitError || isWrong) return false;
  return repeat || neverArrived(error);
}

function parse({ text }: Incoming): Pick<Reply, 'body' | 'isJson'> {
  if (text.trim() === '') return { body: undefined, isJson: true };
  try {
    return { body: /\d{16}/.test(text) ? JSON.parse(text, keepDigits) : JSON.parse(text), isJson: true };
  } catch {
    return { body: text, isJson: false };
  }
}

/** Keeps the digits of whole numbers that are too large for a number: they are often ids. */
function keepDigits(_: string, value: unknown, context?: { source?: string }): unknown {
  const source = context?.source;
  return typeof value === 'number' && source && !Number.isSafeInteger(value) && /^-?\d+$/.test(source)
    ? BigInt(source)
    : value;
}
