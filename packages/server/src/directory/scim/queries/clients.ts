import type { Org, OrgDb } from '#kit/database.ts';
import { isUnended } from '#kit/identity.ts';
import { many, sql, value } from '#kit/sql.ts';
import type { Client, Release } from '../client-schemas.ts';

/** A key with the scope scim, whether it works or not. */
type KeyRow = Client['key'] & Pick<Client, 'last_request_at'>;
export type ClientRow = KeyRow & Pick<Client, 'people' | 'groups' | 'kept_ids' | 'refused'>;

export const scimKeys = (db: OrgDb) => many<KeyRow>(db)`
    select k.id, k.name, k.user_id as user, (${sql.raw(isUnended('k'))} and u.status = 'active') as live, k.expires_at,
      k.revoked_at, k.last_used_at as last_request_at
    from api_key k join platform_user u on u.org_id = k.org_id and u.id = k.user_id
    where k.org_id = ${db.orgId} and 'scim' = any(k.scopes) and k.connector_run_id is null`;

const byKey = (rows: readonly { key_id: string; n: number }[]): Map<string, number> =>
  new Map(rows.map(({ key_id, n }) => [key_id, n]));

/** Returns the number of people whom each key manages. */
export async function peopleByKey(db: OrgDb): Promise<Map<string, number>> {
  const rows = await many<{ key_id: string; n: number }>(db)`
    select key_id, count(*)::float8 as n from person_source
    where org_id = ${db.orgId} and key_id is not null and deleted_at is null group by key_id`;
  return byKey(rows);
}

/** Returns the number of groups that each key keeps. */
export async function groupsByKey(db: OrgDb): Promise<Map<string, number>> {
  const rows = await many<{ key_id: string; n: number }>(db)`
    select key_id, count(*)::float8 as n from person_group
    where org_id = ${db.orgId} and key_id is not null group by key_id`;
  return byKey(rows);
}

/** The people whose external id of a client is kept, although it no longer manages them: they were released, or it deleted them. */
const keptIds = (org: Org, keyId?: string) => {
  const ofKey = keyId === undefined ? sql`key_id is not null` : sql`key_id = ${keyId}`;
  return sql`(
    select key_id from person_release where org_id = ${org.orgId} and ${ofKey}
    union all
    select key_id from person_source
    where org_id = ${org.orgId} and ${ofKey} and deleted_at is not null and external_id is not null)`;
};

/** Returns the number of people whose external id of each key is kept. */
export async function keptByKey(db: OrgDb): Promise<Map<string, number>> {
  const rows = await many<{ key_id: string; n: number }>(db)`
    select kept.key_id, count(*)::float8 as n from ${keptIds(db)} kept group by kept.key_id`;
  return byKey(rows);
}

/** Whether a key is one of a client: it has the scope scim, or keeps something. */
export async function isClient(db: OrgDb, keyId: string): Promise<boolean> {
  return (
    (await value<boolean | undefined>(db)`
    select exists (
        select from api_key k where k.org_id = ${db.orgId} and k.id = ${keyId} and 'scim' = any(k.scopes) and k.connector_run_id is null)
      or exists (select from person_source where org_id = ${db.orgId} and key_id = ${keyId} and deleted_at is null)
      or exists (select from person_group where org_id = ${db.orgId} and key_id = ${keyId})
      or exists (select from ${keptIds(db, keyId)} kept) as found`) ?? false
  );
}

/** Returns the number of requests of each key that were refused in the last 24 hours. */
export async function refusedByKey(db: OrgDb): Promise<Map<string, number>> {
  const rows = await many<{ key_id: string; n: number }>(db)`
    select key_id, sum(refused)::float8 as n from scim_refused
    where org_id = ${db.orgId} and hour > now() - interval '24 hours' group by key_id`;
  return byKey(rows);
}

/** Returns the attributes of clients that were left as they were, the latest first. */
export const ignoredOf = (db: OrgDb, keyIds: readonly string[]) => many<
  Client['ignored'][number] & { key_id: string }
>(db)`
    select i.key_id, i.attribute, i.reason, i.count::float8 as count, i.last_at from scim_ignored i
    where i.org_id = ${db.orgId} and i.key_id = any(${[...keyIds]}::uuid[])
    order by i.last_at desc, i.attribute`;

type ReleaseCounts = Omit<Release, 'dry_run' | 'fields'>;

/** Returns what a release of a client concerns. */
export async function countReleased(db: OrgDb, keyId: string): Promise<ReleaseCounts> {
  const people = await many<Pick<ReleaseCounts, 'people' | 'active'>>(db)`
    select count(*)::float8 as people, count(*) filter (where u.status = 'active')::float8 as active
    from person_source s left join platform_user u on u.org_id = ${db.orgId} and u.id = s.user_id
    where s.org_id = ${db.orgId} and s.key_id = ${keyId} and s.deleted_at is null`;
  const groups = await many<Pick<ReleaseCounts, 'groups' | 'with_role'>>(db)`
    select count(*)::float8 as groups, count(role)::float8 as with_role
    from person_group where org_id = ${db.orgId} and key_id = ${keyId}`;
  const kept = await many<Pick<ReleaseCounts, 'kept_ids'>>(db)`
    select count(*)::float8 as kept_ids from ${keptIds(db, keyId)} kept`;
  return { ...one(people), ...one(groups), ...one(kept) };
}

const one = <R>(rows: readonly R[]): R => rows[0] as R;

/** Returns how many people of a client have each field that it owns, the most frequent first. */
export const fieldsOfClient = (db: OrgDb, keyId: string) => many<{ field: string; people: number }>(db)`
    select o.field, count(*)::float8 as people
    from person_source s cross join lateral unnest(s.owned) as o (field)
    where s.org_id = ${db.orgId} and s.key_id = ${keyId} and s.deleted_at is null
    group by o.field order by count(*) desc, o.field collate "C"`;
