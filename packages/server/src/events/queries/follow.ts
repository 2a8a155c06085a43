import { sql } from 'kysely';
import type { Db } from '../../platform/database/open.ts';
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
  db: Db,
  orgId: string,
  { after, to }: { after: Moment; to: Moment },
  types: string[],
  limit: number,
  table: 'event_contract' | 'event_configuration' = 'event_contract',
): Promise<FollowedRow[]> {
  const { rows } = await sql<FollowedRow>`
    select e.event_id, e.event_type, (extract(epoch from e.ingested_at) * 1000000)::bigint as ingested_at, e.body
    from ${sql.table(table)} e
    where e.org_id = ${orgId} and e.event_type = any(${types}::text[])
      and e.ingested_at > ${momentToIso(after)}::timestamptz and e.ingested_at <= ${momentToIso(to)}::timestamptz
    order by e.ingested_at limit ${limit}`.execute(db);
  return rows;
}

export async function selectEnd(db: Db, orgId: string): Promise<Moment> {
  const { rows } = await sql<{ end: Moment }>`
    select (extract(epoch from last_ingested_at) * 1000000)::bigint as "end" from event_head
    where org_id = ${orgId}`.execute(db);
  return rows[0]?.end ?? 0;
}

export async function selectPlace(db: Db, orgId: string, eventId: string): Promise<Moment | undefined> {
  const { rows } = await sql<{ place: Moment }>`
    select (extract(epoch from e.ingested_at) * 1000000)::bigint as place from event e
    where e.org_id = ${orgId} and e.event_id = ${eventId}
      and e.ingested_at >= (select h.retained_from from event_head h where h.org_id = ${orgId})`.execute(db);
  return rows[0]?.place;
}

/** Returns the time of the newest event about a subject for each value of a payload field, among those with these fields. */
export async function selectNewestBy(
  db: Db,
  orgId: string,
  { type, subject, where, by }: NewestBy,
): Promise<{ value: string; at: Date }[]> {
  const payload = sql`e.body::jsonb -> 'payload'`;
  const { rows } = await sql<{ value: string; at: Date }>`
    select ${payload} ->> ${by}::text as value, max(e.ingested_at) as at from event_configuration e
    where e.org_id = ${orgId} and e.subject_uuid = ${subject}::uuid and e.event_type = ${type}
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
