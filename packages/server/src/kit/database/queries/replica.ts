import type { Pool } from 'pg';
import type { Database, Db, Row } from '../database.ts';
import { statementName } from '../statement-name.ts';
import { run } from '../statements.ts';

/** How far the primary has written its log. Positions are bytes. */
export interface PrimaryPosition extends Row {
  position: number;
  timeline: number;
  /** The mark of the last timeline on which a node has marked the primary. Null before the first. */
  marked_timeline: number | null;
  mark: string | null;
}

/**
 * Commits become visible once they are flushed, so the flushed position covers all that anyone can have seen. Without
 * synchronous commits, they become visible earlier.
 */
const PRIMARY_POSITION = `
  select (case when current_setting('synchronous_commit') = 'off'
      then pg_current_wal_insert_lsn() else pg_current_wal_flush_lsn() end - '0/0')::bigint as position,
    ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::integer as timeline,
    m.timeline as marked_timeline, m.mark
  from (values (1)) one left join replica_mark m on m.only_row`;

export async function readPosition(primary: Database): Promise<PrimaryPosition> {
  const [row] = await primary.prepared<PrimaryPosition>(PRIMARY_POSITION, []);
  return row as PrimaryPosition;
}

/** Gives the timeline of the primary a mark of its own, unless another node has. */
export const markTimeline = (db: Db, timeline: number) => run(db)`
    insert into replica_mark (timeline, mark) values (${timeline}, gen_random_uuid())
    on conflict (only_row) do update set timeline = excluded.timeline, mark = excluded.mark
    where replica_mark.timeline <> excluded.timeline`;

/** How far a replica has replayed the log of its primary. */
export interface StandbyPosition {
  is_standby: boolean;
  position: number | null;
  mark: string | null;
  /** Seconds since the last transaction that it has replayed. */
  silence: number | null;
}

const STANDBY_POSITION = `
  select pg_is_in_recovery() as is_standby, (pg_last_wal_replay_lsn() - '0/0')::bigint as position,
    (select mark from replica_mark) as mark,
    extract(epoch from clock_timestamp() - pg_last_xact_replay_timestamp())::float8 as silence`;

export async function readStandbyPosition(pool: Pool): Promise<StandbyPosition> {
  const { rows } = await pool.query<StandbyPosition>({
    name: statementName(STANDBY_POSITION),
    text: STANDBY_POSITION,
  });
  return rows[0] as StandbyPosition;
}

/** Identifies a server. `system_identifier` is null if the role may not read it. */
export interface ServerIdentity extends Row {
  is_standby: boolean;
  database: string;
  system_identifier: string | null;
  has_citus: boolean;
}

const IDENTITY = `
  select pg_is_in_recovery() as is_standby, current_database() as database,
    case when has_function_privilege('pg_control_system()', 'execute')
      then (select system_identifier::text from pg_control_system()) end as system_identifier,
    exists (select from pg_extension where extname = 'citus') as has_citus`;

export const identifyPrimary = async (primary: Database): Promise<ServerIdentity> =>
  (await primary.prepared<ServerIdentity>(IDENTITY, []))[0] as ServerIdentity;

export const identifyReplica = async (pool: Pool): Promise<ServerIdentity> =>
  (await pool.query<ServerIdentity>(IDENTITY)).rows[0] as ServerIdentity;
