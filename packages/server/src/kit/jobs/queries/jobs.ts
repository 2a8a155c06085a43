import { sql } from 'kysely';
import { secondsUntilFirst } from '../../database/clock.ts';
import type { Db, Tx } from '../../database/open.ts';
import { many, run, value } from '../../database/statements.ts';

/** An organization with more waiting jobs than this has no better chances with fewer. */
const MOST_COUNTED = 1000;

/** Counts the jobs of this kind that wait already for the organization of `data`. The second one waits for the first ones of others. */
export async function countWaiting(tx: Tx, name: string, data: object): Promise<number> {
  const { orgId } = data as { orgId?: string };
  if (orgId === undefined) return 0;
  return value<number>(tx)`
    select count(*) as n from (
      select from pgboss.job
      where name = ${name} and state < 'active' and start_after <= now() and data ->> 'orgId' = ${orgId}
      limit ${MOST_COUNTED}) waiting`;
}

/** Returns those of these kinds that have jobs whose time has come. */
export const kindsWithDueJobs = (db: Db, kinds: readonly string[]) => many<{ id: string }>(db)`
    select kind as id from unnest(${kinds}::text[]) kind
    where exists (select from pgboss.job j
      where j.name = kind and j.state < 'active' and not j.blocked and j.start_after <= now())`;

/** Whether a node runs a job. */
export async function hasActiveJobs(db: Db): Promise<boolean> {
  return (
    (await value<boolean | undefined>(db)`
    select exists (select from pgboss.job where state = 'active') as found`) === true
  );
}

/** Counts the jobs of these kinds that have not finished. */
export const countUnfinished = (db: Db, kinds: readonly string[]) => many<{
  job: string;
  waiting: number;
  deferred: number;
  active: number;
}>(db)`
    select kind as job,
      count(*) filter (where j.state < 'active' and j.start_after <= now()) as waiting,
      count(*) filter (where j.state < 'active' and j.start_after > now()) as deferred,
      count(*) filter (where j.state = 'active') as active
    from unnest(${kinds}::text[]) kind left join pgboss.job j on j.name = kind and j.state <= 'active'
    group by kind order by kind`;

/** Returns the seconds until the next job of these kinds is due. */
export const untilDueJob = (db: Db, kinds: readonly string[]) => secondsUntilFirst(db)`
    select min(j.start_after) as at from pgboss.job j
    where j.name = any(${kinds}::text[]) and j.state < 'active' and not j.blocked`;

const senderLock = (name: string, key: string) => sql`hashtextextended(${`${name} ${key}`}, 0)`;

/** Takes the lock that the sender of a job holds until its transaction has ended on all nodes of a cluster. */
export const lockAsSender = (tx: Tx, name: string, key: string) =>
  run(tx)`select pg_advisory_xact_lock_shared(${senderLock(name, key)})`;

/** Whether no transaction that has sent the job is still running. */
export async function hasSenderFinished(db: Db, name: string, key: string): Promise<boolean> {
  return (
    (await value<boolean | undefined>(db)`
    select pg_try_advisory_xact_lock(${senderLock(name, key)}) as free`) === true
  );
}
