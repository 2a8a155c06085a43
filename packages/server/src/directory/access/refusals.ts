import type { FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import type { Db } from '#kit/database.ts';
import { DomainError, type DomainErrorCode } from '#kit/errors.ts';
import type { Access, Http } from '#kit/http.ts';
import { actorOf, type Principal, SYSTEM, sourceOf, userAgentOf } from '#kit/identity.ts';
import { networkOf } from '#kit/ip.ts';
import { openEventBatcher } from '#log/events/batch.ts';
import type { NewEvent } from '#log/events/record.ts';
import { findOrganizationId } from './organization-facts.ts';

const MINUTE_MS = 60_000;
const REMEMBERED = 10_000;
/** Strangers can choose their addresses, so that a limit for each address alone would not bound the log. */
const MOST_BY_STRANGERS = 60;
/** Strangers can also make up organizations, each of which costs a query. Per process, for all of them together. */
export const MOST_LOOKUPS = 300;
const STATUS: Partial<Record<DomainErrorCode, 401 | 403>> = { unauthenticated: 401, forbidden: 403 };

interface Refusal {
  status: 401 | 403;
  method: string;
  route: string;
  reason: string;
}

/**
 * Records refused calls of privileged routes: at most one per minute for each route and API key, person, or address
 * of a stranger. The limit holds for each process. The caller never waits. Returns a function that writes what is left.
 */
export function recordRefusals(
  http: Http,
  db: Db,
  logger: Pick<Logger, 'error'>,
): { close(): Promise<void> } {
  const batcher = openEventBatcher(db, logger);
  const noted = new LRUCache<string, true>({ max: REMEMBERED, ttl: MINUTE_MS });
  const strangers = new LRUCache<string, { count: number }>({ max: REMEMBERED, ttl: MINUTE_MS });
  const lookups = new Set<Promise<void>>();

  const isFirst = (...parts: string[]) => {
    const name = parts.join('\n');
    if (noted.has(name)) return false;
    noted.set(name, true);
    return true;
  };
  let minuteStart = 0;
  let lookupsInMinute = 0;
  const mayLookUp = () => {
    const now = performance.now();
    if (now - minuteStart >= MINUTE_MS) [minuteStart, lookupsInMinute] = [now, 0];
    return ++lookupsInMinute <= MOST_LOOKUPS;
  };
  const noteStranger = async (slug: string, request: FastifyRequest, refusal: Refusal) => {
    const orgId = await findOrganizationId(db, slug);
    if (orgId !== undefined) batcher.add(orgId, refusedToStranger(orgId, request, refusal));
  };

  http.addHook('onError', async (request, _reply, error) => {
    const { access } = request.routeOptions.config ?? {};
    const status = error instanceof DomainError ? STATUS[error.code] : undefined;
    if (status === undefined || !isPrivileged(access)) return;
    const route = routeOf(request);
    const refusal = { status, method: request.method, route, reason: error.message };
    const principal = request.principal as Principal | undefined;
    if (principal !== undefined) {
      const { orgId, keyId, userId } = principal;
      if (isFirst(orgId, keyId ?? userId, request.method, route))
        batcher.add(orgId, refused(request, refusal));
      return;
    }
    const { org: slug = '' } = request.params as { org?: string };
    if (!isFirst(slug, networkOf(request.ip), request.method, route)) return;
    const minute = strangers.get(slug) ?? { count: 0 };
    if (minute.count === 0) strangers.set(slug, minute);
    if (++minute.count > MOST_BY_STRANGERS || !mayLookUp()) return;
    const lookup = noteStranger(slug, request, refusal)
      .catch((error: unknown) => logger.error({ err: error }, 'a refused call could not be recorded'))
      .finally(() => lookups.delete(lookup));
    lookups.add(lookup);
  });

  return {
    async close() {
      await Promise.all(lookups);
      await batcher.flush();
    },
  };
}

/** Whether a route governs access, or is an administrator's route that takes no API key. */
const isPrivileged = (access: Access | undefined) =>
  typeof access === 'object' &&
  (access.scope === 'govern' ||
    access.scope === 'scim' ||
    (access.scope === 'session' && access.roles !== undefined));

/** Returns the address below base_url, with placeholders instead of ids, as the API reference spells it. */
const routeOf = ({ routeOptions }: FastifyRequest) =>
  (routeOptions.url ?? '').replace('/org/:org', '').replaceAll(/:(\w+)/g, '{$1}');

const refused = (request: FastifyRequest, refusal: Refusal): NewEvent => ({
  type: 'privileged_call.refused',
  actor: actorOf(request),
  subject: { type: 'platform_user', uuid: request.principal.userId },
  source: sourceOf(request.principal),
  payload: { ...refusal, api_key_id: request.principal.keyId },
});

const refusedToStranger = (orgId: string, { ip, headers }: FastifyRequest, refusal: Refusal): NewEvent => ({
  type: 'privileged_call.refused',
  actor: { ...SYSTEM, ip, user_agent: userAgentOf(headers) },
  subject: { type: 'system', uuid: orgId },
  source: { type: 'system', uuid: null },
  payload: { ...refusal, api_key_id: null },
});
