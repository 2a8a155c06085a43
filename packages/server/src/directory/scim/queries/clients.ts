import { type RawBuilder, sql } from 'kysely';
import type { OrgDb } from '../../../kit/database/organization.ts';
import { isUnended } from '../../../kit/identity/key-facts.ts';

export interface ClientRow {
  id: string;
  /** Null: the key was deleted with its person. */
  name: string | null;
  user: string | null;
  live: boolean;
  expires_at: Date | null;
  revoked_at: Date | null;
  last_request_at: Date | null;
  people: number;
  groups: number;
  /** In the last 24 hours, to the hour. */
  refused: number;
}

export interface IgnoredRow {
  key_id: string;
  attribute: string;
  reason: string;
  count: number;
  last_at: Date;
}

/** A key with the scope scim, whether it works or not. */
export type KeyRow = Omit<ClientRow, 'people' | 'groups' | 'refused'>;

export async function scimKeys(db: OrgDb): Promise<KeyRow[]> {
  const { rows } = await sql<KeyRow>`
    select k.id, k.name, k.user_id as user, (${sql.raw(isUnended('k'))} and u.status = 'active') as live, k.expires_at,
      k.revoked_at, k.last_used_at as last_request_at
    from api_key k join platform_user u on u.org_id = k.org_id and u.id = k.user_id
    where k.org_id = ${db.orgId} and 'scim' = any(k.scopes) and k.connector_run_id is null`.execute(db);
  return rows;
}

const byKey = (rows: readonly { key_id: string; n: number }[]): Map<string, number> =>
  new Map(rows.map(({ key_id, n }) => [key_id, n]));

/** Returns the number of people whom each key manages. */
export async function peopleByKey(db: OrgDb): Promise<Map<string, number>> {
  const { rows } = await sql<{ key_id: string; n: number }>`
    select key_id, count(*)::float8 as n from person_source
    where org_id = ${db.orgId} and key_id is not null and deleted_at is null group by key_id`.execute(db);
  return byKey(rows);
}

/** Returns the number of groups that each key keeps. */
export async function groupsByKey(db: OrgDb): Promise<Map<string, number>> {
  const { rows } = await sql<{ key_id: string; n: number }>`
    select key_id, count(*)::float8 as n from person_group
    where org_id = ${db.orgId} and key_id is not null group by key_id`.execute(db);
  return byKey(rows);
}

/** Returns the number of requests of each key that were refused in the last 24 hours. */
export async function refusedByKey(db: OrgDb): Promise<Map<string, number>> {
  const { rows } = await sql<{ key_id: string; n: number }>`
    select key_id, sum(refused)::float8 as n from scim_refused
    where org_id = ${db.orgId} and hour > now() - interval '24 hours' group by key_id`.execute(db);
  return byKey(rows);
}

/** Returns the attributes of clients that were left as they were, the latest first. */
export async function ignoredOf(db: OrgDb, keyIds: readonly string[]): Promise<IgnoredRow[]> {
  const { rows } = await sql<IgnoredRow>`
    select i.key_id, i.attribute, i.reason, i.count::float8 as count, i.last_at from scim_ignored i
    where i.org_id = ${db.orgId} and i.key_id = any(${[...keyIds]}::uuid[])
    order by i.last_at desc, i.attribute`.execute(db);
  return rows;
}

export interface ReleaseCounts {
  /** The active ones among the people. */
  active: number;
  /** The groups that give a role. */
  with_role: number;
  /** The people whose external id is kept from an earlier release. */
  kept_ids: number;
}

/** Returns what a release of a client concerns, in addition to the numbers of its people and groups. */
export async function countReleased(db: OrgDb, keyId: string): Promise<ReleaseCounts> {
  const count = async (from: RawBuilder<unknown>) =>
    (await sql<{ n: number }>`select count(*)::float8 as n ${from}`.execute(db)).rows[0]?.n ?? 0;
  return {
    active: await count(sql`
      from person_source s
      join platform_user u on u.org_id = ${db.orgId} and u.id = s.user_id and u.status = 'active'
      where s.org_id = ${db.orgId} and s.key_id = ${keyId} and s.deleted_at is null`),
    with_role: await count(sql`
      from person_group where org_id = ${db.orgId} and key_id = ${keyId} and role is not null`),
    kept_ids: await count(sql`from person_release where org_id = ${db.orgId} and key_id = ${keyId}`),
  };
}

/** Returns how many people of a client have each field that it owns, the most frequent first. */
export async function fieldsOfClient(db: OrgDb, keyId: string): Promise<{ field: string; people: number }[]> {
  const { rows } = await sql<{ field: string; people: number }>`
    select o.field, count(*)::float8 as people
    from person_source s cross join lateral unnest(s.owned) as o (field)
    where s.org_id = ${db.orgId} and s.key_id = ${keyId} and s.deleted_at is null
    group by o.field order by count(*) desc, o.field collate "C"`.execute(db);
  return rows;
}
