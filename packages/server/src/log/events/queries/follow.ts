import type { OrgDb } from '#kit/database.ts';
import { many, sql } from '#kit/sql.ts';
import { type Moment, momentToIso } from '../moment.ts';

export interface FollowedRow {
  event_id: string;
  event_type: string;
  ingested_at: Moment;
  /** JSON text: the envelope. */
  body: string;
}

/** Returns events oldest first. */
export const selectBetween = (
  db: OrgDb,
  { after, to }: { after: Moment; to: Moment },
  types: string[],
  limit: number,
  table: 'event_contract' | 'event_configuration',
) => many<FollowedRow>(db)`
    select e.event_id, e.event_type, (extract(epoch from e.ingested_at) * 1000000)::bigint as ingested_at, e.body
    from ${sql.table(table)} e
    where e.org_id = ${db.orgId} and e.event_type = any(${types}::text[])
      and e.ingested_at > ${momentToIso(after)}::timestamptz and e.ingested_at <= ${momentToIso(to)}::timestamptz
    order by e.ingested_at limit ${limit}`;
