import { type Db, everywhere, type OrgDb, type OrgTx, secondsUntilFirst } from '#kit/database.ts';
import { isActiveOrganization } from '#kit/identity.ts';
import type { Place } from '#kit/loops/follow.ts';
import { many, one, type RawBuilder, run, sql, value, values } from '#kit/sql.ts';
import { type Moment, momentToIso } from '#log/events/follow.ts';
import { KIND_NAMES } from '../finding.ts';

const CHECK_EVERY = sql`interval '10 minutes'`;
const KINDS = sql`${KIND_NAMES}::text[]`;
/** Whether all findings are to be looked for, of cursor `c`: an event has asked for it, or this release has a kind that no release before had. */
const isAsked = sql`(c.asked_at is not null or not c.kinds @> ${KINDS})`;

/** Returns the organizations with unread events, or whose findings are to be looked for by the clock or all together. */
export const organizationsWithWork = (db: Db) => many<{ org_id: string }>(everywhere(db))`
    select h.org_id from event_head h left join finding_cursor c on c.org_id = h.org_id
    where (c.org_id is null or h.last_ingested_at > c.read_to or ${isAsked} or c.checked_at < clock_now() - ${CHECK_EVERY})
      and ${isActiveOrganization('h.org_id')}`;

/** Returns the seconds until the next organization has work. */
export const untilWork = (db: Db) => secondsUntilFirst(db)`
    select case when c.org_id is null or h.last_ingested_at > c.read_to then h.last_ingested_at
      when ${isAsked} then coalesce(c.asked_at, clock_now()) else c.checked_at + ${CHECK_EVERY} end as at
    from event_head h left join finding_cursor c on c.org_id = h.org_id
    where ${isActiveOrganization('h.org_id')}`;

/** Returns the organizations whose findings are followed. */
export const organizations = (db: Db) => values<string>(everywhere(db))`
    select c.org_id from finding_cursor c where ${isActiveOrganization('c.org_id')}`;

/** Begins at the end of the log: all findings are looked for first. */
const insertCursor = (db: OrgDb) => run(db)`
    insert into finding_cursor (org_id, read_to, asked_at, checked_at, kinds)
    select h.org_id, h.last_ingested_at, clock_now(), clock_now(), ${KINDS} from event_head h where h.org_id = ${db.orgId}
    on conflict do nothing`;

const select = async (db: OrgDb, lock: RawBuilder<unknown>): Promise<Moment | undefined> => {
  return value<Moment | undefined>(db)`
    select (extract(epoch from c.read_to) * 1000000)::bigint as read_to
    from finding_cursor c where c.org_id = ${db.orgId} ${lock}`;
};

/** How far the log of an organization has been read. Its lock is that of the organization's findings. */
export const place: Place = {
  read: async (db) => {
    const found = await select(db, sql``);
    if (found === undefined) await insertCursor(db);
    return found;
  },
  tryLock: (tx) => select(tx, sql`for update skip locked`),
  move: async (tx, to) => {
    await run(tx)`
      update finding_cursor set read_to = ${momentToIso(to)}::timestamptz where org_id = ${tx.orgId}`;
  },
};

/** Waits for the lock of `place`. */
export const lockCursor = (tx: OrgTx) =>
  run(tx)`select org_id from finding_cursor where org_id = ${tx.orgId} for update`;

/** Asks for all findings to be looked for. */
export const askForAll = (tx: OrgTx) =>
  run(tx)`update finding_cursor set asked_at = clock_now() where org_id = ${tx.orgId}`;

/** Asks for all findings to be looked for if this release has a new kind. */
export const askForNewKinds = (db: OrgDb) => run(db)`
    update finding_cursor c set asked_at = clock_now(), kinds = ${KINDS} where c.org_id = ${db.orgId} and not c.kinds @> ${KINDS}`;

export const askedAt = (db: OrgDb) => value<Date | null | undefined>(db)`
    select asked_at from finding_cursor where org_id = ${db.orgId}`;

/** All findings have been looked for as asked then, unless somebody has asked since. */
export const endAsked = (db: OrgDb, at: Date) => run(db)`
    update finding_cursor set asked_at = null
    where org_id = ${db.orgId} and date_trunc('milliseconds', asked_at) = ${at.toISOString()}::timestamptz`;

/** Begins a look by the clock, if it is time for one or `now`. Returns the time that has passed since the last one. */
export const beginCheck = (tx: OrgTx, now: boolean) => one<{ from: Date; to: Date }>(tx)`
    update finding_cursor set checked_at = clock_now()
    where org_id = ${tx.orgId} and (${now}::boolean or checked_at < clock_now() - ${CHECK_EVERY})
    returning old.checked_at as "from", new.checked_at as "to"`;
