import { releaseClient } from '#directory/people/release.ts';
import type { OrgDb } from '#kit/database.ts';
import { notFound } from '#kit/errors.ts';
import { type Call, requireAllApps } from '#kit/identity.ts';
import { isUuid } from '#kit/ids.ts';
import type { Page, Slice } from '#kit/pages.ts';
import type { Client, Release } from './client-schemas.ts';
import * as queries from './queries/clients.ts';

/** Returns the open holds of clients (D78), by their keys. Those without one are missing. */
export type CountHolds = (db: OrgDb, keyIds: readonly string[]) => Promise<ReadonlyMap<string, number>>;

/** Lists the clients that work, or that still manage something or have ids that are kept. Newest first. */
export async function listClients(
  db: OrgDb,
  { limit, offset }: Page,
  countHolds: CountHolds,
): Promise<Slice<Client>> {
  const all = await allClients(db);
  const clients = all.filter(({ live, people, groups, kept_ids }) => live || people + groups + kept_ids > 0);
  return {
    count: clients.length,
    results: await clientsOf(db, clients.slice(offset, offset + limit), countHolds),
  };
}

/** Returns the keys with the scope scim, and those that were deleted with their person and still keep something. Newest first. */
async function allClients(db: OrgDb): Promise<queries.ClientRow[]> {
  const keys = new Map((await queries.scimKeys(db)).map((key) => [key.id, key]));
  const people = await queries.peopleByKey(db);
  const groups = await queries.groupsByKey(db);
  const kept = await queries.keptByKey(db);
  const refused = await queries.refusedByKey(db);
  const known = [keys, people, groups, kept].flatMap((some) => [...some.keys()]);
  const ids = [...new Set(known)].sort().reverse();
  return ids.map((id) => ({
    ...(keys.get(id) ?? { ...DELETED, id }),
    people: people.get(id) ?? 0,
    groups: groups.get(id) ?? 0,
    kept_ids: kept.get(id) ?? 0,
    refused: refused.get(id) ?? 0,
  }));
}

const DELETED = {
  name: null,
  user: null,
  live: false,
  expires_at: null,
  revoked_at: null,
  last_request_at: null,
};

async function clientsOf(
  db: OrgDb,
  rows: readonly queries.ClientRow[],
  countHolds: CountHolds,
): Promise<Client[]> {
  const ids = rows.map(({ id }) => id);
  const ignored = Map.groupBy(await queries.ignoredOf(db, ids), ({ key_id }) => key_id);
  const holds = await countHolds(db, ids);
  return rows.map(({ id, name, user, live, expires_at, revoked_at, ...row }) => ({
    key: { id, name, user, live, expires_at, revoked_at },
    ...row,
    ignored: (ignored.get(id) ?? []).map(({ key_id: _, ...one }) => one),
    holds: holds.get(id) ?? 0,
  }));
}

/**
 * Releases all people and groups of a client (see requireClient), or says what would change. A release that was interrupted can be
 * repeated.
 */
export async function releaseAll(
  call: Call,
  keyId: string,
  { dryRun, forgetIds }: { dryRun: boolean; forgetIds: boolean },
): Promise<Release> {
  requireAllApps(call.principal, 'releasing people');
  const counts = await queries.countReleased(call, keyId);
  const fields = await queries.fieldsOfClient(call, keyId);
  const concerned = { ...counts, fields };
  if (dryRun) return { dry_run: true, ...concerned };
  return { dry_run: false, ...concerned, ...(await releaseClient(call, keyId, { forgetIds })) };
}

/** Throws 404 for a key that is not one of a client. */
export async function requireClient(db: OrgDb, keyId: string): Promise<void> {
  if (!isUuid(keyId) || !(await queries.isClient(db, keyId))) throw notFound('SCIM client');
}
