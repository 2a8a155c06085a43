import { sql } from 'kysely';
import type { OrgDb } from '../../../kit/database/organization.ts';
import { type Moment, momentToIso } from '../moment.ts';

export interface FollowedRow {
  event_id: string;
  event_type: string;
  ingested_at: Moment;
  /** JSON text: the envelope. */
  body: string;
}

/** Returns events oldest first. */
export async function selectBetween(
  db: OrgDb,
  { after, to }: { after: Moment; to: Moment },
  types: string[],
  limit: number,
  table: 'event_contract' | 'event_configuration',
): Promise<FollowedRow[]> {
  const { rows } = await sql<FollowedRow>`
    select e.event_id, e.event_type, (extract(epoch from e.ingested_at) * 1000000)::bigint as ingested_at, e.body
    from ${sql.table(table)} e
    where e.org_id = ${db.orgId} and e.event_type = any(${types}::text[])
      and e.ingested_at > ${momentToIso(after)}::timestamptz and e.ingested_at <= ${momentToIso(to)}::timestamptz
    order by e.ingested_at limit ${limit}`.execute(db);
  return rows;
}

export async function selectEnd(db: OrgDb): Promise<Moment> {
  const { rows } = await sql<{ end: Moment }>`
    select (extract(epoch from last_ingested_at) * 1000000)::bigint as "end" from event_head
    where org_id = ${db.orgId}`.execute(db);
  return rows[0]?.end ?? 0;
}

export async function selectPlace(db: OrgDb, eventId: string): Promise<Moment | undefined> {
  const { rows } = await sql<{ place: Moment }>`
    select (extract(epoch from e.ingested_at) * 1000000)::bigint as place from event e
    where e.org_id = ${db.orgId} and e.event_id = ${eventId}
      and e.ingested_at >= (select h.retained_from from event_head h where h.org_id = ${db.orgId})`.execute(
    db,
  );
  return rows[0]?.place;
}

/** Returns the time of the newest event about a subject for each value of a payload field, among those with these fields. */
export async function selectNewestBy(
  db: OrgDb,
  { type, subject, where, by }: NewestBy,
): Promise<{ value: string; at: Date }[]> {
  const payload = sql`e.body::jsonb -> 'payload'`;
  const { rows } = await sql<{ value: string; at: Date }>`
    select ${payload} ->> ${by}::text as value, max(e.ingested_at) as at from event_configuration e
    where e.org_id = ${db.orgId} and e.subject_uuid = ${subject}::uuid and e.event_type = ${type}
      and ${payload} @> ${JSON.stringify(where)}::jsonb
    group by 1`.execute(db);
  return rows;
}

export interface NewestBy {
  type: string;
  subject: string;
  where: Record<string, string>;
  by: string;
}

export interface ActsOn {
  types: readonly string[];
  /** The person whom the events are about. */
  subject: string;
  /** The people who caused them. */
  actors: readonly string[];
  /** API keys that caused them, whoever they act for. */
  keys: readonly string[];
  since: Date;
}

/** Returns the people among these whom an event has taken a privileged role from, as far as the log reaches back. */
export async function selectFormerlyPrivileged(db: OrgDb, ids: string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select distinct e.subject_uuid as id from event e
    where e.org_id = ${db.orgId} and e.subject_uuid = any(${ids}::uuid[]) and e.event_type = 'role.changed'
      and e.body::json -> 'payload' ->> 'from' <> 'member'`.execute(db);
  return rows.map(({ id }) => id);
}

/** Returns the bodies of the events of these types about a person that other people caused since then. */
export async function selectActsOn(
  db: OrgDb,
  { types, subject, actors, keys, since }: ActsOn,
): Promise<string[]> {
  const { rows } = await sql<{ body: string }>`
    select e.body from event e
    where e.org_id = ${db.orgId} and e.subject_uuid = ${subject}::uuid and e.event_type = any(${types}::text[])
      and (e.actor_uuid = any(${actors}::uuid[]) and e.actor_uuid <> ${subject}::uuid
        or e.body::json #>> '{source,uuid}' = any(${keys}::text[]))
      and e.ingested_at > ${since}::timestamptz`.execute(db);
  return rows.map(({ body }) => body);
}

/** Returns the actor of the last `password.link_created` before the last password that was set with a link. */
export async function selectLinkBehindPassword(db: OrgDb, personId: string): Promise<string | null> {
  const { rows } = await sql<{ creator: string | null }>`
    select e.actor_uuid as creator from event e
    where e.org_id = ${db.orgId} and e.subject_uuid = ${personId}::uuid and e.event_type = 'password.link_created'
      and e.ingested_at < (
        select max(p.ingested_at) from event p
        where p.org_id = ${db.orgId} and p.subject_uuid = ${personId}::uuid and p.event_type = 'password.changed'
          and p.body::json #>> '{payload,method}' = 'link')
    order by e.ingested_at desc limit 1`.execute(db);
  return rows[0]?.creator ?? null;
}
