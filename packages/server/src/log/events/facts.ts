import type { OrgDb } from '#kit/database.ts';
import { many, type RawBuilder, sql, value, values } from '#kit/sql.ts';
import type { EventType } from './catalog.ts';
import type { Moment } from './moment.ts';

/** Returns the place of the newest event. */
export async function endOfLog(db: OrgDb): Promise<Moment> {
  return (
    (await value<Moment | undefined>(db)`
    select (extract(epoch from last_ingested_at) * 1000000)::bigint as "end" from event_head
    where org_id = ${db.orgId}`) ?? 0
  );
}

/** Returns the place of an event, or undefined if the log does not have it. */
export const placeOf = (db: OrgDb, eventId: string) => value<Moment | undefined>(db)`
    select (extract(epoch from e.ingested_at) * 1000000)::bigint as place from event e
    where e.org_id = ${db.orgId} and e.event_id = ${eventId}
      and e.ingested_at >= (select h.retained_from from event_head h where h.org_id = ${db.orgId})`;

/** An event about one of several subjects. */
interface EventAbout {
  event_id: string;
  event_type: EventType;
  subject: string;
  /** The review item, if it is about one. */
  item: string | null;
}

/** Returns the events of these types about these subjects, and the completions of syncs, in their order. */
export const eventsAbout = (
  db: OrgDb,
  {
    subjects,
    types,
    syncs,
  }: { subjects: readonly string[]; types: readonly EventType[]; syncs: readonly string[] },
) => many<EventAbout>(db)`
    select a.event_id, a.event_type, a.subject, a.item from (
      select e.event_id, e.event_type, e.subject_uuid as subject, e.body::jsonb #>> '{payload,item_id}' as item, e.ingested_at from event e
      where e.org_id = ${db.orgId} and e.subject_uuid = any(${[...subjects]}::uuid[]) and e.event_type = any(${[...types]}::text[])
      union all
      select e.event_id, e.event_type, (e.body::jsonb #>> '{payload,sync_id}')::uuid, null, e.ingested_at from event_contract e
      where e.org_id = ${db.orgId} and e.event_type in ('app.sync.started', 'app.sync.completed', 'app.sync.failed', 'app.sync.paused')
        and e.event_type = 'app.sync.completed' and e.body::jsonb #>> '{payload,sync_id}' = any(${[...syncs]}::text[])) a
    order by a.ingested_at`;

export interface EventsAround {
  /** A relation with the columns id, since and until: events about a subject count between two times. */
  subjects: RawBuilder<unknown>;
  /** Their own actions count, too. */
  actor: string;
  /** Null: all types. */
  types: readonly EventType[] | null;
  /** In ISO 8601 with microseconds. Null: from the newest on. */
  before: string | null;
}

/** Returns the newest events about some subjects and by an actor, as JSON texts with their places. */
export function eventsAround(db: OrgDb, { subjects, actor, types, before }: EventsAround, limit: number) {
  const newest = (of: RawBuilder<unknown>) => sql`
    select e.ingested_at, e.body from event e
    where e.org_id = ${db.orgId} and ${of} and (${before}::timestamptz is null or e.ingested_at < ${before}::timestamptz)
      and ${types === null ? sql`true` : sql`e.event_type = any(${[...types]}::text[])`}
      and e.ingested_at >= (select h.retained_from from event_head h where h.org_id = ${db.orgId})
    order by e.ingested_at desc limit ${limit}`;
  return many<{ place: string; body: string }>(db)`
    select to_char(a.ingested_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as place, a.body from (
      select about.ingested_at, about.body from ${subjects} s cross join lateral (
        ${newest(sql`e.subject_uuid = s.id and e.ingested_at >= s.since and e.ingested_at < s.until`)}) about
      union
      select own.ingested_at, own.body from (${newest(sql`e.actor_uuid = ${actor}::uuid`)}) own) a
    order by a.ingested_at desc limit ${limit}`;
}

/** Returns when each person was last named by an event about a subject that is not in the protocol's catalog. */
export async function newestByPerson(
  db: OrgDb,
  type: EventType,
  subject: string,
  where: Record<string, string>,
): Promise<Map<string, Date>> {
  const payload = sql`e.body::jsonb -> 'payload'`;
  const rows = await many<{ person: string; at: Date }>(db)`
    select ${payload} ->> 'user_id' as person, max(e.ingested_at) as at from event_configuration e
    where e.org_id = ${db.orgId} and e.subject_uuid = ${subject}::uuid and e.event_type = ${type}
      and ${payload} @> ${JSON.stringify(where)}::jsonb
    group by 1`;
  return new Map(rows.map(({ person, at }) => [person, at]));
}

/** Returns the people among these who have had a privileged role and lost it, as far as the log reaches back. */
export const formerlyPrivileged = (db: OrgDb, ids: string[]) => values<string>(db)`
    select distinct e.subject_uuid as id from event e
    where e.org_id = ${db.orgId} and e.subject_uuid = any(${ids}::uuid[]) and e.event_type = 'role.changed'
      and e.body::json -> 'payload' ->> 'from' <> 'member'`;

/**
 * Returns the person who created the sign-in link with which a person last set their password, or null if there was none or Gatehouse
 * emailed it.
 */
export async function linkBehindPassword(db: OrgDb, personId: string): Promise<string | null> {
  return (
    (await value<string | null | undefined>(db)`
    select e.actor_uuid as creator from event e
    where e.org_id = ${db.orgId} and e.subject_uuid = ${personId}::uuid and e.event_type = 'password.link_created'
      and e.ingested_at < (
        select max(p.ingested_at) from event p
        where p.org_id = ${db.orgId} and p.subject_uuid = ${personId}::uuid and p.event_type = 'password.changed'
          and p.body::json #>> '{payload,method}' = 'link')
    order by e.ingested_at desc limit 1`) ?? null
  );
}
