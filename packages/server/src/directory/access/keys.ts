import { recordMeans } from '#directory/means/means.ts';
import { isMissingReference, type OrgDb, type OrgTx, transaction } from '#kit/database.ts';
import { notFound } from '#kit/errors.ts';
import {
  type Actor,
  type Call,
  identityOf,
  type KeyScope,
  mayTouchApp,
  type Principal,
  type RequestCause,
  SCOPES,
  SYSTEM,
} from '#kit/identity.ts';
import { isUuid } from '#kit/ids.ts';
import { instantForSql } from '#kit/instants.ts';
import type { Page, Slice } from '#kit/pages.ts';
import type { Sentence } from '#kit/sentences.ts';
import { deletedPeople } from '#log/events/deleted-people.ts';
import { type NewEvent, recordEvents } from '#log/events/record.ts';
import type { KeyFilter } from './filters.ts';
import { hashKey, newKey } from './key-format.ts';
import * as queries from './queries/keys.ts';
import type { ApiKey } from './schemas.ts';
import { accessRefusals, keySentences } from './sentences.ts';

export interface KeyRequest {
  name: string;
  scopes: readonly KeyScope[];
  /** Null: all apps. */
  apps: string[] | null;
  /** ISO 8601; null: never. */
  expiresAt: string | null;
}

/** A stored key with the key itself, which is shown only once (D8). */
export type CreatedKey = ApiKey & { key: string };

/**
 * Creates a key that acts for `principal`'s person. Throws 404 for an unknown app, and 403 if an API key asks for a key
 * with more scopes, more apps or a later expiry than its own (D8).
 */
export async function createKey(call: Call, request: KeyRequest): Promise<CreatedKey> {
  await requireWithinCaller(call, request);
  if (request.expiresAt !== null && Date.parse(instantForSql(request.expiresAt)) <= Date.now())
    throw accessRefusals.key_expires_in_past();
  const key = newKey();
  const id = await transaction(call, (tx) =>
    insertKey(
      tx,
      { userId: call.principal.userId, provider: call.principal.provider ?? null, key, ...request },
      call.cause,
    ),
  ).catch((error: unknown) => {
    throw isMissingReference(error) ? notFound('App') : error;
  });
  return { ...(await existingKey(call, id)), key };
}

/** Stores `key` for a person and records its event. */
export async function insertKey(
  tx: OrgTx,
  {
    userId,
    key,
    provider = null,
    ...request
  }: KeyRequest & { userId: string; key: string; provider?: string | null },
  { actor, source }: KeyCause = { actor: SYSTEM, source: { type: 'system', uuid: null } },
): Promise<string> {
  const { id, expires_at } = await queries.insertKey(tx, {
    ...request,
    expiresAt: request.expiresAt === null ? null : instantForSql(request.expiresAt),
    hash: hashKey(key),
    userId,
    provider,
  });
  await recordEvents(tx, [
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

type KeyCause = RequestCause | { actor: Actor; source: { type: 'system'; uuid: null } };

/** Lists keys, newest first. An API key sees only keys that do not exceed its own scopes and apps (D8). */
export const listKeys = (call: Call, filter: KeyFilter, page: Page): Promise<Slice<ApiKey>> =>
  queries.listKeys(call, filter, reachOf(call.principal), page);

const reachOf = ({ keyId, scopes, apps }: Principal) => ({
  scopes: keyId === null ? [...SCOPES] : [...scopes],
  apps: apps === 'all' ? null : [...apps],
});

/**
 * Revokes a key. Revoking it again changes nothing. Throws 404 for a key that is not in the organization, and 403 if an
 * API key names a key that has more scopes or apps than itself, or someone other than an owner names an owner's key.
 */
export async function revokeKey(call: Call, keyId: string): Promise<void> {
  await transaction(call, async (tx) => {
    const key = await existingKey(tx, keyId);
    const excess = excessOf(call.principal, key);
    if (excess.length > 0) throw accessRefusals.key_revokes_exceeding_key({ excess });
    const holder = await identityOf(tx, key.user);
    if (holder.role === 'owner' && call.principal.role !== 'owner' && call.principal.userId !== holder.id)
      throw accessRefusals.owner_revokes_owner_key();
    if (!(await queries.revokeKey(tx, keyId))) return;
    await recordEvents(tx, [keyRevoked(call.cause, { ...key, id: keyId })]);
  });
}

/**
 * Transfers a key to another person, for whom it acts from now on, with that person's role. Throws 404 for an unknown
 * key or person, 403 if someone other than an owner transfers a key from or to an owner, and 409 for a key that was
 * revoked or has expired and for a deactivated person.
 */
export async function transferKey(call: Call, keyId: string, userId: string): Promise<ApiKey> {
  await transaction(call, async (tx) => {
    await queries.lockKey(tx, keyId);
    const key = await existingKey(tx, keyId);
    const [from, to] = [await identityOf(tx, key.user), await identityOf(tx, userId)];
    if (call.principal.role !== 'owner' && (from.role === 'owner' || to.role === 'owner'))
      throw accessRefusals.owner_transfers_owner_key();
    if (key.revoked_at !== null || (key.expires_at !== null && key.expires_at <= new Date()))
      throw accessRefusals.key_ended({ name: key.name });
    if (from.status !== 'active') throw accessRefusals.key_holder_deactivated({ email: from.email });
    if (to.status !== 'active') throw accessRefusals.key_receiver_deactivated({ email: to.email });
    if (key.user === to.id) return;
    await queries.transferKey(tx, keyId, to.id);
    await recordMeans(tx, 'key', to.id);
    await recordEvents(tx, [
      {
        type: 'key.transferred',
        actor: call.cause.actor,
        subject: { type: 'platform_user', uuid: to.id },
        source: call.cause.source,
        payload: { api_key_id: keyId, name: key.name, from: key.user, to: to.id },
      },
    ]);
  });
  return existingKey(call, keyId);
}

/** Returns a key. Throws 404 for a key that is not in the organization. */
export async function existingKey(db: OrgDb, keyId: string): Promise<ApiKey> {
  const key = isUuid(keyId) ? await queries.findKey(db, keyId) : undefined;
  if (key === undefined) throw notFound('API key');
  return key;
}

/** Adds an app to the key that creates it, if the key is for listed apps. */
export async function extendKey(tx: OrgTx, { keyId, apps }: Principal, appId: string): Promise<void> {
  if (keyId !== null && apps !== 'all') await queries.insertKeyApp(tx, keyId, appId);
}

/**
 * A people hook: deletes the revoked and expired keys of people who are being deleted. Throws 409 while any other key
 * acts for one of them (D8).
 */
export async function deleteKeysOfDeletedPeople(tx: OrgTx, events: readonly NewEvent[]): Promise<void> {
  const deleted = deletedPeople(events);
  if (deleted.length === 0) return;
  const names = await queries.unendedKeyNames(tx, deleted);
  if (names.length > 0) {
    throw accessRefusals.person_has_keys({ names });
  }
  await queries.deleteKeys(tx, deleted);
}

/** A people hook: revokes the keys that others created and that act for new owners, since their creators may hold them. */
export async function revokeKeysOfNewOwners(tx: OrgTx, events: readonly NewEvent[]): Promise<NewEvent[]> {
  const revoked: NewEvent[] = [];
  for (const event of events) {
    if (event.type !== 'role.changed' || event.payload.to !== 'owner') continue;
    const cause = event as RequestCause;
    for (const key of await queries.revokeKeysOfOthers(tx, event.payload.user_id))
      revoked.push(keyRevoked(cause, { ...key, user: event.payload.user_id }));
  }
  return revoked;
}

/** Throws 403 if an API key asks for a key that exceeds it, and says in which respect. */
async function requireWithinCaller(call: Call, wanted: KeyRequest): Promise<void> {
  const { keyId } = call.principal;
  if (keyId === null) return;
  const excess = excessOf(call.principal, wanted);
  const { expires_at: end } = await existingKey(call, keyId);
  const wantedEnd = wanted.expiresAt === null ? null : Date.parse(instantForSql(wanted.expiresAt));
  if (end !== null && (wantedEnd === null || wantedEnd > end.getTime()))
    excess.push(keySentences.key_expires_earlier({ time: end.toISOString() }));
  if (excess.length > 0) throw accessRefusals.key_creates_exceeding_key({ excess });
}

/** Returns a sentence for each respect in which a key exceeds the calling key. A signed-in person has no such limit. */
function excessOf(
  principal: Principal,
  { scopes, apps }: { scopes: readonly KeyScope[]; apps: readonly string[] | null },
): Sentence[] {
  if (principal.keyId === null) return [];
  const missing = scopes.filter((scope) => !principal.scopes.has(scope));
  const isBeyondApps =
    apps === null ? principal.apps !== 'all' : apps.some((app) => !mayTouchApp(principal, app));
  return [
    ...(missing.length === 0 ? [] : [keySentences.key_lacks_scopes({ missing })]),
    ...(isBeyondApps ? [keySentences.key_has_fewer_apps()] : []),
  ];
}

/**
 * A merge hook: revokes the keys of the merged person. They do not move, because another person would then hold secrets that
 * act with the rights of the one who remains.
 */
export const revokeKeysOfMerged = {
  async move(tx: OrgTx, { from, cause: { actor, source } }: { from: { id: string }; cause: RequestCause }) {
    const events = await revokeKeysOfPerson(tx, { actor, source }, from.id);
    return { moved: { revoked_keys: events.length }, events };
  },
};

/** Revokes the keys that act for a person. Returns the events, which the caller records last. */
export async function revokeKeysOfPerson(
  tx: OrgTx,
  cause: RequestCause,
  personId: string,
): Promise<NewEvent[]> {
  const revoked = await queries.revokeKeysOfPerson(tx, personId);
  return revoked.map((key) => keyRevoked(cause, { ...key, user: personId }));
}

/** Revokes the keys that were made in sessions of a provider, which end with it (D76). Returns the events. */
export async function revokeKeysOfProvider(
  tx: OrgTx,
  cause: RequestCause,
  provider: string,
): Promise<NewEvent[]> {
  return (await queries.revokeKeysOfProvider(tx, provider)).map((key) => keyRevoked(cause, key));
}

const keyRevoked = (
  { actor, source }: RequestCause,
  { id, name, user }: { id: string; name: string; user: string },
): NewEvent => ({
  type: 'api_key.revoked',
  actor,
  subject: { type: 'platform_user', uuid: user },
  source,
  payload: { api_key_id: id, name },
});
