import { sql } from 'kysely';
import type { Db } from '../../platform/database/open.ts';
import { type Moment, momentToIso } from '../moment.ts';

export interface FollowedRow {
  event_type: string;
  ingested_at: Moment;
  /** JSON text: the envelope. */
  body: string;
}

const microseconds = sql.raw('(extract(epoch from ingested_at) * 1000000)::bigint');

/** Returns events oldest first. */
export async function selectBetween(
  db: Db,
  orgId: string,
  { after, to }: { after: Moment; to: Moment },
  types: string[],
  limit: number,
): Promise<FollowedRow[]> {
  const { rows } = await sql<FollowedRow>`
    select event_type, ${microseconds} as ingested_at, body from event_contract
    where org_id = ${orgId} and event_type = any(${types}::text[])
      and ingested_at > ${momentToIso(after)}::timestamptz and ingested_at <= ${momentToIso(to)}::timestamptz
    order by event_contract.ingested_at limit ${limit}`.execute(db);
  return rows;
}

export async function selectEnd(db: Db, orgId: string): Promise<Moment> {
  const { rows } = await sql<{ end: Moment }>`
    select (extract(epoch from last_ingested_at) * 1000000)::bigint as "end" from event_head
    where org_id = ${orgId}`.execute(db);
  return rows[0]?.end ?? 0;
}
