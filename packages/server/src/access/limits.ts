import type { FastifyReply, FastifyRequest } from 'fastify';
import { canonicalIp } from '../events/ip.ts';
import type { Principal } from '../identity/principal.ts';
import type { Database, Db } from '../platform/database/open.ts';
import { DomainError } from '../platform/errors.ts';
import { forgetKeyUses } from './key-use-queries.ts';
import { sweepIdleWindows, type Turn, takeTurn } from './limits-queries.ts';

/** Requests a minute: events per key, read per client address (contract 8); null: not limited. */
export interface Limits {
  events: number | null;
  read: number | null;
}

/** What one request counts towards. */
interface Window {
  /** The policy's name in the answer's headers. */
  policy: string;
  id: string;
  limit: number;
}

const WINDOW_SECONDS = 60;
/** A session's own limit, instead of its address's: an office has one address (D11). */
const SESSION_LIMIT = 600;
const REMEMBERED_REFUSALS = 10_000;

/**
 * The limits of the read and events API (D11), and of signing in, by address as reading: at most so many requests in
 * any 60 seconds, on all nodes together. It runs between authentication and everything else (D6), and throws
 * `throttled`. A refused request counts nothing, and is answered from memory until the moment when one could pass.
 */
export function limitReads(database: Database, limits: Limits) {
  const refusedUntil = new Map<string, number>();

  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const windows = windowsOf(request, limits);
    if (windows.length === 0) return;
    reply.header(
      'RateLimit-Policy',
      windows.map(({ policy, limit }) => `"${policy}";q=${limit};w=${WINDOW_SECONDS}`).join(', '),
    );
    const now = performance.now();
    for (const window of windows) {
      const wait = (refusedUntil.get(window.id) ?? 0) - now;
      if (wait > 0) throw refuse(reply, [window], [{ passes: false, remaining: 0, seconds: wait / 1000 }]);
    }
    const ids = windows.map(({ id }) => id);
    const turns = await takeTurn(
      database,
      ids,
      windows.map(({ limit }) => limit),
      WINDOW_SECONDS,
    );
    for (const [index, { passes, seconds }] of turns.entries()) {
      if (!passes) remember(refusedUntil, ids[index] ?? '', now + seconds * 1000);
    }
    if (turns.some(({ passes }) => !passes)) throw refuse(reply, windows, turns);
    tell(reply, windows, turns);
  };
}

/** For a job: windows and key uses that nobody will ask for again. */
export async function forgetIdle(db: Db): Promise<void> {
  await sweepIdleWindows(db, WINDOW_SECONDS);
  await forgetKeyUses(db);
}

function windowsOf(request: FastifyRequest, { events, read }: Limits): Window[] {
  const { ip, routeOptions, url } = request;
  const principal: Principal | null | undefined = request.principal;
  // Nobody is signed in yet: each try to sign in costs a hash, or a row.
  if (!principal)
    return read === null ? [] : [{ policy: 'sign-in', id: `sign-in ${canonicalIp(ip)}`, limit: read }];
  const path = (routeOptions.url ?? url).replace(/^\/org\/[^/]+/, '');
  if (!path.startsWith('/api/') || path.startsWith('/api/v1/bridge')) return [];
  if (principal.keyId === null) {
    const isOff = events === null && read === null;
    return isOff
      ? []
      : [
          {
            policy: 'session',
            id: `session ${principal.orgId} ${principal.sessionId}`,
            limit: SESSION_LIMIT,
          },
        ];
  }
  const windows: Window[] = [];
  if (events !== null && /^\/api\/events(\/|\?|$)/.test(path)) {
    windows.push({ policy: 'events', id: `events ${principal.keyId}`, limit: events });
  }
  if (read !== null) windows.push({ policy: 'read', id: `read ${canonicalIp(ip)}`, limit: read });
  return windows;
}

/** Contract 7.6. */
function refuse(reply: FastifyReply, windows: Window[], turns: Turn[]): DomainError {
  tell(reply, windows, turns);
  const wait = Math.max(1, ...turns.filter(({ passes }) => !passes).map(({ seconds }) => Math.ceil(seconds)));
  return new DomainError('throttled', `Request was throttled. Expected available in ${wait} seconds.`, {
    retryAfter: wait,
  });
}

/** The IETF header (draft-ietf-httpapi-ratelimit-headers): what is left, and in how many seconds there is more. */
function tell(reply: FastifyReply, windows: Window[], turns: Turn[]) {
  const items = windows.map(({ policy }, index) => {
    const { remaining = 0, seconds = 0 } = turns[index] ?? {};
    return `"${policy}";r=${remaining};t=${Math.ceil(seconds)}`;
  });
  reply.header('RateLimit', items.join(', '));
}

function remember(refusedUntil: Map<string, number>, id: string, until: number) {
  refusedUntil.delete(id);
  refusedUntil.set(id, until);
  if (refusedUntil.size > REMEMBERED_REFUSALS)
    refusedUntil.delete(refusedUntil.keys().next().value as string);
}
