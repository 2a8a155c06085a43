import { deletedPeople } from '../events/deleted-people.ts';
import { type NewEvent, recordEvents } from '../events/record.ts';
import type { Actor, RequestCause } from '../identity/cause.ts';
import { identityOf } from '../identity/person.ts';
import { type KeyScope, mayTouchApp, type Principal, SCOPES } from '../identity/principal.ts';
import type { Db, Tx } from '../platform/database/open.ts';
import { isMissingReference } from '../platform/database/sqlstate.ts';
import { transaction } from '../platform/database/transaction.ts';
import { conflict, forbidden, invalid, notFound } from '../platform/errors.ts';
import type { Page, Slice } from '../platform/http/lists.ts';
import { isUuid } from '../platform/ids.ts';
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
 * Creates a key that acts for `principal`'s person. Throws 404 for an unknown app, and 403 if an API key asks for a key
 * with more scopes, more apps or a later expiry than its own (D8).
 */
export async function createKey(
  db: Db,
  principal: Principal,
  { actor, source }: RequestCause,
  request: KeyRequest,
): Promise<CreatedKey> {
  await requireWithinCaller(db, principal, request);
  if (request.expiresAt !== null && Date.parse(instantForSql(request.expiresAt)) <= Date.now())
    throw invalid('expires_at is in the past. Give a future time, or null for a key that never expires.');
  const key = newKey();
  const id = await transaction(db, (tx) =>
    insertKey(tx, principal.orgId, principal.userId, actor, key, request, source),
  ).catch((error: unknown) => {
    throw isMissingReference(error) ? notFound('App') : error;
  });
  return { ...(await existingKey(db, principal.orgId, id)), key };
}

/** Stores `key` for a person and records its event. */
export async function insertKey(
  tx: Tx,
  orgId: string,
  userId: string,
  actor: Actor,
  key: string,
  request: KeyRequest,
  source: KeySource = { type: 'system', uuid: null },
): Promise<string> {
  const { id, expires_at } = await queries.insertKey(tx, orgId, {
    ...request,
    expiresAt: request.expiresAt === null ? null : instantForSql(request.expiresAt),
    hash: hashKey(key),
    userId,
  });
  await recordEvents(tx, orgId, [
    {
      type: 'api_key.created',
      actor,
      subject: { type: 'platform_user', uuid: userId },
      source,
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

type KeySource = RequestCause['source'] | { type: 'system'; uuid: null };

/** Lists keys, newest first. An API key sees only keys that do not exceed its own scopes and apps (D8). */
export const listKeys = (
  db: Db,
  principal: Principal,
  filter: Omit<queries.KeyFilter, 'within'>,
  page: Page,
): Promise<Slice<queries.ApiKey>> =>
  queries.listKeys(db, principal.orgId, { ...filter, within: reachOf(principal) }, page);

const reachOf = ({ keyId, scopes, apps }: Principal) => ({
  scopes: keyId === null ? [...SCOPES] : [...scopes],
  apps: apps === 'all' ? null : [...apps],
});

/**
 * Revokes a key. Revoking it again changes nothing. Throws 404 for a key that is not in the organization, and 403 if an
 * API key names a key that has more scopes or apps than itself, or someone other than an owner names an owner's key.
 */
export async function revokeKey(
  db: Db,
  principal: Principal,
  { actor, source }: RequestCause,
  keyId: string,
): Promise<void> {
  const { orgId } = principal;
  await transaction(db, async (tx) => {
    const key = await existingKey(tx, orgId, keyId);
    const excess = excessOf(principal, key);
    if (excess.length > 0)
      throw forbidden(`This key cannot revoke a key that exceeds it. ${excess.join(' ')}`);
    const holder = await identityOf(tx, principal, key.user);
    if (holder.role === 'owner' && principal.role !== 'owner' && principal.userId !== holder.id)
      throw forbidden("Only an owner can revoke an owner's key.");
    if (!(await queries.revokeKey(tx, orgId, keyId))) return;
    await recordEvents(tx, orgId, [
      {
        type: 'api_key.revoked',
        actor,
        subject: { type: 'platform_user', uuid: key.user },
        source,
        payload: { api_key_id: keyId, name: key.name },
      },
    ]);
  });
}

/**
 * Transfers a key to another person, for whom it acts from now on, with that person's role. Throws 404 for an unknown
 * key or person, 403 if someone other than an owner transfers a key from or to an owner, and 409 for a key that was
 * revoked or has expired and for a deactivated person.
 */
export async function transferKey(
  db: Db,
  principal: Principal,
  { actor, source }: RequestCause,
  keyId: string,
  userId: string,
): Promise<queries.ApiKey> {
  const { orgId } = principal;
  await transaction(db, async (tx) => {
    await queries.lockKey(tx, orgId, keyId);
    const key = await existingKey(tx, orgId, keyId);
    const [from, to] = [await identityOf(tx, principal, key.user), await identityOf(tx, principal, userId)];
    if (principal.role !== 'owner' && (from.role === 'owner' || to.role === 'owner'))
      throw forbidden('Only an owner can transfer a key from or to an owner.');
    if (key.revoked_at !== null || (key.expires_at !== null && key.expires_at <= new Date()))
      throw conflict(`${key.name} was revoked or has expired. Create a new key instead.`);
    if (from.status !== 'active')
      throw conflict(
        `${from.email} is deactivated, so this key has stopped working. Create a new key instead.`,
      );
    if (to.status !== 'active') throw conflict(`${to.email} is deactivated. Choose an active person.`);
    if (key.user === to.id) return;
    await queries.transferKey(tx, orgId, keyId, to.id);
    await recordEvents(tx, orgId, [
      {
        type: 'key.transferred',
        actor,
        subject: { type: 'platform_user', uuid: to.id },
        source,
        payload: { api_key_id: keyId, name: key.name, from: key.user, to: to.id },
      },
    ]);
  });
  return existingKey(db, orgId, keyId);
}

/** Returns a key. Throws 404 for a key that is not in the organization. */
export async function existingKey(db: Db, orgId: string, keyId: string): Promise<queries.ApiKey> {
  const key = isUuid(keyId) ? await queries.findKey(db, orgId, keyId) : undefined;
  if (key === undefined) throw notFound('API key');
  return key;
}

export { insertKeyApp as addKeyApp } from './key-queries.ts';

/**
 * A people hook: deletes the revoked and expired keys of people who are being deleted. Throws 409 while any other key
 * acts for one of them (D8).
 */
export async function deleteKeysOfDeletedPeople(
  tx: Tx,
  orgId: string,
  events: readonly NewEvent[],
): Promise<void> {
  const deleted = deletedPeople(events);
  if (deleted.length === 0) return;
  const names = await queries.unendedKeyNames(tx, orgId, deleted);
  if (names.length > 0) {
    throw conflict(`API keys act for this person: ${names.join(', ')}. Revoke or transfer them first.`);
  }
  await queries.deleteKeys(tx, orgId, deleted);
}

/** A people hook: revokes the keys that others created and that act for new owners, since their creators may hold them. */
export async function revokeKeysOfNewOwners(
  tx: Tx,
  orgId: string,
  events: readonly NewEvent[],
): Promise<NewEvent[]> {
  const revoked: NewEvent[] = [];
  for (const event of events) {
    if (event.type !== 'role.changed' || event.payload.to !== 'owner') continue;
    const { actor, source } = event;
    for (const { id, name } of await queries.revokeKeysOfOthers(tx, orgId, event.payload.user_id)) {
      revoked.push({
        type: 'api_key.revoked',
        actor,
        subject: { type: 'platform_user', uuid: event.payload.user_id },
        source: source as RequestCause['source'],
        payload: { api_key_id: id, name },
      });
    }
  }
  return revoked;
}

/** Throws 403 if an API key asks for a key that exceeds it, and says in which respect. */
async function requireWithinCaller(db: Db, principal: Principal, wanted: KeyRequest): Promise<void> {
  const { orgId, keyId } = principal;
  if (keyId === null) return;
  const excess = excessOf(principal, wanted);
  const { expires_at: end } = await existingKey(db, orgId, keyId);
  const wantedEnd = wanted.expiresAt === null ? null : Date.parse(instantForSql(wanted.expiresAt));
  if (end !== null && (wantedEnd === null || wantedEnd > end.getTime()))
    excess.push(`It expires at ${end.toISOString()}, so the new key must not expire later.`);
  if (excess.length > 0) throw forbidden(`This key cannot create a key that exceeds it. ${excess.join(' ')}`);
}

/** Returns a sentence for each respect in which a key exceeds the calling key. A signed-in person has no such limit. */
function excessOf(
  principal: Principal,
  { scopes, apps }: { scopes: readonly KeyScope[]; apps: readonly string[] | null },
): string[] {
  if (principal.keyId === null) return [];
  const missing = scopes.filter((scope) => !principal.scopes.has(scope));
  const isBeyondApps =
    apps === null ? principal.apps !== 'all' : apps.some((app) => !mayTouchApp(principal, app));
  return [
    ...(missing.length === 0 ? [] : [`It does not have the scopes ${missing.join(', ')}.`]),
    ...(isBeyondApps ? ['It is limited to listed apps, and the other key has more.'] : []),
  ];
}

/**
 * A merge hook: revokes the keys of the merged person. They do not move, because another person would then hold secrets that
 * act with the rights of the one who remains.
 */
export const revokeKeysOfMerged = {
  async move(
    tx: Tx,
    { orgId, from, cause: { actor, source } }: { orgId: string; from: { id: string }; cause: RequestCause },
  ) {
    const revoked = await queries.revokeKeysOfPerson(tx, orgId, from.id);
    const events = revoked.map(
      ({ id, name }): NewEvent => ({
        type: 'api_key.revoked',
        actor,
        subject: { type: 'platform_user', uuid: from.id },
        source,
        payload: { api_key_id: id, name },
      }),
    );
    return { moved: { revoked_keys: revoked.length }, events };
  },
};
