import { recordEvents } from '../events/record.ts';
import type { Actor } from '../identity/cause.ts';
import { mayTouchApp, type Principal, type Scope } from '../identity/principal.ts';
import type { Db, Tx } from '../platform/database/open.ts';
import { isMissingReference } from '../platform/database/sqlstate.ts';
import { transaction } from '../platform/database/transaction.ts';
import { forbidden, invalid, notFound } from '../platform/errors.ts';
import { instantForSql } from '../platform/instants.ts';
import { hashKey, newKey } from './key-format.ts';
import * as queries from './queries.ts';

export interface KeyRequest {
  name: string;
  scopes: readonly Scope[];
  /** Null: all apps. */
  apps: string[] | null;
  /** ISO 8601, or null for never. */
  expiresAt: string | null;
}

/** The stored key and, this once, the key itself (D8). */
export type CreatedKey = queries.ApiKey & { key: string };

/**
 * Makes a key that acts for `principal`'s person. 404 for an unknown app, 403 where the calling key is for listed
 * apps and the new one would reach beyond them.
 */
export async function createKey(
  db: Db,
  principal: Principal,
  actor: Actor,
  request: KeyRequest,
): Promise<CreatedKey> {
  refuseWiderApps(principal, request.apps);
  if (request.expiresAt !== null && Date.parse(instantForSql(request.expiresAt)) <= Date.now())
    throw invalid('expires_at lies in the past.');
  const key = newKey();
  const id = await transaction(db, (tx) =>
    insertKey(tx, principal.orgId, principal.userId, actor, key, request),
  ).catch((error: unknown) => {
    throw isMissingReference(error) ? notFound('App') : error;
  });
  const stored = await queries.getKey(db, principal.orgId, id);
  if (stored === undefined) throw notFound('API key');
  return { ...stored, key };
}

/** Stores `key` and tells of it. */
export async function insertKey(
  tx: Tx,
  orgId: string,
  userId: string,
  actor: Actor,
  key: string,
  request: KeyRequest,
): Promise<string> {
  const { id, expires_at } = await queries.insertKey(tx, orgId, {
    ...request,
    expiresAt: request.expiresAt === null ? null : instantForSql(request.expiresAt),
    hash: hashKey(key),
    createdBy: userId,
  });
  await recordEvents(tx, orgId, [
    {
      type: 'api_key.created',
      actor,
      subject: { type: 'platform_user', uuid: userId },
      source: { type: 'user_action', uuid: null },
      payload: {
        api_key_id: id,
        name: request.name,
        scopes: [...request.scopes],
        apps: request.apps?.map((app) => app.toLowerCase()) ?? null,
        expires_at: expires_at?.toISOString() ?? null,
      },
    },
  ]);
  return id;
}

/** Revoking a revoked key changes nothing. 404 for one that does not exist here. */
export async function revokeKey(db: Db, principal: Principal, actor: Actor, keyId: string): Promise<void> {
  await transaction(db, async (tx) => {
    const stored = await queries.getKey(tx, principal.orgId, keyId);
    if (stored === undefined) throw notFound('API key');
    refuseWiderApps(principal, stored.apps);
    if ((await queries.revokeKey(tx, principal.orgId, keyId)) === undefined) return;
    await recordEvents(tx, principal.orgId, [
      {
        type: 'api_key.revoked',
        actor,
        subject: { type: 'platform_user', uuid: stored.created_by },
        source: { type: 'user_action', uuid: null },
        payload: { api_key_id: keyId, name: stored.name },
      },
    ]);
  });
}

export { addKeyApp, listKeys } from './queries.ts';

function refuseWiderApps(principal: Principal, wanted: string[] | null) {
  if (principal.apps === 'all') return;
  if (wanted === null || wanted.some((app) => !mayTouchApp(principal, app))) {
    throw forbidden('This key is for listed apps; it cannot manage a key that reaches others.');
  }
}
