import { type NewEvent, recordEvents } from '../events/record.ts';
import type { Actor, Cause } from '../identity/cause.ts';
import { type KeyScope, mayTouchApp, type Principal } from '../identity/principal.ts';
import type { Db, Tx } from '../platform/database/open.ts';
import { isMissingReference } from '../platform/database/sqlstate.ts';
import { transaction } from '../platform/database/transaction.ts';
import { conflict, forbidden, invalid, notFound } from '../platform/errors.ts';
import { instantForSql } from '../platform/instants.ts';
import { hashKey, newKey } from './key-format.ts';
import * as queries from './key-queries.ts';

export interface KeyRequest {
  name: string;
  scopes: readonly KeyScope[];
  /** Null: all apps. */
  apps: string[] | null;
  /** ISO 8601; null: never. */
  expiresAt: string | null;
}

/** A stored key with the key itself, which is shown only once (D8). */
export type CreatedKey = queries.ApiKey & { key: string };

/**
 * Creates a key that acts for `principal`'s person. Throws 404 for an unknown app, and 403 if the calling key is
 * limited to listed apps and the new key would reach beyond them.
 */
export async function createKey(
  db: Db,
  principal: Principal,
  { actor }: Cause,
  request: KeyRequest,
): Promise<CreatedKey> {
  requireWithinApps(principal, request.apps);
  if (request.expiresAt !== null && Date.parse(instantForSql(request.expiresAt)) <= Date.now())
    throw invalid('expires_at is in the past. Give a future time, or null for a key that never expires.');
  const key = newKey();
  const id = await transaction(db, (tx) =>
    insertKey(tx, principal.orgId, principal.userId, actor, key, request),
  ).catch((error: unknown) => {
    throw isMissingReference(error) ? notFound('App') : error;
  });
  const stored = await queries.findKey(db, principal.orgId, id);
  if (stored === undefined) throw notFound('API key');
  return { ...stored, key };
}

/** Stores `key` for a person and records its event. */
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
      ...keyEvent(actor, userId),
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

/** Revokes a key. Revoking it again changes nothing. Throws 404 for a key that is not in the organization. */
export async function revokeKey(
  db: Db,
  principal: Principal,
  { actor }: Cause,
  keyId: string,
): Promise<void> {
  const { orgId } = principal;
  await transaction(db, async (tx) => {
    const key = await queries.findKey(tx, orgId, keyId);
    if (key === undefined) throw notFound('API key');
    requireWithinApps(principal, key.apps);
    if (!(await queries.revokeKey(tx, orgId, keyId))) return;
    await recordEvents(tx, orgId, [
      {
        type: 'api_key.revoked',
        ...keyEvent(actor, key.created_by),
        payload: { api_key_id: keyId, name: key.name },
      },
    ]);
  });
}

/** The source of these events is `user_action`, also when an API key manages another one. */
const keyEvent = (actor: Actor, userId: string) => ({
  actor,
  subject: { type: 'platform_user' as const, uuid: userId },
  source: { type: 'user_action' as const, uuid: null },
});

export { insertKeyApp as addKeyApp, listKeys } from './key-queries.ts';

/**
 * A people hook: deletes the revoked and expired keys of people who are being deleted. Throws 409 while a live key
 * acts for one of them (D8).
 */
export async function deleteKeysOfDeletedPeople(
  tx: Tx,
  orgId: string,
  events: readonly NewEvent[],
): Promise<void> {
  const deleted = events.flatMap((event) => (event.type === 'user.deleted' ? [event.payload.user_id] : []));
  if (deleted.length === 0) return;
  const names = await queries.liveKeyNames(tx, orgId, deleted);
  if (names.length > 0) {
    throw conflict(
      `API keys act for this person: ${names.join(', ')}. Revoke them first, or deactivate the person.`,
    );
  }
  await queries.deleteKeys(tx, orgId, deleted);
}

/** Throws 403 if the calling key is limited to listed apps and `apps` are not all among them. */
function requireWithinApps(principal: Principal, apps: string[] | null) {
  if (principal.apps === 'all') return;
  if (apps === null || apps.some((app) => !mayTouchApp(principal, app))) {
    throw forbidden('This key is limited to listed apps. It cannot manage a key that can access other apps.');
  }
}
