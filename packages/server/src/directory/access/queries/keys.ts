import type { Db, Org, OrgDb, OrgTx } from '#kit/database.ts';
import { isUnended, type KeyScope, type Role } from '#kit/identity.ts';
import type { Page, Slice } from '#kit/pages.ts';
import { exists, many, one, type RawBuilder, run, sql, value, values } from '#kit/sql.ts';
import { isLive, type KeyFilter, keyFilters } from '../filters.ts';
import type { ApiKey } from '../schemas.ts';

export interface KeyRow {
  org_id: string;
  org_slug: string;
  key_id: string;
  user_id: string;
  created_by: string;
  role: Role;
  scopes: KeyScope[];
  /** Null: all apps. */
  apps: string[] | null;
  connector_run_id: string | null;
  provider: string | null;
}

/** Returns the live key with this hash, of an organization or of any, and the role of the person for whom it acts. */
export const findLiveKey = (db: Db, orgId: string | null, hash: Buffer) => one<KeyRow>(db)`
    select k.org_id, o.slug as org_slug, k.id as key_id, k.user_id, k.created_by, k.scopes, u.role, k.connector_run_id, k.provider,
      case when k.all_apps then null else array(
        select a.app_id::text from api_key_app a
        where a.org_id = ${orgId === null ? sql`k.org_id` : orgId} and a.key_id = k.id
      ) end as apps
    from api_key k
    join organization o on o.id = k.org_id
    join platform_user u on u.org_id = k.org_id and u.id = k.user_id
    where ${orgId === null ? sql`true` : sql`k.org_id = ${orgId}`} and k.key_hash = ${hash}
      and ${sql.raw(isUnended('k'))} and u.status = 'active'`;

/** Keys with the people for whom they act. */
const keys = sql`api_key k join platform_user u on u.org_id = k.org_id and u.id = k.user_id`;

const apiKey = (org: Org) => sql`
  k.id, k.name, k.scopes, k.user_id as user, k.created_by, k.created_at, k.expires_at, k.last_used_at, k.revoked_at,
  ${isLive} as live,
  case when k.all_apps then null else array(
    select a.app_id::text from api_key_app a where a.org_id = ${org.orgId} and a.key_id = k.id order by 1
  ) end as apps`;

/** The reach of a key: its scopes and apps. */
export interface KeyReach {
  scopes: string[];
  /** Null: all apps. */
  apps: string[] | null;
}

/** Returns the keys that have no scope and no app beyond `reach`. Newest first. */
export async function listKeys(
  db: OrgDb,
  filter: KeyFilter,
  reach: KeyReach,
  { limit, offset }: Page,
): Promise<Slice<ApiKey>> {
  const where = keyFilters.where(
    db,
    filter,
    sql`k.org_id = ${db.orgId}`,
    sql`k.connector_run_id is null`,
    isWithin(db, reach),
  );
  const counted = await value<number>(db)`
    select count(*) as count from ${keys} where ${where}`;
  const rows = await many<ApiKey>(db)`
    select ${apiKey(db)} from ${keys} where ${where}
    order by k.id desc limit ${limit} offset ${offset}`;
  return { count: counted, results: rows };
}

function isWithin(org: Org, { scopes, apps }: KeyReach): RawBuilder<unknown> {
  const hasScopes = sql`k.scopes <@ ${scopes}::text[]`;
  if (apps === null) return hasScopes;
  return sql`${hasScopes} and not k.all_apps and not exists (
    select from api_key_app a
    where a.org_id = ${org.orgId} and a.key_id = k.id and a.app_id <> all(${apps}::uuid[]))`;
}

export const findKey = (db: OrgDb, keyId: string) => one<ApiKey>(db)`
    select ${apiKey(db)} from ${keys} where k.org_id = ${db.orgId} and k.id = ${keyId}`;

export interface NewKey {
  name: string;
  hash: Buffer;
  scopes: readonly KeyScope[];
  apps: string[] | null;
  expiresAt: string | null;
  userId: string;
  /** The provider of the session in which it is made. */
  provider: string | null;
}

export async function insertKey(tx: OrgTx, key: NewKey): Promise<{ id: string; expires_at: Date | null }> {
  const rows = await many<{ id: string; expires_at: Date | null }>(tx)`
    insert into api_key (org_id, name, key_hash, scopes, all_apps, expires_at, user_id, created_by, provider)
    values (${tx.orgId}, ${key.name}, ${key.hash}, ${[...key.scopes]}, ${key.apps === null}, ${key.expiresAt},
      ${key.userId}, ${key.userId}, ${key.provider})
    returning id, expires_at`;
  const stored = rows[0] as { id: string; expires_at: Date | null };
  if (key.apps !== null) {
    await run(tx)`
      insert into api_key_app (org_id, key_id, app_id)
      select distinct ${tx.orgId}::uuid, ${stored.id}::uuid, app_id from unnest(${key.apps}::uuid[]) app_id`;
  }
  return stored;
}

export const insertKeyApp = (tx: OrgTx, keyId: string, appId: string) =>
  run(tx)`insert into api_key_app (org_id, key_id, app_id) values (${tx.orgId}, ${keyId}, ${appId})`;

/** Returns false if the key was revoked before. */
export const revokeKey = (tx: OrgTx, keyId: string) => exists(tx)`
    update api_key set revoked_at = now() where org_id = ${tx.orgId} and id = ${keyId} and revoked_at is null
    returning id`;

/** Revokes the keys that act for a person and were created by someone else. */
export const revokeKeysOfOthers = (tx: OrgTx, userId: string) => many<{ id: string; name: string }>(tx)`
    update api_key set revoked_at = now()
    where org_id = ${tx.orgId} and user_id = ${userId} and created_by <> user_id and revoked_at is null
    returning id, name`;

/** Revokes the keys of a person that have not ended. */
export const revokeKeysOfPerson = (tx: OrgTx, userId: string) => many<{ id: string; name: string }>(tx)`
    update api_key k set revoked_at = now()
    where k.org_id = ${tx.orgId} and k.user_id = ${userId} and k.connector_run_id is null and ${sql.raw(isUnended('k'))}
    returning k.id, k.name`;

/** Revokes the keys that were made in sessions of a provider. */
export const revokeKeysOfProvider = (tx: OrgTx, provider: string) => many<{
  id: string;
  name: string;
  user: string;
}>(tx)`
    update api_key k set revoked_at = now()
    where k.org_id = ${tx.orgId} and k.provider = ${provider} and k.connector_run_id is null and ${sql.raw(isUnended('k'))}
    returning k.id, k.name, k.user_id as user`;

/** Locks a key until `tx` ends, so that it is not transferred or revoked in the meantime. */
export const lockKey = (tx: OrgTx, keyId: string) => run(tx)`
    select from api_key where org_id = ${tx.orgId} and id = ${keyId} for no key update`;

export const transferKey = (tx: OrgTx, keyId: string, userId: string) => run(tx)`
    update api_key set user_id = ${userId} where org_id = ${tx.orgId} and id = ${keyId}`;

/**
 * Returns the names of these people's keys that were not revoked and have not expired, oldest first. Keys of connector runs do
 * not count: the run ends with its key.
 */
export const unendedKeyNames = (tx: OrgTx, userIds: string[]) => values<string>(tx)`
    select k.name from api_key k
    where k.org_id = ${tx.orgId} and k.user_id = any(${userIds}::uuid[]) and k.connector_run_id is null
      and ${sql.raw(isUnended('k'))}
    order by k.id`;

export const deleteKeys = (tx: OrgTx, userIds: string[]) =>
  run(tx)`delete from api_key where org_id = ${tx.orgId} and user_id = any(${userIds}::uuid[])`;
