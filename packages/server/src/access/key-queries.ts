import { sql } from 'kysely';
import { isLiveKey } from '../identity/key-facts.ts';
import type { KeyScope, Role } from '../identity/principal.ts';
import type { Db, Tx } from '../platform/database/open.ts';
import type { Page, Slice } from '../platform/http/lists.ts';

export interface KeyRow {
  org_id: string;
  org_slug: string;
  key_id: string;
  user_id: string;
  role: Role;
  scopes: KeyScope[];
  /** Null: all apps. */
  apps: string[] | null;
}

/** Returns the live key with this hash and its person's role. A deactivated person's role counts as member. */
export async function findLiveKey(db: Db, hash: Buffer): Promise<KeyRow | undefined> {
  const { rows } = await sql<KeyRow>`
    select k.org_id, o.slug as org_slug, k.id as key_id, k.created_by as user_id, k.scopes,
      case when u.status = 'active' then u.role else 'member' end as role,
      case when k.all_apps then null else array(
        select a.app_id::text from api_key_app a where a.org_id = k.org_id and a.key_id = k.id
      ) end as apps
    from api_key k
    join organization o on o.id = k.org_id
    join platform_user u on u.org_id = k.org_id and u.id = k.created_by
    where k.key_hash = ${hash} and ${sql.raw(isLiveKey('k'))}`.execute(db);
  return rows[0];
}

export interface ApiKey {
  id: string;
  name: string;
  scopes: KeyScope[];
  /** Null: all apps. */
  apps: string[] | null;
  created_by: string;
  created_at: Date;
  expires_at: Date | null;
  last_used_at: Date | null;
  revoked_at: Date | null;
}

const apiKey = sql`
  k.id, k.name, k.scopes, k.created_by, k.created_at, k.expires_at, k.last_used_at, k.revoked_at,
  case when k.all_apps then null else array(
    select a.app_id::text from api_key_app a where a.org_id = k.org_id and a.key_id = k.id order by 1
  ) end as apps`;

export async function listKeys(db: Db, orgId: string, { limit, offset }: Page): Promise<Slice<ApiKey>> {
  const { rows: counted } = await sql<{ count: number }>`
    select count(*) as count from api_key where org_id = ${orgId}`.execute(db);
  const { rows } = await sql<ApiKey>`
    select ${apiKey} from api_key k where k.org_id = ${orgId}
    order by k.id desc limit ${limit} offset ${offset}`.execute(db);
  return { count: counted[0]?.count ?? 0, results: rows };
}

export async function findKey(db: Db, orgId: string, keyId: string): Promise<ApiKey | undefined> {
  const { rows } = await sql<ApiKey>`
    select ${apiKey} from api_key k where k.org_id = ${orgId} and k.id = ${keyId}`.execute(db);
  return rows[0];
}

export interface NewKey {
  name: string;
  hash: Buffer;
  scopes: readonly KeyScope[];
  apps: string[] | null;
  expiresAt: string | null;
  createdBy: string;
}

export async function insertKey(
  tx: Tx,
  orgId: string,
  key: NewKey,
): Promise<{ id: string; expires_at: Date | null }> {
  const { rows } = await sql<{ id: string; expires_at: Date | null }>`
    insert into api_key (org_id, name, key_hash, scopes, all_apps, expires_at, created_by)
    values (${orgId}, ${key.name}, ${key.hash}, ${[...key.scopes]}, ${key.apps === null}, ${key.expiresAt}, ${key.createdBy})
    returning id, expires_at`.execute(tx);
  const stored = rows[0] as { id: string; expires_at: Date | null };
  if (key.apps !== null) {
    await sql`
      insert into api_key_app (org_id, key_id, app_id)
      select distinct ${orgId}::uuid, ${stored.id}::uuid, app_id from unnest(${key.apps}::uuid[]) app_id`.execute(
      tx,
    );
  }
  return stored;
}

export async function insertKeyApp(tx: Tx, orgId: string, keyId: string, appId: string): Promise<void> {
  await sql`insert into api_key_app (org_id, key_id, app_id) values (${orgId}, ${keyId}, ${appId})`.execute(
    tx,
  );
}

/** Returns false if the key was revoked before. */
export async function revokeKey(tx: Tx, orgId: string, keyId: string): Promise<boolean> {
  const { rows } = await sql`
    update api_key set revoked_at = now() where org_id = ${orgId} and id = ${keyId} and revoked_at is null
    returning id`.execute(tx);
  return rows.length > 0;
}

/** Returns the names of the live keys that act for these people, oldest first. */
export async function liveKeyNames(tx: Tx, orgId: string, userIds: string[]): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select k.name from api_key k
    where k.org_id = ${orgId} and k.created_by = any(${userIds}::uuid[]) and ${sql.raw(isLiveKey('k'))}
    order by k.id`.execute(tx);
  return rows.map(({ name }) => name);
}

export async function deleteKeys(tx: Tx, orgId: string, userIds: string[]): Promise<void> {
  await sql`delete from api_key where org_id = ${orgId} and created_by = any(${userIds}::uuid[])`.execute(tx);
}
