import { acrossOrganizations, type Db, type OrgTx, type Tx } from '#kit/database.ts';
import { affected, many, one, run, sql, value } from '#kit/sql.ts';
import type { Moment } from '../moment.ts';
import { momentToIso } from '../moment.ts';

export const insertHead = (tx: OrgTx) => run(tx)`insert into event_head (org_id) values (${tx.orgId})`;

/** How many positions to skip when the end of the log may be lost, so that no lost event's position is reused. */
const JUMP = 1_000_000;

/**
 * Moves the head of a log to `moment` if it is behind. A valid cursor from beyond the head proves that the database was
 * restored from an earlier state, so no event may be recorded below it; or that a replica showed a commit before the
 * primary did. The lock of the head waits for such a commit, and the head is then not behind.
 */
export async function raiseHead(tx: OrgTx, moment: Moment): Promise<void> {
  const rows = await many(tx)`
    update event_head set
      last_position = last_position + ${JUMP}::bigint, last_ingested_at = ${momentToIso(moment)}::timestamptz
    where org_id = ${tx.orgId} and last_ingested_at < ${momentToIso(moment)}::timestamptz
    returning org_id`;
  if (rows.length > 0) await run(tx)`${jumpGaps} where org_id = ${tx.orgId}`;
}

/** The gaps of heads that this transaction has moved. */
const jumpGaps = sql`
  insert into event_gap (org_id, first_position, last_position, reason)
  select org_id, last_position - ${sql.lit(JUMP)} + 1, last_position, 'jump' from event_head`;

/** Moves all heads to positions and a moment that cannot have been used. Returns the number of organizations. */
export function jumpHeads(tx: Tx): Promise<number> {
  return acrossOrganizations(tx, async () => {
    const moved = await affected(tx)`
      update event_head set last_position = last_position + ${JUMP}::bigint,
        last_ingested_at = greatest(last_ingested_at, clock_now())`;
    // Not the head of an organization that was created since then.
    await run(tx)`${jumpGaps} where last_position >= ${JUMP}::bigint`;
    return moved;
  });
}

/** Identifies a database cluster and its timeline. */
export interface Origin {
  system_identifier: string;
  timeline: number;
}

/** Returns this database's cluster and timeline, or undefined if the role may not read them. */
export async function readOrigin(db: Db): Promise<Origin | undefined> {
  const allowed = await value<boolean | undefined>(db)`
    select has_function_privilege('pg_control_system()', 'execute')
      and has_function_privilege('pg_current_wal_lsn()', 'execute') as readable`;
  if (allowed !== true) return undefined;
  // The first eight hexadecimal digits of a WAL file's name are its timeline.
  return one<Origin>(db)`
    select system_identifier::text as system_identifier,
      ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::integer as timeline
    from pg_control_system()`;
}

/** Stores the origin and returns the previous one. */
export async function exchangeOrigin(
  db: Db,
  { system_identifier, timeline }: Origin,
): Promise<Origin | undefined> {
  const before = await one<{ system_identifier: string | null; timeline: number | null }>(db)`
    insert into event_log_origin as o (system_identifier, timeline) values (${system_identifier}, ${timeline})
    on conflict (only_row) do update set system_identifier = excluded.system_identifier, timeline = excluded.timeline
    returning old.system_identifier, old.timeline`;
  return before?.system_identifier && before.timeline
    ? { system_identifier: before.system_identifier, timeline: before.timeline }
    : undefined;
}

export const deleteOrigin = (db: Db) => run(db)`delete from event_log_origin`;
