import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../platform/database/open.ts';

/** An event on its way into the log: its filter columns, and its envelope but for what only the log can tell. */
export interface EventRow {
  event_type: string;
  /** Null: the moment of recording. */
  occurred_at: string | null;
  actor_uuid: string | null;
  actor_ip: string | null;
  subject_uuid: string;
  /** JSON text: the members that the type decides. */
  head: string;
  /** JSON text: actor, subject, source, payload, and the closing brace. */
  tail: string;
}

const instant = (column: RawBuilder<unknown>) =>
  sql`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;

/**
 * Allots the next positions and moments to what the relation `batch` holds (columns as EventRow, and `i` from 1), and
 * stores it. The update of the head waits for every transaction that recorded before, and reads the clock after
 * that wait: the lock is what makes the order of positions the order of commits.
 */
const append = sql`
  head as (
    update event_head h set
      last_position = h.last_position + batch_size.n,
      last_ingested_at = greatest(clock_timestamp(), h.last_ingested_at + interval '1 microsecond')
        + (batch_size.n - 1) * interval '1 microsecond'
    from (select count(*) as n from batch) batch_size
    where h.org_id = (select org_id from organization_of_batch) and batch_size.n > 0
    returning h.org_id, old.last_position as position_before, new.last_ingested_at, batch_size.n
  ),
  placed as materialized (
    select head.org_id, head.position_before + batch.i as position, gen_random_uuid() as event_id, batch.*,
      head.last_ingested_at - (head.n - batch.i) * interval '1 microsecond' as ingested_at
    from head cross join batch
  ),
  dated as (
    select placed.*, least(placed.occurred_at, placed.ingested_at) as happened_at from placed
  )
  insert into event (org_id, position, ingested_at, event_id, event_type, occurred_at, actor_uuid, actor_ip,
    subject_uuid, lag, body)
  select org_id, position, ingested_at, event_id, event_type, happened_at, actor_uuid, actor_ip, subject_uuid,
    event_lag(happened_at, ingested_at),
    '{"event_id":"' || event_id || '",' || head
      || ',"occurred_at":"' || ${instant(sql`happened_at`)} || '","ingested_at":"' || ${instant(sql`ingested_at`)}
      || '",' || tail
  from dated`;

export async function appendEvents(tx: Tx, orgId: string, rows: EventRow[]): Promise<void> {
  await sql`
    with organization_of_batch as (select ${orgId}::uuid as org_id),
    batch as materialized (
      select * from unnest(
        ${rows.map((row) => row.event_type)}::text[], ${rows.map((row) => row.occurred_at)}::timestamptz[],
        ${rows.map((row) => row.actor_uuid)}::uuid[], ${rows.map((row) => row.actor_ip)}::text[],
        ${rows.map((row) => row.subject_uuid)}::uuid[], ${rows.map((row) => row.head)}::text[],
        ${rows.map((row) => row.tail)}::text[]
      ) with ordinality as given (event_type, occurred_at, actor_uuid, actor_ip, subject_uuid, head, tail, i)
    ), ${append}`.execute(tx);
}

/** `types`: what is known of each type before its event is. An event of another type is refused by the join's check. */
export async function appendEventsFrom(
  tx: Tx,
  orgId: string,
  types: { names: string[]; heads: string[] },
  query: RawBuilder<unknown>,
): Promise<number> {
  const { numAffectedRows } = await sql`
    with organization_of_batch as (select ${orgId}::uuid as org_id),
    type as (select * from unnest(${types.names}::text[], ${types.heads}::text[]) as t (event_type, head)),
    batch as materialized (
      select q.event_type, q.occurred_at, (q.actor ->> 'uuid')::uuid as actor_uuid, q.actor ->> 'ip' as actor_ip,
        q.subject_uuid, type.head,
        '"actor":' || q.actor::text
          || ',"subject":' || json_build_object('type', q.subject_type, 'uuid', q.subject_uuid)::text
          || ',"source":' || json_build_object('type', q.source_type, 'uuid', q.source_uuid)::text
          || ',"payload":' || q.payload::text || '}' as tail,
        q.i
      from (select *, row_number() over () as i from (${query}) given) q left join type using (event_type)
    ), ${append}`.execute(tx);
  return Number(numAffectedRows ?? 0);
}
