import { type Db, everywhere, type OrgDb, type OrgTx, secondsUntilFirst } from '#kit/database.ts';
import { isActiveOrganization, personJson } from '#kit/identity.ts';
import type { Page, Slice } from '#kit/pages.ts';
import { many, one, type RawBuilder, run, sql, value } from '#kit/sql.ts';
import type { ToldLeave } from '../absence-events.ts';
import type { Absence } from '../schemas.ts';

const view = sql`
  a.id as external_uuid, ${personJson('u')} as "user",
  a.kind, case when d.id is not null then ${personJson('d')} end as deputy,
  a.starts_at, nullif(a.ends_at, 'infinity') as ends_at, a.reason, a.created_by, a.created_at`;
/** The end of a leave without one, as the database writes it. */
export const FOREVER = 'infinity';

const joined = sql`
  absence a
  join platform_user u on u.org_id = a.org_id and u.id = a.user_id
  left join platform_user d on d.org_id = a.org_id and d.id = a.deputy_id`;

export const findAbsence = (db: OrgDb, userId: string, absenceId: string) => one<Absence>(db)`
    select ${view} from ${joined}
    where a.org_id = ${db.orgId} and a.user_id = ${userId} and a.id = ${absenceId}`;

/** The absence that ends last comes first. */
export async function listAbsences(db: OrgDb, userId: string, page: Page): Promise<Slice<Absence>> {
  const where = sql`a.org_id = ${db.orgId} and a.user_id = ${userId}`;
  const counted = await value<number>(db)`select count(*) as n from absence a where ${where}`;
  const rows = await many<Absence>(db)`
    select ${view} from ${joined} where ${where}
    order by a.ends_at desc, a.id limit ${page.limit} offset ${page.offset}`;
  return { count: counted, results: rows };
}

/** Returns an absence of the person in this time, other than `except`. */
export const overlapping = (
  tx: OrgTx,
  userId: string,
  { startsAt, endsAt, except }: { startsAt: string; endsAt: string; except: string | null },
) => one<{ starts_at: Date; ends_at: Date | null }>(tx)`
    select starts_at, nullif(ends_at, 'infinity') as ends_at from absence
    where org_id = ${tx.orgId} and user_id = ${userId} and starts_at < ${endsAt} and ends_at > ${startsAt}
      and (${except}::uuid is null or id <> ${except}::uuid)
    order by starts_at limit 1`;

export interface AbsenceRow {
  kind: Absence['kind'];
  /** Null: a leave without a deputy. */
  deputyId: string | null;
  /** A time in the format of instantForSql. */
  startsAt: string;
  /** The same, or FOREVER. */
  endsAt: string;
  reason: string | null;
}

export const insertAbsence = (
  tx: OrgTx,
  userId: string,
  createdBy: string,
  { kind, deputyId, startsAt, endsAt, reason }: AbsenceRow,
) => value<string>(tx)`
    insert into absence (org_id, user_id, kind, deputy_id, starts_at, ends_at, reason, created_by)
    values (${tx.orgId}, ${userId}, ${kind}, ${deputyId}, ${startsAt}, ${endsAt}, ${reason}, ${createdBy}) returning id`;

export const updateAbsence = (
  tx: OrgTx,
  absenceId: string,
  { deputyId, startsAt, endsAt, reason }: Omit<AbsenceRow, 'kind'>,
) => run(tx)`
    update absence set deputy_id = ${deputyId}, starts_at = ${startsAt}, ends_at = ${endsAt}, reason = ${reason}
    where org_id = ${tx.orgId} and id = ${absenceId}`;

/** Deletes absences. Returns those of them that were leaves and had begun. */
export const deleteAbsences = (tx: OrgTx, ids: readonly string[]) => many<{ id: string; had_begun: boolean }>(
  tx,
)`
    delete from absence where org_id = ${tx.orgId} and id = any(${ids}::uuid[])
    returning id, begun_at is not null and ended_at is null as had_begun`;

/**
 * Moves the absences of a merged person, and those in which they are the deputy, to the person who remains. Deletes those that
 * would overlap another, or name the absent person as their own deputy. A leave comes before an absence, and only loses its deputy.
 * Returns how many moved.
 */
export async function moveAbsences(tx: OrgTx, fromId: string, intoId: string): Promise<number> {
  await run(tx)`
    update absence set deputy_id = null
    where org_id = ${tx.orgId} and kind = 'leave' and ((user_id = ${fromId} and deputy_id = ${intoId})
      or (user_id = ${intoId} and deputy_id = ${fromId}))`;
  await run(tx)`
    delete from absence
    where org_id = ${tx.orgId} and ((user_id = ${fromId} and deputy_id = ${intoId})
      or (user_id = ${intoId} and deputy_id = ${fromId}))`;
  await run(tx)`
    delete from absence a
    where a.org_id = ${tx.orgId} and a.user_id = ${intoId} and a.kind = 'away' and exists (
      select from absence o where o.org_id = ${tx.orgId} and o.user_id = ${fromId} and o.kind = 'leave'
        and o.starts_at < a.ends_at and o.ends_at > a.starts_at)`;
  await run(tx)`
    delete from absence a
    where a.org_id = ${tx.orgId} and a.user_id = ${fromId} and exists (
      select from absence o where o.org_id = ${tx.orgId} and o.user_id = ${intoId}
        and o.starts_at < a.ends_at and o.ends_at > a.starts_at)`;
  const rows = await many(tx)`
    update absence set
      user_id = case when user_id = ${fromId} then ${intoId}::uuid else user_id end,
      deputy_id = case when deputy_id = ${fromId} then ${intoId}::uuid else deputy_id end
    where org_id = ${tx.orgId} and (user_id = ${fromId} or deputy_id = ${fromId})
    returning id`;
  return rows.length;
}

/** Locks the absences that are not over and have this deputy, and returns their ids with their people. */
export const lockAbsencesOfDeputy = (tx: OrgTx, deputyId: string) => many<{ id: string; user_id: string }>(
  tx,
)`
    select id, user_id from absence
    where org_id = ${tx.orgId} and deputy_id = ${deputyId} and ends_at > now()
    order by id for no key update`;

export const setDeputy = (tx: OrgTx, absenceId: string, deputyId: string) => run(tx)`
    update absence set deputy_id = ${deputyId} where org_id = ${tx.orgId} and id = ${absenceId}`;

/** A leave without its deputy has none. */
export const forgetDeputy = (tx: OrgTx, deputyId: string) => run(tx)`
    update absence set deputy_id = null
    where org_id = ${tx.orgId} and deputy_id = ${deputyId} and kind = 'leave'`;

/** Returns the present or next leave of a person. */
export const presentLeave = (tx: OrgTx, userId: string) => one<Absence>(tx)`
    select ${view} from ${joined}
    where a.org_id = ${tx.orgId} and a.user_id = ${userId} and a.kind = 'leave' and a.ended_at is null and a.ends_at > now()
    order by a.starts_at limit 1`;

/** Returns the absences of a person in this time that are not over, other than `except`. */
export const absencesWithin = (
  tx: OrgTx,
  userId: string,
  { startsAt, endsAt, except }: { startsAt: string; endsAt: string; except: string | null },
) => many<Absence>(tx)`
    select ${view} from ${joined}
    where a.org_id = ${tx.orgId} and a.user_id = ${userId} and a.starts_at < ${endsAt}::timestamptz
      and a.ends_at > greatest(${startsAt}::timestamptz, now()) and a.id is distinct from ${except}::uuid`;

/** Ends a leave now. One that has not begun is deleted instead. */
export const endLeave = (tx: OrgTx, id: string) => run(tx)`
    update absence set ends_at = now() where org_id = ${tx.orgId} and id = ${id}`;

const isUntold = sql`a.kind = 'leave' and a.ended_at is null`;
/** Changes leaves `a` of people `u`, and returns them as they are told. */
const told = (tx: OrgTx, change: RawBuilder<unknown>, where: RawBuilder<unknown>) => many<ToldLeave>(tx)`
    update absence a set ${change} from platform_user u
    where a.org_id = ${tx.orgId} and ${where} and u.org_id = ${tx.orgId} and u.id = a.user_id
    returning a.id as absence_id, a.user_id, u.email`;

/** Notes that leaves have begun. Returns them. */
export const beginLeaves = (tx: OrgTx) =>
  told(tx, sql`begun_at = clock_now()`, sql`${isUntold} and a.begun_at is null and a.starts_at <= now()`);

/** Notes that leaves are over. Returns them. */
export const endLeaves = (tx: OrgTx) =>
  told(tx, sql`ended_at = clock_now()`, sql`${isUntold} and a.begun_at is not null and a.ends_at <= now()`);

/** Notes that leaves had begun and lie ahead again. Returns them. */
export const unbeginLeaves = (tx: OrgTx, ids: readonly string[]) =>
  told(
    tx,
    sql`begun_at = null`,
    sql`a.id = any(${ids}::uuid[]) and a.begun_at is not null and a.starts_at > now()`,
  );

const untold = sql`
  select a.org_id, case when a.begun_at is null then a.starts_at else a.ends_at end as at from absence a
  where ${isUntold} and ${isActiveOrganization('a.org_id')}`;

/** Returns the organizations with leaves that have begun or ended since the log said so. */
export const organizationsWithLeaves = (db: Db) => many<{ org_id: string }>(everywhere(db))`
    select distinct l.org_id from (${untold}) l where l.at <= clock_now()`;

/** Returns the seconds until the next leave begins or ends. */
export const untilLeave = (db: Db) => secondsUntilFirst(db)`
    select l.at from (${untold}) l where l.at < 'infinity'`;
