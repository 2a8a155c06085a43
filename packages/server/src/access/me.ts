import { type Principal, SCOPES } from '../identity/principal.ts';
import type { Db } from '../platform/database/open.ts';
import { notFound } from '../platform/errors.ts';
import { findMe, type Me } from './me-queries.ts';

/** Returns the calling person. */
export async function describeCaller(db: Db, { orgId, userId }: Principal): Promise<Me> {
  const me = await findMe(db, orgId, userId);
  if (me === undefined) throw notFound('User');
  return me;
}

/** Returns the calling key, its scopes, and its apps (null: all). All are null for a session. */
export function reachOf({ keyId, scopes, apps }: Principal) {
  return {
    api_key: keyId,
    scopes: keyId === null ? null : SCOPES.filter((scope) => scopes.has(scope)),
    apps: apps === 'all' ? null : [...apps],
  };
}
