import { sql } from 'kysely';
import type { Db } from '../../platform/database/open.ts';
import type { Moment } from '../moment.ts';
import { momentToIso } from '../moment.ts';

/** Positions skipped where the log may have lost its end: no lost event's position is ever used again. */
const JUMP = 1_000_000;

/**
 * A true cursor from beyond the head says that this database was restored from before that cursor was made: nothing
 * may be recorded below it any more. Answers the head.
 */
export async function raiseHead(db: Db, orgId: string, moment: Moment): Promise<Moment> {
  const { rows } = await sql<{ head: Moment }>`
    update event_head set
      last_position = last_position + case when last_ingested_at < ${momentToIso(moment)}::timestamptz then ${JUMP}::bigint else 0 end,
      last_ingested_at = greatest(last_ingested_at, ${momentToIso(moment)}::timestamptz)
    where org_id = ${orgId}
    returning (extract(epoch from last_ingested_at) * 1000000)::bigint as head`.execute(db);
  return rows[0]?.head ?? moment;
}

/** After a restore: every organization goes on from positions, and a moment, that cannot have been used. */
export async function jumpHeads(db: Db): Promise<number> {
  const { numAffectedRows } = await sql`
    update event_head set last_position = last_position + ${JUMP}::bigint,
      last_ingested_at = greatest(last_ingested_at, clock_timestamp())`.execute(db);
  return Number(numAffectedRows ?? 0);
}

export interface Origin {
  system_identifier: string;
  timeline: number;
}

/** Which cluster and timeline this is; undefined where the server does not tell. */
export async function readOrigin(db: Db): Promise<Origin | undefined> {
  const { rows: allowed } = await sql<{ tells: boolean }>`
    select has_function_privilege('pg_control_system()', 'execute')
      and has_function_privilege('pg_current_wal_lsn()', 'execute') as tells`.execute(db);
  if (allowed[0]?.tells !== true) return undefined;
  // The first eight hexadecimal digits of a WAL file's name are its timeline.
  const { rows } = await sql<Origin>`
    select system_identifier::text as system_identifier,
      ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::integer as timeline
    from pg_control_system()`.execute(db);
  return rows[0];
}

/** Stores the origin and answers the one that was stored before. */
export async function exchangeOrigin(
  db: Db,
  { system_identifier, timeline }: Origin,
): Promise<Origin | undefined> {
  const { rows } = await sql<{ system_identifier: string | null; timeline: number | null }>`
    insert into event_log_origin as o (system_identifier, timeline) values (${system_identifier}, ${timeline})
    on conflict (only_row) do update set system_identifier = excluded.system_identifier, timeline = excluded.timeline
    returning old.system_identifier, old.timeline`.execute(db);
  const [before] = rows;
  return before?.system_identifier && before.timeline
    ? { system_identifier: before.system_identifier, timeline: before.timeline }
    : undefined;
}
