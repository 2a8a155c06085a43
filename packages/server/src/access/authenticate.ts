import type { FastifyRequest } from 'fastify';
import { type Principal, unauthenticated } from '../identity/principal.ts';
import type { Db } from '../platform/database/open.ts';
import { hashKey, isWellFormed, looksGenerated } from './key-format.ts';
import * as queries from './queries.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * The route's own statement confirms that the key is still live, so a remembered key may be let through to it:
     * hot paths save a round trip, and a revoked key still fails at once.
     */
    confirmsKey?: boolean;
  }
}

const REMEMBERED_KEYS = 1000;

/** Answers who shows the key in the Authorization header (contract 5). Throws one 401 for every reason (D6). */
export function keyAuthentication(db: Db) {
  const remembered = new Map<string, Principal>();

  return {
    async authenticate(request: FastifyRequest): Promise<Principal> {
      const key = keyOf(request.headers.authorization);
      const hash = hashKey(key);
      const name = hash.toString('base64');
      const known = remembered.get(name);
      if (known !== undefined && request.routeOptions.config?.confirmsKey === true) return known;
      const row = await queries.findLiveKey(db, hash);
      remembered.delete(name);
      if (row === undefined) throw unauthenticated();
      const principal = principalOf(row);
      remembered.set(name, principal);
      if (remembered.size > REMEMBERED_KEYS) remembered.delete(remembered.keys().next().value as string);
      return principal;
    },
  };
}

function keyOf(header: string | undefined): string {
  const key = /^api-key +(\S+) *$/i.exec(header ?? '')?.[1];
  if (key === undefined || key.length > 512) throw unauthenticated();
  if (looksGenerated(key) && !isWellFormed(key)) throw unauthenticated();
  return key;
}

const principalOf = (row: queries.KeyRow): Principal => ({
  orgId: row.org_id,
  orgSlug: row.org_slug,
  keyId: row.key_id,
  sessionId: null,
  userId: row.user_id,
  role: row.role,
  scopes: new Set(row.scopes),
  apps: row.apps === null ? 'all' : new Set(row.apps),
});
