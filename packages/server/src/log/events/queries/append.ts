import { type RawBuilder, sql } from 'kysely';
import { isCluster } from '../../../kit/database/cluster.ts';
import type { OrgDb, OrgTx } from '../../../kit/database/organization.ts';

/** An event to append: its filter columns, and its envelope except for id and timestamps. */
export interface EventRow {
  event_type: string;
  /** Null means the moment of recording. */
  occurred_at: string | null;
  actor_uuid: string | null;
  actor_ip: string | null;
  subject_uuid: string;
  /** JSON text: the members that the type determines. */
  head: string;
  /** JSON text: actor, subject, source, payload, and the closing brace. */
  tail: string;
}

/** append_events() assigns positions under the lock of the head. */
export const appendEvents = (org: OrgDb, rows: EventRow[]): RawBuilder<unknown> => sql`
    select append_events(
      ${org.orgId}::uuid,
      ${rows.map((row) => row.event_type)}::text[], ${rows.map((row) => row.occurred_at)}::timestamptz[],
      ${rows.map((row) => row.actor_uuid)}::uuid[], ${rows.map((row) => row.actor_ip)}::text[],
      ${rows.map((row) => row.subject_uuid)}::uuid[], ${rows.map((row) => row.head)}::text[],
      ${rows.map((row) => row.tail)}::text[])`;

/** How many events of a set-based writer are assembled in memory at a time. */
const CHUNK = 2000;

/**
 * Appends the rows of a query. `types` holds the head of each type: an event of another type has no head, and therefore
 * no envelope, which its column rejects.
 */
export async function appendEventsFrom(
  tx: OrgTx,
  types: { names: string[]; heads: string[] },
  query: RawBuilder<unknown>,
): Promise<number> {
  const chunks = sql`
    with type as (select * from unnest(${types.names}::text[], ${types.heads}::text[]) as t (event_type, head)),
    batch as (
      select q.event_type, q.occurred_at, (q.actor ->> 'uuid')::uuid as actor_uuid, q.actor ->> 'ip' as actor_ip,
        q.subject_uuid, type.head, q.i,
        '"actor":' || q.actor::text
          || ',"subject":' || json_build_object('type', q.subject_type, 'uuid', q.subject_uuid)::text
          || ',"source":' || json_build_object('type', q.source_type, 'uuid', q.source_uuid)::text
          || ',"payload":' || q.payload::text || '}' as tail
      from (select *, row_number() over () as i from (${query}) given) q left join type using (event_type)
    ),
    chunk as (
      select array_agg(event_type order by i) as types, array_agg(occurred_at order by i) as occurred,
        array_agg(actor_uuid order by i) as actors, array_agg(actor_ip order by i) as ips,
        array_agg(subject_uuid order by i) as subjects, array_agg(head order by i) as heads,
        array_agg(tail order by i) as tails
      from batch group by (i - 1) / ${sql.lit(CHUNK)} order by (i - 1) / ${sql.lit(CHUNK)}
    )
    select * from chunk`;
  // A cluster would call the function on the shard, which cannot write to other tables.
  if (!isCluster(tx.db)) return appendChunks(tx, sql`(${chunks})`);
  await sql`create temp table event_chunk on commit drop as ${chunks}`.execute(tx);
  const count = await appendChunks(tx, sql`pg_temp.event_chunk`);
  await sql`drop table pg_temp.event_chunk`.execute(tx);
  return count;
}

async function appendChunks(tx: OrgTx, chunks: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select coalesce(sum(append_events(${tx.orgId}::uuid, types, occurred, actors, ips, subjects, heads, tails)), 0)::integer
      as count
    from ${chunks} as chunk`.execute(tx);
  return rows[0]?.count ?? 0;
}
