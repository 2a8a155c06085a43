import { secondsOf } from '@gatehouse/connector/declarative';
import type { Incoming } from './exchange.ts';

/** Seconds since 1970 are larger than this, seconds from now are smaller. */
const SMALLEST_DATE = 1_000_000_000;

/**
 * Returns the seconds to wait before the next request, or undefined if the response asks for no wait. Understands Retry-After,
 * `RateLimit` (its fields `r` and `t`), `RateLimit-Remaining` and `RateLimit-Reset`, also with `X-` or `X-Rate-Limit-`.
 */
export function waitOf({ status, headers }: Pick<Incoming, 'status' | 'headers'>): number | undefined {
  const isThrottled = status === 429 || status === 503;
  const asked = secondsOf(text(headers['retry-after']));
  if (isThrottled && asked !== undefined) return asked;
  const pick = (name: string) =>
    number(headers[`ratelimit-${name}`] ?? headers[`x-ratelimit-${name}`] ?? headers[`x-rate-limit-${name}`]);
  const combined = text(headers.ratelimit) ?? '';
  const remaining = pick('remaining') ?? number(/[;,]\s*r=(\d+)/.exec(combined)?.[1]);
  const reset = pick('reset') ?? number(/[;,]\s*t=(\d+)/.exec(combined)?.[1]);
  if (reset === undefined || (remaining !== 0 && !isThrottled)) return undefined;
  return Math.max(0, Math.ceil(reset > SMALLEST_DATE ? reset - Date.now() / 1000 : reset));
}

/** True if a response means that there were too many requests. GitHub says so with 403 and no remaining requests. */
export function isThrottling(reply: Pick<Incoming, 'status' | 'headers'>): boolean {
  if (reply.status === 429) return true;
  if (reply.status === 503) return reply.headers['retry-after'] !== undefined;
  return reply.status === 403 && (waitOf(reply) !== undefined || reply.headers['retry-after'] !== undefined);
}

const text = (header: string | string[] | undefined) => (Array.isArray(header) ? header[0] : header);

function number(header: string | string[] | undefined): number | undefined {
  const value = text(header);
  if (value === undefined || value.trim() === '' || !Number.isFinite(Number(value))) return undefined;
  return Number(value);
}
