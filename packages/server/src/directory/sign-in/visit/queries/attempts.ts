import { type Db, everywhere, type OrgDb, type OrgTx } from '#kit/database.ts';
import { one, run, sql, value } from '#kit/sql.ts';

/**
 * Failed sign-ins, counted by name: `address ...` for an address, `account ...` for an entered email address.
 */

export interface Attempts {
  failures: number;
  /** Seconds until the counter admits another attempt. Null: it is not blocked. */
  blocked_for: number | null;
}

/** Counts an attempt as failed before its outcome is known, so that concurrent attempts count too. */
export async function countAttempt(db: OrgDb, counter: string, windowSeconds: number): Promise<Attempts> {
  const isOver = sql`excluded.since - a.since > ${windowSeconds} * interval '1 second'`;
  return (await one<Attempts>(db)`
    with counted as (
      insert into sign_in_attempt as a (org_id, counter, failures, since) values (${db.orgId}, ${counter}, 1, now())
      on conflict (org_id, counter) do update set
        failures = case
          when a.blocked_until > excluded.since then a.failures
          when a.blocked_until is not null or ${isOver} then 1
          else a.failures + 1 end,
        since = case when a.blocked_until <= excluded.since or ${isOver} then excluded.since else a.since end,
        blocked_until = case when a.blocked_until > excluded.since then a.blocked_until end
      returning failures, blocked_until
    )
    select failures, ceil(extract(epoch from blocked_until - now()))::integer as blocked_for from counted`) as Attempts;
}

/** Returns the seconds until the counter admits another attempt, or null if it is not blocked. */
export async function secondsBlocked(db: OrgDb, counter: string): Promise<number | null> {
  return (
    (await value<number | undefined>(db)`
    select ceil(extract(epoch from blocked_until - now()))::integer as seconds from sign_in_attempt
    where org_id = ${db.orgId} and counter = ${counter} and blocked_until > now()`) ?? null
  );
}

/** Takes back the count of an attempt that did not fail. */
export const uncountAttempt = (db: OrgDb, counter: string) => run(db)`
    update sign_in_attempt set failures = greatest(failures - 1, 0)
    where org_id = ${db.orgId} and counter = ${counter} and (blocked_until is null or blocked_until <= now())`;

/** Blocks a counter and returns until when, or undefined if another request has blocked it already. */
export const blockCounter = (tx: OrgTx, counter: string, seconds: number) => value<Date | undefined>(tx)`
    update sign_in_attempt set blocked_until = now() + ${seconds} * interval '1 second'
    where org_id = ${tx.orgId} and counter = ${counter} and (blocked_until is null or blocked_until <= now())
    returning blocked_until`;

/** Deletes attempts that no longer count and blocks that are over. */
export const deleteOldAttempts = (db: Db, windowSeconds: number) => run(everywhere(db))`
    delete from sign_in_attempt
    where since < now() - ${windowSeconds} * interval '1 second' and (blocked_until is null or blocked_until < now())`;
