import type { FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import type { Db } from '#kit/database.ts';
import { type Principal, unauthenticated } from '#kit/identity.ts';
import { findBySecret } from './by-secret.ts';
import { hashKey, isWellFormed, looksGenerated } from './key-format.ts';
import { findLiveKey, type KeyRow } from './queries/keys.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * The route's own statement checks that the key is still live, so a remembered key may skip authentication. Hot
     * paths save a round trip, and a revoked key is still refused immediately.
     */
    confirmsKey?: boolean;
  }
}

const REMEMBERED_KEYS = 1000;
/** The body of a remembered key counts for its organization before the key is confirmed, so a revoked key is not remembered for long. */
const REMEMBERED_MS = 60_000;
/** The check of the key of a larger body costs little beside the work on it. */
const LARGEST_BODY = 256 * 1024;
const LONGEST_KEY = 512;

/**
 * Authenticates requests by the API key in their Authorization header. All invalid keys get the same 401 (D6). With
 * `remember`, routes that confirm the key are spared the check.
 */
export function keyAuthentication(db: Db, { remember } = { remember: true }) {
  const remembered = new LRUCache<string, Principal>({ max: REMEMBERED_KEYS, ttl: REMEMBERED_MS });

  return {
    async authenticate(request: FastifyRequest): Promise<Principal> {
      const hash = hashKey(readKey(request));
      const name = hash.toString('base64');
      const known = remembered.get(name);
      if (remember && known !== undefined && confirmsKey(request)) return known;
      const { org: slug } = request.params as { org?: string };
      const row = await findBySecret(db, slug, (one, orgId) => findLiveKey(one, orgId, hash));
      if (row === undefined) {
        remembered.delete(name);
        throw unauthenticated();
      }
      const principal = principalOf(row);
      remembered.set(name, principal);
      return principal;
    },
  };
}

/** Whether the route confirms the key, and the body is small. */
const confirmsKey = ({ routeOptions, headers }: FastifyRequest) =>
  routeOptions.config?.confirmsKey === true &&
  headers['transfer-encoding'] === undefined &&
  Number(headers['content-length'] ?? 0) <= LARGEST_BODY;

function readKey({ headers, routeOptions }: FastifyRequest): string {
  const scheme = routeOptions.config?.takesBearer ? /^(?:api-key|bearer) +(\S+) *$/i : /^api-key +(\S+) *$/i;
  const key = scheme.exec(headers.authorization ?? '')?.[1];
  if (key === undefined || key.length > LONGEST_KEY) throw unauthenticated();
  if (looksGenerated(key) && !isWellFormed(key)) throw unauthenticated();
  return key;
}

const principalOf = (row: KeyRow): Principal => ({
  orgId: row.org_id,
  orgSlug: row.org_slug,
  keyId: row.key_id,
  sessionId: null,
  userId: row.user_id,
  role: row.role,
  scopes: new Set(row.scopes),
  apps: row.apps === null ? 'all' : new Set(row.apps),
  transferredFrom: row.created_by === row.user_id ? null : row.created_by,
  provider: row.provider,
  runId: row.connector_run_id,
});
