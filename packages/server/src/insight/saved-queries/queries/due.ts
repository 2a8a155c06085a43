import { type Db, everywhere, type OrgDb, type OrgTx, secondsUntilFirst } from '#kit/database.ts';
import { isActiveOrganization } from '#kit/identity.ts';
import { exists, many, one, sql } from '#kit/sql.ts';
import type { Definition } from '../definition.ts';
import type { Times } from '../schedule.ts';
import type { StopReason } from '../schemas.ts';

/**
 * Returns the saved queries whose time has come, at most `each` of an organization: the oldest of each organization before the second of any,
 * since one that takes too long holds up those after it.
 */
export const dueQueries = (db: Db, { each, limit }: { each: number; limit: number }) => many<{
  org_id: string;
  id: string;
}>(everywhere(db))`
    select org_id, id from (
      select q.org_id, q.id, q.next_run_at,
        row_number() over (partition by q.org_id order by q.next_run_at, q.id) as place
      from saved_query q where q.next_run_at <= clock_now() and ${isActiveOrganization('q.org_id')}
    ) due
    where place <= ${each} order by place, next_run_at, id limit ${limit}`;

/** Returns the seconds until the next saved query is due. */
export const untilDueQuery = (db: Db) => secondsUntilFirst(db)`
    select q.next_run_at as at from saved_query q
    where q.next_run_at is not null and ${isActiveOrganization('q.org_id')}`;

/** A saved query whose time has come. */
export interface DueQuery extends Times {
  id: string;
  name: string;
  definition: Definition;
  owner_id: string;
  recipients: string[];
  last_run_at: Date | null;
  last_count: number | null;
  /** The time of the run, with microseconds: no two runs have the same. */
  due: string;
}

export const findDue = (db: OrgDb, id: string) => one<DueQuery>(db)`
    select q.id, q.name, q.definition, q.owner_id, coalesce(q.recipients, '{}')::text[] as recipients, q.every, q.hour, q.weekday,
      q.day, q.last_run_at, q.last_count, to_char(q.next_run_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as due
    from saved_query q where q.org_id = ${db.orgId} and q.id = ${id} and q.next_run_at <= clock_now()`;

/** Whether nobody has made the run, or changed the query or its schedule since. */
const isSame = ({ orgId }: OrgDb, { id, due, definition }: DueQuery) => sql`
  org_id = ${orgId} and id = ${id} and next_run_at = ${due}::timestamptz
    and definition = ${JSON.stringify(definition)}::jsonb`;

/** Ends a run. Returns false if another node was faster, or somebody changed the query in the meantime. */
export const endRun = (tx: OrgTx, due: DueQuery, { next, count }: { next: Date; count: number }) => exists(
  tx,
)`
    update saved_query set last_run_at = clock_now(), last_count = ${count}, next_run_at = ${next.toISOString()}::timestamptz
    where ${isSame(tx, due)} returning id`;

/** Ends the schedule. Returns false if another node was faster, or somebody changed the query in the meantime. */
export const stop = (tx: OrgTx, due: DueQuery, reason: StopReason) => exists(tx)`
    update saved_query set every = null, hour = null, weekday = null, day = null, recipients = null, next_run_at = null,
      stopped = ${reason}
    where ${isSame(tx, due)} returning id`;
