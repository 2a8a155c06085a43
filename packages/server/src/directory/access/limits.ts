import type { FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import type { Database, Db } from '#kit/database.ts';
import type { DomainError } from '#kit/errors.ts';
import type { Principal } from '#kit/identity.ts';
import { networkOf } from '#kit/ip.ts';
import { deleteOldKeyUses } from './queries/key-use.ts';
import { admitRequest, deleteIdleWindows, type Verdict } from './queries/limits.ts';
import { accessRefusals } from './sentences.ts';

/** Requests per minute: events per API key, read per client address. Null means unlimited. */
export interface Limits {
  events: number | null;
  read: number | null;
}

/** A sliding window that a request counts toward. */
interface Window {
  /** The policy's name in the response headers. */
  policy: string;
  id: string;
  limit: number;
}

const WINDOW_SECONDS = 60;
/** Sessions have their own limit, since everyone in an office may share one address (D11). */
const SESSION_LIMIT = 600;
/** Requests of a SCIM client, per API key. Entra ID sends up to 25 a second during its first run. */
const SCIM_LIMIT = 1500;
/** Requests with an invalid API key, per address. A valid key is never refused because of them. */
const INVALID_KEY_LIMIT = 100;
/** Requests without a valid session, per address. People behind it who are signed in are never refused because of them. */
const NO_SESSION_LIMIT = 300;
const REMEMBERED_REFUSALS = 10_000;

/**
 * Limits requests to the read and events API and to sign-in: at most a number of requests in any 60 seconds, across
 * all nodes (D11). Runs right after authentication (D6) and throws `throttled`. A refused request does not count. Until
 * the window could admit another request, this node refuses from memory.
 */
export function limitRequests(database: Database, limits: Limits) {
  const refusedUntil = new LRUCache<string, number>({ max: REMEMBERED_REFUSALS });

  /** Throws `throttled` unless all windows admit the request. Otherwise returns what they have left. */
  const admit = async (reply: FastifyReply, windows: Window[]): Promise<Verdict[]> => {
    const now = performance.now();
    for (const window of windows) {
      const wait = (refusedUntil.get(window.id) ?? 0) - now;
      if (wait > 0) throw refusal(reply, [window], [{ admitted: false, remaining: 0, seconds: wait / 1000 }]);
    }
    const ids = windows.map(({ id }) => id);
    const verdicts = await admitRequest(
      database,
      ids,
      windows.map(({ limit }) => limit),
      WINDOW_SECONDS,
    );
    for (const [index, { admitted, seconds }] of verdicts.entries()) {
      if (!admitted) refusedUntil.set(ids[index] ?? '', now + seconds * 1000);
    }
    if (verdicts.some(({ admitted }) => !admitted)) throw refusal(reply, windows, verdicts);
    return verdicts;
  };

  return {
    admit: async (request: FastifyRequest, reply: FastifyReply) => {
      const windows = windowsOf(request, limits);
      if (windows.length > 0) setRateLimitHeaders(reply, windows, await admit(reply, windows));
    },
    /** Counts a request without a valid API key or session. Until it is refused, its response is a 401. */
    admitUnauthenticated: async ({ ip, headers }: FastifyRequest, reply: FastifyReply) => {
      if (limits.read === null) return;
      const [policy, limit]: [string, number] =
        headers.authorization === undefined
          ? ['no-session', NO_SESSION_LIMIT]
          : ['invalid-key', INVALID_KEY_LIMIT];
      await admit(reply, [{ policy, id: `${policy} ${networkOf(ip)}`, limit }]);
    },
  };
}

/** Deletes idle windows and old key uses. Runs as a job. */
export async function deleteIdleRecords(db: Db): Promise<void> {
  await deleteIdleWindows(db, WINDOW_SECONDS);
  await deleteOldKeyUses(db);
}

function windowsOf(request: FastifyRequest, { events, read }: Limits): Window[] {
  const { ip, routeOptions, url } = request;
  const principal: Principal | null | undefined = request.principal;
  // Sign-in requests have no principal yet. Each costs a password hash or a row.
  if (!principal)
    return read === null ? [] : [{ policy: 'sign-in', id: `sign-in ${networkOf(ip)}`, limit: read }];
  const path = (routeOptions.url ?? url).replace(/^\/org\/[^/]+/, '');
  if (path.startsWith('/scim/') && principal.keyId !== null)
    return read === null ? [] : [{ policy: 'scim', id: `scim ${principal.keyId}`, limit: SCIM_LIMIT }];
  if (!path.startsWith('/api/') || path.startsWith('/api/v1/bridge')) return [];
  if (principal.keyId === null) {
    const isOff = events === null && read === null;
    const id = `session ${principal.orgId} ${principal.sessionId}`;
    return isOff ? [] : [{ policy: 'session', id, limit: SESSION_LIMIT }];
  }
  const windows: Window[] = [];
  if (events !== null && /^\/api\/events(\/|\?|$)/.test(path)) {
    windows.push({ policy: 'events', id: `events ${principal.keyId}`, limit: events });
  }
  if (read !== null) windows.push({ policy: 'read', id: `read ${networkOf(ip)}`, limit: read });
  return windows;
}

/** The 429 of protocol 7.6, with its headers set on `reply`. */
function refusal(reply: FastifyReply, windows: Window[], verdicts: Verdict[]): DomainError {
  setRateLimitHeaders(reply, windows, verdicts);
  const waits = verdicts.filter(({ admitted }) => !admitted).map(({ seconds }) => Math.ceil(seconds));
  const wait = Math.max(1, ...waits);
  return accessRefusals.request_throttled(
    { wait },
    {
      retryAfter: wait,
    },
  );
}

/**
 * Sets the headers of draft-ietf-httpapi-ratelimit-headers: the limits, the requests left, and the seconds until there
 * are more.
 */
function setRateLimitHeaders(reply: FastifyReply, windows: Window[], verdicts: Verdict[]) {
  const policies = windows.map(({ policy, limit }) => `"${policy}";q=${limit};w=${WINDOW_SECONDS}`);
  reply.header('RateLimit-Policy', policies.join(', '));
  const items = windows.map(({ policy }, index) => {
    const { remaining = 0, seconds = 0 } = verdicts[index] ?? {};
    return `"${policy}";r=${remaining};t=${Math.ceil(seconds)}`;
  });
  reply.header('RateLimit', items.join(', '));
}
