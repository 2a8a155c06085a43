import { isCluster, type OrgDb, type OrgTx } from '#kit/database.ts';
import { type RawBuilder, run, sql, value } from '#kit/sql.ts';

/** An event to append. append_events() makes its text, and gives it an id, a position and times. */
export interface EventRow {
  event_type: string;
  /** The text of an event of this type, with places for what the type does not determine. */
  template: string;
  /** Null means the moment of recording. */
  occurred_at: string | null;
  /** Canonical JSON, as is `payload`. */
  actor: string;
  payload: string;
  source_type: string;
  source_uuid: string | null;
  subject_type: string;
  subject_uuid: string;
}

/** append_events() assigns positions under the lock of the head. */
export const appendEvents = (org: OrgDb, rows: EventRow[]): RawBuilder<unknown> => sql`
    select append_events(
      ${org.orgId}::uuid,
      ${rows.map((row) => row.event_type)}::text[], ${rows.map((row) => row.template)}::text[],
      ${rows.map((row) => row.occurred_at)}::timestamptz[], ${rows.map((row) => row.actor)}::text[],
      ${rows.map((row) => row.payload)}::text[], ${rows.map((row) => row.source_type)}::text[],
      ${rows.map((row) => row.source_uuid)}::uuid[], ${rows.map((row) => row.subject_type)}::text[],
      ${rows.map((row) => row.subject_uuid)}::uuid[])`;

/** How many events of a set-based writer are assembled in memory at a time. */
const CHUNK = 2000;

/**
 * Appends the rows of a query. `types` holds the template of each type: an event of another type has none, and therefore
 * no text, which its column rejects.
 */
export async function appendEventsFrom(
  tx: OrgTx,
  types: { names: string[]; templates: string[] },
  query: RawBuilder<unknown>,
): Promise<number> {
  const chunks = sql`
    with type as (select * from unnest(${types.names}::text[], ${types.templates}::text[]) as t (event_type, template)),
    chunk as (
      select array_agg(q.event_type order by i) as types, array_agg(type.template order by i) as templates,
        array_agg(q.occurred_at order by i) as occurred, array_agg(q.actor order by i) as actors,
        array_agg(q.payload order by i) as payloads, array_agg(q.source_type::text order by i) as source_types,
        array_agg(q.source_uuid order by i) as sources, array_agg(q.subject_type::text order by i) as subject_types,
        array_agg(q.subject_uuid order by i) as subjects
      from (select *, row_number() over () as i from (${query}) given) q left join type using (event_type)
      group by (i - 1) / ${sql.lit(CHUNK)} order by (i - 1) / ${sql.lit(CHUNK)}
    )
    select * from chunk`;
  // A cluster would call the function on the shard, which cannot write to other tables.
  if (!isCluster(tx)) return appendChunks(tx, sql`(${chunks})`);
  await run(tx)`create temp table event_chunk on commit drop as ${chunks}`;
  const count = await appendChunks(tx, sql`pg_temp.event_chunk`);
  await run(tx)`drop table pg_temp.event_chunk`;
  return count;
}

const appendChunks = (tx: OrgTx, chunks: RawBuilder<unknown>) => value<number>(tx)`
    select coalesce(sum(append_events(${tx.orgId}::uuid, types, templates, occurred, actors, payloads, source_types, sources,
      subject_types, subjects)), 0)::integer as count
    from ${chunks} as chunk`;
