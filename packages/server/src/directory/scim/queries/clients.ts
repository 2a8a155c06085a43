import { type RawBuilder, sql } from 'kysely';
import type { Org, OrgDb } from '../../../kit/database/organization.ts';
import type { Page, Slice } from '../../../kit/http/lists.ts';
import { isLiveKey } from '../../../kit/identity/key-facts.ts';

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

const peopleOf = (org: Org, key: RawBuilder<unknown>) => sql`
  from person_source s where s.org_id = ${org.orgId} and s.key_id = ${key} and s.deleted_at is null`;
const groupsOf = (org: Org, key: RawBuilder<unknown>) => sql`
  from person_group g where g.org_id = ${org.orgId} and g.key_id = ${key}`;

/** The keys with the scope scim that work, and those that still manage people or groups. */
const clients = (org: Org) => sql`
  select k.id from api_key k
  where k.org_id = ${org.orgId} and 'scim' = any(k.scopes) and ${sql.raw(isLiveKey('k'))}
  union
  select s.key_id from person_source s
  where s.org_id = ${org.orgId} and s.key_id is not null and s.deleted_at is null
  union
  select g.key_id from person_group g where g.org_id = ${org.orgId} and g.key_id is not null`;

const client = (org: Org) => sql`
  c.id, k.name, k.user_id as user, coalesce(${sql.raw(isLiveKey('k'))}, false) as live, k.expires_at, k.revoked_at,
  k.last_used_at as last_request_at,
  (select count(*)::float8 ${peopleOf(org, sql`c.id`)}) as people,
  (select count(*)::float8 ${groupsOf(org, sql`c.id`)}) as groups,
  (select coalesce(sum(r.refused), 0)::float8 from scim_refused r
    where r.org_id = ${org.orgId} and r.key_id = c.id and r.hour > now() - interval '24 hours') as refused`;

/** Newest first. */
export async function listClients(db: OrgDb, { limit, offset }: Page): Promise<Slice<ClientRow>> {
  const counted = await sql<{ n: number }>`
    select count(*)::float8 as n from (${clients(db)}) as c`.execute(db);
  const { rows } = await sql<ClientRow>`
    select ${client(db)} from (${clients(db)}) as c left join api_key k on k.org_id = ${db.orgId} and k.id = c.id
    order by c.id desc limit ${limit} offset ${offset}`.execute(db);
  return { count: counted.rows[0]?.n ?? 0, results: rows };
}

/** Returns a client, also one whose key has ended and that manages nobody. */
export async function findClient(db: OrgDb, keyId: string): Promise<ClientRow | undefined> {
  const { rows } = await sql<ClientRow>`
    select ${client(db)} from (
      select k.id from api_key k where k.org_id = ${db.orgId} and k.id = ${keyId} and 'scim' = any(k.scopes)
      union select s.key_id as id ${peopleOf(db, sql`${keyId}::uuid`)}
      union select g.key_id as id ${groupsOf(db, sql`${keyId}::uuid`)}
    ) as c left join api_key k on k.org_id = ${db.orgId} and k.id = c.id`.execute(db);
  return rows[0];
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
  const { rows } = await sql<ReleaseCounts>`
    select
      (select count(*)::float8 from person_source s
        join platform_user u on u.org_id = ${db.orgId} and u.id = s.user_id and u.status = 'active'
        where s.org_id = ${db.orgId} and s.key_id = ${keyId} and s.deleted_at is null) as active,
      (select count(*)::float8 ${groupsOf(db, sql`${keyId}::uuid`)} and g.role is not null) as with_role,
      (select count(*)::float8 from person_release r where r.org_id = ${db.orgId} and r.key_id = ${keyId}) as kept_ids`.execute(
    db,
  );
  return rows[0] as ReleaseCounts;
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
